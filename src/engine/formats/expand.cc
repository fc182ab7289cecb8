#include "engine/formats/expand.h"

#include <algorithm>

#include "base/text.h"
#include "engine/factors/factor.h"

namespace entente {

namespace {

// A structured factor that does not expand is written as a table of all its configurations up to
// here.
constexpr std::size_t kMaxEnumeratedLinks = 12;
constexpr std::int64_t kMaxEntries = 1 << 20, kMaxTotalEntries = 1 << 24;

void copy_fixed_and_rules(const Graph& graph, Graph& out) {
  for (std::size_t v = 0; v < graph.fixed().size(); ++v) {
    if (graph.fixed()[v] >= 0) out.fix(Var{static_cast<int>(v)}, graph.fixed()[v] != 0);
  }
  for (int r = 0; r < graph.rule_count(); ++r) out.new_rule(graph.rule_name(r));
}

void add_enumerated(const FactorView& f, Graph& out) {
  const std::size_t n = f.links.size();
  std::vector<double> scores(std::size_t{1} << n);
  std::vector<std::uint8_t> config(n);
  for (std::size_t e = 0; e < scores.size(); ++e) {
    for (std::size_t l = 0; l < n; ++l) config[l] = (e >> (n - 1 - l)) & 1;
    scores[e] = own_score(f, config);
  }
  out.add_table(f.links, std::vector<std::int32_t>(n, 1), scores, Rule{f.rule, kHard});
}

// The same graph, its groups nameless, structured factors expanded where they can be.
Graph with_groups(const Graph& graph) {
  Graph out;
  std::size_t g = 0;
  std::vector<bool> of_group(graph.factor_count());
  for (int v = 0; v < graph.variable_count();) {
    if (g < graph.groups().size() && graph.groups()[g].first == v) {
      of_group[graph.group_factor(static_cast<int>(g))] = true;
      const int size = graph.groups()[g++].size;
      out.add_group(graph.scores().subspan(v, size));
      v += size;
    } else {
      out.add_variable(graph.score(Var{v++}));
    }
  }
  copy_fixed_and_rules(graph, out);
  for (int i = 0; i < graph.factor_count(); ++i) {
    if (of_group[i]) continue;
    const FactorView f = graph.factor(i);
    const Rule rule{f.rule, f.cost};
    if (f.shape == Shape::structured && f.structured->expand(out, f.links, rule)) continue;
    out.add_like(f, f.links, rule);
  }
  return out;
}

}  // namespace

Graph expand_to_rows(const Graph& graph) {
  Graph out;
  for (int v = 0; v < graph.variable_count(); ++v)
    out.add_variable(graph.score(Var{v}), graph.has_names() ? graph.variable_name(Var{v}) : "");
  copy_fixed_and_rules(graph, out);
  for (int i = 0; i < graph.factor_count(); ++i) {
    const FactorView f = graph.factor(i);
    const Rule rule{f.rule, f.cost};
    if (f.shape != Shape::structured) {
      out.add_like(f, f.links, rule);
    } else if (!f.structured->expand(out, f.links, rule)) {
      if (f.links.size() > kMaxEnumeratedLinks)
        throw Error("the factor " + quoted(graph.factor_name(i)) + " is structured (" +
                    std::string(f.structured->type()) + ") and cannot be written as rows");
      add_enumerated(f, out);
    }
  }
  return out;
}

MultiValued::MultiValued(const Graph& graph) : graph_(with_groups(graph)) {
  const int n = graph_.variable_count();
  owner_.resize(n);
  state_.resize(n);
  const auto fixed = [&](int v) { return graph_.fixed().empty() ? -1 : graph_.fixed()[v]; };
  std::size_t g = 0;
  for (int v = 0; v < n;) {
    const int variable = size();
    if (g < graph_.groups().size() && graph_.groups()[g].first == v) {
      const Group group = graph_.groups()[g++];
      // A state that must be 1 rules out the others.
      int chosen = 0;
      for (int s = 0; s < group.size; ++s) chosen += fixed(v + s) == 1;
      for (int s = 0; s < group.size; ++s) {
        owner_[v + s] = variable;
        state_[v + s] = s;
        const bool allowed = fixed(v + s) != 0 && chosen == (fixed(v + s) == 1 ? 1 : 0);
        unary_.push_back(allowed ? graph_.score(group[s]) : -kInfinity);
      }
      v += group.size;
    } else {
      owner_[v] = variable;
      state_[v] = 1;
      unary_.push_back(fixed(v) == 1 ? -kInfinity : 0);
      unary_.push_back(fixed(v) == 0 ? -kInfinity : graph_.score(Var{v}));
      ++v;
    }
    begin_.push_back(static_cast<std::int32_t>(unary_.size()));
  }
}

void MultiValued::work_out(bool sparse) {
  std::vector<bool> of_group(graph_.factor_count());
  for (std::size_t g = 0; g < graph_.groups().size(); ++g)
    of_group[graph_.group_factor(static_cast<int>(g))] = true;
  position_.assign(size(), -1);
  for (int i = 0; i < graph_.factor_count(); ++i) {
    if (!of_group[i]) add_factor(graph_.factor(i), graph_.factor_name(i), sparse);
  }
}

void MultiValued::find_scope(std::span<const Literal> links) {
  for (int v : scope_) position_[v] = -1;
  scope_.clear();
  for (Literal l : links) {
    const int v = owner_[l.var()];
    if (position_[v] >= 0) continue;
    position_[v] = static_cast<int>(scope_.size());
    scope_.push_back(v);
  }
}

void MultiValued::add_factor(const FactorView& f, const std::string& name, bool sparse) {
  find_scope(f.links);
  if (f.hard() && scope_.size() > 2 &&
      (f.shape == Shape::at_most_one || f.shape == Shape::disjoint))
    return add_pairs(f, name);
  if (sparse && scope_.size() > 2 && f.shape == Shape::at_least_one && add_clause(f)) return;
  add_dense(f, name);
}

// At most one of many, or no overlap among many, is the same of every two variables.
void MultiValued::add_pairs(const FactorView& f, const std::string& name) {
  std::vector<std::vector<int>> links(scope_.size());
  for (std::size_t l = 0; l < f.links.size(); ++l)
    links[position_[owner_[f.links[l].var()]]].push_back(static_cast<int>(l));
  std::vector<Literal> some;
  std::vector<Interval> intervals;
  for (std::size_t a = 0; a < links.size(); ++a) {
    for (std::size_t b = a + 1; b < links.size(); ++b) {
      some.clear();
      intervals.clear();
      for (const auto& list : {links[a], links[b]}) {
        for (int l : list) {
          some.push_back(f.links[l]);
          if (f.shape == Shape::disjoint) intervals.push_back(f.intervals[l]);
        }
      }
      FactorView part = f;
      part.links = some;
      part.intervals = intervals;
      find_scope(some);
      add_dense(part, name);
    }
  }
}

// The states in which every literal is false: for each variable a set of states, and all
// combinations.
bool MultiValued::add_clause(const FactorView& f) {
  std::vector<std::vector<std::int32_t>> states(scope_.size());
  std::int64_t count = 1;
  for (std::size_t i = 0; i < scope_.size(); ++i) {
    std::vector<bool> satisfied(domain(scope_[i]));
    for (Literal l : f.links) {
      if (owner_[l.var()] != scope_[i]) continue;
      for (std::size_t s = 0; s < satisfied.size(); ++s) {
        const bool is = static_cast<std::int32_t>(s) == state_[l.var()];
        if (is != l.negated()) satisfied[s] = true;
      }
    }
    for (std::size_t s = 0; s < satisfied.size(); ++s) {
      if (!satisfied[s]) states[i].push_back(static_cast<std::int32_t>(s));
    }
    count *= static_cast<std::int64_t>(states[i].size());
    if (count > kMaxEntries) return false;
  }
  total_entries_ += count;
  if (count == 0 || total_entries_ > kMaxTotalEntries) return count == 0;
  Function out;
  out.scope = scope_;
  out.sparse = true;
  out.score = -f.cost;
  for (std::int64_t e = 0; e < count; ++e) {
    std::int64_t rest = e;
    const std::size_t at = out.tuples.size();
    out.tuples.resize(at + scope_.size());
    for (std::size_t i = scope_.size(); i-- > 0;) {
      const auto size = static_cast<std::int64_t>(states[i].size());
      out.tuples[at + i] = states[i][rest % size];
      rest /= size;
    }
  }
  if (out.score != 0) functions_.push_back(std::move(out));
  return true;
}

// Scores of all joint states of the scope, by setting each.
void MultiValued::fill(const FactorView& f, std::span<double> scores) const {
  std::vector<std::int32_t> states(scope_.size(), 0);
  std::vector<std::uint8_t> config(f.links.size());
  for (double& score : scores) {
    for (std::size_t l = 0; l < f.links.size(); ++l) {
      const int v = f.links[l].var();
      config[l] = f.links[l].value(states[position_[owner_[v]]] == state_[v] ? 1 : 0);
    }
    score = own_score(f, config);
    for (std::size_t i = scope_.size(); i-- > 0;) {
      if (++states[i] < domain(scope_[i])) break;
      states[i] = 0;
    }
  }
}

// Is the factor a table whose axes are the scope's variables, state by state? Then its values are
// already what is wanted.
bool MultiValued::is_table_of_scope(const FactorView& f) const {
  if (f.shape != Shape::table || f.axes.size() != scope_.size()) return false;
  std::size_t at = 0;
  for (std::size_t i = 0; i < scope_.size(); ++i) {
    const std::int32_t axis = f.axes[i];
    if ((axis == 1 ? 2 : axis) != domain(scope_[i])) return false;
    for (std::int32_t s = 0; s < axis; ++s, ++at) {
      const Literal l = f.links[at];
      if (l.negated() || owner_[l.var()] != scope_[i] || state_[l.var()] != (axis == 1 ? 1 : s))
        return false;
    }
  }
  return true;
}

void MultiValued::add_dense(const FactorView& f, const std::string& name) {
  std::int64_t entries = 1;
  for (int v : scope_) {
    entries *= domain(v);
    if (entries > kMaxEntries)
      throw Error("the factor " + quoted(name) + " would be a table of more than " +
                  std::to_string(kMaxEntries) + " entries");
  }
  total_entries_ += entries;
  if (total_entries_ > kMaxTotalEntries)
    throw Error("the tables of this problem would have more than " +
                std::to_string(kMaxTotalEntries) + " entries");
  Function out;
  out.scope = scope_;
  out.scores.resize(entries);
  if (is_table_of_scope(f)) {
    for (std::size_t e = 0; e < out.scores.size(); ++e)
      out.scores[e] = f.values[e] == -kInfinity ? -f.cost : f.values[e];
  } else {
    fill(f, out.scores);
  }
  if (std::all_of(out.scores.begin(), out.scores.end(), [](double s) { return s == 0; })) return;
  if (scope_.size() >= 2) {
    functions_.push_back(std::move(out));
  } else if (scope_.size() == 1) {
    for (int s = 0; s < domain(scope_[0]); ++s) unary_[begin_[scope_[0]] + s] += out.scores[s];
  } else {
    add_constant(out.scores[0]);
  }
}

// A constant goes to every state of the first variable, of which exactly one counts.
void MultiValued::add_constant(double score) {
  if (size() == 0) {
    unary_.push_back(0);
    begin_.push_back(1);
    position_.push_back(-1);
  }
  for (int s = 0; s < domain(0); ++s) unary_[s] += score;
}

}  // namespace entente
