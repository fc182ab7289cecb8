// Common shapes straight from arrays, many problems a call, no Python in the loop.
//
// Problem i of a batch has rows [begin[i], begin[i] + count[i]) of a matrix: so padded arrays and ragged ones are the
// same thing.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "bindings.h"
#include "entente/solve.h"
#include "oracle/arborescence.h"
#include "oracle/chain_marginals.h"
#include "oracle/eisner.h"
#include "oracle/tree_marginals.h"
#include "oracle/viterbi.h"

namespace entente::python {

namespace {

// What comes back: one number a row (or role), and one of each a problem.
struct Answers {
  py::array_t<std::int32_t> choice;
  py::array_t<double> values, bounds;
  py::array_t<std::uint8_t> statuses;

  Answers(std::size_t rows, std::size_t problems)
      : choice(static_cast<py::ssize_t>(rows)),
        values(static_cast<py::ssize_t>(problems)),
        bounds(static_cast<py::ssize_t>(problems)),
        statuses(static_cast<py::ssize_t>(problems)) {
    std::fill(choice.mutable_data(), choice.mutable_data() + rows, -1);
  }
  py::tuple tuple() const { return py::make_tuple(choice, values, bounds, statuses); }
};

// Runs body(i, thread) without the GIL; Ctrl-C ends it with KeyboardInterrupt.
template <typename Body>
void run_batch(std::size_t problems, int threads, Body body) {
  Interrupts interrupts;
  {
    const py::gil_scoped_release release;
    parallel_for(static_cast<int>(problems), thread_count(threads), [&](int i, int thread) {
      if (!interrupts.happened()) body(i, thread, interrupts.stop());
    });
  }
  if (take_interrupt(interrupts)) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
}

// Where each problem's part begins, and how much there is in all.
std::vector<std::int32_t> begins_of(const Integers& counts, const char* name) {
  std::vector<std::int32_t> out(counts.rows() + 1, 0);
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    if (counts[i] < 0) throw Error(std::string(name) + ": expected counts of 0 or more");
    out[i + 1] = out[i] + counts[i];
  }
  return out;
}

void expect(std::size_t found, std::size_t wanted, const char* what) {
  if (found == wanted) return;
  throw Error(std::string(what) + ": expected " + std::to_string(wanted) + ", found " +
              std::to_string(found));
}

void check_blocks(const Integers& begins, const Integers& counts, std::size_t rows) {
  expect(begins.rows(), counts.rows(), "begins");
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    if (begins[i] < 0 || counts[i] < 0 || static_cast<std::size_t>(begins[i]) + counts[i] > rows) {
      throw Error("problem " + std::to_string(i) + " lies outside of the arrays");
    }
  }
}

struct Solving {
  Graph graph;
  Workspace workspace;
  Solution solution;
  std::vector<double> scores;
  std::vector<Interval> intervals;

  void solve_it(double time_limit, const std::atomic<bool>* stop) {
    Options o;
    o.time_limit = time_limit;
    o.stop = stop;
    solve(graph, o, workspace, solution);
  }
  // Which state of each group of `size` is 1.
  void write_choices(int groups, int size, std::int32_t* out) const {
    for (int g = 0; g < groups && !solution.assignment.empty(); ++g) {
      const auto first = solution.assignment.begin() + static_cast<std::ptrdiff_t>(g) * size;
      out[g] = static_cast<std::int32_t>(std::find(first, first + size, 1) - first);
    }
  }
};

