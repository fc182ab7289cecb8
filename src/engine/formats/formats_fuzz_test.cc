// A short, repeatable run of what fuzz/ does at length: seeds with random changes, read and judged.
#include <gtest/gtest.h>

#include "base/random.h"
#include "fuzz/mutate.h"
#include "fuzz/round_trip.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

std::vector<std::string> with_random_graphs(std::vector<std::string> texts, Format format) {
  Random r(77);
  for (int i = 0; i < 20; ++i)
    texts.push_back(
        write_graph(kit::random_graph(r, {.max_variables = 6, .max_factors = 3}), format));
  return texts;
}

TEST(FormatsFuzz, Json) {
  fuzz::run_mutated(with_random_graphs(fuzz::seeds("json"), Format::json), 1, 3000,
                    [](const std::string& t) { return fuzz::round_trip(t, Format::json); });
}
TEST(FormatsFuzz, Lp) {
  fuzz::run_mutated(with_random_graphs(fuzz::seeds("lp"), Format::lp), 2, 3000,
                    [](const std::string& t) { return fuzz::round_trip(t, Format::lp); });
}
TEST(FormatsFuzz, Uai) {
  fuzz::run_mutated(with_random_graphs(fuzz::seeds("uai"), Format::uai), 3, 3000,
                    [](const std::string& t) { return fuzz::round_trip(t, Format::uai); });
}
TEST(FormatsFuzz, Wcsp) {
  fuzz::run_mutated(with_random_graphs(fuzz::seeds("wcsp"), Format::wcsp), 4, 3000,
                    [](const std::string& t) { return fuzz::round_trip(t, Format::wcsp); });
}
TEST(FormatsFuzz, Certificate) {
  const Graph graph = fuzz::certificate_graph();
  fuzz::run_mutated(fuzz::seeds("certificate"), 5, 3000,
                    [&](const std::string& t) { return fuzz::certificate_round_trip(graph, t); });
}

}  // namespace
}  // namespace entente
