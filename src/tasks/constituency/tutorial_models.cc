#include "tasks/constituency/tutorial_models.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace entente::constituency {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
}

int IndicatorTable::find(int column, const std::string& label) const {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].column == column && entries[i].label == label) return static_cast<int>(i);
  }
  return -1;
}

int IndicatorTable::add(int column, const std::string& label) {
  const int found = find(column, label);
  if (found >= 0) return found;
  entries.push_back({column, label});
  return static_cast<int>(entries.size()) - 1;
}

int ForestModel::add_node(std::string label) {
  labels_.push_back(std::move(label));
  return graph_.add_node();
}

void ForestModel::add_edge(int node, std::vector<std::int32_t> tails, double score, int indicator,
                           std::string text) {
  graph_.add_edge(node, tails, score);
  indicator_.push_back(indicator);
  texts_.push_back(std::move(text));
}

void ForestModel::finish(int goal) {
  graph_.finish(goal);
  const auto order = graph_.order();
  if (order.empty()) return;
  std::vector<std::int32_t> indicator(indicator_);
  std::vector<std::string> texts(texts_);
  for (std::size_t e = 0; e < indicator.size(); ++e) {
    indicator_[e] = indicator[order[e]];
    texts_[e] = texts[order[e]];
  }
}

double ForestModel::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  priced_ = graph_.score;
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    if (indicator_[e] >= 0) priced_[e] += prices[indicator_[e]];
  }
  const double value = best_.run(graph_, priced_);
  std::fill(on.begin(), on.end(), std::uint8_t{0});
  if (value == kNone) return value;
  best_.derivation(graph_, derivation_);
  for (const std::int32_t e : derivation_) {
    if (indicator_[e] >= 0) on[indicator_[e]] = 1;
  }
  return value;
}

// Nothing else on, and nothing missing.
double ForestModel::score(std::span<const std::uint8_t> on) {
  priced_ = graph_.score;
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    if (indicator_[e] >= 0 && on[indicator_[e]] == 0) priced_[e] = kNone;
  }
  const double value = best_.run(graph_, priced_);
  if (value == kNone) return value;
  Derivation used;
  best_.derivation(graph_, used);
  const auto count =
      std::count_if(used.begin(), used.end(), [&](std::int32_t e) { return indicator_[e] >= 0; });
  return count == std::count(on.begin(), on.end(), 1) ? value : kNone;
}

std::string ForestModel::text() const {
  std::string out;
  std::size_t at = 0;
  // The derivation lists an edge before those of its tails.
  const auto write = [&](const auto& self) -> void {
    const std::int32_t e = derivation_[at++];
    const std::string& label = labels_[graph_.head(e)];
    if (!label.empty()) out += (out.empty() ? "(" : " (") + label;
    for (std::size_t t = 0; t < graph_.tails(e).size(); ++t)
      self(self);  // of a chain: what is before
    if (!texts_[e].empty()) out += (out.empty() ? "" : " ") + texts_[e];
    if (!label.empty()) out += ")";
  };
  write(write);
  return out;
}

double ToyChain::step(const std::string& from, const std::string& to) const {
  for (const Step& s : steps) {
    if (s.from == from && s.to == to) return s.score;
  }
  return 0;
}

namespace {

// A chart whose nodes are a span, a symbol and whatever else tells them apart.
class Chart {
 public:
  using Extra = std::pair<std::string, std::string>;
  struct Item {
    std::string symbol;
    Extra extra;
    int node;
  };

  Chart(ForestModel& model, int words) : model_(model), words_(words) {}
  std::vector<Item>& at(int begin, int end) { return spans_[{begin, end}]; }
  // The number of the item; the last one's node is new where there was none.
  int node(int begin, int end, const std::string& symbol, const Extra& extra) {
    std::vector<Item>& items = at(begin, end);
    for (const Item& x : items) {
      if (x.symbol == symbol && x.extra == extra) return x.node;
    }
    items.push_back({symbol, extra, model_.add_node(symbol)});
    return items.back().node;
  }

  // The items of word i, one a tag it may have; indicator(tag) says which of the table's it is, -1: none.
  template <typename Indicator>
  void add_tags(const ToyGrammar& grammar, const Words& words, int i, const Extra& extra,
                Indicator indicator) {
    for (const ToyTag& t : grammar.tags) {
      if (t.word != words[i]) continue;
      model_.add_edge(node(i, i + 1, t.tag, extra), {}, t.score, indicator(t.tag), words[i]);
    }
  }

