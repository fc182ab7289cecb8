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
  const std::size_t cells = static_cast<std::size_t>(words_ + 1) * (words_ + 1);
  forest_.clear();
  nodes_.clear();
  cell_bits_.assign(cells * bit_words_, 0);
  if (cell_categories_.size() < cells) cell_categories_.resize(cells);
  cell_node_.assign(cells * stride_, -1);
  for (int end = 1; end <= words_; ++end) {
    for (int begin = end - 1; begin >= 0; --begin) {
      const int first = static_cast<int>(nodes_.size());
      if (begin == end - 1) add_words(grammar, choices[begin], begin);
      for (int middle = begin + 1; middle < end; ++middle) {
        combine(rules, begin, middle, end);
        if (options.glue && begin == 0) glue(middle, end);
      }
      add_unaries(rules, begin, end, first);
      close_cell(begin, end, first);
      if (forest_.edges() > options.most) return ChartResult::too_large;
    }
  }
  const int goal = forest_.add_node();
  for (const CategoryId c : cell_categories_[cell(0, words_)]) {
    const bool is_root =
        std::find(grammar.roots.begin(), grammar.roots.end(), c) != grammar.roots.end();
    for (int stage = 0; stage < kStages && (is_root || options.any_root); ++stage) {
      const std::int32_t v = cell_node_[cell(0, words_) * stride_ + c * kStages + stage];
      if (v >= 0) forest_.add_edge(goal, {v}, 0);
    }
  }
  forest_.finish(goal);
  allowed_.assign((cells * stride_ + 63) / 64, 0);
  if (forest_.first_edge(goal) == forest_.last_edge(goal)) return ChartResult::no_parse;
  sums_.inside(forest_, forest_.score);
  sums_.outside(forest_);
  for (std::size_t v = 0; v < nodes_.size(); ++v) {
    if (sums_.node_marginal(static_cast<int>(v)) < options.threshold) continue;
    const Node& n = nodes_[v];
    const std::size_t at = cell(n.begin, n.end) * stride_ + n.category * kStages + n.stage;
    allowed_[at / 64] |= std::uint64_t{1} << (at % 64);
  }
  return ChartResult::parsed;
}

int CoarseChart::node(int begin, int end, CategoryId category, int stage) {
  std::int32_t& at = cell_node_[cell(begin, end) * stride_ + category * kStages + stage];
  if (at < 0) {
    at = forest_.add_node();
    nodes_.push_back({begin, end, category, stage});
  }
  return at;
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
  const std::size_t left_cell = cell(begin, middle), right_cell = cell(middle, end);
  const std::uint64_t* right_bits = cell_bits_.data() + right_cell * bit_words_;
  for (const CategoryId left : cell_categories_[left_cell]) {
    const std::span<const std::uint64_t> partners = rules.partners(left);
    for (std::size_t w = 0; w < bit_words_; ++w) {
      std::uint64_t bits = right_bits[w] & (w < partners.size() ? partners[w] : ~std::uint64_t{0});
      for (; bits != 0; bits &= bits - 1) {
        const auto right = static_cast<CategoryId>(w * 64 + std::countr_zero(bits));
        for (const Combination& rule : rules.binary(left, right)) {
          if (rule.result >= categories_) continue;
          const int head = node(begin, end, rule.result, kPlainStage);
          for (int s = 0; s < kStages; ++s) {
            const std::int32_t l = cell_node_[left_cell * stride_ + left * kStages + s];
            if (l < 0) continue;
            for (int t = 0; t < kStages; ++t) {
              const std::int32_t r = cell_node_[right_cell * stride_ + right * kStages + t];
              if (r >= 0) forest_.add_edge(head, {l, r}, rule.log_probability);
            }
          }
        }
      }
    }
  }
}

void CoarseChart::glue(int middle, int end) {
  for (const CategoryId left : cell_categories_[cell(0, middle)]) {
    for (int s = 0; s < kStages; ++s) {
      const std::int32_t l = cell_node_[cell(0, middle) * stride_ + left * kStages + s];
      if (l < 0) continue;
      const int head = node(0, end, left, kPlainStage);
      for (const CategoryId right : cell_categories_[cell(middle, end)]) {
        for (int t = 0; t < kStages; ++t) {
          const std::int32_t r = cell_node_[cell(middle, end) * stride_ + right * kStages + t];
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

void CoarseChart::close_cell(int begin, int end, int first) {
  std::vector<CategoryId>& categories = cell_categories_[cell(begin, end)];
  categories.clear();
  std::uint64_t* bits = cell_bits_.data() + cell(begin, end) * bit_words_;
  for (int v = first; v < static_cast<int>(nodes_.size()); ++v) {
    const CategoryId c = nodes_[v].category;
    if ((bits[c / 64] >> (c % 64) & 1) == 0) categories.push_back(c);
    bits[c / 64] |= std::uint64_t{1} << (c % 64);
  }
}

}  // namespace entente::ccg
