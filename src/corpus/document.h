// A text and what is known about it: sentences, tokens, words, trees, frames.
//
//   Document document;
//   Sentence& s = document.sentences.emplace_back();
//   s.words.push_back({.form = "Austria", .upos = "PROPN"});
//
// A *token* is a piece of the text, with its place there; a *word* is what syntax sees. Mostly they
// are the same; "don't" is one token and two words. Fields hold what a CoNLL-U file has in its
// column, "_" where nothing is known, so that reading and writing gives back the same bytes.
// Offsets are bytes of Document::text (UTF-8); character_offsets() turns them into characters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace entente {

struct Word {
  std::string form = "_", lemma = "_", upos = "_", xpos = "_", feats = "_";
  int head = -1;  // 1-based word of the same sentence, 0: the root, -1: not known
  std::string deprel = "_", deps = "_", misc = "_";
};

// A piece of text that covers words first..last (from 0, both included).
struct Token {
  int first = 0, last = 0;
  std::int64_t begin = -1, end = -1;  // bytes of the document's text; -1: not known
  // Only of tokens with several words (lines "3-4" of CoNLL-U); otherwise the word has them.
  std::string form = {}, misc = "_";
  // Columns 3 to 9 of such a line where they are not all "_", tab separated; nearly always empty.
  std::string other_columns = {};

  bool is_multiword() const { return last > first || !form.empty(); }
};

// A line such as "8.1 ...", kept as it was read: it stands after `after` words.
struct EmptyNode {
  int after = 0;
  std::string line;
};

// A phrase that fills a role of a frame: words first..last (from 0, both included).
struct FrameArgument {
  std::string role;
  int first = 0, last = 0;
  bool core = true;   // the frame is not whole without it
  double score = 0;   // log-odds against leaving the role empty
  double margin = 0;  // what the best analysis without it is worth less; only where explained
};

// Why a frame has the arguments it has; made on request.
struct FrameExplanation {
  std::vector<std::string> active_rules;  // those without which another analysis would have won
  std::vector<FrameArgument> runner_up;   // the second best analysis
  double runner_up_value = 0;
  std::vector<std::string> broken_locally;  // rules that the best choice role by role breaks
  std::string problem, certificate;         // JSON for `entente verify`
};

// A frame that some words of the sentence evoke, and who does what in it.
struct FrameInstance {
  std::vector<int> target;               // words, from 0, in order; may have gaps
  std::string frame, lexical_unit;       // "Collaboration", "partner.n"
  double score = 1;                      // probability of the frame given the target
  std::vector<FrameArgument> arguments;  // in the order of their words
  std::vector<std::string> rules;        // that held, for display: "Entity_1 excludes Entities"
  double value = 0, bound = 0;           // of the arguments together
  bool proven = false;                   // no other choice of arguments is worth more
  std::vector<FrameExplanation> explanation;  // none or one
};

struct Sentence {
  std::vector<std::string> comments;  // whole lines, with their '#', in order
  std::vector<Word> words;
  std::vector<Token> tokens;
  std::vector<EmptyNode> empty_nodes;
  std::vector<FrameInstance> frames;  // in the order of their targets
  std::int64_t begin = -1, end = -1;  // bytes of the document's text
  bool new_document = false, new_paragraph = false;

  int size() const { return static_cast<int>(words.size()); }
  // The token that word i is in.
  const std::string& token_form(const Token& t) const {
    return t.form.empty() ? words[t.first].form : t.form;
  }
};

struct Document {
  std::string text;                    // empty for corpora that have none
  std::int64_t characters_before = 0;  // where text starts in a longer stream
  std::vector<Sentence> sentences;
};

}  // namespace entente
