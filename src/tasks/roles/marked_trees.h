// Sentences as trees for kernels, and the examples of argument recognition that they hold.
//
//   TreeLabels names;                                     // of nodes, shared by all trees
//   KernelTree t = kernel_tree(sentence, names, true);    // words downcased under their tags
//   std::vector<RecognitionExample> e = recognition_examples(sentences, trees, 5, seed);
//
// A node of the phrase tree is a node here, and every word one below its tag. The predicate's mark
// is on its tag. Candidates are all nodes but words, the root that means nothing and the
// predicate's tag; positive is the highest node over the words of an argument, C-X being one of its
// own; the others are negative, one in `share` of them drawn. Arguments without a node are counted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "corpus/propbank/propbank.h"
#include "learn/labelled_tree.h"

namespace entente::roles {

class TreeLabels {
 public:
  // The number of a name; a new one if `grow`, else -1 where it is not known.
  int find(const std::string& name, bool grow);
  int size() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& all() const { return names_; }  // by number
  void forget(int size);                                          // all but the first so many

 private:
  std::unordered_map<std::string, int> numbers_;
  std::vector<std::string> names_;
};

struct KernelTree {
  LabelledTree tree;
  std::vector<int> node_of;     // node of the phrase tree -> of the kernel's
  std::vector<int> phrase_of;   // and back; -1: a word
  std::vector<int> candidates;  // nodes of the kernel's tree
};
KernelTree kernel_tree(const propbank::PropSentence& sentence, TreeLabels& names, bool grow);

struct RecognitionExample {
  int sentence = 0, proposition = 0;
  int predicate = 0, argument = 0;  // nodes of the kernel's tree
  int label = 0;                    // +1, -1
};
struct RecognitionData {
  std::vector<RecognitionExample> examples;  // by sentence and proposition
  std::int64_t arguments = 0, without_node = 0;
};
RecognitionData recognition_examples(std::span<const propbank::PropSentence> sentences,
                                     std::span<const KernelTree> trees, int share,
                                     std::uint64_t seed);

// The choice of nodes that do not contain one another with the largest product of probabilities:
// Toutanova, Haghighi and Manning's program. log_odds[n] of each node of the tree; -infinity: no
// candidate. chosen[n] is 1 for arguments. Linear.
void best_disjoint_nodes(const LabelledTree& tree, std::span<const double> log_odds,
                         std::vector<char>& chosen);

}  // namespace entente::roles
