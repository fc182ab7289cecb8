// CPLEX LP, written. Rules that are not rows get auxiliary columns (docs/formats.md lists them).
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "engine/formats/expand.h"
#include "engine/formats/lp_names.h"
#include "engine/formats/readers.h"

namespace entente {

namespace {

class LpWriter {
 public:
  explicit LpWriter(const Graph& graph) : graph_(expand_to_rows(graph)) {
    for (int v = 0; v < graph_.variable_count(); ++v) {
      names_.push_back(encode_lp_name(graph_.variable_name(Var{v})));
      if (!taken_.insert(names_.back()).second)
        throw Error("two variables are called " + quoted(graph_.variable_name(Var{v})));
      if (!is_utf8(graph_.variable_name(Var{v})))
        throw Error("the name " + quoted(graph_.variable_name(Var{v})) + " is not UTF-8");
      scores_.push_back(graph_.score(Var{v}));
    }
  }

  std::string run() {
    for (int f = 0; f < graph_.factor_count(); ++f) factor(graph_.factor(f));
    // Some readers insist on a row.
    rule_ = -1;
    if (rows_.empty() && !names_.empty()) row(">=", 0);
    out_ = kLpHeader;
    out_ += "Maximize\n obj:";
    line_begin_ = out_.size();
    for (std::size_t c = 0; c < names_.size(); ++c)
      term(out_, scores_[c], static_cast<int>(c), c == 0);
    out_ += "\nSubject To\n" + rows_;
    sections();
    return out_ + "End\n";
  }

 private:
  // Fixed columns stand under General: readers give those under Binary the bounds 0 and 1 again.
  void sections() {
    const auto fixed = graph_.fixed();
    const auto value = [&](std::size_t c) { return c < fixed.size() ? fixed[c] : -1; };
    std::string bounds, binary, general;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (value(c) < 0) {
        binary += " " + names_[c] + "\n";
        continue;
      }
      bounds += " " + names_[c] + (value(c) ? " = 1\n" : " = 0\n");
      general += " " + names_[c] + "\n";
    }
    if (!bounds.empty()) out_ += "Bounds\n" + bounds;
    if (!binary.empty()) out_ += "Binaries\n" + binary;
    if (!general.empty()) out_ += "Generals\n" + general;
  }

  int column(double score) {
    std::string name;
    do name = "aux" + std::to_string(next_aux_++);
    while (!taken_.insert(name).second);
    names_.push_back(name);
    scores_.push_back(score);
    return static_cast<int>(names_.size()) - 1;
  }

  void term(std::string& out, double coefficient, int c, bool first) {
    if (out.size() - line_begin_ > 160) {
      out += "\n ";
      line_begin_ = out.size();
    }
    const bool minus = coefficient < 0;
    if (minus || !first) out += minus ? " -" : " +";
    out += ' ';
    if (std::abs(coefficient) != 1) {
      append_number(out, std::abs(coefficient));
      out += ' ';
    }
    out += names_[c];
  }

  // ---- rows

  void add(int c, double coefficient) { terms_.push_back({c, coefficient}); }
  void add(Literal l, double coefficient) {
    terms_.push_back({l.var(), l.negated() ? -coefficient : coefficient});
    if (l.negated()) constant_ += coefficient;
  }
  // What was added, less its constant, against `right`; then starts anew.
  void row(std::string_view sense, double right) {
    right -= constant_;
    line_begin_ = rows_.size();
    ++row_count_;
    if (rule_ >= 0) {
      const std::string name(graph_.rule_name(rule_));
      rows_ += ' ' + encode_lp_name(name + '#' + std::to_string(row_count_)) + ':';
    }
    // A row needs a column.
    if (terms_.empty()) terms_.push_back({names_.empty() ? column(0) : 0, 0.0});
    sense = usual_form(sense, right);
    for (std::size_t t = 0; t < terms_.size(); ++t)
      term(rows_, terms_[t].second, terms_[t].first, t == 0);
    rows_ += ' ';
    rows_ += sense;
    rows_ += ' ';
    append_number(rows_, right);
    rows_ += '\n';
    terms_.clear();
    constant_ = 0;
  }

