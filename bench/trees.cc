#include "bench/trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/clock.h"
#include "tasks/dependency/decode.h"
#include "oracle/tree_parts_kit.h"

namespace entente::bench {

namespace {

using dependency::Method;

struct Row {
  int problems = 0, by_dual = 0, proven = 0;
  long iterations = 0, nodes = 0;
  double seconds = 0;
};

// Values of problems that an earlier method proved, NaN where none did.
bool same_as_before(double value, double& known) {
  if (std::isnan(known)) known = value;
  return std::fabs(value - known) <= 1e-6 * std::max(1.0, std::fabs(known));
}

Row run(const TreeBenchOptions& o, int length, Method method, std::vector<double>& known,
        bool& agree) {
  Row row;
  Random r(o.seed * 1000 + length);
  dependency::Decoder decoder;
  dependency::DecodeOptions options;
  options.projective = o.projective;
  options.method = method;
  row.problems = std::max(3, o.words / length);
  known.resize(row.problems, std::nan(""));
  for (int i = 0; i < row.problems; ++i) {
    const auto p = trees::kit::likely_problem(r, length, o.heads, o.noise);
    if (i == 0) decoder.decode(p.parts, p.scores, options);  // warm
    const double start = processor_seconds();
    const dependency::Decoded d = decoder.decode(p.parts, p.scores, options);
    row.seconds += processor_seconds() - start;
    row.iterations += d.iterations;
    row.nodes += d.nodes;
    row.by_dual += d.by_dual_alone;
    if (d.status != Status::optimal) continue;
    ++row.proven;
    agree = same_as_before(d.value, known[i]) && agree;
  }
  return row;
}

}  // namespace

int run_bench_trees(const TreeBenchOptions& o, std::FILE* out, std::vector<LengthTime>* times) {
  fmt::print(out, "{:>6} {:<12} {:>8} {:>9} {:>8} {:>8} {:>7} {:>12}\n", "words", "method",
             "problems", "by dual", "proven", "rounds", "nodes", "us a word");
  bool agree = true, all_proven = true;
  for (int length : o.lengths) {
    std::vector<double> known;
    for (Method method : {Method::exact, Method::subgradient, Method::ad3}) {
      static constexpr std::string_view kNames[] = {"exact", "subgradient", "ad3"};
      if (method != Method::exact && !o.engine) continue;
      const Row row = run(o, length, method, known, agree);
      const double n = row.problems;
      fmt::print(out, "{:>6} {:<12} {:>8} {:>8.1f}% {:>7.1f}% {:>8.1f} {:>7.2f} {:>12.1f}\n",
                 length, kNames[static_cast<int>(method)], row.problems, 100 * row.by_dual / n,
                 100 * row.proven / n, static_cast<double>(row.iterations) / n,
                 static_cast<double>(row.nodes) / n, 1e6 * row.seconds / n / length);
      if (method == Method::exact && times != nullptr) {
        times->push_back({.length = length, .milliseconds = 1e3 * row.seconds / n});
      }
      if (method == Method::exact) all_proven = all_proven && row.proven == row.problems;
    }
  }
  if (!agree) fmt::print(out, "proven values differ\n");
  return agree && all_proven ? 0 : 1;
}

}  // namespace entente::bench