// Roles x spans: each role has one span or none (span 0, which is empty); chosen spans do not overlap; excludes: not
// both roles have a span; requires: both or neither.
py::tuple decode_roles(const py::object& scores_, const py::object& roles_,
                       const py::object& spans_, const py::object& span_counts_,
                       const py::object& excludes_, const py::object& exclude_counts_,
                       const py::object& requires_, const py::object& require_counts_,
                       double time_limit, int threads) {
  const Matrix scores(scores_, "scores", 1);
  const Integers roles(roles_, "roles"), spans(spans_, "spans", 2),
      span_counts(span_counts_, "span_counts"), excludes(excludes_, "excludes", 2),
      exclude_counts(exclude_counts_, "exclude_counts"), requires_both(requires_, "requires", 2),
      require_counts(require_counts_, "require_counts");
  const std::size_t problems = roles.rows();
  expect(span_counts.rows(), problems, "span_counts");
  const bool has_excludes = exclude_counts.rows() > 0, has_requires = require_counts.rows() > 0;
  if (has_excludes) expect(exclude_counts.rows(), problems, "exclude_counts");
  if (has_requires) expect(require_counts.rows(), problems, "require_counts");
  const auto role_at = begins_of(roles, "roles"), span_at = begins_of(span_counts, "span_counts");
  const auto exclude_at = begins_of(exclude_counts, "exclude_counts"),
             require_at = begins_of(require_counts, "require_counts");
  expect(spans.rows(), span_at.back(), "spans");
  expect(excludes.rows(), exclude_at.back(), "excludes");
  expect(requires_both.rows(), require_at.back(), "requires");
  std::vector<std::size_t> score_at(problems + 1, 0);
  for (std::size_t i = 0; i < problems; ++i) {
    score_at[i + 1] =
        score_at[i] + static_cast<std::size_t>(roles[i]) * static_cast<std::size_t>(span_counts[i]);
  }
  expect(scores.columns(), score_at.back(), "scores");
  Answers out(role_at.back(), problems);
  std::int32_t* choice = out.choice.mutable_data();
  double *values = out.values.mutable_data(), *bounds = out.bounds.mutable_data();
  std::uint8_t* statuses = out.statuses.mutable_data();
  std::vector<Solving> work(thread_count(threads));
  run_batch(problems, threads, [&](int i, int thread, const std::atomic<bool>* stop) {
    Solving& w = work[thread];
    const int count = span_counts[i];
    w.graph.clear();
    if (roles[i] > 0 && count > 0) {
      w.scores.resize(score_at[i + 1] - score_at[i]);
      for (std::size_t k = 0; k < w.scores.size(); ++k)
        w.scores[k] = scores.view()(0, score_at[i] + k);
      w.intervals.resize(count);
      for (int s = 0; s < count; ++s) {
        w.intervals[s] = {spans[2 * (span_at[i] + s)], spans[2 * (span_at[i] + s) + 1]};
      }
      w.graph.add_groups(w.scores, count);
      w.graph.add_disjoint(Var{0}, w.intervals, roles[i], w.graph.rule("overlap"));
    }
    auto null_of = [&](std::int32_t role) {
      if (role < 0 || role >= roles[i])
        throw Error("problem " + std::to_string(i) + " has no role " + std::to_string(role));
      return Var{role * count};
    };
    if (has_excludes && exclude_at[i] < exclude_at[i + 1]) {
      const Rule rule = w.graph.rule("excludes");
      for (int k = exclude_at[i]; k < exclude_at[i + 1]; ++k) {
        w.graph.add_at_least_one({null_of(excludes[2 * k]), null_of(excludes[2 * k + 1])}, rule);
      }
    }
    if (has_requires && require_at[i] < require_at[i + 1]) {
      const Rule rule = w.graph.rule("requires");
      for (int k = require_at[i]; k < require_at[i + 1]; ++k) {
        w.graph.add_equal(null_of(requires_both[2 * k]), null_of(requires_both[2 * k + 1]), rule);
      }
    }
    w.solve_it(time_limit, stop);
    w.write_choices(roles[i], count, choice + role_at[i]);
    values[i] = w.solution.value;
    bounds[i] = w.solution.bound;
    statuses[i] = static_cast<std::uint8_t>(w.solution.status);
  });
  return out.tuple();
}

// Spans with scores of types: each has one type or none (worth 0), and those that have one do not overlap.
py::tuple decode_spans(const py::object& spans_, const py::object& scores_,
                       const py::object& begins_, const py::object& counts_, double time_limit,
                       int threads) {
  const Integers spans(spans_, "spans", 2), begins(begins_, "begins"), counts(counts_, "counts");
  const Matrix scores(scores_, "scores", 2);
  expect(scores.rows(), spans.rows(), "rows of scores");
  check_blocks(begins, counts, spans.rows());
  const int types = static_cast<int>(scores.columns()), states = types + 1;
  Answers out(spans.rows(), counts.rows());
  std::int32_t* choice = out.choice.mutable_data();
  double *values = out.values.mutable_data(), *bounds = out.bounds.mutable_data();
  std::uint8_t* statuses = out.statuses.mutable_data();
  std::vector<Solving> work(thread_count(threads));
  run_batch(counts.rows(), threads, [&](int i, int thread, const std::atomic<bool>* stop) {
    Solving& w = work[thread];
    w.graph.clear();
    w.scores.clear();
    w.intervals.clear();
    for (int s = begins[i]; s < begins[i] + counts[i]; ++s) {
      w.scores.push_back(0);
      w.intervals.push_back({0, 0});
      for (int t = 0; t < types; ++t) {
        w.scores.push_back(scores.view()(s, t));
        w.intervals.push_back({spans[2 * s], spans[2 * s + 1]});
      }
    }
    if (counts[i] > 0) {
      w.graph.add_groups(w.scores, states);
      w.graph.add_disjoint(Var{0}, w.intervals, w.graph.rule("overlap"));
    }
    w.solve_it(time_limit, stop);
    std::int32_t* mine = choice + begins[i];
    w.write_choices(counts[i], states, mine);
    for (int s = 0; s < counts[i]; ++s) mine[s] = std::max(mine[s] - 1, -1);
    values[i] = w.solution.value;
    bounds[i] = w.solution.bound;
    statuses[i] = static_cast<std::uint8_t>(w.solution.status);
  });
  return out.tuple();
}

