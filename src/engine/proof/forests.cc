#include "engine/proof/forests.h"

#include <algorithm>
#include <cmath>

namespace entente {

namespace {

double size_of(double x) { return std::max(1.0, std::abs(x)); }

class ForestChecker {
 public:
  ForestChecker(const ForestProblem& p, const ForestCertificate& c) : p_(p), c_(c) {}

  bool check_value(Verdict& v) {
    v.value = p_.floor;
    if (c_.derivations.empty()) return true;
    if (c_.derivations.size() != p_.forests.size())
      return refuse("there are not as many derivations as forests");
    std::vector<std::int32_t> first(p_.indicators, 0), counts;
    v.value = 0;
    for (std::size_t f = 0; f < p_.forests.size(); ++f) {
      counts.assign(p_.indicators, 0);
      if (!add_derivation(p_.forests[f], c_.derivations[f], counts, v.value)) return false;
      if (f == 0) first = counts;
      if (counts != first) return refuse("the derivations do not agree");
    }
    const bool twice = std::any_of(first.begin(), first.end(), [](int n) { return n > 1; });
    if (twice) return refuse("an indicator is switched on twice");
    if (!p_.has_graph()) return true;
    if (static_cast<int>(c_.assignment.size()) != p_.graph.variable_count())
      return refuse("the assignment has another number of variables than the graph");
    for (int i = 0; i < p_.indicators; ++i) {
      if (c_.assignment[p_.shared[i]] != first[i])
        return refuse("the derivation and the assignment do not agree");
    }
    v.value += p_.graph.evaluate(c_.assignment);
    return v.value > -kInfinity || refuse("the assignment breaks a rule or a fixed value");
  }

  bool check_log(Verdict& v) {
    std::vector<std::int8_t> fixed(p_.indicators, -1);
    std::vector<std::int32_t> splits;  // those whose other side is still to come, or is being read
    v.bound = p_.floor;
    bool ended = false;
    for (const ForestCertificate::Step& step : c_.steps) {
      if (ended) return refuse("the log goes on after its end");
      if (step.indicator >= 0) {
        if (step.indicator >= p_.indicators || fixed[step.indicator] >= 0)
          return refuse("a split by an indicator that does not exist or is decided");
        fixed[step.indicator] = 1;
        splits.push_back(step.indicator);
        continue;
      }
      double total = 0;
      if (!add_bound(step, fixed, total)) return false;
      v.bound = std::max(v.bound, total);
      while (!splits.empty() && fixed[splits.back()] == 0) {
        fixed[splits.back()] = -1;
        splits.pop_back();
      }
      ended = splits.empty();
      if (!ended) fixed[splits.back()] = 0;
    }
    return ended || refuse("the log has no end");
  }

  const std::string& reason() const { return reason_; }

 private:
  bool refuse(std::string why) {
    reason_ = std::move(why);
    return false;
  }

  bool add_derivation(const SharedForest& f, const Derivation& edges,
                      std::vector<std::int32_t>& counts, double& value) {
    std::vector<std::int32_t> open = {f.graph.goal()};
    for (const std::int32_t e : edges) {
      if (open.empty() || e < 0 || e >= f.graph.edges() || f.graph.head(e) != open.back())
        return refuse("what is claimed is no derivation");
      open.pop_back();
      const auto tails = f.graph.tails(e);
      open.insert(open.end(), tails.rbegin(), tails.rend());
      for (const std::int32_t i : f.marks_of(e)) ++counts[i];
      value += f.graph.score[e];
    }
    return open.empty() || refuse("a derivation stops too early");
  }

