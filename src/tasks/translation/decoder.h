// Translates sentences: cube pruning, or exactly.
//
//   Decoder decoder(scorer);                              // immutable: one may
//   serve many threads Decoded d = decoder.decode(words, {.method =
//   Method::kExact, .k_best = 10}); d.best[0].words, d.best[0].score, d.proven,
//   d.bound
//
// Exact decoding starts from cube pruning's answer, and never returns less.
// k-best lists hold different word strings, each with its best derivation;
// exactly, they are the true ones.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/proof/forests.h"
#include "tasks/translation/cube.h"
#include "tasks/translation/exact.h"
#include "tasks/translation/lm_forest.h"

namespace entente::translation {

enum class Method { kExact, kCube };

struct DecodeOptions {
  Method method = Method::kExact;
  int beam = 200;       // of cube pruning
  int first_beam = 50;   // that exact decoding starts from
  int hard_beam = 1000;  // and where that start does not do
  int k_best = 1;
  int longest = 10;                  // words a rule may cover
  std::int64_t easy_edges = 30'000;  // exact: in the largest forest, without prices
  std::int64_t edges = 20'000'000;   // with prices; about 35 bytes each
  int price_rounds = 200;
  bool certificate = false;  // exact: keep the last forest, for the proof
  std::function<bool()> stop = {};
};

struct Translation {
  std::vector<std::string> words;
  double score = 0;
  std::vector<double> features;  // in Scorer::names() order
};

struct Decoded {
  std::vector<Translation> best;
  double bound = 0;     // exact: no translation scores more
  bool proven = false;  // exact: best[0] is the best
  int stages = 0;
  std::int64_t edges = 0;
  Hypergraph forest;  // with DecodeOptions::certificate, if proven: what was left in the end
};

// The proof of what was decoded and proven with DecodeOptions::certificate: nothing in the last forest is worth
// more than the translation, and (a premise, docs/certificates.md) nothing outside of it is, either.
ForestCertificate certify(const Decoded& decoded, ForestProblem& problem);

class Decoder {
 public:
  explicit Decoder(const Scorer& scorer) : scorer_(scorer) {}
  Decoded decode(const std::vector<std::string>& words, const DecodeOptions& options) const;

 private:
  const Scorer& scorer_;
};

}  // namespace entente::translation
