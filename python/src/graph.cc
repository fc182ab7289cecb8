// Graphs, solving, sessions, certificates.
#include "entente/graph.h"

#include <pybind11/stl.h>

#include <memory>
#include <optional>

#include "bindings.h"
#include "entente/formats.h"
#include "entente/session.h"
#include "entente/solve.h"
#include "entente/sparsemap.h"
#include "entente/verify.h"

namespace entente::python {

namespace {

using Codes = std::vector<std::uint32_t>;  // 2 * variable + negated

// A Graph that knows whether somebody is solving it: the GIL is free meanwhile.
struct SharedGraph {
  Graph graph;
  std::int64_t version = 0;
  std::atomic<int> readers{0};

  Graph& change() {
    if (readers.load() > 0)
      throw std::runtime_error("this graph is being solved by another thread");
    ++version;
    return graph;
  }
};
using GraphPointer = std::shared_ptr<SharedGraph>;

struct Reading {
  explicit Reading(SharedGraph& g) : graph(g) { ++graph.readers; }
  ~Reading() { --graph.readers; }
  SharedGraph& graph;
};

std::vector<Literal> literals(const Graph& g, const Codes& codes) {
  std::vector<Literal> out(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] / 2 >= static_cast<std::uint32_t>(g.variable_count())) {
      throw Error("variable " + std::to_string(codes[i] / 2) + " is not in this graph");
    }
    out[i].code = codes[i];
  }
  return out;
}

Rule rule_of(Graph& g, const std::string& name, double cost) {
  if (!(cost >= 0))
    throw Error("the cost of a rule must be 0 or more, found " + std::to_string(cost));
  if (name.empty()) return Rule{.id = -1, .cost = cost};
  return g.rule(name, cost);
}

void add(SharedGraph& shared, const std::string& kind, const Codes& codes, const std::string& name,
         double cost) {
  Graph& g = shared.change();
  std::vector<Literal> l = literals(g, codes);
  const Rule rule = rule_of(g, name, cost);
  auto two = [&] {
    if (l.size() != 2)
      throw Error(kind + ": expected two variables, found " + std::to_string(l.size()));
  };
  auto output = [&] {
    if (l.empty()) throw Error(kind + ": expected an output");
    const Literal last = l.back();
    l.pop_back();
    return last;
  };
  if (kind == "exactly_one") return g.add_exactly_one(l, rule);
  if (kind == "at_most_one") return g.add_at_most_one(l, rule);
  if (kind == "at_least_one") return g.add_at_least_one(l, rule);
  if (kind == "implies") return two(), g.add_implies(l[0], l[1], rule);
  if (kind == "equal") return two(), g.add_equal(l[0], l[1], rule);
  if (kind == "not_both") return two(), g.add_not_both(l[0], l[1], rule);
  if (kind == "or_output" || kind == "and_output" || kind == "exactly_one_output") {
    const Literal last = output();
    if (kind == "or_output") return g.add_or_output(l, last, rule);
    if (kind == "and_output") return g.add_and_output(l, last, rule);
    return g.add_exactly_one_output(l, last, rule);
  }
  throw Error("unknown kind of rule \"" + kind + "\"");
}

std::vector<double> row_of(const Matrix& m) {
  std::vector<double> out(m.columns());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = m.view()(0, i);
  return out;
}

std::vector<double> all_of(const Matrix& m) {
  std::vector<double> out;
  out.reserve(m.rows() * m.columns());
  for (std::size_t r = 0; r < m.rows(); ++r) {
    for (std::size_t c = 0; c < m.columns(); ++c) out.push_back(m.view()(r, c));
  }
  return out;
}

Options read_options(const py::dict& given) {
  Options o;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    if (value.is_none()) continue;
    if (name == "method") {
      const auto method = method_from_name(value.cast<std::string>());
      if (!method) throw Error("unknown method \"" + value.cast<std::string>() + "\"");
      o.method = *method;
    } else if (name == "time_limit") {
      o.time_limit = value.cast<double>();
    } else if (name == "node_limit") {
      o.node_limit = value.cast<std::int64_t>();
    } else if (name == "max_iterations") {
      o.max_iterations = value.cast<int>();
    } else if (name == "beam_width") {
      o.beam_width = value.cast<int>();
    } else if (name == "backend") {
      o.backend = value.cast<std::string>();
    } else if (name == "tolerance") {
      o.tolerance = value.cast<double>();
    } else if (name == "certificate") {
      o.certificate = value.cast<bool>();
    } else if (name == "explain") {
      o.explain = value.cast<bool>();
    } else {
      throw Error("unknown option \"" + name + "\"");
    }
  }
  return o;
}

template <typename T>
py::array_t<T> as_array(const std::vector<T>& v) {
  return py::array_t<T>(static_cast<py::ssize_t>(v.size()), v.data());
}

