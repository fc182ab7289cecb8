#include "engine/lp_model.h"

#include <algorithm>
#include <string>

#include "entente/error.h"

namespace entente {

namespace {

class Translator {
 public:
  Translator(const Graph& g, LpScratch& s)
      : g_(g), s_(s), p_(s.problem), variables_(g.variable_count()) {}

  void run() {
    p_.clear();
    const auto fixed = g_.fixed();
    for (int v = 0; v < variables_; ++v) {
      const bool forced = !fixed.empty() && fixed[v] >= 0;
      p_.add_column(g_.score(Var{v}), forced ? fixed[v] : 0, forced ? fixed[v] : 1, true);
    }
    s_.demands.clear();
    for (int f = 0; f < g_.factor_count(); ++f) {
      const FactorView view = g_.factor(f);
      const int slack = view.hard() ? -1 : p_.add_column(-view.cost, 0, 1, true);
      if (view.shape == Shape::structured) {
        add_structured(view, slack, f);
      } else {
        add(view, slack);
      }
    }
  }

 private:
  // ---- one row: entries, then end(). Constants of negated literals move to the bounds.
  void begin() { constant_ = least_ = most_ = 0; }
  int column(Literal l) const {
    return l.var() < variables_ ? l.var() : extra_begin_ + l.var() - variables_;
  }
  void entry(Literal l, double c) {
    if (c == 0) return;
    p_.add_entry(column(l), l.negated() ? -c : c);
    if (l.negated()) constant_ += c;
    (c > 0 ? most_ : least_) += c;
  }
  void entry_column(int col, double c) {  // of a column in [0, 1]
    p_.add_entry(col, c);
    (c > 0 ? most_ : least_) += c;
  }
  // lower <= row <= upper; with a slack column, only where that is 0: its coefficient is the least
  // that lets every 0/1 point through where it is 1.
  void end(double lower, double upper, int slack) {
    if (slack < 0) {
      p_.end_row(lower - constant_, upper - constant_);
      return;
    }
    const int from = p_.row_begin.back(), to = static_cast<int>(p_.column.size());
    const bool above = most_ > upper, below = least_ < lower;
    if (!above && !below) {  // cannot be broken
      p_.column.resize(from);
      p_.value.resize(from);
      return;
    }
    if (above) {
      p_.add_entry(slack, upper - most_);
      p_.end_row(-kInfinity, upper - constant_);
    }
    if (!below) return;
    if (above) {
      for (int e = from; e < to; ++e) p_.add_entry(p_.column[e], p_.value[e]);
    }
    p_.add_entry(slack, lower - least_);
    p_.end_row(lower - constant_, kInfinity);
  }

  void add(const FactorView& f, int slack) {
    switch (f.shape) {
      case Shape::exactly_one:
        return add_sum(f, 1, 1, slack);
      case Shape::at_most_one:
        return add_sum(f, -kInfinity, 1, slack);
      case Shape::at_least_one:
        return add_sum(f, 1, kInfinity, slack);
      case Shape::count:
        return add_sum(f, f.lower, f.upper, slack);
      case Shape::linear:
        return add_sum(f, f.lower, f.upper, slack);
      case Shape::equal:
        begin();
        entry(f.links[0], 1);
        entry(f.links[1], -1);
        return end(0, 0, slack);
      case Shape::or_output:
        return add_or_output(f, slack);
      case Shape::table:
        return add_table(f, slack);
      case Shape::disjoint:
        return add_disjoint(f, slack);
      case Shape::structured:
        throw Error("a structured factor expands into another structured factor");
    }
  }

  void add_sum(const FactorView& f, double lower, double upper, int slack) {
    begin();
    for (std::size_t l = 0; l < f.links.size(); ++l) {
      entry(f.links[l], f.shape == Shape::linear ? f.values[l] : 1.0);
    }
    end(lower, upper, slack);
  }

  void add_or_output(const FactorView& f, int slack) {
    const Literal output = f.links.back();
    const auto inputs = f.links.first(f.links.size() - 1);
    for (Literal l : inputs) {
      begin();
      entry(l, 1);
      entry(output, -1);
      end(-kInfinity, 0, slack);
    }
    begin();
    entry(output, 1);
    for (Literal l : inputs) entry(l, -1);
    end(-kInfinity, 0, slack);
  }

