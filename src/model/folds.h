// Folds of a cross-validation.
//
//   check_folds(sentences.size(), folds, {.file = path});       // an Error if they are too few
//   std::vector<int> fold_of = assign_folds(texts, folds);      // what is the same goes into one fold
//
// Item i goes to fold i % folds, or to that of the first one that equals it. O(items); thread-safe.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "entente/error.h"

namespace entente {

void check_folds(std::size_t items, int folds, const Place& place = {});
std::vector<int> assign_folds(std::span<const std::string> items, int folds, bool together = true);

}  // namespace entente
