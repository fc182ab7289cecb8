// BLEU as multi-bleu counts it: clipped n-grams up to four over the corpus,
// several references, the reference length nearest to each sentence's (the
// shorter of two).
//
//   BleuCounts total;
//   total += bleu_counts(hypothesis, references);
//   total.bleu();                                      // 0 to 100
//
// Paper: Papineni et al. 2002. No smoothing, no tokenisation: words are what
// stands between spaces.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace entente::translation {

struct BleuCounts {
  std::array<std::int64_t, 4> matched{}, made{};
  std::int64_t length = 0, reference = 0;

  BleuCounts& operator+=(const BleuCounts& o);
  BleuCounts& operator-=(const BleuCounts& o);
  double precision(int n) const;  // of n-grams, 0 to 1
  double brevity() const;
  double bleu() const;
};

BleuCounts bleu_counts(const std::vector<std::string>& hypothesis,
                       const std::vector<std::vector<std::string>>& references);

}  // namespace entente::translation
