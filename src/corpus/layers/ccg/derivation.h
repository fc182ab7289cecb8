// A derivation: how a sentence's categories combine, as a flat list of nodes, children before
// parents, the last one the root.
//
//   Derivation d;
//   read_derivation(line, table, d);            // "(<T S[dcl] 0 2> (<L NP ...>) ...)"; Error with
//   a column write_derivation(d, table, text);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/layers/ccg/category.h"

namespace entente::ccg {

struct DerivationNode {
  CategoryId category = kNoCategory;
  std::int32_t left = -1, right = -1;  // nodes; both -1: a word; right -1: one child
  std::int32_t word = -1;              // of a leaf, from 0
  std::int32_t begin = 0, end = 0;     // words it spans
  bool head_is_left = true;            // as the file says
};

struct Derivation {
  std::string id;                        // of the "ID=" line; may be empty
  std::vector<std::string> words, tags;  // tags: the first field of each leaf
  std::vector<DerivationNode> nodes;

  void clear();
  const DerivationNode& root() const { return nodes.back(); }
  // The category of each word.
  std::vector<CategoryId> supertags() const;
};

// One line of a .auto file. Error with the column where it is no derivation.
void read_derivation(std::string_view line, CategoryTable& table, Derivation& out);
// The same whatever stands where its categories should be: words, tags and brackets.
void read_tree(std::string_view line, Derivation& out);

// The line; [conj] is left out where `plain_conjuncts` (treebanks that write conj NP -> NP).
std::string write_derivation(const Derivation& derivation, const CategoryTable& table,
                             bool plain_conjuncts = false);

// What was read of a .auto file: pairs of lines, "ID=..." and a derivation.
struct Derivations {
  std::vector<Derivation> all;
  int refused = 0;            // sentences whose derivation is broken; only where that is allowed
  std::string first_refused;  // file:line:column: why
  std::vector<std::string> refused_ids;
};

// All derivations of a file (gzip or not). Error with file, line and column at the first broken
// one, unless `lenient`: then these are left out and counted.
Derivations read_derivations(const std::string& path, CategoryTable& table, bool lenient);

}  // namespace entente::ccg