  bool add_bound(const ForestCertificate::Step& step, const std::vector<std::int8_t>& fixed,
                 double& total) {
    const std::size_t count = p_.forests.size();
    if (step.potentials.size() != count || (!step.prices.empty() && step.prices.size() != count))
      return refuse("a bound has another number of forests");
    double largest = 1;
    for (std::size_t f = 0; f < count; ++f) {
      const SharedForest& forest = p_.forests[f];
      const std::vector<double>& pi = step.potentials[f];
      const std::span<const double> prices =
          step.prices.empty() ? std::span<const double>() : step.prices[f];
      if (static_cast<int>(pi.size()) != forest.graph.nodes() ||
          (!step.prices.empty() && static_cast<int>(prices.size()) != p_.indicators))
        return refuse("a bound has another number of potentials or prices");
      for (const double x : pi) {
        if (!(x < kInfinity)) return refuse("a potential is no number");
        if (x > -kInfinity) largest = std::max(largest, std::abs(x));
      }
      for (const double x : prices) {
        if (!std::isfinite(x)) return refuse("a price is no finite number");
        largest = std::max(largest, std::abs(x));
      }
      for (int e = 0; e < forest.graph.edges(); ++e) {
        double sum = forest.priced(e, prices);
        for (const std::int32_t tail : forest.graph.tails(e)) sum += pi[tail];
        if (!(sum <= pi[forest.graph.head(e)]))
          return refuse("an edge is worth more than its step");
      }
      total += pi[forest.graph.goal()];
    }
    if (p_.has_graph() && !add_graph(step, fixed, total)) return false;
    for (int i = 0; i < p_.indicators && !step.prices.empty() && !p_.has_graph(); ++i) {
      double sum = 0;
      for (const auto& prices : step.prices) sum += prices[i];
      if (fixed[i] < 0 && sum != 0) return refuse("prices of an indicator do not cancel");
      if (fixed[i] == 1) total -= sum;
    }
    // Large numbers that cancel must not hide a score.
    const double most = 1e6 * (std::isfinite(total) ? size_of(total) : 1.0);
    return largest <= most || refuse("potentials are too large to be added up exactly enough");
  }

  // The graph has the prices with the other sign, so that they cancel.
  bool add_graph(const ForestCertificate::Step& step, const std::vector<std::int8_t>& fixed,
                 double& total) {
    const std::span<const double> prices =
        step.prices.empty() ? std::span<const double>() : step.prices[0];
    const Graph g = priced_graph(p_, prices, fixed);
    const Verdict v = verify(g, step.graph);
    if (!v.accepted) return refuse("the graph's certificate: " + v.reason);
    total += v.bound;
    return true;
  }

  const ForestProblem& p_;
  const ForestCertificate& c_;
  std::string reason_;
};

}  // namespace

Graph priced_graph(const ForestProblem& problem, std::span<const double> prices,
                   std::span<const std::int8_t> supposed) {
  Graph g = problem.graph;
  for (int i = 0; i < problem.indicators; ++i) {
    const Var v{problem.shared[i]};
    if (!prices.empty()) g.set_score(v, g.scores()[v.index] - prices[i]);
    if (!supposed.empty() && supposed[i] >= 0) g.fix(v, supposed[i] == 1);
  }
  return g;
}

Verdict verify(const ForestProblem& problem, const ForestCertificate& certificate,
               double tolerance) {
  Verdict v;
  v.value = v.bound = -kInfinity;
  ForestChecker checker(problem, certificate);
  const double value = certificate.value, bound = certificate.bound;
  const auto check = [&]() -> std::string {
    if (std::isnan(value) || std::isnan(bound)) return "a number is missing";
    if (!checker.check_value(v)) return checker.reason();
    if (v.value != value && !(std::abs(v.value - value) <= 1e-9 * size_of(value)))
      return "what was found is not worth what is claimed";
    if (!checker.check_log(v)) return checker.reason();
    v.bound = std::max(v.bound, v.value);
    if (!(bound >= value - 1e-7 * size_of(value))) return "the bound is below the value";
    if (!(bound >= v.bound - tolerance * size_of(v.bound)))
      return "the proof arrives at a bound above the one claimed";
    return {};
  };
  v.reason = check();
  v.accepted = v.reason.empty();
  if (!v.accepted) return v;
  v.optimal = v.value == -kInfinity ? v.bound == -kInfinity
                                    : v.bound - v.value <= tolerance * size_of(v.value);
  return v;
}

}  // namespace entente
