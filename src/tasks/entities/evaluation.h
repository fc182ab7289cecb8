// How well entities are found in raw text: an entity is right if its first and last character and its
// type are those of a gold one.
//
//   evaluate_entities(request);     // `entente evaluate entities gold.tsv`, or --cv 5 train.tsv
//
// Counts are summed over sentences (micro-average); the type "Other" is told, but not in the sum. In a
// cross-validation sentence i is in fold i % folds, one that repeats another's text in that one's;
// extra sentences teach, but for those whose text stands in the fold that is measured.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/task.h"
#include "tasks/entities/examples.h"

namespace entente::entities {

struct Count {
  std::int64_t gold = 0, found = 0, right = 0;

  double precision() const { return share(right, found); }
  double recall() const { return share(right, gold); }
  double f1() const { return share(2 * right, gold + found); }
  Count& operator+=(const Count& o);
  static double share(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
  }
};

class Tally {
 public:
  void add(std::span<const TextEntity> gold, std::span<const TextEntity> found);
  const std::map<std::string, Count>& types() const { return types_; }
  Tally& operator+=(const Tally& o);
  Count typed() const;  // all but "Other"

 private:
  std::map<std::string, Count> types_;
};

void evaluate_entities(const EvaluateRequest& request);

}  // namespace entente::entities
