// Why each candidate was chosen or not: what a change of it alone would break, and what the best answer with that
// change is worth. A solve a candidate.
#include <algorithm>
#include <cmath>

#include "schema/extract.h"

namespace entente::schema {

namespace {

// Where the variables of a Graph stand.
class FactorsOf {
 public:
  explicit FactorsOf(const Graph& g) : begin_(g.variable_count() + 1, 0) {
    for (int f = 0; f < g.factor_count(); ++f) {
      for (Literal l : g.factor(f).links) ++begin_[l.var() + 1];
    }
    for (std::size_t v = 1; v < begin_.size(); ++v) begin_[v] += begin_[v - 1];
    std::vector<int> next(begin_.begin(), begin_.end() - 1);
    factors_.resize(begin_.back());
    for (int f = 0; f < g.factor_count(); ++f) {
      for (Literal l : g.factor(f).links) factors_[next[l.var()]++] = f;
    }
  }
  std::span<const int> of(int variable) const {
    return std::span<const int>(factors_).subspan(begin_[variable],
                                                  begin_[variable + 1] - begin_[variable]);
  }

 private:
  std::vector<int> begin_, factors_;
};

}  // namespace

void Extractor::find_reasons(const ExtractOptions& options, Extraction& out) {
  const Candidates& c = model_.candidates();
  if (!say_plainly(c, options, out)) return;
  const Graph& g = plain_.graph();
  const std::vector<std::uint8_t> answer = other_.assignment;
  std::vector<std::uint8_t> z = answer;
  const FactorsOf factors(g);
  std::vector<int> changed;
  auto set = [&](Literal l, bool on) {
    const auto value = static_cast<std::uint8_t>(on != l.negated());
    if (z[l.var()] == value) return;
    z[l.var()] = value;
    changed.push_back(l.var());
  };
  auto say = [](Reason& r, const std::string& name) {
    if (std::find(r.because.begin(), r.because.end(), name) == r.because.end())
      r.because.push_back(name);
  };
  // What breaks now that held before; cycles and very many instances are looked for only where nothing else did.
  auto say_broken = [&](Reason& r, bool lazily) {
    const std::size_t before = r.because.size();
    for (int v : changed) {
      for (int f : factors.of(v)) {
        if (!g.holds(f, z) && g.holds(f, answer)) say(r, g.factor_name(f));
      }
    }
    if (lazily && r.because.size() == before && !plain_.lazy_rules().empty()) {
      std::vector<Cut> broken;
      lazy_.find_broken_rules(plain_, z, broken);
      for (const Cut& cut : broken) say(r, schema_.rule_names[schema_.rules[cut.rule].name]);
    }
    for (int v : changed) z[v] = answer[v];
    changed.clear();
  };
  std::vector<std::uint8_t> type_on(c.types.size()), pair_on(c.pairs.size());
  for (int i : out.chosen.types) type_on[i] = 1;
  for (int p : out.chosen.pairs) pair_on[p] = 1;
  out.type_reasons.resize(c.types.size());
  out.pair_reasons.resize(c.pairs.size());
  for (int i = 0; i < static_cast<int>(c.types.size()); ++i) {
    Reason& r = out.type_reasons[i];
    const Span& span = c.spans[c.types[i].span];
    if ((c.types[i].weight > 0) == static_cast<bool>(type_on[i])) say(r, "score");
    set(plain_.type_literal(i), !type_on[i]);
    if (!schema_.multi_label) {
      for (int j = span.first; j < span.last; ++j) {
        if (j == i || !type_on[j]) continue;
        set(plain_.type_literal(j), false);
        say(r, "one type");
      }
      set(plain_.none_literal(c.types[i].span), type_on[i]);
    }
    say_broken(r, true);
  }
  for (int p = 0; p < static_cast<int>(c.pairs.size()); ++p) {
    if ((c.pairs[p].weight > 0) == static_cast<bool>(pair_on[p])) say(out.pair_reasons[p], "score");
    set(plain_.pair_literal(p), !pair_on[p]);
    say_broken(out.pair_reasons[p], !pair_on[p]);
  }
  write_rows(true);
  for (std::size_t i = 0; i < c.types.size(); ++i) {
    const Literal l = model_.type_literal(static_cast<int>(i));
    out.type_reasons[i].margin = margin(type_on[i] ? !l : l, options, out);
  }
  for (std::size_t p = 0; p < c.pairs.size(); ++p) {
    const Literal l = model_.pair_literal(static_cast<int>(p));
    out.pair_reasons[p].margin = margin(pair_on[p] ? !l : l, options, out);
  }
}

}  // namespace entente::schema
