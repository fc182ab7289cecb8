#include <algorithm>
#include <map>
#include <utility>

#include "tasks/alignment/expectation.h"

namespace entente::alignment {

double fitted_tension(const Bitext& text, int d, double tension, double seen) {
  std::map<std::pair<int, int>, std::int64_t> lengths;
  for (int p = 0; p < text.size(); ++p) {
    if (text.length(d, p) > 0 && text.length(1 - d, p) > 0) {
      ++lengths[{text.length(d, p), text.length(1 - d, p)}];
    }
  }
  const auto words = static_cast<double>(text.all_words(1 - d).size());
  std::vector<float> weights;
  for (int step = 0; step < 8; ++step) {
    double expected = 0;
    for (const auto& [size, times] : lengths) {
      double sum = 0;
      for (int j = 0; j < size.second; ++j) {
        sum += diagonal_weights(size.first, j, size.second, tension, weights);
      }
      expected += sum * static_cast<double>(times);
    }
    tension = std::clamp(tension + 20 * (expected - seen) / words, 0.1, 14.0);
  }
  return tension;
}

std::vector<std::int32_t> diagonal_best(const Bitext& text, const Trained& trained,
                                        const TrainingSettings& settings, int direction, int pair) {
  const auto targets = text.words(1 - direction, pair);
  std::vector<std::int32_t> places(targets.size(), -1);
  ExpectationWork work({1, 1});
  if (!expect(text, trained, settings, Stage::kDiagonal, pair, work)) return places;
  const int n = text.length(direction, pair);
  for (std::size_t j = 0; j < targets.size(); ++j) {
    float best = work.null_posterior[direction][j];
    for (int i = 0; i < n; ++i) {
      const float p = work.posterior[direction][j * n + i];
      if (p > best) best = p, places[j] = i;
    }
  }
  return places;
}

}  // namespace entente::alignment
