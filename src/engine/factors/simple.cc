// maximize for the shapes that need one look at each literal.
#include <algorithm>

#include "engine/factors/shapes.h"

namespace entente::factors {

namespace {

struct Candidates {
  int forced = 0;  // literals clamped to 1
  int best = -1;   // the best free literal, the first of equals
};

// Writes the clamped values to config and 0 elsewhere.
Candidates look(Scores scores, Clamp clamp, Config config) {
  Candidates c;
  const int n = static_cast<int>(config.size());
  if (clamp.empty()) {
    for (int l = 0; l < n; ++l) {
      config[l] = 0;
      if (c.best < 0 || scores[l] > scores[c.best]) c.best = l;
    }
    return c;
  }
  for (int l = 0; l < n; ++l) {
    config[l] = clamp[l] == 1;
    c.forced += clamp[l] == 1;
    if (clamp[l] < 0 && (c.best < 0 || scores[l] > scores[c.best])) c.best = l;
  }
  return c;
}

}  // namespace

bool maximize_exactly_one(Scores scores, Clamp clamp, Config config) {
  Candidates c = look(scores, clamp, config);
  if (c.forced == 0 && c.best >= 0) {
    config[c.best] = 1;
    return true;
  }
  return c.forced == 1;
}

bool maximize_at_most_one(Scores scores, Clamp clamp, Config config) {
  Candidates c = look(scores, clamp, config);
  if (c.forced == 0 && c.best >= 0 && scores[c.best] > 0) config[c.best] = 1;
  return c.forced <= 1;
}

bool maximize_at_least_one(Scores scores, Clamp clamp, Config config) {
  int best = -1;
  bool some = false;
  for (std::size_t l = 0; l < config.size(); ++l) {
    const int forced = clamp_of(clamp, l);
    config[l] = alone(scores[l], forced);
    some |= config[l] != 0;
    if (forced < 0 && (best < 0 || scores[l] > scores[best])) best = static_cast<int>(l);
  }
  if (some) return true;
  if (best < 0) return false;
  config[best] = 1;
  return true;
}

// Either all literals are 0, or the output is 1 and at least one of the others.
bool maximize_or_output(Scores scores, Clamp clamp, Config config) {
  if (config.empty()) return true;
  const std::size_t inputs = config.size() - 1;
  const int output = clamp_of(clamp, inputs);
  bool zero = output != 1;
  for (std::size_t l = 0; zero && l < inputs; ++l) zero = clamp_of(clamp, l) != 1;
  bool one = output != 0 && maximize_at_least_one(scores.first(inputs),
                                                  clamp.empty() ? clamp : clamp.first(inputs),
                                                  config.first(inputs));
  if (one) config[inputs] = 1;
  if (zero && (!one || dot(scores, config) <= 0)) std::fill(config.begin(), config.end(), 0);
  return zero || one;
}

bool maximize_equal(Scores scores, Clamp clamp, Config config) {
  bool zero = true, one = true;
  double both = 0;
  for (std::size_t l = 0; l < config.size(); ++l) {
    zero &= clamp_of(clamp, l) != 1;
    one &= clamp_of(clamp, l) != 0;
    both += scores[l];
  }
  std::fill(config.begin(), config.end(), one && (!zero || both > 0) ? 1 : 0);
  return zero || one;
}

}  // namespace entente::factors
