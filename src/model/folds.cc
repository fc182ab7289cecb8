#include "model/folds.h"

#include <string_view>
#include <unordered_map>

namespace entente {

void check_folds(std::size_t items, int folds, const Place& place) {
  if (items >= static_cast<std::size_t>(folds)) return;
  throw Error(
      std::to_string(items) + " sentences cannot be cut into " + std::to_string(folds) + " folds",
      place);
}

std::vector<int> assign_folds(std::span<const std::string> items, int folds, bool together) {
  std::unordered_map<std::string_view, int> first;
  std::vector<int> out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int fold = static_cast<int>(i % static_cast<std::size_t>(folds));
    out.push_back(together ? first.try_emplace(items[i], fold).first->second : fold);
  }
  return out;
}

}  // namespace entente
