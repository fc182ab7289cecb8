#include "engine/formats/domains.h"

#include <limits>

namespace entente {

namespace {

// States that a text may declare without showing them.
constexpr std::size_t kFreeStates = 1 << 20;

}  // namespace

void Domains::read_variable() {
  const auto domain =
      words_.integer("the size of a domain", 1, std::numeric_limits<std::int32_t>::max());
  states_ += static_cast<std::size_t>(domain);
  if (states_ > kFreeStates + 16 * text_size_)
    words_.fail(words_.last(), "the domains are too large for a text of this size");
  zeros_.assign(domain, 0.0);
  graph_.add_group(zeros_);
  seen_.push_back(-1);
}

void Domains::read_scope(std::int64_t count) {
  scope_.clear();
  for (std::int64_t i = 0; i < count; ++i) {
    if (size() == 0) words_.fail(words_.offset(), "there are no variables");
    const auto v = words_.integer("a variable", 0, size() - 1);
    if (seen_[v] == scope_count_)
      words_.fail(words_.last(), "this variable occurs twice in one function");
    seen_[v] = scope_count_;
    scope_.push_back(static_cast<int>(v));
  }
  ++scope_count_;
}

std::int64_t Domains::entries(std::int64_t most, std::size_t offset) const {
  std::int64_t entries = 1;
  for (int v : scope_) {
    if (entries > most / domain(v)) words_.fail(offset, "this function's table is too large");
    entries *= domain(v);
  }
  return entries;
}

void Domains::add_table(const std::vector<double>& scores) {
  axes_.clear();
  literals_.clear();
  int only = -1;
  for (int v : scope_) {
    if (domain(v) == 1) continue;  // its one state is always taken
    only = v;
    axes_.push_back(domain(v));
    for (int s = 0; s < domain(v); ++s) literals_.push_back(graph_.groups()[v][s]);
  }
  if (axes_.size() >= 2) return graph_.add_table(literals_, axes_, scores);
  if (axes_.empty()) return add_constant(scores[0]);
  const Group group = graph_.groups()[only];
  for (int s = 0; s < group.size; ++s) {
    if (scores[s] == -kInfinity) {
      graph_.fix(group[s], false);
    } else {
      graph_.set_score(group[s], graph_.score(group[s]) + scores[s]);
    }
  }
}

void Domains::add_constant(double score) {
  if (score == -kInfinity) return forbid_everything();
  if (score == 0) return;
  if (graph_.groups().empty()) {
    zeros_.assign(1, 0.0);
    graph_.add_group(zeros_);
  }
  const Group group = graph_.groups()[scope_.empty() ? 0 : scope_[0]];
  for (int s = 0; s < group.size; ++s) graph_.set_score(group[s], graph_.score(group[s]) + score);
}

void Domains::forbid_everything() {
  if (graph_.groups().empty()) {
    zeros_.assign(1, 0.0);
    graph_.add_group(zeros_);
  }
  const Group group = graph_.groups()[0];
  for (int s = 0; s < group.size; ++s) graph_.fix(group[s], false);
}

}  // namespace entente
