// What each shape's file offers to the dispatchers in factor.cc, project.cc and max_marginals.cc;
// private to this folder. All of it speaks of hard rules: soft ones are made of hard ones by the
// dispatchers.
//
//   bool any = maximize_disjoint(factor, scores, clamp, config, scratch);   // writes config
//
// The maximize_* return false if the clamped factor allows nothing; config is then undefined.
// Cost: as factor.h says. Thread-safe with one scratch a thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "engine/factors/factor.h"

namespace entente::factors {

using Scores = std::span<const double>;
using Clamp = std::span<const std::int8_t>;
using Config = std::span<std::uint8_t>;

inline int clamp_of(Clamp clamp, std::size_t l) { return clamp.empty() ? -1 : clamp[l]; }

// The value 0 or 1 that a literal takes when nothing but its clamp binds it.
inline std::uint8_t alone(double score, int clamp) {
  return clamp < 0 ? (score > 0 ? 1 : 0) : static_cast<std::uint8_t>(clamp);
}

inline double dot(Scores scores, std::span<const std::uint8_t> config) {
  double total = 0;
  for (std::size_t l = 0; l < config.size(); ++l) total += config[l] ? scores[l] : 0.0;
  return total;
}

// Bounds of a row with the slack that keeps rounded sums from breaking rules; the same everywhere.
inline double slack(double bound) {
  return std::isfinite(bound) ? 1e-9 * (1 + std::fabs(bound)) : 0;
}
inline double loose_lower(const FactorView& f) { return f.lower - slack(f.lower); }
inline double loose_upper(const FactorView& f) { return f.upper + slack(f.upper); }

// How many literals may be true: the integers of [lower, upper] that k literals can reach. Empty if
// lo > hi.
struct CountRange {
  int lo, hi;
};
CountRange count_range(const FactorView& factor);

bool maximize_exactly_one(Scores scores, Clamp clamp, Config config);
bool maximize_at_most_one(Scores scores, Clamp clamp, Config config);
bool maximize_at_least_one(Scores scores, Clamp clamp, Config config);
bool maximize_or_output(Scores scores, Clamp clamp, Config config);
bool maximize_equal(Scores scores, Clamp clamp, Config config);
bool maximize_count(const FactorView& f, Scores scores, Clamp clamp, Config config,
                    FactorScratch& s);
bool maximize_linear(const FactorView& f, Scores scores, Clamp clamp, Config config,
                     FactorScratch& s);
bool maximize_table(const FactorView& f, Scores scores, Clamp clamp, Config config,
                    FactorScratch& s);
bool maximize_disjoint(const FactorView& f, Scores scores, Clamp clamp, Config config,
                       FactorScratch& s);
bool maximize_structured(const FactorView& f, Scores scores, Clamp clamp, Config config,
                         FactorScratch& s);

// maximize without the soft rule: any shape.
bool maximize_hard(const FactorView& f, Scores scores, Clamp clamp, Config config,
                   FactorScratch& s);

bool allowed_disjoint(const FactorView& f, std::span<const std::uint8_t> config);
// The score of a table's configuration; -infinity if a one-hot axis has not exactly one literal.
double table_score(const FactorView& f, std::span<const std::uint8_t> config);

// ---- projections (project.cc, project_row.cc). y: targets, z: where the answer goes; y and z may
// be one. Nearest point with z >= 0 that sums to 1 (y is not empty).
void project_simplex(Scores y, std::span<double> z);
// Nearest point of [0,1]^k with lower <= c.z <= upper, which must exist up to rounding. c empty:
// all ones. With a finite `price` the row may be broken at that price a unit: the point that
// minimises 1/2 |z - y|^2 + price * (how far c.z lies outside).
void project_row(Scores y, Scores c, double lower, double upper, double price, std::span<double> z,
                 FactorScratch& s);

// Max-marginals of hard shapes.
void marginals_table(const FactorView& f, Scores scores, Clamp clamp, std::span<double> zero,
                     std::span<double> one, FactorScratch& s);
// False if the factor has no way of its own.
bool marginals_structured(const FactorView& f, Scores scores, Clamp clamp, std::span<double> zero,
                          std::span<double> one, FactorScratch& s);
void marginals_disjoint(const FactorView& f, Scores scores, Clamp clamp, std::span<double> zero,
                        std::span<double> one, FactorScratch& s);

}  // namespace entente::factors
