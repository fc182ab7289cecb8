// Which child of a binary rule gives the head word, where heads are those of a dependency treebank:
// the head-lexicalised grammar's own part.
//
//   HeadTable table = HeadTable::count(base, trees, heads);     // heads[i]: 0 the root, from 1
//   float s = table.of(rule)[HeadTable::kLeft];                 // log P(left gives the head | rule)
//
// Joining two spans makes the head of one the head of the other: an arc. Where the dependencies
// say otherwise (the children of a bracket hang from different words) the join is *free*: the one
// whose head goes on stands for the span, and the other's arc is not the grammar's to say. Rules
// that were never seen free are never free. O(nodes) a tree. Immutable; thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/layers/constituency/phrase_tree.h"
#include "learn/model_file.h"
#include "tasks/constituency/grammar.h"

namespace entente::constituency {

class HeadTable {
 public:
  enum Option { kLeft, kRight, kLeftFree, kRightFree };
  using Options = std::array<float, 4>;  // log-probabilities; -infinity: not allowed

  static HeadTable count(const Grammar& base, std::span<const PhraseTree> trees,
                         std::span<const std::vector<int>> heads);
  static HeadTable read(const ModelFile& file, const std::string& name, const Grammar& base);
  void write(ModelWriter& writer, const std::string& name) const;

  bool empty() const { return options_.empty(); }
  const Options& of(int rule) const { return options_[rule]; }

 private:
  std::vector<Options> options_;  // of each binary rule
};

// Can every phrase be given a single head, such that no word of it but one hangs from outside?
bool has_single_heads(const PhraseTree& tree, std::span<const int> heads);

}  // namespace entente::constituency
