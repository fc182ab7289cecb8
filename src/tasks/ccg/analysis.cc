#include "tasks/ccg/analysis.h"

#include <algorithm>

namespace entente::ccg {

const Markup& Markups::of(const CategoryTable& table, CategoryId category) {
  const auto [at, is_new] = made_.try_emplace(category);
  if (is_new) at->second = mark_up(table, category);
  return at->second;
}

std::int32_t origin_of(const CategoryTable& table, const Combination& rule, NormalForm form) {
  switch (rule.rule) {
    case Rule::forward_composition:
    case Rule::backward_composition: {
      const bool forward = rule.rule == Rule::forward_composition;
      if (form == NormalForm::hockenmaier_bisk && rule.degree > 1)
        return kByHigherDegree + 2 * (rule.degree - 2) + (forward ? 0 : 1);
      return forward ? kByForwardComposition : kByBackwardComposition;
    }
    case Rule::type_raising:
      return table.slash(rule.result) == '/' ? kRaisedForward : kRaisedBackward;
    case Rule::type_change:
      return kChanged;
    default:
      return kByOther;
  }
}

void analyse(const Derivation& derivation, CategoryTable& table, Markups& markups, SignPool& pool,
             Analysis& out) {
  pool.clear();
  out.rules.clear();
  out.signs.clear();
  out.dependencies.clear();
  out.by_combinators = true;
  for (const DerivationNode& n : derivation.nodes) {
    Combination rule;
    SignId sign = -1;
    if (n.word >= 0) {
      rule.rule = Rule::lexical;
      rule.result = n.category;
      sign = pool.lexical(markups.of(table, n.category), n.category, n.word);
    } else if (n.right < 0) {
      rule = classify(table, derivation.nodes[n.left].category, n.category);
      sign = pool.unary(table, out.signs[n.left], rule, origin_of(table, rule), out.dependencies);
    } else {
      rule = classify(table, derivation.nodes[n.left].category, derivation.nodes[n.right].category,
                      n.category);
      // A conjunction or a mark may be taken in while the type changes: conj NP -> NP\NP.
      const CategoryId left = derivation.nodes[n.left].category;
      const bool taken_in = is_conjunction(table, left) || is_punctuation(table, left);
      if ((rule.rule == Rule::treebank && !taken_in) || rule.loose) out.by_combinators = false;
      sign = pool.combine(table, out.signs[n.left], out.signs[n.right], rule,
                          origin_of(table, rule), out.dependencies);
    }
    out.rules.push_back(rule);
    out.signs.push_back(sign);
  }
  std::sort(out.dependencies.begin(), out.dependencies.end());
  out.dependencies.erase(std::unique(out.dependencies.begin(), out.dependencies.end()),
                         out.dependencies.end());
}

void mark_conjuncts(Derivation& derivation, CategoryTable& table) {
  for (std::size_t i = derivation.nodes.size(); i-- > 0;) {
    const DerivationNode& parent = derivation.nodes[i];
    if (parent.right < 0) continue;
    const CategoryId own = table.bare(table.base(parent.category));
    if (table.bare(derivation.nodes[parent.left].category) != own ||
        table.bare(derivation.nodes[parent.right].category) != own)
      continue;
    // Punctuation may stand before the conjunction: "apples, and pears".
    std::int32_t at = parent.right;
    std::vector<std::int32_t> passed;
    for (;;) {
      const DerivationNode& n = derivation.nodes[at];
      passed.push_back(at);
      if (n.right < 0) break;
      const CategoryId left = derivation.nodes[n.left].category;
      const CategoryId right = derivation.nodes[n.right].category;
      if (table.bare(right) != own) break;
      if (is_conjunction(table, left)) {
        for (const std::int32_t p : passed)
          derivation.nodes[p].category = table.conjoined(derivation.nodes[p].category);
        break;
      }
      if (!is_punctuation(table, left)) break;
      at = n.right;
    }
  }
}

bool has_conjoined(const Derivation& derivation, const CategoryTable& table) {
  return std::any_of(derivation.nodes.begin(), derivation.nodes.end(),
                     [&](const DerivationNode& n) { return table.is_conjoined(n.category); });
}

}  // namespace entente::ccg