  // A sweep over begins and ends: the intervals open when one closes after another opened are a
  // maximal clique, and intervals overlap pairwise exactly if they meet in such a point.
  void add_disjoint(const FactorView& f, int slack) {
    s_.starts.clear();
    for (std::size_t l = 0; l < f.links.size(); ++l) {
      if (!f.intervals[l].empty()) s_.starts.push_back(static_cast<std::int32_t>(l));
    }
    s_.ends = s_.starts;
    std::sort(s_.starts.begin(), s_.starts.end(), [&](int a, int b) {
      return std::pair(f.intervals[a].begin, a) < std::pair(f.intervals[b].begin, b);
    });
    std::sort(s_.ends.begin(), s_.ends.end(), [&](int a, int b) {
      return std::pair(f.intervals[a].end, a) < std::pair(f.intervals[b].end, b);
    });
    s_.active.clear();
    s_.where.resize(f.links.size());
    std::size_t next = 0;
    bool opened = false;
    for (std::int32_t closing : s_.ends) {
      for (;
           next < s_.starts.size() && f.intervals[s_.starts[next]].begin < f.intervals[closing].end;
           ++next) {
        s_.where[s_.starts[next]] = static_cast<std::int32_t>(s_.active.size());
        s_.active.push_back(s_.starts[next]);
        opened = true;
      }
      if (opened && s_.active.size() > 1) {
        begin();
        for (std::int32_t l : s_.active) entry(f.links[l], 1);
        end(-kInfinity, 1, slack);
      }
      opened = false;
      const std::int32_t hole = s_.where[closing], last = s_.active.back();
      s_.active[hole] = last;
      s_.where[last] = hole;
      s_.active.pop_back();
    }
  }

  // ---- tables
  static int states_of(std::int32_t axis) { return axis == 1 ? 2 : axis; }

  // Do the literals of an axis stand under an exactly_one of the graph already?
  bool is_group(std::span<const Literal> axis) const {
    const int first = axis[0].var();
    if (first >= variables_ || !g_.is_group({first, static_cast<std::int32_t>(axis.size())}))
      return false;
    for (std::size_t i = 0; i < axis.size(); ++i) {
      if (axis[i] != Literal(Var{first + static_cast<int>(i)})) return false;
    }
    return true;
  }
  // Calls visit(entry, column) for every configuration that is not forbidden; s_.states is its
  // states.
  template <typename Visit>
  void each_configuration(const FactorView& f, int first_column, Visit visit) {
    s_.states.assign(f.axes.size(), 0);
    int col = first_column;
    for (std::size_t e = 0; e < f.values.size(); ++e) {
      if (f.values[e] != -kInfinity) visit(e, col++);
      for (std::size_t a = f.axes.size(); a-- > 0;) {
        if (++s_.states[a] < states_of(f.axes[a])) break;
        s_.states[a] = 0;
      }
    }
  }
  // Adds `c` for every literal of the table that differs from configuration s_.states.
  void entry_mismatches(const FactorView& f, double c) {
    std::size_t l = 0;
    for (std::size_t a = 0; a < f.axes.size(); ++a) {
      for (std::int32_t i = 0; i < f.axes[a]; ++i, ++l) {
        const bool expected = f.axes[a] == 1 ? s_.states[a] == 1 : s_.states[a] == i;
        entry(expected ? !f.links[l] : f.links[l], c);
      }
    }
  }

  void add_forbidding(const FactorView& f) {
    for (int i = 0; i < s_.demands.count(); ++i) {
      begin();
      for (std::int32_t state : s_.demands.states(i)) entry(f.links[state], 1);
      for (std::int32_t partner : s_.demands.partners(i)) entry(f.links[f.axes[0] + partner], -1);
      end(-kInfinity, 0, -1);
    }
  }

