#include "tasks/ccg/chart.h"

#include <algorithm>

namespace entente::ccg {

ChartResult Chart::build(RuleCache& rules, const Grammar& grammar, Markups& markups,
                         const Choices& choices, const CoarseChart& coarse,
                         const ChartOptions& options) {
  words_ = static_cast<int>(choices.size());
  options_ = options;
  table_ = &rules.table();
  coarse_ = &coarse;
  pool_.clear();
  full_.clear();
  small_.clear();
  edges_.clear();
  nodes_.clear();
  next_.clear();
  dependencies_.clear();
  node_of_sign_.clear();
  groups_.clear();
  cell_groups_.assign(static_cast<std::size_t>(words_ + 1) * (words_ + 1), {0, 0});
  cell_nodes_ = cell_groups_;
  for (int end = 1; end <= words_; ++end) {
    for (int begin = end - 1; begin >= 0; --begin) {
      const auto first = static_cast<std::int32_t>(nodes_.size());
      cell_nodes_[cell(begin, end)] = {first, first};
      if (begin == end - 1) add_words(markups, choices, begin);
      for (int middle = begin + 1; middle < end; ++middle) {
        if (!combine_cells(rules, begin, middle, end)) return ChartResult::too_large;
      }
      if (!options.only_glue && !add_unaries(rules, begin, end)) return ChartResult::too_large;
      close_cell(begin, end);
    }
  }
  return finish(grammar) ? ChartResult::parsed : ChartResult::no_parse;
}

// An edge to the node of this sign, which is made if the cell has none yet. False: too many.
bool Chart::add(const Edge& edge, int begin, int end, SignId sign) {
  if (sign >= static_cast<SignId>(node_of_sign_.size()))
    node_of_sign_.resize(std::max<std::size_t>(2 * node_of_sign_.size(), sign + 1), -1);
  std::int32_t& at = node_of_sign_[sign];
  if (at < 0 || nodes_[at].begin != begin || nodes_[at].end != end) {
    at = full_.add_node();
    nodes_.push_back({begin, end, sign, pool_.category(sign), pool_.head(sign)});
    next_.push_back(-1);
  }
  Edge& added = edges_.emplace_back(edge);
  added.node = at;
  added.first_dependency = static_cast<std::int32_t>(dependencies_.size());
  dependencies_.insert(dependencies_.end(), made_.begin(), made_.end());
  added.last_dependency = static_cast<std::int32_t>(dependencies_.size());
  const std::int32_t tails[2] = {edge.left, edge.right};
  full_.add_edge(at, std::span(tails, edge.left < 0 ? 0 : edge.right < 0 ? 1 : 2), 0);
  return size() <= options_.most;
}

void Chart::add_words(Markups& markups, const Choices& choices, int word) {
  made_.clear();
  for (std::size_t i = 0; i < choices[word].size(); ++i) {
    const CategoryId category = choices[word][i].category;
    if (!coarse_->allows(word, word + 1, category, kPlainStage)) continue;
    Edge edge;
    edge.rule.rule = Rule::lexical;
    edge.rule.result = category;
    edge.word = word;
    edge.choice = static_cast<std::int32_t>(i);
    const Markup& markup = markups.of(*table_, category);
    add(edge, word, word + 1, pool_.lexical(markup, category, word));
  }
}

bool Chart::combine_cells(RuleCache& rules, int begin, int middle, int end) {
  const auto [l0, l1] = cell_groups_[cell(begin, middle)];
  const auto [r0, r1] = cell_groups_[cell(middle, end)];
  for (std::int32_t l = l0; l < l1; ++l) {
    for (std::int32_t r = r0; r < r1; ++r) {
      const auto found = options_.only_glue
                             ? std::span<const Combination>()
                             : rules.binary(groups_[l].category, groups_[r].category);
      for (const Combination& rule : found) {
        if (!coarse_->allows(begin, end, rule.result, kPlainStage)) continue;
        if (!combine_nodes(rules, rule, groups_[l], groups_[r], begin, end)) return false;
      }
      if (!options_.glue || begin != 0) continue;
      const Combination rule = glued(groups_[l].category);
      if (coarse_->allows(begin, end, rule.result, kPlainStage) &&
          !combine_nodes(rules, rule, groups_[l], groups_[r], begin, end))
        return false;
    }
  }
  return true;
}

bool Chart::combine_nodes(RuleCache& rules, const Combination& rule, const Group& left,
                          const Group& right, int begin, int end) {
  for (std::int32_t l = left.first; l >= 0; l = next_[l]) {
    for (std::int32_t r = right.first; r >= 0; r = next_[r]) {
      const SignId a = nodes_[l].sign, b = nodes_[r].sign;
      if (!in_normal_form(options_.normal_form, rule, pool_.origin(a), pool_.origin(b))) continue;
      made_.clear();
      const SignId sign = pool_.combine(
          rules.table(), a, b, rule, origin_of(rules.table(), rule, options_.normal_form), made_);
      Edge edge;
      edge.rule = rule;
      edge.left = l;
      edge.right = r;
      if (!add(edge, begin, end, sign)) return false;
    }
  }
  return true;
}

// Types change once, then may be raised: nodes of each stage come after those they are made of.
bool Chart::add_unaries(RuleCache& rules, int begin, int end) {
  for (const Rule stage : {Rule::type_change, Rule::type_raising}) {
    const std::int32_t first = cell_nodes_[cell(begin, end)].first;
    const auto last = static_cast<std::int32_t>(nodes_.size());
    for (std::int32_t v = first; v < last; ++v) {
      for (const Combination& rule : rules.unary(nodes_[v].category)) {
        const int reached = stage == Rule::type_change ? kChangedStage : kRaisedStage;
        if (rule.rule != stage || !coarse_->allows(begin, end, rule.result, reached)) continue;
        made_.clear();
        const SignId sign =
            pool_.unary(rules.table(), nodes_[v].sign, rule, origin_of(rules.table(), rule), made_);
        Edge edge;
        edge.rule = rule;
        edge.left = v;
        if (!add(edge, begin, end, sign)) return false;
      }
    }
  }
  return true;
}

void Chart::close_cell(int begin, int end) {
  auto& [first, last] = cell_nodes_[cell(begin, end)];
  last = static_cast<std::int32_t>(nodes_.size());
  const auto first_group = static_cast<std::int32_t>(groups_.size());
  for (std::int32_t v = first; v < last; ++v) {
    const CategoryId category = nodes_[v].category;
    auto at = std::find_if(groups_.begin() + first_group, groups_.end(),
                           [&](const Group& g) { return g.category == category; });
    if (at == groups_.end()) {
      groups_.push_back({category, v, v});
    } else {
      next_[at->last] = v;
      at->last = v;
    }
  }
  cell_groups_[cell(begin, end)] = {first_group, static_cast<std::int32_t>(groups_.size())};
}

bool Chart::finish(const Grammar& grammar) {
  const auto [first, last] = cell_nodes_[cell(0, words_)];
  const int goal = full_.add_node();
  made_.clear();
  for (std::int32_t v = first; v < last; ++v) {
    const bool is_root = std::find(grammar.roots.begin(), grammar.roots.end(),
                                   nodes_[v].category) != grammar.roots.end();
    if (!is_root && !options_.any_root) continue;
    Edge& edge = edges_.emplace_back();
    edge.left = v;
    edge.node = goal;
    edge.first_dependency = edge.last_dependency = static_cast<std::int32_t>(dependencies_.size());
    full_.add_edge(goal, {v}, 0);
  }
  full_.finish(goal);
  return pruner_.run(
      full_, [](int) { return true; }, small_);
}

bool Chart::find(const Derivation& derivation, std::vector<std::int32_t>& edges) {
  edges.clear();
  edge_of_.assign(edges_.size(), -1);
  for (int e = 0; e < small_.edges(); ++e) edge_of_[original(pruner_.edge(e))] = e;
  std::vector<std::int32_t> node(derivation.nodes.size(), -1);
  std::vector<std::vector<std::int32_t>> by_node(nodes_.size() + 1);
  for (std::size_t i = 0; i < edges_.size(); ++i)
    by_node[edges_[i].node].push_back(static_cast<std::int32_t>(i));
  for (std::size_t i = 0; i < derivation.nodes.size(); ++i) {
    const DerivationNode& n = derivation.nodes[i];
    const std::int32_t left = n.left < 0 ? -1 : node[n.left];
    const std::int32_t right = n.right < 0 ? -1 : node[n.right];
    const auto [first, last] = cell_nodes_[cell(n.begin, n.end)];
    std::int32_t found = -1;
    for (std::int32_t v = first; v < last && found < 0; ++v) {
      if (nodes_[v].category != n.category) continue;
      for (const std::int32_t e : by_node[v]) {
        if (edges_[e].left == left && edges_[e].right == right && edges_[e].word == n.word) {
          found = e;
          break;
        }
      }
    }
    if (found < 0 || edge_of_[found] < 0) return false;
    node[i] = edges_[found].node;
    edges.push_back(edge_of_[found]);
  }
  for (int e = small_.first_edge(small_.goal()); e < small_.last_edge(small_.goal()); ++e) {
    if (edge(e).left != node.back()) continue;
    edges.push_back(e);
    return true;
  }
  return false;
}

void Chart::derivation(std::span<const std::int32_t> edges, Derivation& out) const {
  out.nodes.clear();
  std::vector<std::int32_t> made(nodes_.size(), -1);
  // Edges come from the root down: children are made before their parents the other way round.
  for (std::size_t i = edges.size(); i-- > 0;) {
    const Edge& e = edge(edges[i]);
    if (e.rule.result == kNoCategory) continue;
    DerivationNode n;
    n.category = e.rule.result;
    n.word = e.word;
    n.left = e.left < 0 ? -1 : made[e.left];
    n.right = e.right < 0 ? -1 : made[e.right];
    n.begin = nodes_[e.node].begin;
    n.end = nodes_[e.node].end;
    if (n.right >= 0) n.head_is_left = nodes_[e.node].head == nodes_[e.left].head;
    made[e.node] = static_cast<std::int32_t>(out.nodes.size());
    out.nodes.push_back(n);
  }
}

}  // namespace entente::ccg
