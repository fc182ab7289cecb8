#include "engine/core/alike_columns.h"

#include <algorithm>

namespace entente {

namespace {

constexpr std::size_t kLeastRow = 3;
constexpr std::size_t kMostLinks = 5'000'000;  // looked at in all: many columns are many choices

bool is_row(const FactorView& f) {
  return f.hard() && f.links.size() >= kLeastRow &&
         (f.shape == Shape::linear || f.shape == Shape::count || f.shape == Shape::at_most_one);
}

}  // namespace

bool AlikeFinder::rows_alike(const FactorView& a, const FactorView& b) const {
  if (!is_row(a) || !is_row(b) || a.shape != b.shape || a.links.size() != b.links.size())
    return false;
  if (a.shape != Shape::at_most_one && (a.lower != b.lower || a.upper != b.upper)) return false;
  const auto scores = graph_->scores();
  for (std::size_t l = 0; l < a.links.size(); ++l) {
    if (a.links[l].negated() != b.links[l].negated() || a.links[l].var() == b.links[l].var() ||
        scores[a.links[l].var()] != scores[b.links[l].var()])
      return false;
    if (a.shape == Shape::linear && a.values[l] != b.values[l]) return false;
  }
  return true;
}

const std::vector<AlikeSet>& AlikeFinder::find() {
  if (looked_) return sets_;
  looked_ = true;
  links_seen_ = 0;
  sets_.clear();
  factors_of_.clear();
  list_rows();
  // What belongs to a column may stand between its row and the next one's.
  constexpr std::size_t kFarthest = 64;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const FactorView first = graph_->factor(rows_[i].factor);
    std::size_t apart = 1;
    auto alike = [&](std::size_t j) {
      return j < rows_.size() && rows_[j].links == rows_[i].links &&
             rows_[j].score == rows_[i].score && rows_alike(first, graph_->factor(rows_[j].factor));
    };
    while (apart <= kFarthest && !alike(i + apart)) ++apart;
    if (apart > kFarthest) continue;
    run_.assign(1, rows_[i].factor);
    for (; alike(i + apart); i += apart) run_.push_back(rows_[i + apart].factor);
    if (factors_of_.empty()) index_factors();
    add_run();
  }
  return sets_;
}

void AlikeFinder::list_rows() {
  rows_.clear();
  for (int f = 0; f < graph_->factor_count(); ++f) {
    const FactorView view = graph_->factor(f);
    if (is_row(view))
      rows_.push_back({f, view.links.size(), graph_->scores()[view.links[0].var()]});
  }
}

void AlikeFinder::index_factors() {
  factors_of_.resize(graph_->variable_count());
  for (int f = 0; f < graph_->factor_count(); ++f) {
    for (Literal l : graph_->factor(f).links) factors_of_[l.var()].push_back(f);
  }
  image_.resize(graph_->variable_count());
  for (std::size_t v = 0; v < image_.size(); ++v) image_[v] = static_cast<std::int32_t>(v);
  column_.assign(graph_->variable_count(), -1);
}

// Rows of which one may be had for another; the longest stretch of columns that may.
void AlikeFinder::add_run() {
  AlikeSet set;
  for (int f : run_) {
    set.columns.emplace_back();
    for (Literal l : graph_->factor(f).links) set.columns.back().push_back(l.var());
  }
  const FactorView first = graph_->factor(run_[0]);
  for (std::size_t l = 0; l < first.links.size(); ++l)
    set.weight.push_back(first.shape == Shape::linear ? std::abs(first.values[l]) : 1.0);
  if (!extend(set)) return;
  AlikeSet good;
  good.weight = set.weight;
  for (auto& column : set.columns) {
    if (!good.columns.empty() && !exchange(good.columns.back(), column)) {
      if (good.columns.size() >= 2) sets_.push_back(good);
      good.columns.clear();
    }
    good.columns.push_back(std::move(column));
  }
  if (good.columns.size() >= 2) sets_.push_back(std::move(good));
}

