// Forests (packed derivations): the best, sums over all, samples, the k best.
#include <pybind11/stl.h>

#include <memory>

#include "bindings.h"
#include "entente/ids.h"
#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/k_best.h"
#include "oracle/hypergraph/sums.h"

namespace entente::python {

namespace {

// The edges keep the numbers they were given; inside they are sorted by head.
class Forest {
 public:
  // Edge e has the head heads[e] and the next counts[e] of tails.
  Forest(int nodes, const py::object& heads_, const py::object& counts_, const py::object& tails_,
         int goal) {
    const Integers heads(heads_, "heads"), counts(counts_, "tail_counts"), tails(tails_, "tails");
    if (nodes < 1) throw Error("nodes: expected one or more");
    if (counts.rows() != heads.rows())
      throw Error("tail_counts: expected " + std::to_string(heads.rows()) + ", found " +
                  std::to_string(counts.rows()));
    auto node = [&](std::int32_t v, const char* what) {
      if (v < 0 || v >= nodes)
        throw Error(std::string(what) + ": there is no node " + std::to_string(v) + " of " +
                    std::to_string(nodes));
      return v;
    };
    node(goal, "goal");
    h_.add_nodes(nodes);
    std::size_t at = 0;
    for (std::size_t e = 0; e < heads.rows(); ++e) {
      const int head = node(heads[e], "heads");
      if (counts[e] < 0 || at + static_cast<std::size_t>(counts[e]) > tails.rows())
        throw Error("tail_counts: edge " + std::to_string(e) + " needs more tails than there are");
      for (int k = 0; k < counts[e]; ++k) {
        if (node(tails[at + k], "tails") >= head)
          throw Error("tails: edge " + std::to_string(e) + " goes from node " +
                      std::to_string(tails[at + k]) + " to " + std::to_string(head) +
                      "; nodes must be numbered from the leaves up");
      }
      h_.add_edge(
          head,
          std::span<const std::int32_t>(tails.data() + at, static_cast<std::size_t>(counts[e])),
          0.0);
      at += static_cast<std::size_t>(counts[e]);
    }
    if (at != tails.rows())
      throw Error("tails: " + std::to_string(tails.rows() - at) + " more than the edges have");
    h_.finish(goal);
    const auto order = h_.order();
    order_.assign(order.begin(), order.end());
  }

  int nodes() const { return h_.nodes(); }
  int edges() const { return h_.edges(); }

  py::tuple best(const py::object& given) const {
    const std::vector<double> score = read(given);
    BestPass pass;
    Derivation edges;
    double value = 0;
    {
      const py::gil_scoped_release release;
      value = pass.run(h_, score);
      pass.derivation(h_, edges);
    }
    return py::make_tuple(numbers(edges), value);
  }

  py::tuple marginals(const py::object& given) const {
    const std::vector<double> score = read(given);
    ForestSums sums;
    {
      const py::gil_scoped_release release;
      sums.inside(h_, score);
      sums.outside(h_);
    }
    py::array_t<double> of_edges(edges()), of_nodes(nodes());
    for (int e = 0; e < edges(); ++e) of_edges.mutable_at(original(e)) = sums.edge_marginal(e);
    for (int v = 0; v < nodes(); ++v) of_nodes.mutable_at(v) = sums.node_marginal(v);
    return py::make_tuple(of_edges, of_nodes, sums.log_z());
  }

  // d (mean of the sum of values) / d scores, and the mean.
  py::tuple expectation(const py::object& given, const py::object& values) const {
    const std::vector<double> score = read(given), value = read(values);
    ForestSums sums;
    std::vector<double> gradient;
    double mean = 0;
    {
      const py::gil_scoped_release release;
      sums.inside(h_, score);
      sums.outside(h_);
      mean = sums.expect(h_, value, gradient);
    }
    py::array_t<double> out(edges());
    for (int e = 0; e < edges(); ++e) out.mutable_at(original(e)) = gradient[e];
    return py::make_tuple(mean, out);
  }

  py::list samples(const py::object& given, int count, std::uint64_t seed) const {
    const std::vector<double> score = read(given);
    ForestSums sums;
    if (sums.inside(h_, score) == -kInfinity) throw Error("scores: no derivation is possible");
    Random random(seed);
    Derivation edges;
    py::list out;
    for (int i = 0; i < count; ++i) {
      sums.sample(h_, random, edges);
      out.append(numbers(edges));
    }
    return out;
  }

  py::list k_best(const py::object& given, int count) const {
    const std::vector<double> score = read(given);
    KBest list;
    list.start(h_, score);
    Derivation edges;
    double value = 0;
    py::list out;
    for (int i = 0; i < count && list.next(edges, value); ++i)
      out.append(py::make_tuple(numbers(edges), value));
    return out;
  }

 private:
  int original(int e) const { return order_.empty() ? e : order_[e]; }

  std::vector<double> read(const py::object& given) const {
    const Matrix m(given, "scores", 1);
    const std::size_t n = m.rows() * m.columns();
    if (n != static_cast<std::size_t>(edges()))
      throw Error("scores: expected one of each of " + std::to_string(edges()) + " edges, found " +
                  std::to_string(n));
    std::vector<double> out(n);
    for (std::size_t e = 0; e < n; ++e) {
      const auto k = static_cast<std::size_t>(original(static_cast<int>(e)));
      out[e] = m.rows() == n ? m.view()(k, 0) : m.view()(0, k);
      if (!(out[e] < kInfinity))
        throw Error("scores: edge " + std::to_string(k) + " has a score that is no number");
    }
    return out;
  }

  py::array_t<std::int32_t> numbers(const Derivation& edges) const {
    py::array_t<std::int32_t> out(static_cast<py::ssize_t>(edges.size()));
    for (std::size_t i = 0; i < edges.size(); ++i) out.mutable_at(i) = original(edges[i]);
    return out;
  }

  Hypergraph h_;
  std::vector<std::int32_t> order_;
};

}  // namespace

void bind_forest(py::module_& m) {
  py::class_<Forest>(m, "Forest")
      .def(py::init<int, const py::object&, const py::object&, const py::object&, int>())
      .def_property_readonly("nodes", &Forest::nodes)
      .def_property_readonly("edges", &Forest::edges)
      .def("best", &Forest::best)
      .def("marginals", &Forest::marginals)
      .def("expectation", &Forest::expectation)
      .def("samples", &Forest::samples)
      .def("k_best", &Forest::k_best);
}

}  // namespace entente::python
