#include "bench/arguments_family.h"

#include <algorithm>
#include <cmath>

namespace entente::bench {

namespace {

// ---- spans of a random projective tree

// The spans of the subtrees over positions [begin, end), and of each inner node's position alone.
void grow(Random& r, int begin, int end, std::vector<Interval>& subtrees,
          std::vector<Interval>& heads) {
  subtrees.push_back({begin, end});
  if (end - begin == 1) return;
  const int head = r.between(begin, end - 1);
  heads.push_back({head, head + 1});
  for (auto [from, to] : {std::pair(begin, head), std::pair(head + 1, end)}) {
    while (from < to) {
      // A dependent's subtree: most are short, as in text.
      const int size =
          r.chance(0.5) ? r.between(1, std::min(3, to - from)) : r.between(1, to - from);
      grow(r, from, from + size, subtrees, heads);
      from += size;
    }
  }
}

template <typename T>
void shuffle(Random& r, std::vector<T>& v) {
  for (int i = static_cast<int>(v.size()); i > 1; --i) std::swap(v[i - 1], v[r.below(i)]);
}

// Between `least` and `most` different ones, in order of their begins, null first.
std::vector<Interval> sample_spans(Random& r, int positions, int least, int most) {
  std::vector<Interval> spans, heads;
  do {  // a flat tree may have too few
    spans.clear();
    heads.clear();
    grow(r, 0, positions, spans, heads);
  } while (static_cast<int>(spans.size() + heads.size()) < least);
  const int count = r.between(least, std::min(most, static_cast<int>(spans.size() + heads.size())));
  shuffle(r, spans);
  shuffle(r, heads);
  spans.insert(spans.end(), heads.begin(), heads.end());  // subtrees are taken first
  spans.resize(count);
  std::sort(spans.begin(), spans.end(), [](Interval a, Interval b) {
    return std::pair(a.begin, -a.end) < std::pair(b.begin, -b.end);
  });
  spans.insert(spans.begin(), Interval{0, 0});
  return spans;
}

std::pair<int, int> two_roles(Random& r, int roles) {
  const int a = r.below(roles), b = (a + 1 + r.below(roles - 1)) % roles;
  return {std::min(a, b), std::max(a, b)};
}

// A span that is the given one, or nested with it.
int overlapping_span(Random& r, const std::vector<Interval>& spans, int s) {
  if (r.chance(0.4)) return s;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const int other = r.between(1, static_cast<int>(spans.size()) - 1);
    if (other != s && spans[other].overlaps(spans[s])) return other;
  }
  return s;
}

void add_position_rows(const ArgumentsProblem& raw, Graph& out) {
  const Rule rule = out.rule("overlap");
  const int spans = static_cast<int>(raw.spans.size());
  std::vector<Literal> row;
  for (int at = 0; at < raw.positions; ++at) {
    row.clear();
    for (int role = 0; role < raw.roles; ++role) {
      for (int s = 1; s < spans; ++s) {
        if (raw.spans[s].begin <= at && at < raw.spans[s].end) row.push_back(Var{role * spans + s});
      }
    }
    if (row.size() >= 2) out.add_at_most_one(row, rule);
  }
}

}  // namespace

ArgumentsProblem make_arguments(Random& r) {
  ArgumentsProblem p;
  p.positions = r.between(8, 50);
  p.roles = 3 + static_cast<int>(std::floor(18 * std::pow(r.uniform(), 1.8)));  // 3-20, mean 9
  p.spans = sample_spans(r, p.positions, 10, 60);
  const int spans = static_cast<int>(p.spans.size());
  p.scores.resize(static_cast<std::size_t>(p.roles) * spans);
  auto score = [&](int role, int span) -> double& { return p.scores[role * spans + span]; };
  // Mean -3, sd 2: the most of it is whether the role is spoken of at all.
  for (int role = 0; role < p.roles; ++role) {
    const double mean = std::min(r.normal(-2.8, 2.0), -2.0);
    for (int s = 1; s < spans; ++s) score(role, s) = r.normal(mean, 0.8);
  }
  std::vector<int> order(p.roles);
  for (int i = 0; i < p.roles; ++i) order[i] = i;
  shuffle(r, order);
  for (int strong = r.between(1, 3); strong > 0; --strong) {
    const int role = order[strong - 1];
    score(role, r.between(1, spans - 1)) = r.uniform(3, 6);
  }
  for (int pairs = r.chance(0.15) ? r.between(1, 2) : 0; pairs > 0; --pairs) {
    const auto [a, b] = two_roles(r, p.roles);
    const int s = r.between(1, spans - 1);
    const double wish = r.uniform(0.5, 4);
    score(a, s) = wish;
    score(b, overlapping_span(r, p.spans, s)) = wish + r.normal(0, 0.1);
  }
  if (r.chance(0.25)) {
    for (int n = r.between(1, 2); n > 0; --n) p.excludes.push_back(two_roles(r, p.roles));
  }
  if (r.chance(0.08)) p.requires_both.push_back(two_roles(r, p.roles));
  return p;
}

ArgumentsProblem make_arguments_hard(Random& r) {
  ArgumentsProblem p;
  p.positions = r.between(50, 110);
  p.roles = r.between(20, 40);
  p.spans = sample_spans(r, p.positions, 60, 150);
  const int spans = static_cast<int>(p.spans.size());
  p.scores.resize(static_cast<std::size_t>(p.roles) * spans);
  // Some spans are wanted by everybody, by nearly the same amount.
  std::vector<double> appeal(spans);
  for (int s = 1; s < spans; ++s) appeal[s] = r.normal(-1.2, 1.2);
  for (int role = 0; role < p.roles; ++role) {
    for (int s = 1; s < spans; ++s) p.scores[role * spans + s] = appeal[s] + r.normal(0, 0.35);
  }
  for (int n = r.between(p.roles / 3, p.roles * 3 / 4); n > 0; --n)
    p.excludes.push_back(two_roles(r, p.roles));
  for (int n = r.between(p.roles / 8, p.roles / 4); n > 0; --n)
    p.requires_both.push_back(two_roles(r, p.roles));
  return p;
}

void build(const ArgumentsProblem& raw, Graph& out) {
  out.add_groups(raw.scores, static_cast<int>(raw.spans.size()));
  if (raw.as_rows) {
    add_position_rows(raw, out);
  } else {
    out.add_disjoint(Var{0}, raw.spans, raw.roles, out.rule("overlap"));
  }
  const int spans = static_cast<int>(raw.spans.size());
  auto null_of = [&](int role) { return Var{role * spans}; };
  if (!raw.excludes.empty()) {
    const Rule rule = out.rule("excludes");
    for (auto [a, b] : raw.excludes) out.add_at_least_one({null_of(a), null_of(b)}, rule);
  }
  if (!raw.requires_both.empty()) {
    const Rule rule = out.rule("requires");
    for (auto [a, b] : raw.requires_both) out.add_equal(null_of(a), null_of(b), rule);
  }
}

}  // namespace entente::bench