struct ChainArrays {
  Matrix scores, transitions;
  Integers begins, counts;
  std::vector<double> steps;

  ChainArrays(const py::object& s, const py::object& t, const py::object& b, const py::object& c)
      : scores(s, "scores", 2),
        transitions(t, "transitions", 2),
        begins(b, "begins"),
        counts(c, "counts") {
    expect(transitions.rows(), scores.columns(), "rows of transitions");
    expect(transitions.columns(), scores.columns(), "columns of transitions");
    check_blocks(begins, counts, scores.rows());
    for (std::size_t i = 0; i < labels(); ++i) {
      for (std::size_t j = 0; j < labels(); ++j) steps.push_back(checked(transitions.view()(i, j)));
    }
  }
  std::size_t labels() const { return scores.columns(); }
  static double checked(double x) {
    if (std::isnan(x) || x == kInfinity) throw Error("a score is NaN or infinite");
    return x;
  }
  Chain chain(int i, std::vector<double>& unary) const {
    unary.clear();
    for (int t = begins[i]; t < begins[i] + counts[i]; ++t) {
      for (std::size_t l = 0; l < labels(); ++l) unary.push_back(checked(scores.view()(t, l)));
    }
    return {counts[i], static_cast<int>(labels()), unary, steps};
  }
};

py::tuple decode_sequences(const py::object& scores, const py::object& transitions,
                           const py::object& begins, const py::object& counts, int threads) {
  const ChainArrays a(scores, transitions, begins, counts);
  Answers out(a.scores.rows(), a.counts.rows());
  std::int32_t* choice = out.choice.mutable_data();
  double *values = out.values.mutable_data(), *bounds = out.bounds.mutable_data();
  std::uint8_t* statuses = out.statuses.mutable_data();
  std::vector<std::vector<double>> unary(thread_count(threads)), work(thread_count(threads));
  run_batch(a.counts.rows(), threads, [&](int i, int thread, const std::atomic<bool>*) {
    double value = 0;
    if (a.counts[i] > 0) {
      const Chain chain = a.chain(i, unary[thread]);
      value = viterbi(chain, {choice + a.begins[i], static_cast<std::size_t>(a.counts[i])},
                      work[thread]);
    }
    values[i] = bounds[i] = value;
    const bool found = value != -kInfinity;
    if (!found) std::fill(choice + a.begins[i], choice + a.begins[i] + a.counts[i], -1);
    statuses[i] = static_cast<std::uint8_t>(found ? Status::optimal : Status::infeasible);
  });
  return out.tuple();
}

py::tuple marginals_of_sequences(const py::object& scores, const py::object& transitions,
                                 const py::object& begins, const py::object& counts, int threads) {
  const ChainArrays a(scores, transitions, begins, counts);
  const std::size_t labels = a.labels(), problems = a.counts.rows();
  py::array_t<double> marginals({a.scores.rows(), labels}), steps({problems, labels, labels}),
      sums(static_cast<py::ssize_t>(problems));
  double *m = marginals.mutable_data(), *s = steps.mutable_data(), *z = sums.mutable_data();
  std::fill(m, m + a.scores.rows() * labels, 0.0);
  std::vector<std::vector<double>> unary(thread_count(threads));
  std::vector<ChainWorkspace> work(thread_count(threads));
  run_batch(problems, threads, [&](int i, int thread, const std::atomic<bool>*) {
    const Chain chain = a.chain(i, unary[thread]);
    z[i] = chain_marginals(chain, {m + a.begins[i] * labels, a.counts[i] * labels},
                           {s + i * labels * labels, labels * labels}, work[thread]);
  });
  return py::make_tuple(marginals, steps, sums);
}

