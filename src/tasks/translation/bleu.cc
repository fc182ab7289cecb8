#include "tasks/translation/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace entente::translation {

BleuCounts& BleuCounts::operator+=(const BleuCounts& o) {
  for (int n = 0; n < 4; ++n) {
    matched[n] += o.matched[n];
    made[n] += o.made[n];
  }
  length += o.length;
  reference += o.reference;
  return *this;
}

BleuCounts& BleuCounts::operator-=(const BleuCounts& o) {
  for (int n = 0; n < 4; ++n) {
    matched[n] -= o.matched[n];
    made[n] -= o.made[n];
  }
  length -= o.length;
  reference -= o.reference;
  return *this;
}

double BleuCounts::precision(int n) const {
  return made[n - 1] > 0 ? static_cast<double>(matched[n - 1]) / static_cast<double>(made[n - 1])
                         : 0;
}

double BleuCounts::brevity() const {
  if (length == 0) return 0;
  return length < reference
             ? std::exp(1 - static_cast<double>(reference) / static_cast<double>(length))
             : 1;
}

double BleuCounts::bleu() const {
  double sum = 0;
  for (int n = 1; n <= 4; ++n) {
    if (precision(n) <= 0) return 0;
    sum += std::log(precision(n));
  }
  return 100 * brevity() * std::exp(sum / 4);
}

BleuCounts bleu_counts(const std::vector<std::string>& hypothesis,
                       const std::vector<std::vector<std::string>>& references) {
  using Grams = std::map<std::vector<std::string>, std::int64_t>;
  const auto count = [](const std::vector<std::string>& words, int n) {
    Grams grams;
    for (std::size_t k = 0; k + n <= words.size(); ++k) {
      ++grams[{words.begin() + k, words.begin() + k + n}];
    }
    return grams;
  };
  BleuCounts out;
  out.length = static_cast<std::int64_t>(hypothesis.size());
  std::int64_t nearest = -1;
  for (const auto& reference : references) {
    const auto size = static_cast<std::int64_t>(reference.size());
    const std::int64_t apart = std::abs(size - out.length);
    if (nearest < 0 || apart < nearest || (apart == nearest && size < out.reference)) {
      nearest = apart;
      out.reference = size;
    }
  }
  for (int n = 1; n <= 4; ++n) {
    Grams most;
    for (const auto& reference : references) {
      for (const auto& [gram, times] : count(reference, n)) {
        most[gram] = std::max(most[gram], times);
      }
    }
    for (const auto& [gram, times] : count(hypothesis, n)) {
      out.made[n - 1] += times;
      const auto at = most.find(gram);
      if (at != most.end()) out.matched[n - 1] += std::min(times, at->second);
    }
  }
  return out;
}

}  // namespace entente::translation
