// A binarised treebank grammar with unary chains as single steps.
//
//   Grammar grammar = Grammar::count(trees, {.vertical = 2, .horizontal = 1});
//   std::vector<BinaryNode> nodes;  grammar.binarise(tree, nodes);   // children before parents
//
// A phrase is binarised outwards from its head: first the children to its right, then those to its
// left; what is halfway is an intermediate symbol such as @VP. A span of words has two layers of
// symbols: *bottom* ones, made by a binary rule or a tag, and *top* ones, made of a bottom one by a
// chain of unary rules, possibly an empty one. TOP over S over VP is one chain. So a derivation is
// chains and binary rules in turn, and no chain can go round in circles. Intermediate symbols are
// in both layers without a chain.
//
// `vertical` 2 gives every symbol the label above it, `horizontal` 1 gives intermediate symbols the
// child attached last. The plain grammar {1, 0} is the *base*: every symbol of another projects to
// one of it by name. Rules have log-probabilities by counting; those of the base grammar are the
// rules of the log-linear model too. Immutable once made; thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus/layers/constituency/phrase_tree.h"
#include "learn/model_file.h"

namespace entente::constituency {

struct GrammarOptions {
  int vertical = 1, horizontal = 0;
};

struct BinaryRule {
  std::int32_t parent, left, right;
  float score;
};

// top <- chain over bottom; the empty chain has top == bottom.
struct ChainRule {
  std::int32_t top, chain, bottom;
  float score;
};

// A node of a binarised tree. A leaf has left < 0 and its tag as bottom.
struct BinaryNode {
  std::int32_t top = -1, chain = 0, bottom = -1;
  std::int32_t begin = 0, end = 0, left = -1, right = -1;
  bool head_left = true;
};

class Grammar {
 public:
  enum Kind : std::uint8_t { kTag, kLabel, kIntermediate };

  static Grammar count(std::span<const PhraseTree> trees, const GrammarOptions& options);
  static Grammar read(const ModelFile& file, const std::string& prefix);
  void write(ModelWriter& writer, const std::string& prefix) const;

  int symbols() const { return static_cast<int>(names_.size()); }
  const std::string& name(int symbol) const { return names_[symbol]; }
  int find(std::string_view name) const;  // -1: none
  Kind kind(int symbol) const { return kinds_[symbol]; }
  int root() const { return root_; }
  // The symbol's label or tag, without annotation and "@".
  const std::string& label(int symbol) const { return labels_[symbol]; }
  // For each symbol the one of `base` that it projects to, -1 where there is none.
  std::vector<std::int32_t> project(const Grammar& base) const;

  std::span<const BinaryRule> binary() const { return binary_; }
  std::span<const ChainRule> chains() const { return chain_rules_; }
  // Of rules with these children (parents ascending) or this bottom.
  struct Range {
    std::int32_t begin = 0, end = 0;
  };
  Range binary_over(int left, int right) const {
    if (!dense_.empty()) return dense_[static_cast<std::size_t>(left) * names_.size() + right];
    const auto at = pairs_.find(static_cast<std::uint64_t>(left) << 32 | right);
    return at == pairs_.end() ? Range{} : at->second;
  }
  Range chains_over(int bottom) const { return {first_chain_[bottom], first_chain_[bottom + 1]}; }
  int find_binary(int parent, int left, int right) const;  // -1: none
  int find_chain(int top, int chain, int bottom) const;
  // The labels of a chain from the top down, without the bottom one.
  const std::vector<std::string>& chain_labels(int chain) const { return chains_[chain]; }
  int chain_count() const { return static_cast<int>(chains_.size()); }

  // Symbols and chains that the grammar does not know are -1. The last node is the root.
  void binarise(const PhraseTree& tree, std::vector<BinaryNode>& nodes) const;

 private:
  class Counter;
  void index();

  GrammarOptions options_;
  std::vector<std::string> names_, labels_;
  std::vector<Kind> kinds_;
  std::vector<std::vector<std::string>> chains_;
  std::vector<BinaryRule> binary_;      // by left, right, parent
  std::vector<ChainRule> chain_rules_;  // by bottom, top, chain
  std::vector<std::int32_t> first_chain_;
  std::unordered_map<std::string, std::int32_t> ids_, chain_ids_;
  std::vector<Range> dense_;  // [left * symbols + right] where that is small
  std::unordered_map<std::uint64_t, Range> pairs_;
  int root_ = -1;
};

}  // namespace entente::constituency
