// The trees that a parser learns from, as the treebank has them and as a decoder can give them.
//
//   std::vector<std::int32_t> heads = gold_heads(sentence.words);
//   if (is_tree(heads)) crossed += crossed_arcs(heads);
//   make_projective(single_root, work, heads);           // the nearest tree without crossing arcs
//
// Linear in the words but for paths to the root (their length a word) and make_projective (cubic).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/document.h"
#include "oracle/tree_workspace.h"

namespace entente::dependency {

std::vector<std::int32_t> gold_heads(std::span<const Word> words);
bool is_tree(std::span<const std::int32_t> heads);
// Words with a word below their arc that does not hang from its head.
int crossed_arcs(std::span<const std::int32_t> heads);
// The projective tree that shares most arcs with `heads`; a head's head is half as good.
void make_projective(bool single_root, TreeWorkspace& work, std::vector<std::int32_t>& heads);

}  // namespace entente::dependency