  // Rows that can be said in two ways are always said in one, so that reading and writing again
  // gives the same text: "at least one is false" as >=, a -> b as -a + b >= 0, a = b as a - b = 0.
  std::string_view usual_form(std::string_view sense, double& right) {
    int negative = 0;
    for (const auto& [c, x] : terms_) {
      if (x != 1 && x != -1) return sense;
      negative += x < 0;
    }
    const bool mixed = terms_.size() == 2 && negative == 1;
    const auto flip = [&] {
      for (auto& [c, x] : terms_) x = -x;
      right = -right;
    };
    if (sense == "<=" && (terms_.size() != 2 || mixed) &&
        right + negative == static_cast<double>(terms_.size()) - 1) {
      flip();
      sense = ">=";
    }
    if (mixed && right == 0 && sense == ">=" && terms_[0].second > 0)
      std::swap(terms_[0], terms_[1]);
    if (mixed && right == 0 && sense == "=" && terms_[0].second < 0) flip();
    return sense;
  }

  static double coefficient(std::span<const double> coefficients, std::size_t l) {
    return coefficients.empty() ? 1.0 : coefficients[l];
  }
  void add_all(std::span<const Literal> links, std::span<const double> coefficients) {
    for (std::size_t l = 0; l < links.size(); ++l) add(links[l], coefficient(coefficients, l));
  }

  // lower <= sum <= upper, or the column `slack` is 1 (if there is one).
  void range(std::span<const Literal> links, std::span<const double> coefficients, double lower,
             double upper, int slack) {
    double least = 0, most = 0;
    for (std::size_t l = 0; l < links.size(); ++l) {
      least += std::min(coefficient(coefficients, l), 0.0);
      most += std::max(coefficient(coefficients, l), 0.0);
    }
    // An infinite bound on the wrong side: nothing meets it.
    if (lower == kInfinity || upper == -kInfinity) {
      if (slack >= 0) add(slack, 1);
      return row(">=", 1);
    }
    if (slack < 0 && lower == upper) {
      add_all(links, coefficients);
      return row("=", lower);
    }
    const bool use_lower = lower > least, use_upper = upper < most;
    // A little more than needed, so that rounding cannot make it too little.
    const auto enough = [](double gap) {
      return gap == std::trunc(gap) ? gap : gap * (1 + 1e-9) + 1e-9;
    };
    if (use_lower) {
      add_all(links, coefficients);
      if (slack >= 0) add(slack, enough(lower - least));
      row(">=", lower);
    }
    if (use_upper) {
      add_all(links, coefficients);
      if (slack >= 0) add(slack, -enough(most - upper));
      row("<=", upper);
    }
    if (use_lower || use_upper || slack >= 0) return;
    add_all(links, coefficients);  // always true, but the row keeps its name
    row(">=", least);
  }

  void factor(const FactorView& f) {
    rule_ = f.rule;
    if (f.shape == Shape::table) return table(f);
    const int slack = f.hard() ? -1 : column(-f.cost);
    switch (f.shape) {
      case Shape::exactly_one:
        return range(f.links, {}, 1, 1, slack);
      case Shape::at_most_one:
        return range(f.links, {}, -kInfinity, 1, slack);
      case Shape::at_least_one:
        return range(f.links, {}, 1, kInfinity, slack);
      case Shape::count:
        return range(f.links, {}, f.lower, f.upper, slack);
      case Shape::linear:
        return range(f.links, f.values, f.lower, f.upper, slack);
      case Shape::disjoint:
        return disjoint(f, slack);
      case Shape::equal: {
        const Literal pair[] = {f.links[0], !f.links[1]};
        return range(pair, {}, 1, 1, slack);
      }
      case Shape::or_output:
        return or_output(f.links, slack);
      default:
        return;
    }
  }

  void or_output(std::span<const Literal> links, int slack) {
    const Literal output = links.back();
    const auto others = links.first(links.size() - 1);
    for (Literal l : others) {
      add(l, 1);
      add(output, -1);
      if (slack >= 0) add(slack, -1);
      row("<=", 0);
    }
    add(output, 1);
    for (Literal l : others) add(l, -1);
    if (slack >= 0) add(slack, -1);
    row("<=", 0);
  }

