#include <algorithm>

#include "bench/graph_families.h"

namespace entente::bench {

namespace {

// Adds factors that the hidden assignment keeps.
class MixedMaker {
 public:
  MixedMaker(Random& r, Graph& g) : r_(r), g_(g) {}

  void add_variables(int count) {
    while (count > 0) {
      const int size = r_.chance(0.6) ? std::min(count, r_.between(2, 5)) : 1;
      if (size == 1) {
        g_.add_variable(r_.normal(0, 1.5));
        truth_.push_back(r_.chance(0.4));
      } else {
        std::vector<double> scores(size);
        for (double& s : scores) s = r_.normal(0, 1.5);
        g_.add_group(scores);
        const int chosen = r_.below(size);
        for (int s = 0; s < size; ++s) truth_.push_back(s == chosen);
      }
      count -= size;
    }
  }

  void add_factor() {
    Rule rule;
    if (r_.chance(0.3)) rule.cost = r_.uniform(0.2, 2);
    hard_ = rule.cost == kHard;
    switch (r_.below(12)) {
      case 0:
        return add_choice(1, 1, rule);
      case 1:
        return add_choice(0, 1, rule);
      case 2:
        return add_choice(1, 1000, rule);
      case 3:
      case 4:
        return add_output(rule);
      case 5:
      case 6:
        return add_pair(rule);
      case 7:
        return add_count(rule);
      case 8:
        return add_linear(rule);
      case 9:
      case 10:
        return add_table(rule);
      default:
        return add_disjoint();
    }
  }

  // Of three kinds, each seen by another way of reasoning: counting, pigeons, parity.
  void add_contradiction() {
    const int n = g_.variable_count();
    switch (r_.below(3)) {
      case 0: {  // two counts that together exceed a third
        const auto all = literals(std::min(n, 8));
        const std::size_t half = all.size() / 2;
        const std::vector<Literal> a(all.begin(), all.begin() + half);
        const std::vector<Literal> b(all.begin() + half, all.end());
        const int x = std::max(1, static_cast<int>(half) / 2);
        g_.add_count(a, x, static_cast<int>(a.size()), g_.rule("left"));
        g_.add_count(b, x, static_cast<int>(b.size()), g_.rule("right"));
        return g_.add_count(all, 0, 2 * x - 1, g_.rule("both"));
      }
      case 1: {  // four pigeons in three holes, of new variables
        for (int p = 0; p < 4; ++p) pigeons_.push_back(g_.add_group({0.1, 0.2, 0.3}));
        for (int hole = 0; hole < 3; ++hole) {
          std::vector<Literal> in;
          for (Group p : pigeons_) in.push_back(p[hole]);
          g_.add_at_most_one(in, g_.rule("hole"));
        }
        return;
      }
      default: {  // an odd ring of "differs"
        const Var a = g_.add_variable(0.3), b = g_.add_variable(0.2), c = g_.add_variable(0.1);
        g_.add_equal(a, !Literal(b), g_.rule("ring"));
        g_.add_equal(b, !Literal(c), g_.rule("ring"));
        g_.add_equal(c, !Literal(a), g_.rule("ring"));
      }
    }
  }

 private:
  bool holds(Literal l) const { return l.value(truth_[l.var()]) == 1; }

  // Different variables near each other, some negated.
  std::vector<Literal> literals(int count) {
    const int n = static_cast<int>(truth_.size());
    count = std::min(count, n);
    const int width = std::min(n, 4 * count + 4), from = r_.below(n - width + 1);
    std::vector<int> vars(width);
    for (int i = 0; i < width; ++i) vars[i] = from + i;
    std::vector<Literal> out;
    for (int i = 0; i < count; ++i) {
      std::swap(vars[i], vars[i + r_.below(width - i)]);
      out.push_back(Literal(Var{vars[i]}, r_.chance(0.25)));
    }
    return out;
  }
  int count_true(const std::vector<Literal>& l) const {
    return static_cast<int>(std::count_if(l.begin(), l.end(), [&](Literal x) { return holds(x); }));
  }