// Variables in no column that share a rule with one column only go with it. False if columns overlap.
bool AlikeFinder::extend(AlikeSet& set) {
  bool apart = true;
  for (std::size_t j = 0; j < set.columns.size(); ++j) {
    for (int v : set.columns[j]) {
      apart &= column_[v] < 0;
      column_[v] = static_cast<std::int32_t>(j);
    }
  }
  std::vector<std::vector<std::int32_t>> more(set.columns.size());
  std::vector<std::int32_t> seen(graph_->factor_count(), -1);  // for which column
  for (std::size_t j = 0; apart && j < set.columns.size(); ++j) {
    for (int v : set.columns[j]) {
      for (int f : factors_of_[v]) {
        if (seen[f] == static_cast<int>(j)) continue;
        seen[f] = static_cast<std::int32_t>(j);
        const auto links = graph_->factor(f).links;
        if (std::any_of(links.begin(), links.end(), [&](Literal l) {
              return column_[l.var()] >= 0 && column_[l.var()] != static_cast<int>(j);
            }))
          continue;
        for (Literal l : links) {
          if (column_[l.var()] < 0 &&
              std::find(more[j].begin(), more[j].end(), l.var()) == more[j].end())
            more[j].push_back(l.var());
        }
      }
    }
  }
  for (const auto& column : set.columns) {
    for (int v : column) column_[v] = -1;
  }
  // What goes with several goes with none.
  std::vector<std::int32_t> all;
  for (const auto& list : more) all.insert(all.end(), list.begin(), list.end());
  for (auto& list : more)
    std::erase_if(list, [&](int v) { return std::count(all.begin(), all.end(), v) > 1; });
  const bool even = std::all_of(more.begin(), more.end(),
                                [&](const auto& list) { return list.size() == more[0].size(); });
  if (!apart || !even) return false;
  for (std::size_t j = 0; j < more.size(); ++j)
    set.columns[j].insert(set.columns[j].end(), more[j].begin(), more[j].end());
  set.weight.resize(set.columns[0].size(), 0.0);
  return true;
}

// Does the problem stay as it is if these two columns change places?
bool AlikeFinder::exchange(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  const auto scores = graph_->scores();
  const auto fixed = graph_->fixed();
  std::vector<std::int32_t> touched;
  bool same = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    same = same && a[i] != b[i] && image_[a[i]] == a[i] && image_[b[i]] == b[i] &&
           scores[a[i]] == scores[b[i]] && (fixed.empty() || fixed[a[i]] == fixed[b[i]]);
    if (!same) break;
    image_[a[i]] = b[i];
    image_[b[i]] = a[i];
    for (int v : {a[i], b[i]})
      touched.insert(touched.end(), factors_of_[v].begin(), factors_of_[v].end());
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (int f : touched) links_seen_ += graph_->factor(f).links.size();
  same = same && links_seen_ <= kMostLinks;
  std::vector<std::vector<double>> before, after;
  if (same) {
    for (int f : touched) same = same && key_of(f, after.emplace_back());
  }
  for (const auto* list : {&a, &b}) {
    for (int v : *list) image_[v] = v;
  }
  if (!same) return false;
  for (int f : touched) key_of(f, before.emplace_back());
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  return before == after;
}

// A factor as numbers, the same for two that say the same; false if it is of no kind that is asked for.
bool AlikeFinder::key_of(int factor, std::vector<double>& key) const {
  const FactorView f = graph_->factor(factor);
  if (f.shape == Shape::table || f.shape == Shape::disjoint || f.shape == Shape::structured)
    return false;
  key = {static_cast<double>(f.shape), f.cost, f.lower, f.upper};
  std::vector<std::pair<double, double>> links;
  for (std::size_t l = 0; l < f.links.size(); ++l) {
    const Literal at(Var{image_[f.links[l].var()]}, f.links[l].negated());
    double c = f.shape == Shape::linear ? f.values[l] : 1.0;
    if (f.shape == Shape::or_output && l + 1 == f.links.size()) c = -1;
    links.emplace_back(static_cast<double>(at.code), c);
  }
  std::sort(links.begin(), links.end());
  for (const auto& [code, c] : links) {
    key.push_back(code);
    key.push_back(c);
  }
  return true;
}

}  // namespace entente
