#include "tasks/translation/chart.h"

#include <algorithm>
#include <array>

namespace entente::translation {

namespace {

class Builder {
 public:
  Builder(const Grammar& grammar, const ChartOptions& options, Chart& chart)
      : g_(grammar), options_(options), chart_(chart), n_(static_cast<int>(chart.words.size())) {
    for (const std::string& word : chart.words) source_.push_back(g_.source_word(word));
    nodes_.assign(static_cast<std::size_t>(n_) * (n_ + 1) * g_.labels(), -1);
  }

  void build() {
    const int longest = std::min(n_, options_.longest);
    for (int length = 1; length <= longest; ++length) {
      for (int i = 0; i + length <= n_; ++i) {
        begin_ = i;
        end_ = i + length;
        match(i, 0, 0);
        if (length == 1) pass(i);
      }
    }
    glue();
  }

 private:
  std::int32_t& node(int i, int j, int label) {
    return nodes_[(static_cast<std::size_t>(i) * (n_ + 1) + j) * g_.labels() + label];
  }
  int node_for(int i, int j, int label) {
    std::int32_t& at = node(i, j, label);
    if (at < 0) at = chart_.forest.add_node();
    return at;
  }
  void add(int head, std::span<const std::int32_t> tails, ChartEdge edge) {
    chart_.forest.add_edge(head, tails, 0);
    edges_.push_back(edge);
  }

  // Everything that covers [begin_, end_) and goes on from `at` with what the
  // trie has below `place`.
  void match(int at, int place, int taken) {
    const Grammar::Node& here = g_.node(place);
    if (at == end_) {
      for (const std::int32_t r : here.rules) {
        const Grammar::Rule& rule = g_.rule(r);
        // A head made of itself would never end.
        add(node_for(begin_, end_, rule.label), {tails_, static_cast<std::size_t>(taken)},
            {ChartEdge::kRule, r, g_.target(rule)});
      }
      return;
    }
    if (here.next.empty()) return;
    if (source_[at] >= 0) {
      const int next = g_.after_word(place, source_[at]);
      if (next >= 0) match(at + 1, next, taken);
    }
    if (taken == 2) return;
    for (int label = 0; label < g_.labels(); ++label) {
      const int next = g_.after_label(place, label, taken);
      if (next < 0) continue;
      for (int to = at + 1; to <= end_; ++to) {
        if (at == begin_ && to == end_) continue;
        const int tail = node(at, to, label);
        if (tail < 0) continue;
        tails_[taken] = tail;
        match(to, next, taken + 1);
      }
    }
  }

  void pass(int i) {
    if (source_[i] >= 0) {
      const int next = g_.after_word(0, source_[i]);
      if (next >= 0 && !g_.node(next).rules.empty()) return;
    }
    const Symbol* target = &chart_.own[2 + i];
    add(node_for(i, i + 1, 0), {}, {ChartEdge::kPass, i, {target, 1}});
  }

  void glue() {
    const std::span<const Symbol> one(&chart_.own[0], 1), two(&chart_.own[0], 2);
    std::vector<std::int32_t> strung(n_ + 1, -1);
    for (int j = 1; j <= n_; ++j) {
      strung[j] = chart_.forest.add_node();
      for (int k = std::max(0, j - options_.longest); k < j; ++k) {
        for (int label = 0; label < g_.labels(); ++label) {
          const int tail = node(k, j, label);
          if (tail < 0) continue;
          if (k == 0) {
            add(strung[j], std::array<std::int32_t, 1>{tail}, {ChartEdge::kGlue, -1, one});
          } else {
            add(strung[j], std::array<std::int32_t, 2>{strung[k], tail},
                {ChartEdge::kGlue, -1, two});
          }
        }
      }
    }
    chart_.forest.finish(strung[n_]);
    const auto order = chart_.forest.order();
    chart_.edges.resize(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      chart_.edges[e] = edges_[order.empty() ? e : order[e]];
    }
  }

  const Grammar& g_;
  const ChartOptions& options_;
  Chart& chart_;
  int n_, begin_ = 0, end_ = 0;
  std::vector<int> source_;
  std::vector<std::int32_t> nodes_;
  std::int32_t tails_[2] = {};
  std::vector<ChartEdge> edges_;
};

}  // namespace

void build_chart(const Grammar& grammar, const std::vector<std::string>& words,
                 const ChartOptions& options, Chart& chart) {
  chart.forest.clear();
  chart.edges.clear();
  chart.words = words;
  chart.first_own_word = grammar.target_words();
  chart.own = {-1, -2};  // glue: one after the other
  for (std::size_t k = 0; k < words.size(); ++k) {
    chart.own.push_back(chart.first_own_word + static_cast<Symbol>(k));
  }
  if (words.empty()) return;
  Builder(grammar, options, chart).build();
}

}  // namespace entente::translation