  // One column a configuration, in [0, 1]; they sum to 1 (0 where a soft table is broken) and agree
  // with the literals of every axis. They need not be integer: 0/1 literals leave them no choice.
  void add_table(const FactorView& f, int slack) {
    if (f.only_forbids && s_.demands.find(f)) return add_forbidding(f);
    const int first = p_.columns();
    for (double score : f.values) {
      if (score != -kInfinity) p_.add_column(score, 0, 1, false);
    }
    bool sum_is_one = false;
    std::size_t link = 0;
    for (std::size_t a = 0; a < f.axes.size(); ++a) {
      const std::int32_t literals = f.axes[a];
      if (literals > 1 && is_group(f.links.subspan(link, literals))) sum_is_one = true;
      for (std::int32_t i = 0; i < literals; ++i, ++link) {
        const std::int32_t wanted = literals == 1 ? 1 : i;
        begin();
        each_configuration(f, first, [&](std::size_t, int col) {
          if (s_.states[a] == wanted) p_.add_entry(col, 1);
        });
        entry(f.links[link], -1);
        most_ = 1;  // at most one configuration is chosen
        end(0, 0, slack);
      }
    }
    if (slack < 0 && sum_is_one) return;
    begin();
    for (int col = first; col < p_.columns(); ++col) p_.add_entry(col, 1);
    if (slack >= 0) p_.add_entry(slack, 1);
    p_.end_row(1, 1);
    if (slack >= 0) forbid_false_slack(f, first);
  }

  // Paying a soft table's cost must not be a way out of a worse score: an allowed configuration
  // that is worth less than -cost is chosen wherever its literals say so.
  void forbid_false_slack(const FactorView& f, int first) {
    each_configuration(f, first, [&](std::size_t e, int col) {
      if (f.values[e] >= -f.cost) return;
      begin();
      entry_column(col, 1);
      entry_mismatches(f, 1);
      end(1, kInfinity, -1);
    });
  }

  // ---- structured factors
  void add_structured(const FactorView& f, int slack, int index) {
    Graph& x = s_.expanded;
    x.clear();
    for (int v = 0; v < variables_; ++v) x.add_variable(0);
    if (!f.structured->expand(x, f.links, Rule{})) {
      throw Error("factor " + g_.factor_name(index) + ": a structured factor of type " +
                  std::string(f.structured->type()) + " has no form that ILP solvers can take");
    }
    extra_begin_ = p_.columns();
    for (int v = variables_; v < x.variable_count(); ++v) {
      if (slack >= 0 && x.score(Var{v}) != 0)
        throw Error("a soft structured factor with scored helpers");
      p_.add_column(x.score(Var{v}), 0, 1, true);
    }
    // Breaking the rule must not be a way out of a score below -cost.
    const bool strict = slack >= 0 && f.structured->own_range() > f.cost;
    s_.active.clear();  // columns that say which part is broken
    for (int part = 0; part < x.factor_count(); ++part) {
      FactorView view = x.factor(part);
      view.cost = kHard;
      add(view, slack);
      if (strict) add_broken(view);
    }
    if (!strict) return;
    begin();
    p_.add_entry(slack, 1);
    for (std::int32_t col : s_.active) p_.add_entry(col, -1);
    p_.end_row(-kInfinity, 0);
  }

  int broken_column() {
    s_.active.push_back(p_.add_column(0, 0, 1, true));
    return s_.active.back();
  }
  // Columns that can be 1 only where the factor is broken.
  void add_broken(const FactorView& f) {
    const double k = static_cast<double>(f.links.size());
    if (f.shape == Shape::exactly_one || f.shape == Shape::at_least_one) {  // none
      begin();
      for (Literal l : f.links) entry(l, 1);
      entry_column(broken_column(), k);
      end(-kInfinity, k, -1);
    }
    if (f.shape == Shape::exactly_one || f.shape == Shape::at_most_one) {  // two or more
      begin();
      for (Literal l : f.links) entry(l, 1);
      entry_column(broken_column(), -2);
      end(0, kInfinity, -1);
    }
    if (f.shape == Shape::table) {  // no allowed configuration matches
      const int broken = broken_column();
      each_configuration(f, 0, [&](std::size_t, int) {
        begin();
        entry_mismatches(f, 1);
        entry_column(broken, -1);
        end(0, kInfinity, -1);
      });
      return;
    }
    if (f.shape != Shape::exactly_one && f.shape != Shape::at_least_one &&
        f.shape != Shape::at_most_one)
      throw Error("a soft structured factor has no form that ILP solvers can take");
  }

  const Graph& g_;
  LpScratch& s_;
  lp::Problem& p_;
  const int variables_;
  int extra_begin_ = 0;
  double constant_ = 0, least_ = 0, most_ = 0;
};

}  // namespace

void build_lp(const Graph& graph, LpScratch& scratch) { Translator(graph, scratch).run(); }

}  // namespace entente
