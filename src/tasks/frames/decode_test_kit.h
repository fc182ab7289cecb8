// Small frames and problems for tests, and the brute-force twin of every decoder: all choices,
// judged one by one from the frame and the rules, sharing no code with decoders or graphs.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "corpus/framenet/lexicon.h"
#include "tasks/frames/constraints.h"
#include "tasks/frames/types.h"

namespace entente::frames::kit {

inline framenet::Frame frame_of(std::string name, const std::vector<std::string>& roles) {
  framenet::Frame out;
  out.name = std::move(name);
  for (const std::string& role : roles) {
    out.roles.emplace_back();
    out.roles.back().name = role;
  }
  return out;
}

// "resemble": one joint role, or two that need each other.
inline framenet::Frame similarity() {
  framenet::Frame f = frame_of("Similarity", {"Entity_1", "Entity_2", "Entities", "Dimension"});
  f.excludes = {{0, 2}, {1, 2}};
  f.requires_ = {{0, 1}};
  f.requires_one_way = {{0, 1}, {1, 0}};
  f.core_sets = {{0, 2}};
  f.roles[3].core = framenet::Core::kPeripheral;
  return f;
}

// All roles of the frame, one row of scores each.
inline ArgumentProblem problem_of(const framenet::Frame& frame, std::vector<Span> spans,
                                  const std::vector<std::vector<float>>& rows) {
  ArgumentProblem out;
  out.frame = 0;
  for (std::size_t r = 0; r < frame.roles.size(); ++r) out.roles.push_back(static_cast<int>(r));
  out.spans = std::move(spans);
  for (const auto& row : rows) out.scores.insert(out.scores.end(), row.begin(), row.end());
  return out;
}

// What a choice is worth, -infinity if it is not allowed.
inline double worth(const framenet::Frame& f, const ArgumentProblem& p, const RuleSet& rules,
                    const std::vector<int>& span_of, bool with_required = true) {
  constexpr double kNo = -std::numeric_limits<double>::infinity();
  std::vector<int> span_of_frame_role(f.roles.size(), -1);
  double value = 0;
  for (std::size_t r = 0; r < span_of.size(); ++r) {
    if (span_of[r] < 0) continue;
    span_of_frame_role[p.roles[r]] = span_of[r];
    value += p.score(r, span_of[r]);
    for (std::size_t q = 0; rules.overlap && q < r; ++q) {
      if (span_of[q] >= 0 && p.spans[span_of[r]].overlaps(p.spans[span_of[q]])) return kNo;
    }
  }
  auto overt = [&](int role) { return span_of_frame_role[role] >= 0; };
  for (auto [a, b] : f.excludes) {
    if (rules.excludes && overt(a) && overt(b)) return kNo;
  }
  if (rules.requires_ && rules.reading == RequiresReading::kSymmetric) {
    for (auto [a, b] : f.requires_) {
      if (overt(a) != overt(b)) return kNo;
    }
  } else if (rules.requires_) {
    for (auto [a, b] : f.requires_one_way) {
      if (overt(a) && !overt(b)) return kNo;
    }
  }
  for (const auto& set : f.core_sets) {
    bool in_problem = false, filled = false;
    for (int role : set) {
      in_problem |= std::find(p.roles.begin(), p.roles.end(), role) != p.roles.end();
      filled |= overt(role);
    }
    if (rules.core_sets && in_problem && !filled) value -= rules.core_set_cost;
  }
  for (std::size_t role = 0; role < f.roles.size(); ++role) {
    for (const RoleRule& r : rules.require) {
      const bool meant = r.role == f.roles[role].name && (r.frame.empty() || r.frame == f.name);
      if (with_required && meant && !overt(static_cast<int>(role))) return kNo;
    }
    for (const RoleRule& r : rules.forbid) {
      const bool meant = r.role == f.roles[role].name && (r.frame.empty() || r.frame == f.name);
      if (meant && overt(static_cast<int>(role))) return kNo;
    }
  }
  return value;
}

inline double best_worth(const framenet::Frame& f, const ArgumentProblem& p, const RuleSet& rules,
                         bool with_required = true) {
  double best = -std::numeric_limits<double>::infinity();
  std::vector<int> span_of(p.roles.size(), -1);
  const int spans = static_cast<int>(p.spans.size());
  while (true) {
    best = std::max(best, worth(f, p, rules, span_of, with_required));
    std::size_t r = 0;
    while (r < span_of.size() && ++span_of[r] == spans) span_of[r++] = -1;
    if (r == span_of.size()) return best;
  }
}

inline std::pair<int, int> random_pair(Random& r, int n) {
  const int a = r.below(n), b = (a + 1 + r.below(n - 1)) % n;
  return {std::min(a, b), std::max(a, b)};
}

struct RandomCase {
  framenet::Frame frame;
  ArgumentProblem problem;
  RuleSet rules;
};

// Two to five roles, up to five spans over eight words, every kind of rule now and then.
inline RandomCase random_case(Random& r) {
  RandomCase c;
  const int roles = r.between(2, 5);
  std::vector<std::string> names;
  for (int i = 0; i < roles; ++i) names.push_back("R" + std::to_string(i));
  c.frame = frame_of("F", names);
  for (int n = r.chance(0.5) ? r.between(1, 3) : 0; n > 0; --n)
    c.frame.excludes.push_back(random_pair(r, roles));
  for (int n = r.chance(0.5) ? r.between(1, 2) : 0; n > 0; --n) {
    const auto pair = random_pair(r, roles);
    c.frame.requires_.push_back(pair);
    c.frame.requires_one_way.push_back(r.chance(0.5) ? pair : std::pair(pair.second, pair.first));
  }
  for (auto* pairs : {&c.frame.excludes, &c.frame.requires_, &c.frame.requires_one_way}) {
    std::sort(pairs->begin(), pairs->end());
    pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
  }
  for (int n = r.chance(0.3) ? r.between(1, 2) : 0; n > 0; --n) {
    const auto [a, b] = random_pair(r, roles);
    c.frame.core_sets.push_back({a, b});
  }
  for (int i = 0; i < roles; ++i) {
    if (r.chance(0.95)) c.problem.roles.push_back(i);  // a problem may leave roles out
  }
  for (int n = r.chance(0.95) ? r.between(1, 5) : 0; n > 0; --n) {
    const int first = r.below(8), last = std::min(7, first + r.below(4));
    c.problem.spans.push_back({first, last + 1});
  }
  const double mean = r.chance(0.5) ? 0.5 : -1.5;
  const bool whole = r.chance(0.2);  // ties
  for (std::size_t i = 0; i < c.problem.roles.size() * c.problem.spans.size(); ++i) {
    const double score = r.normal(mean, 2.0);
    c.problem.scores.push_back(static_cast<float>(whole ? std::round(score) : score));
  }
  c.rules.overlap = r.chance(0.85);
  c.rules.excludes = r.chance(0.9);
  c.rules.requires_ = r.chance(0.9);
  c.rules.core_sets = r.chance(0.4);
  c.rules.core_set_cost = r.uniform(0, 3);
  if (r.chance(0.3)) c.rules.reading = RequiresReading::kOneWay;
  auto wish = [&] {
    return RoleRule{r.chance(0.5) ? "F" : r.chance(0.9) ? "" : "G", names[r.below(roles)]};
  };
  if (r.chance(0.25)) c.rules.require.push_back(wish());
  if (r.chance(0.1)) c.rules.require.push_back(wish());
  if (r.chance(0.25)) c.rules.forbid.push_back(wish());
  return c;
}

}  // namespace entente::frames::kit
