#include <cmath>
#include <string>

#include "engine/formats/lp_names.h"
#include "engine/formats/lp_problem.h"

namespace entente {

namespace {

class Builder {
 public:
  Builder(const Source& source, const LpProblem& problem, Graph& graph)
      : source_(source), problem_(problem), graph_(graph) {}

  void run() {
    for (int v = 0; v < problem_.variables.size(); ++v) add_variable(v);
    for (int r = 0; r < problem_.rules.size(); ++r) graph_.new_rule(problem_.rules.name(r));
    if (problem_.constant != 0) {
      // What the objective has without any variable: the score of one that is always 1.
      std::string name = "constant";
      while (problem_.variables.find(name) >= 0) name += '_';
      graph_.fix(graph_.add_variable(problem_.constant, name), true);
    }
    for (const LpProblem::Row& row : problem_.rows) add_row(row);
  }

 private:
  void add_variable(int v) {
    const std::string_view raw = problem_.variables.name(v);
    if (!problem_.integer[v])
      source_.fail(problem_.first[v],
                   "the variable " + quoted(raw) +
                       " is continuous: only 0/1 variables (under \"Binary\") are supported");
    const double lower = std::ceil(problem_.lower[v]), upper = std::floor(problem_.upper[v]);
    if (lower < 0 || upper > 1)
      source_.fail(problem_.first[v],
                   "the variable " + quoted(raw) + " has other values than 0 and 1");
    if (lower > upper)
      source_.fail(problem_.first[v],
                   "the bounds of the variable " + quoted(raw) + " leave no value");
    const std::string name = problem_.ours ? *decode_lp_name(raw) : std::string(raw);
    const Var var =
        graph_.add_variable(problem_.scores[v], name == "x" + std::to_string(v) ? "" : name);
    if (lower == upper) graph_.fix(var, lower == 1);
  }

  void add_row(const LpProblem::Row& row) {
    literals_.clear();
    coefficients_.clear();
    bool unit = true;
    int negated = 0;
    for (std::size_t t = row.begin; t < row.end; ++t) {
      const double c = problem_.terms[t].coefficient;
      if (c == 0) continue;
      unit = unit && (c == 1 || c == -1);
      negated += c < 0;
      literals_.push_back(Literal(Var{problem_.terms[t].variable}, c < 0));
      coefficients_.push_back(c);
    }
    // Says nothing: what stands in files without rows.
    if (literals_.empty() && row.rule < 0 && row.lower <= 0 && row.upper >= 0) return;
    Rule rule;
    rule.id = row.rule;
    try {
      if (!literals_.empty() && unit &&
          add_unit_row(row.lower + negated, row.upper + negated, negated, rule))
        return;
      for (Literal& l : literals_) l = Literal(Var{l.var()});
      graph_.add_linear(literals_, coefficients_, row.lower, row.upper, rule);
    } catch (const Error& error) {
      throw error.at(source_.place(row.offset));
    }
  }

  // lower <= number of true literals <= upper as the simplest kind; false if it is none.
  bool add_unit_row(double lower, double upper, int negated, Rule rule) {
    const auto n = static_cast<double>(literals_.size());
    const auto whole = [](double x) { return std::isinf(x) || x == std::trunc(x); };
    if (!whole(lower) || !whole(upper) || lower > upper || lower > n || upper < 0) return false;
    const bool pair = literals_.size() == 2, mixed = pair && negated == 1;
    const bool at_least_one = lower == 1 && upper >= n;
    const bool at_most_one = upper == 1 && lower <= 0;
    if (mixed && lower == 1 && upper == 1) {
      graph_.add_equal(Var{literals_[0].var()}, Var{literals_[1].var()}, rule);
    } else if (mixed && (at_least_one || at_most_one)) {
      // Not both of a and !b, or one of !a and b: a -> b.
      const int from = literals_[0].negated() == at_least_one ? 0 : 1;
      graph_.add_implies(Var{literals_[from].var()}, Var{literals_[1 - from].var()}, rule);
    } else if (lower == 1 && upper == 1) {
      graph_.add_exactly_one(literals_, rule);
    } else if (at_most_one && pair) {
      graph_.add_not_both(literals_[0], literals_[1], rule);
    } else if (at_most_one) {
      graph_.add_at_most_one(literals_, rule);
    } else if (at_least_one) {
      graph_.add_at_least_one(literals_, rule);
    } else if (upper == n - 1 && lower <= 0) {
      for (Literal& l : literals_) l = !l;
      graph_.add_at_least_one(literals_, rule);
    } else {
      const double least = std::max(lower, 0.0), most = std::min(upper, n);
      graph_.add_count(literals_, static_cast<int>(least), static_cast<int>(most), rule);
    }
    return true;
  }

  const Source& source_;
  const LpProblem& problem_;
  Graph& graph_;
  std::vector<Literal> literals_;
  std::vector<double> coefficients_;
};

}  // namespace

void build_lp_graph(const Source& source, const LpProblem& problem, Graph& out) {
  Builder(source, problem, out).run();
}

}  // namespace entente
