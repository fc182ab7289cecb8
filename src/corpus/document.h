// A text and what is known about it: sentences, tokens, words, and the layers over them.
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

#include "corpus/layers/ccg/ccg.h"
#include "corpus/layers/constituency/phrase_tree.h"
#include "corpus/layers/dependency/dependency.h"
#include "corpus/layers/entities/entities.h"
#include "corpus/layers/frames/frames.h"
#include "corpus/layers/relations/relations.h"

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

struct Sentence {
  std::vector<std::string> comments;  // whole lines, with their '#', in order
  std::vector<Word> words;
  std::vector<Token> tokens;
  std::vector<EmptyNode> empty_nodes;
  // Layers, each with a type of its own in corpus/layers.
  std::vector<PhraseTree> trees;       // of phrases: the best first
  TreeProof tree;                      // of the words' heads
  std::vector<OtherTree> other_trees;  // the next best, where they were asked for
  std::vector<FrameInstance> frames;   // in the order of their targets
  std::vector<Entity> entities;        // in the order of their words
  RelationLayer relations;             // between entities
  CcgLayer ccg;                        // one derivation
  std::int64_t begin = -1, end = -1;   // bytes of the document's text
  bool new_document = false, new_paragraph = false;

  int size() const { return static_cast<int>(words.size()); }
  // The token that word i is in.
  const std::string& token_form(const Token& t) const {
    return t.form.empty() ? words[t.first].form : t.form;
  }
};

struct Document {
  std::string name;                    // of its file, where it is one of several; else empty
  std::string text;                    // empty for corpora that have none
  std::int64_t characters_before = 0;  // where text starts in a longer stream
  std::vector<Sentence> sentences;
};

}  // namespace entente