  // One row a maximal set of intervals with a common point: those open when one ends after another
  // began.
  void disjoint(const FactorView& f, int slack) {
    struct Event {
      std::int32_t at;
      bool begins;
      int link;
    };
    std::vector<Event> events;
    for (std::size_t l = 0; l < f.links.size(); ++l) {
      if (f.intervals[l].empty()) continue;
      events.push_back({f.intervals[l].begin, true, static_cast<int>(l)});
      events.push_back({f.intervals[l].end, false, static_cast<int>(l)});
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return std::tuple(a.at, a.begins, a.link) < std::tuple(b.at, b.begins, b.link);
    });
    std::set<int> open;
    std::vector<Literal> clique;
    bool grown = false;
    for (const Event& e : events) {
      if (e.begins) {
        open.insert(e.link);
        grown = true;
        continue;
      }
      if (grown && open.size() > 1) {
        clique.clear();
        for (int l : open) clique.push_back(f.links[l]);
        range(clique, {}, -kInfinity, 1, slack);
      }
      grown = false;
      open.erase(e.link);
    }
  }

  // A column an entry, one of which is 1. A soft table has a column for "broken" as well, which may
  // be 1 only where some axis is: no literal of it true, or two.
  void table(const FactorView& f) {
    const std::size_t entries = f.values.size();
    std::vector<int> column_of(entries, -1);
    for (std::size_t e = 0; e < entries; ++e) {
      const double score = std::max(f.values[e], f.values[e] == -kInfinity ? -f.cost : -kInfinity);
      if (score != -kInfinity) column_of[e] = column(score);
    }
    const bool wide =
        std::any_of(f.axes.begin(), f.axes.end(), [](std::int32_t a) { return a > 1; });
    const int broken = !f.hard() && wide ? column(-f.cost) : -1;
    for (std::size_t e = 0; e < entries; ++e) {
      if (column_of[e] >= 0) add(column_of[e], 1);
    }
    if (broken >= 0) add(broken, 1);
    row("=", 1);
    std::size_t step = entries, at = 0;
    for (std::int32_t axis : f.axes) {
      const std::size_t states = axis == 1 ? 2 : axis;
      step /= states;
      for (std::int32_t s = 0; s < axis; ++s) {
        const auto entry_of_state = [&](std::size_t e) {
          return e / step % states == (axis == 1 ? 1u : static_cast<std::size_t>(s));
        };
        for (int side = 0; side < (broken >= 0 ? 2 : 1); ++side) {
          for (std::size_t e = 0; e < entries; ++e) {
            if (column_of[e] >= 0 && entry_of_state(e)) add(column_of[e], 1);
          }
          if (side == 1) add(broken, 1);
          add(f.links[at + s], -1);
          row(broken < 0 ? "=" : side == 0 ? "<=" : ">=", 0);
        }
      }
      at += axis;
    }
    if (broken >= 0) broken_table(f, broken);
  }

  void broken_table(const FactorView& f, int broken) {
    std::vector<int> causes;
    std::size_t at = 0;
    for (std::int32_t axis : f.axes) {
      const auto links = f.links.subspan(at, axis);
      at += axis;
      if (axis == 1) continue;
      const int none = column(0), several = column(0);
      causes.insert(causes.end(), {none, several});
      for (Literal l : links) {
        add(none, 1);
        add(l, 1);
        row("<=", 1);
      }
      add(several, 2);
      for (Literal l : links) add(l, -1);
      row("<=", 0);
    }
    add(broken, 1);
    for (int c : causes) add(c, -1);
    row("<=", 0);
  }

  const Graph graph_;
  std::vector<std::string> names_;  // of columns: the variables, then auxiliary ones
  std::vector<double> scores_;
  std::set<std::string> taken_;
  std::string out_, rows_;
  std::vector<std::pair<int, double>> terms_;
  double constant_ = 0;
  std::size_t line_begin_ = 0;
  int rule_ = -1, row_count_ = 0, next_aux_ = 0;
};

}  // namespace

std::string write_lp(const Graph& graph) { return LpWriter(graph).run(); }

}  // namespace entente
