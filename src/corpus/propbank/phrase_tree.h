// A phrase-structure tree over the words of a sentence, and how corpora write it.
//
//   PhraseTree tree = PhraseTree::from_bits(bits, tags);       // "(S(NP*", "*)", ... and their
//   tags tree.nodes[n].label, .parent, .begin, .end                 // words [begin, end)
//   tree.leaf(i)                                               // the node of word i's tag
//
// Nodes stand in pre-order: a parent before its children, these from left to right; nodes[n].next
// is the first node after n's subtree. Words themselves are no nodes, their tags are. Linear in the
// text. A value.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace entente::propbank {

struct PhraseTree {
  struct Node {
    std::string label;
    int parent = -1;
    int begin = 0, end = 0;  // words
    int next = 0;            // the first node that is not below this one
    bool is_tag = false;
    float confidence = -1;  // its probability, where a parser gave one
  };
  std::vector<Node> nodes;
  std::vector<int> leaves;  // of each word

  bool empty() const { return nodes.empty(); }
  int leaf(int word) const { return leaves[word]; }
  // The highest node over exactly these words, -1: none. A root TOP, ROOT or "" is passed over.
  int node_over(int begin, int end) const;
  bool is_top(int node) const;

  // One piece of brackets a word. Throws Error with the word (column) that does not fit.
  static PhraseTree from_bits(std::span<const std::string> bits, std::span<const std::string> tags);
  // "(TOP (S (NP (PRP He)) ...))"; `words` gets the words. Error with the column.
  static PhraseTree from_brackets(std::string_view text, std::vector<std::string>& words);
  std::vector<std::string> bits() const;

  // For builders: opens a node, closes the last opened one.
  int open(std::string label, int begin);
  void add_word(std::string tag);
  void close();

 private:
  std::vector<int> open_;
};

}  // namespace entente::propbank
