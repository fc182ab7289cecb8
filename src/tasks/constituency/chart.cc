#include "tasks/constituency/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/hypergraph/scaled.h"

namespace entente::constituency {

namespace {
constexpr double kNegligible = 0.1;  // of the threshold: less is not passed on to children
}

void AllowedSymbols::clear(int words) {
  words_ = words;
  ranges_.assign(2 * static_cast<std::size_t>(words) * (words + 1), Range{});
  symbols_.clear();
}

void AllowedSymbols::add(int begin, int end, std::span<const std::int32_t> bottoms,
                         std::span<const std::int32_t> tops) {
  const auto put = [&](Range& r, std::span<const std::int32_t> list) {
    r.begin = static_cast<std::int32_t>(symbols_.size());
    symbols_.insert(symbols_.end(), list.begin(), list.end());
    r.end = static_cast<std::int32_t>(symbols_.size());
  };
  put(ranges_[2 * place(begin, end)], bottoms);
  put(ranges_[2 * place(begin, end) + 1], tops);
}

void AllowedSymbols::merge(std::span<const BinaryNode> nodes) {
  for (const BinaryNode& n : nodes) {
    for (const int layer : {0, 1}) {
      const int symbol = layer == 0 ? n.bottom : n.top;
      Range& r = ranges_[2 * place(n.begin, n.end) + layer];
      const auto begin = symbols_.begin() + r.begin, end = symbols_.begin() + r.end;
      if (symbol < 0 || std::find(begin, end, symbol) != end) continue;
      std::vector<std::int32_t> longer(begin, end);
      longer.insert(std::lower_bound(longer.begin(), longer.end(), symbol), symbol);
      r.begin = static_cast<std::int32_t>(symbols_.size());
      symbols_.insert(symbols_.end(), longer.begin(), longer.end());
      r.end = static_cast<std::int32_t>(symbols_.size());
    }
  }
}

ChartPruner::ChartPruner(const Grammar& grammar) : grammar_(&grammar) {
  for (const BinaryRule& r : grammar.binary()) binary_.push_back(std::exp(r.score));
  for (const ChainRule& r : grammar.chains()) chain_.push_back(std::exp(r.score));
  // How common a symbol is: expected counts under the rules would need counts; that of being a
  // child of many rules serves as well.
  prior_.assign(grammar.symbols(), 1e-3);
  pair_of_.assign(static_cast<std::size_t>(grammar.symbols()) * grammar.symbols(), -1);
  for (const BinaryRule& r : grammar.binary()) {
    auto& pair = pair_of_[static_cast<std::size_t>(r.left) * grammar.symbols() + r.right];
    if (pair >= 0) continue;
    pair = static_cast<std::int32_t>(rules_of_.size());
    rules_of_.push_back(grammar.binary_over(r.left, r.right));
  }
  for (const BinaryRule& r : grammar.binary()) {
    prior_[r.left] += std::exp(r.score);
    prior_[r.right] += std::exp(r.score);
  }
}

// The sums of a span become entries: bottoms first, then tops by chains. Intermediate symbols are
// tops at once.
void ChartPruner::close_cell(ChartScratch& s, ChartScratch::Cell& cell, double beam) const {
  const Grammar& g = *grammar_;
  double most = 0;
  for (const std::int32_t x : s.touched_) most = std::max(most, s.sum_[x] * prior_[x]);
  std::sort(s.touched_.begin(), s.touched_.end());
  cell.bottom = static_cast<std::int32_t>(s.entries_.size());
  for (const std::int32_t x : s.touched_) {
    if (g.kind(x) != Grammar::kIntermediate && s.sum_[x] * prior_[x] >= beam * most) {
      s.entries_.push_back({x, s.sum_[x], 0});
    }
  }
  cell.middle = static_cast<std::int32_t>(s.entries_.size());
  for (const std::int32_t x : s.touched_) {
    if (g.kind(x) == Grammar::kIntermediate && s.sum_[x] * prior_[x] >= beam * most) {
      s.entries_.push_back({x, s.sum_[x], 0});
    }
    s.sum_[x] = 0;
  }
  s.touched_.clear();
  for (std::int32_t b = cell.bottom; b < cell.middle; ++b) {
    const ChartScratch::Entry entry = s.entries_[b];
    const Grammar::Range range = g.chains_over(entry.symbol);
    for (int r = range.begin; r < range.end; ++r) {
      const std::int32_t top = g.chains()[r].top;
      if (s.sum_[top] == 0) s.touched_.push_back(top);
      s.sum_[top] += entry.in * chain_[r];
    }
  }
  std::sort(s.touched_.begin(), s.touched_.end());
  for (const std::int32_t x : s.touched_) {
    if (s.sum_[x] * prior_[x] >= beam * most) s.entries_.push_back({x, s.sum_[x], 0});
    s.sum_[x] = 0;
  }
  s.touched_.clear();
  cell.end = static_cast<std::int32_t>(s.entries_.size());
  // One scale for the span: its largest value becomes about 1.
  double largest = 0;
  for (std::int32_t e = cell.bottom; e < cell.end; ++e) {
    largest = std::max(largest, s.entries_[e].in);
  }
  if (largest == 0) return;
  int shift = 0;
  double ignored = largest;
  normalise(ignored, shift);
  const double factor = power_of_two(-shift);
  for (std::int32_t e = cell.bottom; e < cell.end; ++e) s.entries_[e].in *= factor;
  cell.scale += shift;
}

void ChartPruner::up(const Leaves& leaves, const ChartOptions& options, ChartScratch& s) const {
  const int n = leaves.size();
  s.entries_.clear();
  s.cells_.assign(static_cast<std::size_t>(n) * (n + 1), {});
  s.sum_.assign(grammar_->symbols(), 0.0);
  s.pair_.assign(rules_of_.size(), 0.0);
  s.touched_.clear();
  for (int width = 1; width <= n; ++width) {
    for (int i = 0; i + width <= n; ++i) {
      ChartScratch::Cell cell;
      const std::size_t place = static_cast<std::size_t>(i) * (n + 1) + i + width;
      if (!options.open.empty() && !options.open[place]) continue;
      if (width == 1) {
        for (int t = leaves.first[i]; t < leaves.first[i + 1]; ++t) {
          const LeafTag& leaf = leaves.tags[t];
          if (s.sum_[leaf.symbol] == 0) s.touched_.push_back(leaf.symbol);
          s.sum_[leaf.symbol] += leaf.weight;
        }
      } else {
        join(i, i + width, n, cell, s);
      }
      // A product may have come out as 0 and been noted twice.
      std::sort(s.touched_.begin(), s.touched_.end());
      s.touched_.erase(std::unique(s.touched_.begin(), s.touched_.end()), s.touched_.end());
      close_cell(s, cell, width < n ? options.beam : 0);
      s.cells_[place] = cell;
    }
  }
}

// Adds up what the splits of a span give its symbols: first by pairs of children, then by rules.
void ChartPruner::join(int i, int j, int n, ChartScratch::Cell& cell, ChartScratch& s) const {
  const Grammar& g = *grammar_;
  const auto symbols = static_cast<std::size_t>(g.symbols());
  cell.scale = std::numeric_limits<int>::min();
  for (int k = i + 1; k < j; ++k) {
    const auto &l = s.cells_[i * (n + 1) + k], &r = s.cells_[k * (n + 1) + j];
    if (l.middle < l.end && r.middle < r.end) cell.scale = std::max(cell.scale, l.scale + r.scale);
  }
  s.pairs_.clear();
  for (int k = i + 1; k < j; ++k) {
    const auto &l = s.cells_[i * (n + 1) + k], &r = s.cells_[k * (n + 1) + j];
    if (l.middle == l.end || r.middle == r.end) continue;
    const double factor = power_of_two(l.scale + r.scale - cell.scale);
    for (std::int32_t a = l.middle; a < l.end; ++a) {
      const double left = s.entries_[a].in * factor;
      const std::int32_t* pair_of = pair_of_.data() + symbols * s.entries_[a].symbol;
      for (std::int32_t b = r.middle; b < r.end; ++b) {
        const std::int32_t pair = pair_of[s.entries_[b].symbol];
        if (pair < 0) continue;
        if (s.pair_[pair] == 0) s.pairs_.push_back(pair);
        s.pair_[pair] += left * s.entries_[b].in;
      }
    }
  }
  for (const std::int32_t pair : s.pairs_) {
    const double both = s.pair_[pair];
    s.pair_[pair] = 0;  // noted twice, if it came out as 0 before
    if (both == 0) continue;
    for (int rule = rules_of_[pair].begin; rule < rules_of_[pair].end; ++rule) {
      const std::int32_t parent = g.binary()[rule].parent;
      if (s.sum_[parent] == 0) s.touched_.push_back(parent);
      s.sum_[parent] += both * binary_[rule];
    }
  }
  if (cell.scale == std::numeric_limits<int>::min()) cell.scale = 0;
}

// Outside values, relative to the scale of the whole against the span's: in * out is a probability
// as it is. What is less likely than `least` has nothing to say to its children.
void ChartPruner::down(int n, double least, ChartScratch& s) const {
  const Grammar& g = *grammar_;
  std::vector<double>& out = s.sum_;  // of the bottoms and intermediates of one span, by symbol
  s.pair_.assign(rules_of_.size(), -1.0);
  for (int width = n; width >= 1; --width) {
    for (int i = 0; i + width <= n; ++i) {
      const ChartScratch::Cell& cell = s.cells_[i * (n + 1) + i + width];
      for (std::int32_t t = cell.middle; t < cell.end; ++t) {
        ChartScratch::Entry& e = s.entries_[t];
        if (e.in * e.out < least) continue;
        if (g.kind(e.symbol) != Grammar::kIntermediate) out[e.symbol] = e.out;
      }
      for (std::int32_t b = cell.bottom; b < cell.middle; ++b) {
        const Grammar::Range range = g.chains_over(s.entries_[b].symbol);
        double sum = 0;
        for (int r = range.begin; r < range.end; ++r) sum += out[g.chains()[r].top] * chain_[r];
        s.entries_[b].out = sum;
      }
      for (std::int32_t t = cell.middle; t < cell.end; ++t) out[s.entries_[t].symbol] = 0;
      if (width == 1) continue;
      bool any = false;
      for (std::int32_t t = cell.bottom; t < cell.end; ++t) {
        const ChartScratch::Entry& e = s.entries_[t];
        if (e.in * e.out < least) continue;
        if (t < cell.middle || g.kind(e.symbol) == Grammar::kIntermediate) {
          out[e.symbol] = e.out;
          any = true;
        }
      }
      if (any) split(i, i + width, n, s);
      for (std::int32_t e = cell.bottom; e < cell.end; ++e) out[s.entries_[e].symbol] = 0;
    }
  }
}

// What a pair of children is worth to the symbols of the span in hand.
double ChartPruner::above(int pair, ChartScratch& s) const {
  double& sum = s.pair_[pair];
  if (sum >= 0) return sum;
  sum = 0;
  s.pairs_.push_back(pair);
  for (int rule = rules_of_[pair].begin; rule < rules_of_[pair].end; ++rule) {
    sum += s.sum_[grammar_->binary()[rule].parent] * binary_[rule];
  }
  return sum;
}

void ChartPruner::split(int i, int j, int n, ChartScratch& s) const {
  const auto symbols = static_cast<std::size_t>(grammar_->symbols());
  const int scale = s.cells_[i * (n + 1) + j].scale;
  s.pairs_.clear();
  for (int k = i + 1; k < j; ++k) {
    const auto &l = s.cells_[i * (n + 1) + k], &r = s.cells_[k * (n + 1) + j];
    const double factor = power_of_two(std::min(l.scale + r.scale - scale, 1000));
    for (std::int32_t a = l.middle; a < l.end; ++a) {
      ChartScratch::Entry& left = s.entries_[a];
      double above_left = 0;
      const std::int32_t* pair_of = pair_of_.data() + symbols * left.symbol;
      for (std::int32_t b = r.middle; b < r.end; ++b) {
        const std::int32_t pair = pair_of[s.entries_[b].symbol];
        if (pair < 0) continue;
        const double value = above(pair, s) * factor;
        if (value == 0) continue;
        above_left += value * s.entries_[b].in;
        s.entries_[b].out += value * left.in;
      }
      left.out += above_left;
    }
  }
  for (const std::int32_t pair : s.pairs_) s.pair_[pair] = -1;
}

bool ChartPruner::run(const Leaves& leaves, const ChartOptions& options, ChartScratch& s,
                      AllowedSymbols& allowed) const {
  const int n = leaves.size();
  allowed.clear(n);
  ChartScratch::Entry* goal = nullptr;
  // Where that leaves no tree: without the filter, then without the beam.
  for (const ChartOptions& o :
       {options, {options.threshold, options.beam}, {options.threshold, 0}}) {
    up(leaves, o, s);
    const ChartScratch::Cell& all = s.cells_[n];
    for (std::int32_t t = all.middle; t < all.end; ++t) {
      if (s.entries_[t].symbol == grammar_->root() && s.entries_[t].in > 0) goal = &s.entries_[t];
    }
    if (goal != nullptr) break;
  }
  if (goal == nullptr) return false;
  goal->out = 1 / goal->in;
  down(n, kNegligible * options.threshold, s);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j <= n; ++j) {
      const ChartScratch::Cell& cell = s.cells_[i * (n + 1) + j];
      s.bottoms_.clear();
      s.tops_.clear();
      for (std::int32_t e = cell.bottom; e < cell.end; ++e) {
        const ChartScratch::Entry& entry = s.entries_[e];
        if (entry.in * entry.out < options.threshold) continue;
        (e < cell.middle ? s.bottoms_ : s.tops_).push_back(entry.symbol);
      }
      std::sort(s.tops_.begin(), s.tops_.end());
      if (!s.bottoms_.empty() || !s.tops_.empty()) allowed.add(i, j, s.bottoms_, s.tops_);
    }
  }
  return true;
}

}  // namespace entente::constituency
