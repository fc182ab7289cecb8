#include "tasks/translation/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"

namespace entente::translation {

namespace {

constexpr double kFar = 1e6;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Where the best candidate of a sentence changes along a line.
struct Change {
  double at;
  std::int32_t sentence, to;
};

// The upper envelope of the candidates' scores as lines in the step: its first
// candidate, and changes.
int envelope(const std::vector<PoolCandidate>& candidates, const std::vector<double>& weights,
             const std::vector<double>& direction, int sentence, std::vector<Change>& changes) {
  struct Line {
    double slope, height;
    int candidate;
  };
  std::vector<Line> lines;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    lines.push_back({dot(candidates[k].features, direction), dot(candidates[k].features, weights),
                     static_cast<int>(k)});
  }
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    if (a.slope != b.slope) return a.slope < b.slope;
    return a.height != b.height ? a.height > b.height : a.candidate < b.candidate;
  });
  std::vector<Line> hull;
  std::vector<double> from;  // where each line of the hull begins to be on top
  for (const Line& line : lines) {
    if (!hull.empty() && hull.back().slope == line.slope) continue;
    double begin = -std::numeric_limits<double>::infinity();
    while (!hull.empty()) {
      begin = (hull.back().height - line.height) / (line.slope - hull.back().slope);
      if (begin > from.back()) break;
      hull.pop_back();
      from.pop_back();
      begin = -std::numeric_limits<double>::infinity();
    }
    hull.push_back(line);
    from.push_back(begin);
  }
  for (std::size_t k = 1; k < hull.size(); ++k) {
    changes.push_back({from[k], sentence, hull[k].candidate});
  }
  return hull[0].candidate;
}

}  // namespace

double pool_bleu(const Pool& pool, const std::vector<double>& weights) {
  BleuCounts sum;
  for (const auto& candidates : pool) {
    const PoolCandidate* best = nullptr;
    double top = 0;
    for (const PoolCandidate& c : candidates) {
      const double score = dot(c.features, weights);
      if (!best || score > top) best = &c, top = score;
    }
    if (best) sum += best->counts;
  }
  return sum.bleu();
}

double best_step(const Pool& pool, const std::vector<double>& weights,
                 const std::vector<double>& direction, double least, double most, double& bleu) {
  std::vector<Change> changes;
  std::vector<std::int32_t> now(pool.size(), -1);
  BleuCounts sum;
  for (std::size_t s = 0; s < pool.size(); ++s) {
    if (pool[s].empty()) continue;
    now[s] = envelope(pool[s], weights, direction, static_cast<int>(s), changes);
    sum += pool[s][now[s]].counts;
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.at < b.at; });
  double best = -1, step = 0, from = -kFar;
  const auto look = [&](double to) {
    const double low = std::max(from, least), high = std::min(to, most);
    if (low > high) return;
    const double b = sum.bleu();
    // Of the interval its middle, or a little beyond its end where it has none.
    const double middle = low <= -kFar && high >= kFar ? 0
                          : low <= -kFar               ? high - 0.1
                          : high >= kFar               ? low + 0.1
                                                       : (low + high) / 2;
    if (b > best + 1e-9 || (b > best - 1e-9 && std::abs(middle) < std::abs(step))) {
      best = b;
      step = middle;
    }
  };
  for (const Change& c : changes) {
    look(c.at);
    sum -= pool[c.sentence][now[c.sentence]].counts;
    now[c.sentence] = c.to;
    sum += pool[c.sentence][c.to].counts;
    from = std::max(from, c.at);
  }
  look(kFar);
  bleu = best;
  return step;
}

std::vector<double> maximize_bleu(const Pool& pool, const std::vector<double>& start,
                                  const TuningOptions& options, double& bleu) {
  Random random(options.seed);
  std::vector<double> best = start;
  bleu = pool_bleu(pool, start);
  for (int restart = 0; restart <= options.restarts; ++restart) {
    std::vector<double> w = start;
    if (restart > 0) {
      for (double& x : w) x += random.normal(0, 0.5 * std::max(std::abs(x), 0.1));
      if (options.not_negative >= 0) w[options.not_negative] = std::abs(w[options.not_negative]);
    }
    double reached = pool_bleu(pool, w);
    for (bool gained = true; gained;) {
      gained = false;
      for (std::size_t d = 0; d < w.size() + options.directions; ++d) {
        std::vector<double> direction(w.size());
        if (d < w.size()) {
          direction[d] = 1;
        } else {
          for (double& x : direction) x = random.normal();
        }
        double least = -kFar, most = kFar;
        if (options.not_negative >= 0) {
          const double slope = direction[options.not_negative], at = w[options.not_negative];
          if (slope > 0) least = -at / slope;
          if (slope < 0) most = -at / slope;
        }
        double b = 0;
        const double step = best_step(pool, w, direction, least, most, b);
        if (b <= reached + 1e-3) continue;
        std::vector<double> moved = w;
        for (std::size_t k = 0; k < w.size(); ++k) moved[k] += step * direction[k];
        const double real = pool_bleu(pool, moved);  // ties may fall otherwise
        if (real <= reached + 1e-3) continue;
        w = std::move(moved);
        reached = real;
        gained = true;
      }
    }
    if (reached > bleu) {
      bleu = reached;
      best = w;
    }
  }
  // Only the direction matters: the largest weight is 1.
  double size = 0;
  for (const double x : best) size = std::max(size, std::abs(x));
  for (double& x : best) x /= size > 0 ? size : 1;
  return best;
}

}  // namespace entente::translation