  // lower <= sum <= upper with bounds 0, 1 or none: literals are negated until it holds.
  void add_choice(int lower, int upper, Rule rule) {
    auto l = literals(r_.between(2, 6));
    if (hard_) {
      int on = count_true(l);
      for (Literal& x : l) {
        if (on > upper && holds(x)) {
          x = !x;
          --on;
        } else if (on < lower && !holds(x)) {
          x = !x;
          ++on;
        }
      }
    }
    if (lower == 1 && upper == 1) return g_.add_exactly_one(l, rule);
    if (upper == 1) return g_.add_at_most_one(l, rule);
    g_.add_at_least_one(l, rule);
  }
  void add_output(Rule rule) {
    auto l = literals(r_.between(3, 5));
    if (l.size() < 3) return;
    Literal out = l.back();
    l.pop_back();
    const bool any = r_.chance(0.5);
    const int on = count_true(l);
    const bool value = any ? on > 0 : on == static_cast<int>(l.size());
    if (hard_ && holds(out) != value) out = !out;
    any ? g_.add_or_output(l, out, rule) : g_.add_and_output(l, out, rule);
  }
  void add_pair(Rule rule) {
    auto l = literals(2);
    if (l.size() < 2) return;
    const int which = r_.below(3);
    if (which == 0) {
      if (hard_ && holds(l[0]) && !holds(l[1])) std::swap(l[0], l[1]);
      return g_.add_implies(l[0], l[1], rule);
    }
    if (which == 1) {
      if (hard_ && holds(l[0]) != holds(l[1])) l[1] = !l[1];
      return g_.add_equal(l[0], l[1], rule);
    }
    if (hard_ && holds(l[0]) && holds(l[1])) l[1] = !l[1];
    g_.add_not_both(l[0], l[1], rule);
  }
  void add_count(Rule rule) {
    const auto l = literals(r_.between(3, 8));
    const int k = static_cast<int>(l.size());
    const int on = hard_ ? count_true(l) : r_.between(0, k);
    const int lower = std::max(0, on - r_.below(3));
    g_.add_count(l, lower, std::max(lower, std::min(k, on + r_.below(2))), rule);
  }
  void add_linear(Rule rule) {
    const auto l = literals(r_.between(3, 8));
    std::vector<double> c;
    double at = 0;
    for (Literal x : l) {
      c.push_back(r_.chance(0.5) ? r_.between(1, 9) : r_.uniform(-3, 6));
      if (holds(x)) at += c.back();
    }
    if (!hard_) at = r_.uniform(0, 8);
    if (r_.chance(0.7)) return g_.add_linear(l, c, -kInfinity, at + r_.uniform(0, 2), rule);
    g_.add_linear(l, c, at - r_.uniform(0, 2), kInfinity, rule);
  }
  // Scores between two groups near each other, a tenth of the pairs forbidden.
  void add_table(Rule rule) {
    const auto groups = g_.groups();
    if (groups.size() < 2) return;
    const int count = static_cast<int>(groups.size());
    const int a = r_.below(count), b = (a + r_.between(1, std::min(6, count - 1))) % count;
    const Group ga = groups[a], gb = groups[b];
    std::vector<double> scores;
    for (int i = 0; i < ga.size; ++i) {
      for (int j = 0; j < gb.size; ++j) {
        const bool kept = truth_[ga.first + i] && truth_[gb.first + j];
        const bool forbidden = r_.chance(0.1);
        scores.push_back(forbidden && !kept ? -kInfinity : r_.normal(0, 1));
      }
    }
    rule.cost = kHard;
    g_.add_table(ga, gb, scores, rule);
  }
  // Intervals over a window of variables; what is chosen in the hidden assignment stands apart.
  void add_disjoint() {
    const int n = static_cast<int>(truth_.size());
    const int width = std::min(n, r_.between(6, 20)), from = r_.below(n - width + 1);
    std::vector<Literal> l;
    std::vector<Interval> intervals;
    int place = 0;
    for (int v = from; v < from + width; ++v) {
      if (r_.chance(0.3)) continue;
      l.push_back(Var{v});
      if (truth_[v]) {
        const int begin = place + r_.below(2), end = begin + r_.between(1, 3);
        intervals.push_back({begin, end});
        place = end;
      } else {
        const int begin = std::max(0, place - r_.below(4));
        intervals.push_back({begin, begin + r_.between(1, 4)});
      }
    }
    if (l.size() >= 2) g_.add_disjoint(l, intervals, g_.rule("overlap"));
  }

  Random& r_;
  Graph& g_;
  bool hard_ = true;
  std::vector<std::uint8_t> truth_;
  std::vector<Group> pigeons_;
};

}  // namespace

GraphProblem make_mixed(Random& r, int variables, bool infeasible) {
  GraphProblem p;
  p.kind = "mixed " + std::to_string(variables) + (infeasible ? " infeasible" : "");
  MixedMaker maker(r, p.graph);
  maker.add_variables(variables);
  const int factors = std::max(3, static_cast<int>(variables * r.uniform(0.3, 0.6)));
  for (int f = 0; f < factors; ++f) maker.add_factor();
  if (infeasible) maker.add_contradiction();
  return p;
}

}  // namespace entente::bench
