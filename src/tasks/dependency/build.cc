// The joined problem as a Graph: a tree factor over all arcs and an automaton a word.
#include <limits>
#include <string>

#include "oracle/head_automaton.h"
#include "tasks/dependency/decode.h"

namespace entente::dependency {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

void add_automaton(const Parts& p, const PartScores& scores, const DecodeOptions& o, int h,
                   Rule rule, Graph& graph) {
  const int first = p.first_of_head[h], end = p.first_of_head[h + 1], size = end - first;
  const int left = p.left_of_head[h], uppers = p.first_into[h + 1] - p.first_into[h];
  if (size == 0) return;
  std::vector<Literal> links(size + uppers);
  for (int a = first; a < end; ++a) {
    const bool is_left = a < first + left;
    links[(is_left ? 0 : left) + p.place(a)] = Var{a};
  }
  for (int u = 0; u < uppers; ++u) links[size + u] = Var{p.into[p.first_into[h] + u]};
  std::vector<double> pairs(scores.siblings.begin() + p.first_sibling[h],
                            scores.siblings.begin() + p.first_sibling[h + 1]);
  if (h == 0 && o.single_root) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (p.siblings[i].inner >= 0 && p.siblings[i].outer >= 0) pairs[i] = kNone;
    }
  }
  // g -> h -> g is not listed and stays forbidden.
  std::vector<double> grand(static_cast<std::size_t>(uppers) * size, kNone);
  for (int a = first; a < end; ++a) {
    const int m = (a < first + left ? 0 : left) + p.place(a);
    int u = 0;
    for (int i = p.first_grandparent[a]; i < p.first_grandparent[a + 1]; ++i) {
      while (p.into[p.first_into[h] + u] != p.grandparents[i].upper) ++u;
      grand[static_cast<std::size_t>(u) * size + m] = scores.grandparents[i];
    }
  }
  graph.add_structured(
      links, make_head_automaton(left, size - left, uppers, std::move(pairs), std::move(grand)),
      rule);
}

}  // namespace

void build(const Parts& parts, const PartScores& scores, const DecodeOptions& options,
           Graph& graph) {
  graph.clear();
  std::vector<TreeArc> arcs;
  std::vector<Literal> links;
  for (std::size_t a = 0; a < parts.arcs.size(); ++a) {
    const Arc& arc = parts.arcs[a];
    links.push_back(graph.add_variable(
        scores.arcs[a], std::to_string(arc.head) + "->" + std::to_string(arc.modifier)));
    arcs.push_back({arc.head, arc.modifier});
  }
  if (parts.words == 0) return;
  auto make = options.projective ? make_projective_tree : make_arborescence;
  graph.add_structured(links, make(parts.words, std::move(arcs), options.single_root),
                       graph.rule("tree"));
  if (parts.siblings.empty()) return;
  const Rule rule = graph.rule("head automaton");
  for (int h = 0; h <= parts.words; ++h) add_automaton(parts, scores, options, h, rule, graph);
}

}  // namespace entente::dependency
