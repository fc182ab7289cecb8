// Solving, sessions, certificates, SparseMAP.
#include <pybind11/stl.h>

#include <algorithm>

#include "bindings.h"
#include "entente/formats.h"
#include "entente/session.h"
#include "entente/solve.h"
#include "entente/sparsemap.h"
#include "entente/verify.h"
#include "shared_graph.h"

namespace entente::python {

namespace {

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

}  // namespace

void bind_solving(py::module_& m) {
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
