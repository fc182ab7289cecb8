// A Graph that Python holds, and how arrays become what it takes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bindings.h"
#include "entente/graph.h"

namespace entente::python {

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

inline std::vector<double> row_of(const Matrix& m) {
  std::vector<double> out(m.columns());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = m.view()(0, i);
  return out;
}

inline std::vector<std::uint8_t> assignment_of(const Graph& g, const py::object& value) {
  const py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast> a(value);
  if (a.size() != g.variable_count()) {
    throw Error("expected an assignment of " + std::to_string(g.variable_count()) +
                " variables, found " + std::to_string(a.size()));
  }
  return {a.data(), a.data() + a.size()};
}

}  // namespace entente::python
