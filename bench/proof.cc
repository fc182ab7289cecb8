#include "bench/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "bench/families.h"
#include "entente/formats.h"
#include "entente/solve.h"
#include "entente/verify.h"

namespace entente::bench {

namespace {

struct Tally {
  int problems = 0, variables = 0;  // most of one problem
  int refused = 0, differ = 0, incomplete = 0, open = 0;
  double plain = 0, proved = 0, write = 0, verify = 0;  // seconds, of problems that were finished
  double spent = 0;                                     // on all of them
  double worst = 0;                                     // ratio of a problem above 1 ms
  double bytes = 0;                                     // of all proofs
  double per_link_leaf = 0;                             // the most of a problem
  std::size_t text = 0;
  std::string reason;  // of the last that was refused
};

class ProofBench {
 public:
  explicit ProofBench(const ProofBenchOptions& o) {
    plain_.time_limit = proving_.time_limit = o.time_limit;
    proving_.certificate = true;
  }

  void add(const Graph& g, Tally& t) {
    // Short ones are repeated: the best run of each counts, in turns.
    double plain = 1e9, proved = 1e9, spent = 0;
    for (int round = 0; round < 20 && (round == 0 || spent < 0.02); ++round) {
      plain = std::min(plain, timed(g, plain_, solution_));
      proved = std::min(proved, timed(g, proving_, certified_));
      spent += plain + proved;
    }
    ++t.problems;
    t.spent += plain + proved;
    t.variables = std::max(t.variables, g.variable_count());
    const auto done = [](const Solution& x) {
      return x.status == Status::optimal || x.status == Status::infeasible;
    };
    if (!done(solution_) || !done(certified_)) {  // stopped by the clock, where two runs may differ
      ++t.open;
      return;
    }
    t.plain += plain;
    t.proved += proved;
    if (plain > 1e-3) t.worst = std::max(t.worst, proved / plain);
    const Proof& proof = certified_.certificate.proof;
    t.differ +=
        solution_.value != certified_.value && !(std::abs(solution_.value - certified_.value) <=
                                                 1e-6 * std::max(1.0, std::abs(solution_.value)));
    t.bytes += static_cast<double>(proof.bytes());
    const double size =
        std::max(1.0, static_cast<double>(g.link_count())) * std::max(1, proof.leaves);
    t.per_link_leaf = std::max(t.per_link_leaf, static_cast<double>(proof.bytes()) / size);
    if (!proof.complete) {
      ++t.incomplete;
      return;
    }
    check(g, t);
  }

 private:
  double timed(const Graph& g, const Options& o, Solution& out) {
    const double start = processor_seconds();
    solve(g, o, workspace_, out);
    return std::max(1e-8, processor_seconds() - start);
  }
  void check(const Graph& g, Tally& t) {
    double start = processor_seconds();
    const Verdict v = verify(g, certified_.certificate);
    t.verify += processor_seconds() - start;
    t.refused += !v.optimal;
    if (!v.optimal) t.reason = fmt::format("problem {}: {}", t.problems - 1, v.reason);
    constexpr std::size_t kMostBytes = std::size_t{1} << 27;  // of numbers; as text several times
    if (certified_.certificate.proof.bytes() > kMostBytes) return;
    start = processor_seconds();
    t.text += write_certificate(g, certified_.certificate).size();
    t.write += processor_seconds() - start;
  }

  Options plain_, proving_;
  Workspace workspace_;
  Solution solution_, certified_;
};

}  // namespace

int run_bench_proof(const ProofBenchOptions& o, std::FILE* out) {
  std::vector<std::string> names = o.families;
  if (names.empty()) names.assign(family_names().begin(), family_names().end());
  fmt::print(out, "{:<16}{:>9}{:>10}{:>12}{:>12}{:>7}{:>7}{:>10}{:>14}{:>10}{:>10}{:>12}\n",
             "family", "problems", "variables", "plain us", "proof us", "ratio", "worst", "kB each",
             "bytes a leaf", "write us", "verify us", "incomplete");
  int wrong = 0;
  double ratio = 0, bytes = 0;
  for (const std::string& name : names) {
    const Family family = make_family(name, o.seed, o.scale);
    ProofBench bench(o);
    Tally t;
    Graph g;
    for (const Raw& raw : family.problems) {
      build(raw, g);
      bench.add(g, t);
      std::fflush(out);
      if (t.spent > o.budget) break;
    }
    const double n = std::max(1, t.problems - t.open);
    fmt::print(out,
               "{:<16}{:>9}{:>10}{:>12.1f}{:>12.1f}{:>7.2f}{:>7.2f}{:>10.1f}{:>14.1f}{:>10.0f}{:>"
               "10.0f}{:>12}"
               "{}\n",
               name, t.problems, t.variables, 1e6 * t.plain / n, 1e6 * t.proved / n,
               t.plain > 0 ? t.proved / t.plain : 0.0, t.worst, 1e-3 * t.bytes / n, t.per_link_leaf,
               1e6 * t.write / n, 1e6 * t.verify / n, t.incomplete,
               t.refused + t.differ > 0
                   ? fmt::format("  {} REFUSED, {} DIFFER: {}", t.refused, t.differ, t.reason)
               : t.open > 0 ? fmt::format("  {} stopped by the clock", t.open)
                            : "");
    wrong += t.refused + t.differ;
    if (t.plain > 0) ratio = std::max(ratio, t.proved / t.plain);
    bytes = std::max(bytes, t.per_link_leaf);
  }
  fmt::print(out,
             "required: a certificate in memory takes at most 3 times the plain time: {:.3g}  {}\n",
             ratio, ratio <= 3 ? "ok" : "MISSED");
  fmt::print(out, "required: at most 30 bytes a link and leaf: {:.3g}  {}\n", bytes,
             bytes <= 30 ? "ok" : "MISSED");
  fmt::print(out, "required: certificates refused, answers that differ: {}  {}\n", wrong,
             wrong == 0 ? "ok" : "MISSED");
  return wrong == 0 ? 0 : 1;
}

}  // namespace entente::bench