// Trees: block i has counts[i] rows and as many columns, [head, modifier], node 0 the root.
struct TreeArrays {
  Matrix scores;
  Integers begins, counts;

  TreeArrays(const py::object& s, const py::object& b, const py::object& c)
      : scores(s, "scores", 2), begins(b, "begins"), counts(c, "counts") {
    check_blocks(begins, counts, scores.rows());
    for (std::size_t i = 0; i < counts.rows(); ++i) {
      if (counts[i] < 1 || static_cast<std::size_t>(counts[i]) > scores.columns()) {
        throw Error("tree " + std::to_string(i) + ": expected 1 to " +
                    std::to_string(scores.columns()) + " nodes, found " +
                    std::to_string(counts[i]));
      }
    }
  }
  void read(int i, std::vector<double>& out) const {
    out.clear();
    for (int h = 0; h < counts[i]; ++h) {
      for (int m = 0; m < counts[i]; ++m) {
        const double x = scores.view()(begins[i] + h, m);
        out.push_back(h == m || m == 0 ? 0 : ChainArrays::checked(x));
      }
    }
  }
};

py::tuple decode_trees(const py::object& scores, const py::object& begins, const py::object& counts,
                       bool projective, bool single_root, int threads) {
  const TreeArrays a(scores, begins, counts);
  Answers out(a.scores.rows(), a.counts.rows());
  std::int32_t* heads = out.choice.mutable_data();
  double *values = out.values.mutable_data(), *bounds = out.bounds.mutable_data();
  std::uint8_t* statuses = out.statuses.mutable_data();
  std::vector<std::vector<double>> arcs(thread_count(threads));
  std::vector<TreeWorkspace> work(thread_count(threads));
  run_batch(a.counts.rows(), threads, [&](int i, int thread, const std::atomic<bool>*) {
    const int words = a.counts[i] - 1;
    a.read(i, arcs[thread]);
    const std::span<std::int32_t> mine(heads + a.begins[i] + 1, words);
    double value = 0;
    if (words > 0) {
      value = projective
                  ? best_projective_tree(words, arcs[thread], single_root, mine, work[thread])
                  : best_arborescence(words, arcs[thread], single_root, mine, work[thread]);
    }
    const bool found = value != -kInfinity;
    if (!found) std::fill(mine.begin(), mine.end(), -1);
    values[i] = bounds[i] = value;
    statuses[i] = static_cast<std::uint8_t>(found ? Status::optimal : Status::infeasible);
  });
  return out.tuple();
}

py::tuple marginals_of_trees(const py::object& scores, const py::object& begins,
                             const py::object& counts, bool single_root, int threads) {
  const TreeArrays a(scores, begins, counts);
  const std::size_t columns = a.scores.columns();
  py::array_t<double> marginals({a.scores.rows(), columns}),
      sums(static_cast<py::ssize_t>(a.counts.rows()));
  double *m = marginals.mutable_data(), *z = sums.mutable_data();
  std::fill(m, m + a.scores.rows() * columns, 0.0);
  const int most = thread_count(threads);
  std::vector<std::vector<double>> arcs(most), found(most);
  std::vector<TreeWorkspace> work(most);
  run_batch(a.counts.rows(), threads, [&](int i, int thread, const std::atomic<bool>*) {
    const int nodes = a.counts[i];
    a.read(i, arcs[thread]);
    found[thread].resize(arcs[thread].size());
    z[i] = nodes > 1
               ? tree_marginals(nodes - 1, arcs[thread], single_root, found[thread], work[thread])
               : 0;
    for (int h = 0; h < nodes && nodes > 1; ++h) {
      std::copy_n(found[thread].begin() + static_cast<std::ptrdiff_t>(h) * nodes, nodes,
                  m + (a.begins[i] + h) * columns);
    }
  });
  return py::make_tuple(marginals, sums);
}

}  // namespace

void bind_builders(py::module_& m) {
  m.def("decode_roles", &decode_roles);
  m.def("decode_spans", &decode_spans);
  m.def("decode_sequences", &decode_sequences);
  m.def("decode_trees", &decode_trees);
  m.def("marginals_of_sequences", &marginals_of_sequences);
  m.def("marginals_of_trees", &marginals_of_trees);
}

}  // namespace entente::python
