#include "tasks/translation/decoder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/check.h"
#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/k_best.h"
#include "tasks/translation/prices.h"

namespace entente::translation {

namespace {

constexpr int kTries = 50;  // derivations looked at for each different string

// The best different strings of a forest.
std::vector<Translation> strings_of(const Scoring& scoring, const LmForest& forest, int wanted) {
  std::vector<Translation> out;
  std::set<std::vector<std::string>> seen;
  KBest list;
  list.start(forest.graph, forest.graph.score);
  Derivation edges;
  double value = 0;
  for (int tried = 0; tried < wanted * kTries && list.next(edges, value); ++tried) {
    const std::vector<std::int32_t> derivation = forest.chart_derivation(edges);
    std::vector<std::string> words = scoring.words_of(derivation);
    if (!seen.insert(words).second) continue;
    out.push_back(
        {std::move(words), scoring.score_of(derivation), scoring.features_of(derivation)});
    if (static_cast<int>(out.size()) == wanted) break;
  }
  return out;
}

// Keeps what an attempt found. True if nothing is left to be done.
bool take(const Scoring& scoring, const DecodeOptions& options, ExactResult& r,
          const LmForest& forest, Decoded& out) {
  const bool one = options.k_best <= 1;
  out.stages = r.stages;
  out.edges += r.edges;
  out.bound = std::min(out.bound, r.bound);
  out.proven = r.complete;
  if (!r.derivation.empty() && r.value > out.best[0].score) {
    out.best.insert(out.best.begin(),
                    {scoring.words_of(r.derivation), r.value, scoring.features_of(r.derivation)});
    if (static_cast<int>(out.best.size()) > options.k_best) out.best.pop_back();
  }
  if (r.complete && !one) out.best = strings_of(scoring, forest, options.k_best);
  if (r.complete && options.certificate) out.forest = forest.graph;
  return r.complete || (options.stop && options.stop());
}

void search_exactly(Scoring& scoring, const DecodeOptions& options, Decoded& out) {
  LmForest forest;
  const bool one = options.k_best <= 1;
  cube_prune(scoring, options.first_beam, forest);
  out.best = strings_of(scoring, forest, options.k_best);
  out.bound = std::numeric_limits<double>::infinity();
  // Most sentences need no prices.
  ExactResult r = decode_exact(scoring, {options.easy_edges, false, options.stop},
                               out.best.back().score, one, forest);
  if (!take(scoring, options, r, forest, out)) {
    // A better start makes smaller forests, too.
    cube_prune(scoring, std::max(options.beam, options.hard_beam), forest);
    std::vector<Translation> start = strings_of(scoring, forest, options.k_best);
    if (start.back().score >= out.best.back().score) out.best = std::move(start);
    scoring.localize();
    const SeamPrices prices = find_prices(scoring, out.best.back().score, options.price_rounds);
    if (prices.usable()) {
      scoring.set_prices(&prices);
      out.bound = std::min(out.bound, std::max(prices.bound(), out.best.back().score));
    }
    r = decode_exact(scoring, {options.edges, true, options.stop}, out.best.back().score, one,
                     forest);
    take(scoring, options, r, forest, out);
    scoring.set_prices(nullptr);
  }
  out.bound = std::max(out.bound, out.best[0].score);
}

}  // namespace

ForestCertificate certify(const Decoded& decoded, ForestProblem& problem) {
  problem.clear();
  Hypergraph& h = problem.forests.emplace_back().graph;
  const double value = problem.floor = decoded.best[0].score;
  h = decoded.forest;
  ENTENTE_CHECK(decoded.proven);               // else the floor would be no true premise
  if (h.nodes() == 0) h.finish(h.add_node());  // nothing to translate
  BestPass pass;
  Derivation best;
  // The forest's best is the translation itself, as a rule; else that was in hand before.
  const double top = pass.run(h, h.score);
  if (std::abs(top - value) <= 1e-9 * std::max(1.0, std::abs(value))) pass.derivation(h, best);
  return prove_best(problem, std::move(best));
}

Decoded Decoder::decode(const std::vector<std::string>& words, const DecodeOptions& options) const {
  Decoded out;
  if (words.empty()) {
    out.best.push_back({{}, 0, std::vector<double>(scorer_.names().size())});
    out.proven = true;
    return out;
  }
  Chart chart;
  build_chart(scorer_.grammar(), words, {options.longest}, chart);
  Scoring scoring(scorer_, chart);
  if (options.method == Method::kExact) {
    search_exactly(scoring, options, out);
  } else {
    LmForest forest;
    cube_prune(scoring, options.beam, forest);
    out.best = strings_of(scoring, forest, options.k_best);
  }
  return out;
}

}  // namespace entente::translation
