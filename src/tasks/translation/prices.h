// Prices of words that make the first, coarsest bound of exact decoding tight: Lagrangian relaxation of
// "every word is preceded by the word that stands before it" (Rush and Collins 2011).
//
//   SeamPrices prices = find_prices(scoring, lower, 100);
//   scoring.set_prices(&prices);
//
// Where the word before is not known, each word takes the best one that could stand there (for every node
// of the chart it is known which words may come last in it, and which may come before it), and prices make
// words taken too often dear and words taken too seldom cheap, until both counts agree as far as they can.
// Any prices give a bound; a subgradient method looks for those that make it small. Edges of the chart that
// no derivation above `lower` uses are dropped, which makes the sets smaller, and it starts again. Cost a
// round: one pass over the chart, and the sizes of the sets for every word that begins a rule.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tasks/translation/language_model.h"

namespace entente::translation {

class Scoring;

// Of one sentence, used by one thread: open() remembers what it computed.
class SeamPrices {
 public:
  // The words that may come before node v, or last in it, as sets.
  static std::uint32_t before(int node) { return 2 * static_cast<std::uint32_t>(node); }
  static std::uint32_t after(int node) { return 2 * static_cast<std::uint32_t>(node) + 1; }
  // What a word is worth, at most, after any of a set, prices included. In log10, as the model.
  float open(std::uint32_t set, WordHash word) const;
  // What it costs a word that the one after it is not known.
  float price(WordHash word) const { return price_.at(word); }
  // May this edge of the chart be in a derivation above `lower`?
  bool alive(int edge) const { return alive_[edge] != 0; }
  double bound() const { return bound_; }
  // False where some part may be empty, so that neighbours are not those of the rules.
  bool usable() const { return usable_; }

 private:
  friend class PriceSearch;
  struct Seam {
    std::uint32_t set;
    WordHash word;
    friend bool operator==(const Seam&, const Seam&) = default;
  };
  struct SeamHash {
    std::size_t operator()(const Seam& s) const {
      return static_cast<std::size_t>(s.word ^ (s.set * 0x9E3779B97F4A7C15ull));
    }
  };
  // What may stand before a word: the last words of some rule.
  struct Before {
    Context context;
    std::int32_t priced = 0;  // what its last word is called in the search for prices
    float price = 0;          // of that
  };

  const LanguageModel* lm_ = nullptr;
  std::vector<Before> befores_;
  std::vector<std::vector<std::int32_t>> sets_;  // numbers in befores_
  mutable std::unordered_map<Seam, float, SeamHash> open_;
  std::unordered_map<WordHash, float> price_;
  std::vector<std::uint8_t> alive_;
  double bound_ = 0;
  bool usable_ = true;
};

// `lower`: the score of some derivation.
SeamPrices find_prices(const Scoring& scoring, double lower, int rounds);

}  // namespace entente::translation
