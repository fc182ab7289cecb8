#include "learn/row_training.h"

#include <cstdio>
#include <filesystem>
#include <numeric>
#include <utility>

namespace entente {

std::vector<int> shuffled(std::size_t n, Random& random) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = n; i > 1; --i) {
    std::swap(order[i - 1], order[random.below(static_cast<int>(i))]);
  }
  return order;
}

int load_rows(const std::string& path, const std::string& task, std::uint64_t fingerprint,
              TrainingRows& rows) {
  if (path.empty() || !std::filesystem::exists(path)) return 0;
  const ModelFile file(path);
  file.expect(task, fingerprint);
  rows.load(file, "rows");
  const double epochs = file.number("epochs");
  if (!(epochs >= 0 && epochs <= 1e6)) file.fail("section \"epochs\" is damaged");
  return static_cast<int>(epochs);
}

void save_rows(const std::string& path, const std::string& task, std::uint64_t fingerprint,
               int epochs, const TrainingRows& rows) {
  if (path.empty()) return;
  ModelWriter writer(task, fingerprint);
  writer.add_number("epochs", epochs);
  rows.save(writer, "rows");
  writer.write(path);
}

std::string percent(std::int64_t part, std::int64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

}  // namespace entente
