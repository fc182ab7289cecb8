#include "tasks/ccg/coarse.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "oracle/hypergraph/scaled.h"

namespace entente::ccg {

Combination glued(CategoryId left) {
  Combination out;
  out.rule = Rule::right_punctuation;  // the left one goes on as it is
  out.result = left;
  out.log_probability = kGlue;
  return out;
}

void CoarseChart::begin(const Grammar& grammar, const Choices& choices) {
  words_ = static_cast<int>(choices.size());
  categories_ = grammar.table.size();
  stride_ = static_cast<std::size_t>(categories_) * kStages;
  bit_words_ = (static_cast<std::size_t>(categories_) + 63) / 64;
  words_a_bit_ = (bit_words_ + 63) / 64;
  const std::size_t cells = cell(0, words_ + 1);
  nodes_.clear();
  in_.clear();
  edges_.clear();
  entries_.clear();
  sorted_.clear();
  here_.assign(categories_, -1);
  cells_.assign(cells, {});
  // Few of the bits are ever set: they are taken back one by one.
  for (const std::size_t at : set_bits_) cell_bits_[at] = 0;
  for (const std::size_t at : set_allowed_) allowed_[at] = 0;
  set_bits_.clear();
  set_allowed_.clear();
  const std::size_t bits = cells * bit_words_, allowed = (cells * stride_ + 63) / 64;
  if (cell_bits_.size() < bits) cell_bits_.resize(bits, 0);
  if (bits_before_.size() < bits) bits_before_.resize(bits);
  if (allowed_.size() < allowed) allowed_.resize(allowed, 0);
}

ChartResult CoarseChart::build(RuleCache& rules, const Grammar& grammar, const Choices& choices,
                               const CoarseOptions& options) {
  begin(grammar, choices);
  for (int end = 1; end <= words_; ++end) {
    for (int begin = end - 1; begin >= 0; --begin) {
      const int first = static_cast<int>(nodes_.size());
      cells_[cell(begin, end)].first = static_cast<std::int32_t>(entries_.size());
      if (begin == end - 1) add_words(grammar, choices[begin], begin);
      for (int middle = begin + 1; middle < end; ++middle) {
        if (!options.only_glue) combine(rules, begin, middle, end);
        if (options.glue && begin == 0) glue(grammar, middle, end);
      }
      if (options.only_glue)
        complete(first);
      else
        add_unaries(rules, begin, end, first);
      close_cell(begin, end);
      if (static_cast<std::int64_t>(edges_.size()) > options.most) return ChartResult::too_large;
    }
  }
  if (!begin_outside(grammar, options.any_root)) return ChartResult::no_parse;
  allow(options.threshold);
  return ChartResult::parsed;
}

// The roots' outside values: everything is divided by their sum from the start. False: no root.
bool CoarseChart::begin_outside(const Grammar& grammar, bool any_root) {
  out_.assign(nodes_.size(), {});
  const Cell whole = cells_[cell(0, words_)];
  Sum all;
  bool any = false;
  for (std::int32_t i = whole.first; i < whole.last; ++i) {
    const bool is_root = std::find(grammar.roots.begin(), grammar.roots.end(),
                                   entries_[i].category) != grammar.roots.end();
    for (int stage = 0; stage < kStages && (is_root || any_root); ++stage) {
      const std::int32_t v = entries_[i].node[stage];
      if (v < 0) continue;
      any = true;
      out_[v].m = 1;
      if (in_[v].m > 0) add_scaled(all.m, all.k, in_[v].m, in_[v].k);
    }
  }
  if (!any) return false;
  for (Sum& out : out_) {
    if (out.m > 0) out = all.m > 0 ? Sum{1 / all.m, -all.k} : Sum{};
  }
  return true;
}

void CoarseChart::allow(double threshold) {
  for (std::size_t i = edges_.size(); i-- > 0;) {
    const Edge& e = edges_[i];
    Sum& above = out_[e.head];
    if (above.m == 0) continue;
    normalise(above.m, above.k);
    const double out = above.m * e.weight;
    Sum& left = out_[e.left];
    if (e.right < 0) {
      add_scaled(left.m, left.k, out, above.k);
      continue;
    }
    const Sum &l = in_[e.left], &r = in_[e.right];
    if (r.m > 0) add_scaled(left.m, left.k, out * r.m, above.k + r.k);
    Sum& right = out_[e.right];
    if (l.m > 0) add_scaled(right.m, right.k, out * l.m, above.k + l.k);
  }
  for (std::size_t v = 0; v < nodes_.size(); ++v) {
    const bool used = out_[v].m > 0 && in_[v].m > 0;
    const double marginal = used ? out_[v].m * in_[v].m * power_of_two(out_[v].k + in_[v].k) : 0;
    if (marginal < threshold) continue;
    const Node& n = nodes_[v];
    const std::size_t at = cell(n.begin, n.end) * stride_ + n.category * kStages + n.stage;
    allowed_[at / 64] |= std::uint64_t{1} << (at % 64);
    set_allowed_.push_back(at / 64);
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
    made = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({begin, end, category, stage});
    in_.emplace_back();
  }
  return made;
}

void CoarseChart::add(int head, int left, int right, double weight) {
  edges_.push_back({weight, head, left, right});
  const Sum& l = in_[left];
  double product = weight * l.m;
  int scale = l.k;
  if (right >= 0) {
    product *= in_[right].m;
    scale += in_[right].k;
  }
  if (product > 0) add_scaled(in_[head].m, in_[head].k, product, scale);
}

// Nothing more comes to the nodes from this one on.
void CoarseChart::complete(int first) {
  for (std::size_t v = first; v < in_.size(); ++v) {
    if (in_[v].m > 0) normalise(in_[v].m, in_[v].k);
  }
}

// p(word | category) p(lexical | category) is p(category | word) / count(category), up to what is
// the same for all choices.
void CoarseChart::add_words(const Grammar& grammar, const std::vector<Choice>& choices, int word) {
  for (const Choice& c : choices) {
    const float count = c.category < static_cast<CategoryId>(grammar.log_counts.size())
                            ? grammar.log_counts[c.category]
                            : 0;
    Sum own;
    scaled_exp(c.log_probability - count, own.m, own.k);
    Sum& in = in_[node(word, word + 1, c.category, kPlainStage)];
    if (own.m > 0) add_scaled(in.m, in.k, own.m, own.k);
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
          const int rank = count_bits(there[w] & ((bits & -bits) - 1));
          const Entry right = entries_[sorted_[rights.first + before[w] + rank]];
          join(rules, rules.binary(left.category, right.category), left, right, begin, end);
        }
      }
    }
  }
}

