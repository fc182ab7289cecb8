// Classes of words from what stands beside them in raw text: the exchange algorithm.
//
//   Bigrams bigrams = count_bigrams(tokens, words);        // tokens: numbers of words, 0 at
//   borders std::vector<std::uint16_t> of = exchange(bigrams, {.classes = 600}, monitor);
//
// A class model says P(w | v) = P(class of w | class of v) P(w | class of w). Its likelihood, up to
// what no assignment changes, is
//   sum over pairs of classes of n log n, less twice the sum over classes of n log n.
// Each word in turn is taken out of its class and put where that sum is largest, until a whole pass
// moves few words. Words start in the order of their numbers, which should be by falling frequency:
// the first get a class each, the others share them in turn.
//
// Cost of a pass: for each word, its different neighbours' classes times all classes; 50,000 words
// of 10 million take some 10 s with 600 classes. Memory: O(bigrams + classes^2). Deterministic.
// Papers: Kneser and Ney 1993; Martin, Liermann and Ney, "Algorithms for bigram and trigram word
// clustering", 1998; Brown et al. 1992 for the objective.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"

namespace entente::clusters {

struct Neighbour {
  std::int32_t word, count;
};

// Word 0 is the border of a sentence.
struct Bigrams {
  int words = 0;
  std::vector<std::int64_t> counts;                    // of a word as the left one of a pair
  std::vector<std::int64_t> counts_right;              // and as the right one
  std::vector<std::size_t> first_after, first_before;  // words + 1
  std::vector<Neighbour> after, before;
};

// tokens: sentences one after the other, each followed by a 0, and a 0 before the first.
Bigrams count_bigrams(std::span<const std::int32_t> tokens, int words);

struct ExchangeOptions {
  int classes = 600;  // that of the border, 0, included
  int passes = 12;
};

// Returns the class of each word. Fewer passes if the monitor stops it.
std::vector<std::uint16_t> exchange(const Bigrams& bigrams, const ExchangeOptions& options,
                                    Monitor& monitor);

// The objective, from nothing: for tests and reports.
double class_likelihood(const Bigrams& bigrams, std::span<const std::uint16_t> classes, int count);

}  // namespace entente::clusters
