// Graphs: variables and rules are added, files read and written. solving.cc solves them.
#include "entente/graph.h"

#include <pybind11/stl.h>

#include <memory>

#include "bindings.h"
#include "entente/formats.h"
#include "shared_graph.h"

namespace entente::python {

namespace {

using Codes = std::vector<std::uint32_t>;  // 2 * variable + negated

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

std::vector<double> all_of(const Matrix& m) {
  std::vector<double> out;
  out.reserve(m.rows() * m.columns());
  for (std::size_t r = 0; r < m.rows(); ++r) {
    for (std::size_t c = 0; c < m.columns(); ++c) out.push_back(m.view()(r, c));
  }
  return out;
}

Format format_of(const std::string& name) {
  if (const auto format = format_from_path("x." + name)) return *format;
  throw Error("unknown format \"" + name + "\"; there are json, lp, uai and wcsp");
}

}  // namespace

void bind_graph(py::module_& m) {
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

}  // namespace entente::python
