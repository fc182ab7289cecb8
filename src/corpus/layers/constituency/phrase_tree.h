// Phrase-structure trees: what the constituency layer of a sentence is.
//
//   PhraseTree tree;
//   tree.words = {"I", "slept"};  tree.tags = {"PRP", "VBD"};
//   tree.phrases = {{"TOP", 0, 2}, {"S", 0, 2, 0}, {"NP", 0, 1, 1}, {"VP", 1, 2, 1}};
//
// Phrases stand in the order of their opening brackets, the root, TOP, first; tags are not among
// them. Spans are half open, in words.
#pragma once

#include <string>
#include <vector>

namespace entente {

struct Phrase {
  std::string label;
  int begin = 0, end = 0;
  int parent = -1;        // in PhraseTree::phrases
  double confidence = 1;  // the probability that the sentence has this bracket
};

struct PhraseTree {
  std::vector<std::string> words, tags;
  std::vector<Phrase> phrases;
  std::vector<Phrase> likely;  // not in this tree, but not unlikely (a parser's; no parents)
  // Other trees of the sentence, drawn by their probability: `score` is the logarithm of the share
  // of draws that gave this one. Their words and tags are left out.
  std::vector<PhraseTree> drawn;
  double score = 0;  // log-probability, where a parser made it

  int size() const { return static_cast<int>(words.size()); }
  bool empty() const { return phrases.empty(); }
};

}  // namespace entente
