#include <cstddef>
#include <cstdint>

#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const entente::Graph graph = entente::fuzz::certificate_graph();
  entente::fuzz::certificate_round_trip(graph, {reinterpret_cast<const char*>(data), size});
  return 0;
}
