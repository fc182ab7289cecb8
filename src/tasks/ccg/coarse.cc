#include "tasks/ccg/coarse.h"

#include <algorithm>
#include <bit>

namespace entente::ccg {

Combination glued(CategoryId left) {
  Combination out;
  out.rule = Rule::right_punctuation;  // the left one goes on as it is
  out.result = left;
  out.log_probability = kGlue;
  return out;
}

ChartResult CoarseChart::build(RuleCache& rules, const Grammar& grammar, const Choices& choices,
                               const CoarseOptions& options) {
  words_ = static_cast<int>(choices.size());
  categories_ = grammar.table.size();
  stride_ = static_cast<std::size_t>(categories_) * kStages;
  bit_words_ = (static_cast<std::size_t>(categories_) + 63) / 64;
  words_a_bit_ = (bit_words_ + 63) / 64;
  const std::size_t cells = static_cast<std::size_t>(words_ + 1) * (words_ + 1);
  forest_.clear();
  nodes_.clear();
  entries_.clear();
  sorted_.clear();
  here_.assign(categories_, -1);
  cells_.assign(cells, {});
  cell_bits_.assign(cells * bit_words_, 0);
  bits_before_.resize(cells * bit_words_);
  for (int end = 1; end <= words_; ++end) {
    for (int begin = end - 1; begin >= 0; --begin) {
      const int first = static_cast<int>(nodes_.size());
      cells_[cell(begin, end)].first = static_cast<std::int32_t>(entries_.size());
      if (begin == end - 1) add_words(grammar, choices[begin], begin);
      for (int middle = begin + 1; middle < end; ++middle) {
        combine(rules, begin, middle, end);
        if (options.glue && begin == 0) glue(middle, end);
      }
      add_unaries(rules, begin, end, first);
      close_cell(begin, end);
      if (forest_.edges() > options.most) return ChartResult::too_large;
    }
  }
  const int goal = forest_.add_node();
  const Cell whole = cells_[cell(0, words_)];
  for (std::int32_t i = whole.first; i < whole.last; ++i) {
    const bool is_root = std::find(grammar.roots.begin(), grammar.roots.end(),
                                   entries_[i].category) != grammar.roots.end();
    for (int stage = 0; stage < kStages && (is_root || options.any_root); ++stage) {
      const std::int32_t v = entries_[i].node[stage];
      if (v >= 0) forest_.add_edge(goal, {v}, 0);
    }
  }
  forest_.finish(goal);
  allowed_.assign((cells * stride_ + 63) / 64, 0);
  if (forest_.first_edge(goal) == forest_.last_edge(goal)) return ChartResult::no_parse;
  allow(options.threshold);
  return ChartResult::parsed;
}

void CoarseChart::allow(double threshold) {
  sums_.inside(forest_, forest_.score);
  sums_.outside(forest_);
  for (std::size_t v = 0; v < nodes_.size(); ++v) {
    if (sums_.node_marginal(static_cast<int>(v)) < threshold) continue;
    const Node& n = nodes_[v];
    const std::size_t at = cell(n.begin, n.end) * stride_ + n.category * kStages + n.stage;
    allowed_[at / 64] |= std::uint64_t{1} << (at % 64);
  }
}

// Of the cell that is being made.
int CoarseChart::node(int begin, int end, CategoryId category, int stage) {
  std::int32_t& at = here_[category];
  if (at < 0) {
    at = static_cast<std::int32_t>(entries_.size());
    entries_.push_back({category, {-1, -1, -1}});
  }
  std::int32_t& made = entries_[at].node[stage];
  if (made < 0) {
    made = forest_.add_node();
    nodes_.push_back({begin, end, category, stage});
  }
  return made;
}

// p(word | category) p(lexical | category) is p(category | word) / count(category), up to what is
// the same for all choices.
void CoarseChart::add_words(const Grammar& grammar, const std::vector<Choice>& choices, int word) {
  for (const Choice& c : choices) {
    const float count = c.category < static_cast<CategoryId>(grammar.log_counts.size())
                            ? grammar.log_counts[c.category]
                            : 0;
    forest_.add_edge(node(word, word + 1, c.category, kPlainStage), {}, c.log_probability - count);
  }
}

void CoarseChart::combine(RuleCache& rules, int begin, int middle, int end) {
  const Cell lefts = cells_[cell(begin, middle)], rights = cells_[cell(middle, end)];
  const std::uint64_t* there = cell_bits_.data() + cell(middle, end) * bit_words_;
  const std::int32_t* before = bits_before_.data() + cell(middle, end) * bit_words_;
  for (std::int32_t l = lefts.first; l < lefts.last; ++l) {
    const Entry left = entries_[l];
    const std::span<const std::uint64_t> partners = rules.partners(left.category);
    for (std::uint64_t some = rights.words; some != 0; some &= some - 1) {
      const std::size_t first = std::countr_zero(some) * words_a_bit_;
      for (std::size_t w = first; w < std::min(first + words_a_bit_, bit_words_); ++w) {
        std::uint64_t bits = there[w] & (w < partners.size() ? partners[w] : ~std::uint64_t{0});
        for (; bits != 0; bits &= bits - 1) {
          const int rank = std::popcount(there[w] & ((bits & -bits) - 1));
          const Entry right = entries_[sorted_[rights.first + before[w] + rank]];
          join(rules.binary(left.category, right.category), left, right, begin, end);
        }
      }
    }
  }
}

void CoarseChart::join(std::span<const Combination> found, const Entry& left, const Entry& right,
                       int begin, int end) {
  for (const Combination& rule : found) {
    if (rule.result >= categories_) continue;
    const int head = node(begin, end, rule.result, kPlainStage);
    for (const std::int32_t l : left.node) {
      if (l < 0) continue;
      for (const std::int32_t r : right.node) {
        if (r >= 0) forest_.add_edge(head, {l, r}, rule.log_probability);
      }
    }
  }
}

void CoarseChart::glue(int middle, int end) {
  const Cell lefts = cells_[cell(0, middle)], rights = cells_[cell(middle, end)];
  for (std::int32_t i = lefts.first; i < lefts.last; ++i) {
    const Entry left = entries_[i];
    for (const std::int32_t l : left.node) {
      if (l < 0) continue;
      const int head = node(0, end, left.category, kPlainStage);
      for (std::int32_t j = rights.first; j < rights.last; ++j) {
        for (const std::int32_t r : entries_[j].node) {
          if (r >= 0) forest_.add_edge(head, {l, r}, kGlue);
        }
      }
    }
  }
}

void CoarseChart::add_unaries(RuleCache& rules, int begin, int end, int first) {
  for (const Rule stage : {Rule::type_change, Rule::type_raising}) {
    const int last = static_cast<int>(nodes_.size());
    for (int v = first; v < last; ++v) {
      for (const Combination& rule : rules.unary(nodes_[v].category)) {
        if (rule.rule != stage) continue;
        const int to = stage == Rule::type_change ? kChangedStage : kRaisedStage;
        forest_.add_edge(node(begin, end, rule.result, to), {v}, rule.log_probability);
      }
    }
  }
}

void CoarseChart::close_cell(int begin, int end) {
  Cell& made = cells_[cell(begin, end)];
  made.last = static_cast<std::int32_t>(entries_.size());
  std::uint64_t* bits = cell_bits_.data() + cell(begin, end) * bit_words_;
  for (std::int32_t i = made.first; i < made.last; ++i) {
    const CategoryId c = entries_[i].category;
    bits[c / 64] |= std::uint64_t{1} << (c % 64);
    made.words |= std::uint64_t{1} << (c / 64 / words_a_bit_);
    sorted_.push_back(i);
    here_[c] = -1;
  }
  std::sort(sorted_.begin() + made.first, sorted_.end(), [&](std::int32_t a, std::int32_t b) {
    return entries_[a].category < entries_[b].category;
  });
  std::int32_t* before = bits_before_.data() + cell(begin, end) * bit_words_;
  std::int32_t count = 0;
  for (std::size_t w = 0; w < bit_words_; ++w) {
    before[w] = count;
    count += std::popcount(bits[w]);
  }
}

}  // namespace entente::ccg
