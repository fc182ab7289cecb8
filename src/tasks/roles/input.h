// A sentence as the role labeller sees it: words, the phrase tree and the dependency tree as
// numbers.
//
//   Input input;
//   input.assign(prop_sentence);                 // gold trees, or whatever stands in the sentence
//   input.nodes[n].label, .head                  // hashes of names, the head word of a phrase
//
// Phrases of one word and their tag, or S over nothing but VP, cover the same words: the highest
// one stands for them (`top_over`). Without a phrase tree one is made of the dependency tree: a
// phrase for every word with what depends on it. Heads come from the dependency tree: the word of a
// phrase whose own head is outside. Linear; memory is reused. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/propbank/propbank.h"
#include "learn/word_meanings.h"

namespace entente::roles {

struct InputWord {
  std::uint64_t form, lemma, tag, relation;  // hashes; the form in lower case
  int head = -1;                             // -1: the root
  int leaf = 0;                              // node of its tag
  char kind = 0;                             // of its tag: V, N, J, P (preposition), ., or another
  // What raw text and WordNet say of it (learn/word_meanings.h); 0: nothing is known.
  std::uint64_t fine = 0, middle = 0, topic = 0;
};

struct InputNode {
  std::uint64_t label;
  int parent = -1, begin = 0, end = 0, head = 0;
  int depth = 0;
  int index = 0;              // among its siblings
  int left = -1, right = -1;  // siblings
  bool is_tag = false;
  bool top = false;       // the root that means nothing
  float confidence = -1;  // its probability, -1: not known
};

// A phrase that the parser finds not unlikely, but that is not in its tree.
struct InputPhrase {
  std::uint64_t label;
  int begin = 0, end = 0;
  int head = 0;
  float confidence = 0;
};

struct Input {
  std::vector<InputWord> words;
  std::vector<InputNode> nodes;  // pre-order
  std::vector<std::vector<int>> children;
  std::vector<InputPhrase> likely;
  bool from_dependencies = false;

  int size() const { return static_cast<int>(words.size()); }
  // Before assign(): where meanings of words are looked up; they must outlive it.
  void use(const WordMeanings* meanings) { meanings_ = meanings; }
  void assign(const propbank::PropSentence& sentence);
  // After assign(): the same words under another of the sentence's trees.
  void assign_other(const propbank::PropSentence& sentence, std::size_t other);
  // Is the word (a verb) in the passive voice?
  bool passive(int word) const;

 private:
  void add_tree(const propbank::PhraseTree& tree);
  void find_heads();
  void find_meaning(const std::string& form, const std::string& lemma, InputWord& word) const;
  const WordMeanings* meanings_ = nullptr;
  std::vector<InputPhrase> known_;  // phrases of which a parser gave the probability
  int head_of(int begin, int end) const;
};

// A phrase for every word with dependents; labels from tags and relations.
propbank::PhraseTree tree_of_dependencies(const propbank::PropSentence& sentence);

}  // namespace entente::roles