  // leaf(i) makes the items of a word; join(rule, left, right, use) calls use(extra, score,
  // indicator) for every way to join two, unary rules keep the extra.
  template <typename Leaf, typename Join>
  void fill(const ToyGrammar& grammar, Leaf leaf, Join join) {
    for (int length = 1; length <= words_; ++length) {
      for (int begin = 0; begin + length <= words_; ++begin) {
        const int end = begin + length;
        if (length == 1) leaf(begin);
        for (int split = begin + 1; split < end; ++split) {
          for (const ToyRule& rule : grammar.rules) {
            if (rule.right.empty()) continue;
            for (const Item& left : at(begin, split)) {
              for (const Item& right : at(split, end)) {
                if (left.symbol != rule.left || right.symbol != rule.right) continue;
                join(rule, left, right, [&](const Extra& extra, double score, int indicator) {
                  model_.add_edge(node(begin, end, rule.parent, extra), {left.node, right.node},
                                  rule.score + score, indicator);
                });
              }
            }
          }
        }
        for (const ToyRule& rule : grammar.rules) {
          if (!rule.right.empty()) continue;
          const std::vector<Item> below = at(begin, end);
          for (const Item& x : below) {
            if (x.symbol != rule.left) continue;
            model_.add_edge(node(begin, end, rule.parent, x.extra), {x.node}, rule.score);
          }
        }
      }
    }
  }

 private:
  ForestModel& model_;
  int words_;
  std::map<std::pair<int, int>, std::vector<Item>> spans_;
};

}  // namespace

ForestModel toy_parser(const ToyGrammar& grammar, const Words& words, const IndicatorTable& table) {
  ForestModel out(static_cast<int>(table.entries.size()));
  const int n = static_cast<int>(words.size());
  Chart chart(out, n);
  const auto leaf = [&](int i) {
    chart.add_tags(grammar, words, i, {},
                   [&](const std::string& tag) { return table.find(i, tag); });
  };
  chart.fill(grammar, leaf,
             [](const ToyRule&, const auto&, const auto&, auto use) { use({}, 0, -1); });
  out.finish(chart.node(0, n, "S", {}));
  return out;
}

ForestModel toy_tagger(const ToyChain& chain, const Words& words, const IndicatorTable& table,
                       int first_column) {
  ForestModel out(static_cast<int>(table.entries.size()));
  std::vector<std::pair<std::string, int>> before{{"*", -1}}, here;
  for (std::size_t i = 0; i < words.size(); ++i) {
    here.clear();
    for (const ToyTag& t : chain.tags) {
      if (t.word != words[i]) continue;
      const int node = out.add_node();
      for (const auto& [tag, from] : before) {
        std::vector<std::int32_t> tails;
        if (from >= 0) tails.push_back(from);
        out.add_edge(node, tails, t.score + chain.step(tag, t.tag),
                     table.find(first_column + static_cast<int>(i), t.tag), t.tag);
      }
      here.emplace_back(t.tag, node);
    }
    before = here;
  }
  const int goal = out.add_node();
  for (const auto& [tag, from] : before) out.add_edge(goal, {from}, chain.step(tag, "*"));
  out.finish(goal);
  return out;
}

ForestModel toy_intersection(const ToyGrammar& grammar, const ToyChain& chain, const Words& words) {
  ForestModel out(0);
  const int n = static_cast<int>(words.size());
  Chart chart(out, n);
  const auto leaf = [&](int i) {
    for (const ToyTag& t : grammar.tags) {
      for (const ToyTag& o : chain.tags) {
        if (t.word != words[i] || o.word != words[i] || t.tag != o.tag) continue;
        out.add_edge(chart.node(i, i + 1, t.tag, {t.tag, t.tag}), {}, t.score + o.score, -1,
                     words[i]);
      }
    }
  };
  chart.fill(grammar, leaf, [&](const ToyRule&, const auto& left, const auto& right, auto use) {
    use({left.extra.first, right.extra.second}, chain.step(left.extra.second, right.extra.first),
        -1);
  });
  const std::vector<Chart::Item> roots = chart.at(0, n);
  const int goal = out.add_node();
  for (const Chart::Item& x : roots) {
    if (x.symbol != "S") continue;
    out.add_edge(goal, {x.node}, chain.step("*", x.extra.first) + chain.step(x.extra.second, "*"));
  }
  out.finish(goal);
  return out;
}

ForestModel toy_lexical(const ToyGrammar& grammar, const Words& words,
                        const IndicatorTable& table) {
  ForestModel out(static_cast<int>(table.entries.size()));
  const int n = static_cast<int>(words.size());
  Chart chart(out, n);
  const auto leaf = [&](int i) {
    chart.add_tags(grammar, words, i, {std::to_string(i), ""},
                   [](const std::string&) { return -1; });
  };
  chart.fill(grammar, leaf,
             [&](const ToyRule& rule, const auto& left, const auto& right, auto use) {
               const std::string& head = rule.head_left ? left.extra.first : right.extra.first;
               const std::string& modifier = rule.head_left ? right.extra.first : left.extra.first;
               const int arc = table.find(std::stoi(modifier), words[std::stoi(head)]);
               if (arc >= 0) use({head, ""}, 0, arc);
             });
  const std::vector<Chart::Item> roots = chart.at(0, n);
  const int goal = out.add_node();
  for (const Chart::Item& x : roots) {
    const int arc = table.find(std::stoi(x.extra.first), "root");
    if (x.symbol == "S" && arc >= 0) out.add_edge(goal, {x.node}, 0, arc);
  }
  out.finish(goal);
  return out;
}

}  // namespace entente::constituency