std::vector<std::string> names_of(const Graph& g, const std::vector<std::int32_t>& factors) {
  std::vector<std::string> out;
  for (std::int32_t f : factors) {
    std::string name = g.factor_name(f);
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

std::vector<std::uint8_t> assignment_of(const Graph& g, const py::object& value) {
  const py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast> a(value);
  if (a.size() != g.variable_count()) {
    throw Error("expected an assignment of " + std::to_string(g.variable_count()) +
                " variables, found " + std::to_string(a.size()));
  }
  return {a.data(), a.data() + a.size()};
}

py::dict plain(const Graph& g, const Solution& s, bool interrupted) {
  py::dict out;
  out["status"] = std::string(status_name(s.status));
  out["value"] = s.value;
  out["bound"] = s.bound;
  out["assignment"] = as_array(s.assignment);
  out["iterations"] = s.iterations;
  out["nodes"] = s.nodes;
  out["seconds"] = s.seconds;
  out["relaxed"] = as_array(s.relaxed);
  out["interrupted"] = interrupted;
  out["active_rules"] = names_of(g, s.active);
  out["conflict"] = names_of(g, s.conflict);
  return out;
}

py::tuple solve_graph(const GraphPointer& shared, const py::dict& options) {
  Options o = read_options(options);
  Solution s;
  Interrupts interrupts;
  o.stop = interrupts.stop();
  {
    const Reading reading(*shared);
    const py::gil_scoped_release release;
    thread_local Workspace workspace;
    solve(shared->graph, o, workspace, s);
  }
  const bool interrupted = take_interrupt(interrupts);
  py::dict out = plain(shared->graph, s, interrupted);
  return py::make_tuple(out, o.certificate ? py::cast(std::move(s.certificate)) : py::none());
}

py::list k_best_of(const GraphPointer& shared, int k, const py::dict& options) {
  Options o = read_options(options);
  std::vector<Solution> found;
  Interrupts interrupts;
  o.stop = interrupts.stop();
  {
    const Reading reading(*shared);
    const py::gil_scoped_release release;
    Workspace workspace;
    found = k_best(shared->graph, k, o, workspace);
  }
  const bool interrupted = take_interrupt(interrupts);
  py::list out;
  for (const Solution& s : found) out.append(plain(shared->graph, s, interrupted));
  return out;
}

py::array_t<double> margins_of(const GraphPointer& shared, const py::object& assignment,
                               double value, const py::dict& options) {
  Options o = read_options(options);
  Solution s;
  s.status = Status::optimal;
  s.assignment = assignment_of(shared->graph, assignment);
  s.value = s.bound = value;
  std::vector<double> out;
  Interrupts interrupts;
  o.stop = interrupts.stop();
  {
    const Reading reading(*shared);
    const py::gil_scoped_release release;
    Workspace workspace;
    out = margins(shared->graph, s, o, workspace);
  }
  if (take_interrupt(interrupts)) throw py::error_already_set();
  return as_array(out);
}

py::dict verify_graph(const GraphPointer& shared, const Certificate& certificate,
                      double tolerance) {
  Verdict v;
  {
    const Reading reading(*shared);
    const py::gil_scoped_release release;
    v = verify(shared->graph, certificate, tolerance);
  }
  py::dict out;
  out["accepted"] = v.accepted;
  out["optimal"] = v.optimal;
  out["value"] = v.value;
  out["bound"] = v.bound;
  out["reason"] = v.reason;
  return out;
}

Format format_of(const std::string& name) {
  if (const auto format = format_from_path("x." + name)) return *format;
  throw Error("unknown format \"" + name + "\"; there are json, lp, uai and wcsp");
}

class PySession {
 public:
  PySession(const SharedGraph& g, const py::dict& options)
      : options_(read_options(options)), session_(g.graph, with_stop(options_)) {}

  py::dict solve() {
    Interrupts interrupts;
    const Solution* s = nullptr;
    {
      const py::gil_scoped_release release;
      s = &session_.solve();
    }
    return plain(session_.graph(), *s, take_interrupt(interrupts));
  }
  Session& session() { return session_; }
  Var var(std::int32_t v) const {
    if (v < 0 || v >= session_.graph().variable_count())
      throw Error("no variable " + std::to_string(v));
    return Var{v};
  }

 private:
  Options with_stop(Options o) {
    o.stop = interrupt_flag();
    return o;
  }
  Options options_;
  Session session_;
};

// A layer at rest keeps its graph.
struct PySparseMap {
  GraphPointer shared;
  SparseMap layer;

  py::array_t<double> forward(const GraphPointer& g, int max_iterations, double tolerance) {
    shared = g;
    bool possible = false;
    {
      const Reading reading(*shared);
      const py::gil_scoped_release release;
      possible = layer.forward(
          shared->graph, {.max_iterations = max_iterations, .tolerance = tolerance, .penalty = 1});
    }
    if (!possible) throw Error("a rule of this graph can never hold");
    const std::span<const double> u = layer.answer();
    return py::array_t<double>(static_cast<py::ssize_t>(u.size()), u.data());
  }
  py::array_t<double> backward(const py::object& gradient) {
    const Matrix row(gradient, "gradient", 1);
    if (!shared || row.columns() != layer.answer().size()) {
      throw Error("gradient: expected " + std::to_string(layer.answer().size()) +
                  " numbers, after forward()");
    }
    const std::vector<double> in = row_of(row);
    py::array_t<double> out(static_cast<py::ssize_t>(in.size()));
    layer.backward(in, {out.mutable_data(), in.size()});
    return out;
  }
};

void bind_graph_class(py::module_& m) {
  py::class_<SharedGraph, GraphPointer>(m, "Graph")
      .def(py::init<>())
      .def_property_readonly("version", [](const SharedGraph& g) { return g.version; })
      .def_property_readonly("variable_count",
                             [](const SharedGraph& g) { return g.graph.variable_count(); })
      .def_property_readonly("factor_count",
                             [](const SharedGraph& g) { return g.graph.factor_count(); })
      .def_property_readonly("scores",
                             [](const SharedGraph& g) {
                               const auto s = g.graph.scores();
                               return py::array_t<double>(static_cast<py::ssize_t>(s.size()),
                                                          s.data());
                             })
      .def("variable",
           [](SharedGraph& g, double score, const std::string& name) {
             return g.change().add_variable(score, name).index;
           })
      .def("group",
           [](SharedGraph& g, const py::object& scores, const std::string& name,
              const std::vector<std::string>& states) {
             const Matrix row(scores, "scores", 1);
             if (!states.empty() && states.size() != row.columns()) {
               throw Error("a group of " + std::to_string(row.columns()) + " states has " +
                           std::to_string(states.size()) + " names");
             }
             return g.change().add_group(row_of(row), name, states).first;
           })
      .def("groups",
           [](SharedGraph& g, const py::object& scores) {
             const Matrix matrix(scores, "scores", 2);
             return g.change().add_groups(all_of(matrix), static_cast<int>(matrix.columns())).first;
           })
      .def("set_score",
           [](SharedGraph& g, std::uint32_t v, double score) {
             const Literal l = literals(g.graph, {2 * v}).front();
             g.change().set_score(Var{l.var()}, score);
           })
      .def("set_scores",
           [](SharedGraph& g, const py::object& scores) {
             const Matrix row(scores, "scores", 1);
             Graph& graph = g.change();
             if (static_cast<int>(row.columns()) != graph.variable_count()) {
               throw Error("expected " + std::to_string(graph.variable_count()) +
                           " scores, found " + std::to_string(row.columns()));
             }
             for (int v = 0; v < graph.variable_count(); ++v)
               graph.set_score(Var{v}, row.view()(0, v));
           })
      .def("fix",
           [](SharedGraph& g, std::uint32_t v, bool value) {
             literals(g.graph, {2 * v});
             g.change().fix(Var{static_cast<std::int32_t>(v)}, value);
           })
      .def("free",
           [](SharedGraph& g, std::uint32_t v) {
             literals(g.graph, {2 * v});
             g.change().free(Var{static_cast<std::int32_t>(v)});
           })
      .def("add", &add)
      .def("count",
           [](SharedGraph& s, const Codes& codes, int lower, int upper, const std::string& rule,
              double cost) {
             Graph& g = s.change();
             g.add_count(literals(g, codes), lower, upper, rule_of(g, rule, cost));
           })
      .def("linear",
           [](SharedGraph& s, const Codes& codes, const py::object& coefficients, double lower,
              double upper, const std::string& rule, double cost) {
             const Matrix c(coefficients, "coefficients", 1);
             if (c.columns() != codes.size()) {
               throw Error("expected " + std::to_string(codes.size()) + " coefficients, found " +
                           std::to_string(c.columns()));
             }
             Graph& g = s.change();
             g.add_linear(literals(g, codes), row_of(c), lower, upper, rule_of(g, rule, cost));
           })
      .def("table",
           [](SharedGraph& s, const Codes& codes, const std::vector<std::int32_t>& axes,
              const py::object& scores, const std::string& rule, double cost) {
             const Matrix flat(scores, "scores", 1);
             Graph& g = s.change();
             g.add_table(literals(g, codes), axes, row_of(flat), rule_of(g, rule, cost));
           })
      .def("disjoint",
           [](SharedGraph& s, const Codes& codes, const py::object& intervals,
              const std::string& rule, double cost) {
             const Integers ends(intervals, "intervals", 2);
             if (ends.rows() != codes.size()) {
               throw Error("expected " + std::to_string(codes.size()) + " intervals, found " +
                           std::to_string(ends.rows()));
             }
             std::vector<Interval> out(ends.rows());
             for (std::size_t i = 0; i < out.size(); ++i) out[i] = {ends[2 * i], ends[2 * i + 1]};
             Graph& g = s.change();
             g.add_disjoint(literals(g, codes), out, rule_of(g, rule, cost));
           })
      .def("sequence",
           [](SharedGraph& s, const Codes& codes, int length, int labels,
              const py::object& transitions, const std::string& rule) {
             const Matrix flat(transitions, "transitions", 1);
             Graph& g = s.change();
             g.add_structured(literals(g, codes), make_sequence(length, labels, row_of(flat)),
                              rule_of(g, rule, kHard));
           })
      .def("tree",
           [](SharedGraph& s, const Codes& codes, int nodes, const py::object& arcs,
              bool projective, bool single_root, const std::string& rule) {
             const Integers ends(arcs, "arcs", 2);
             std::vector<TreeArc> out(ends.rows());
             for (std::size_t i = 0; i < out.size(); ++i) out[i] = {ends[2 * i], ends[2 * i + 1]};
             Graph& g = s.change();
             g.add_structured(literals(g, codes),
                              projective ? make_projective_tree(nodes, std::move(out), single_root)
                                         : make_arborescence(nodes, std::move(out), single_root),
                              rule_of(g, rule, kHard));
           })
      .def("evaluate",
           [](const SharedGraph& g, const py::object& a) {
             return g.graph.evaluate(assignment_of(g.graph, a));
           })
      .def("variable_name",
           [](const SharedGraph& g, std::int32_t v) { return g.graph.variable_name(Var{v}); })
      .def("group_list",
           [](const SharedGraph& g) {
             py::list out;
             const auto groups = g.graph.groups();
             for (std::size_t i = 0; i < groups.size(); ++i) {
               out.append(py::make_tuple(g.graph.group_name(static_cast<int>(i)), groups[i].first,
                                         groups[i].size));
             }
             return out;
           })
      .def("rule_names",
           [](const SharedGraph& g) {
             std::vector<std::string> out;
             for (int i = 0; i < g.graph.rule_count(); ++i) out.emplace_back(g.graph.rule_name(i));
             return out;
           })
      .def("copy",
           [](const SharedGraph& g) {
             auto out = std::make_shared<SharedGraph>();
             out->graph = g.graph;
             return out;
           })
      .def("write",
           [](const SharedGraph& g, const std::string& format) {
             return write_graph(g.graph, format_of(format));
           })
      .def_static("read",
                  [](const std::string& text, const std::string& format, const std::string& file) {
                    auto out = std::make_shared<SharedGraph>();
                    read_graph(text, format_of(format), file, out->graph);
                    return out;
                  });
}

}  // namespace

void bind_graph(py::module_& m) {
  bind_graph_class(m);
  py::class_<Certificate>(m, "Certificate")
      .def_readonly("value", &Certificate::value)
      .def_readonly("bound", &Certificate::bound);
  m.def("write_certificate",
        [](const SharedGraph& g, const Certificate& c) { return write_certificate(g.graph, c); });
  m.def("read_certificate",
        [](const SharedGraph& g, const std::string& text, const std::string& file) {
          return read_certificate(g.graph, text, file);
        });
  m.def("solve", &solve_graph);
  m.def("k_best", &k_best_of);
  m.def("margins", &margins_of);
  m.def("verify", &verify_graph);
  py::class_<PySparseMap>(m, "SparseMap")
      .def(py::init<>())
      .def("forward", &PySparseMap::forward)
      .def("backward", &PySparseMap::backward)
      .def_property_readonly("iterations",
                             [](const PySparseMap& s) { return s.layer.iterations(); })
      .def_property_readonly("converged", [](const PySparseMap& s) { return s.layer.converged(); });
  py::class_<PySession>(m, "Session")
      .def(py::init<const SharedGraph&, const py::dict&>())
      .def("solve", &PySession::solve)
      .def("set_score",
           [](PySession& s, std::int32_t v, double x) { s.session().set_score(s.var(v), x); })
      .def("clamp", [](PySession& s, std::int32_t v, bool x) { s.session().clamp(s.var(v), x); })
      .def("unclamp", [](PySession& s, std::int32_t v) { s.session().unclamp(s.var(v)); })
      .def("switch_rule",
           [](PySession& s, const std::string& r, bool on) { s.session().switch_rule(r, on); })
      .def("rule_is_on",
           [](PySession& s, const std::string& r) { return s.session().rule_is_on(r); });
}

}  // namespace entente::python
