// A derivation run through the grammar: the rule and the sign of every node, and the dependencies.
//
//   Analysis a;
//   analyse(derivation, table, markups, pool, a);
//   a.dependencies;          // <head, category, slot, dependent>, sorted, each once
//   a.by_combinators;        // no node needed a rule that only the treebank has
//
// Gold dependencies come from here, and so do those of a parse. Linear in the derivation.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "corpus/layers/ccg/derivation.h"
#include "tasks/ccg/markup.h"
#include "tasks/ccg/rules.h"
#include "tasks/ccg/sign.h"

namespace entente::ccg {

// The markup of lexical categories, made when first asked for.
class Markups {
 public:
  const Markup& of(const CategoryTable& table, CategoryId category);

 private:
  std::unordered_map<CategoryId, Markup> made_;
};

struct Analysis {
  std::vector<Combination> rules;  // one a node; lexical for words
  std::vector<SignId> signs;       // one a node
  std::vector<Dependency> dependencies;
  bool by_combinators = true;
};

// What a sign remembers of the rule that made it, as far as the normal form asks (grammar.h).
std::int32_t origin_of(const CategoryTable& table, const Combination& rule,
                       NormalForm form = NormalForm::eisner);

void analyse(const Derivation& derivation, CategoryTable& table, Markups& markups, SignPool& pool,
             Analysis& out);

// Treebanks that write coordination as conj NP -> NP, NP NP -> NP: the first of these gets the
// category NP[conj], as in the others, so that both steps are known for what they are.
void mark_conjuncts(Derivation& derivation, CategoryTable& table);

// Does any node have a category with [conj]?
bool has_conjoined(const Derivation& derivation, const CategoryTable& table);

}  // namespace entente::ccg