void CoarseChart::join(const RuleCache& rules, std::span<const Combination> found,
                       const Entry& left, const Entry& right, int begin, int end) {
  for (const Combination& rule : found) {
    if (rule.result >= categories_) continue;
    const int head = node(begin, end, rule.result, kPlainStage);
    const double weight = rules.probability(rule);
    for (const std::int32_t l : left.node) {
      if (l < 0) continue;
      for (const std::int32_t r : right.node) {
        if (r >= 0) add(head, l, r, weight);
      }
    }
  }
}

// The likeliest nodes of a cell: what is inside them times how frequent their category is.
void CoarseChart::find_likely(const Grammar& grammar, const Cell& of, std::vector<Likely>& out) {
  constexpr std::size_t kKept = 4;
  out.clear();
  for (std::int32_t i = of.first; i < of.last; ++i) {
    for (const std::int32_t v : entries_[i].node) {
      if (v < 0 || in_[v].m == 0) continue;
      const double log_in = std::log2(in_[v].m) + in_[v].k;
      out.push_back({log_in + grammar.log_counts[entries_[i].category] * std::numbers::log2e, v});
    }
  }
  std::sort(out.begin(), out.end(), [](const Likely& a, const Likely& b) {
    return a.worth != b.worth ? a.worth > b.worth : a.node < b.node;
  });
  out.resize(std::min(out.size(), kKept));
}

// All pairs of nodes would be far too many where every category may change its type.
void CoarseChart::glue(const Grammar& grammar, int middle, int end) {
  find_likely(grammar, cells_[cell(0, middle)], lefts_);
  find_likely(grammar, cells_[cell(middle, end)], rights_);
  const double weight = std::exp(static_cast<double>(kGlue));
  for (const Likely& l : lefts_) {
    const int head = node(0, end, nodes_[l.node].category, kPlainStage);
    for (const Likely& r : rights_) add(head, l.node, r.node, weight);
  }
}

void CoarseChart::add_unaries(RuleCache& rules, int begin, int end, int first) {
  complete(first);
  for (const Rule stage : {Rule::type_change, Rule::type_raising}) {
    const int last = static_cast<int>(nodes_.size());
    for (int v = first; v < last; ++v) {
      for (const Combination& rule : rules.unary(nodes_[v].category)) {
        if (rule.rule != stage) continue;
        const int to = stage == Rule::type_change ? kChangedStage : kRaisedStage;
        add(node(begin, end, rule.result, to), v, -1, rules.unary_probability(rule));
      }
    }
    complete(last);
  }
}

void CoarseChart::close_cell(int begin, int end) {
  Cell& made = cells_[cell(begin, end)];
  made.last = static_cast<std::int32_t>(entries_.size());
  for (std::int32_t i = made.first; i < made.last; ++i) {
    sorted_.push_back(i);
    here_[entries_[i].category] = -1;
  }
  std::sort(sorted_.begin() + made.first, sorted_.end(), [&](std::int32_t a, std::int32_t b) {
    return entries_[a].category < entries_[b].category;
  });
  const std::size_t first_word = cell(begin, end) * bit_words_;
  for (std::int32_t i = made.first; i < made.last; ++i) {
    const CategoryId c = entries_[sorted_[i]].category;
    const std::size_t at = first_word + c / 64;
    if (cell_bits_[at] == 0) {
      bits_before_[at] = i - made.first;
      set_bits_.push_back(at);
      made.words |= std::uint64_t{1} << (c / 64 / words_a_bit_);
    }
    cell_bits_[at] |= std::uint64_t{1} << (c % 64);
  }
}

}  // namespace entente::ccg
