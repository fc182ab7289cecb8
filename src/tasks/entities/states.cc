#include "tasks/entities/states.h"

#include <algorithm>

namespace entente::entities {

void States::write_path(std::span<const TypedSpan> spans, std::span<std::int32_t> path) const {
  std::fill(path.begin(), path.end(), kOutside);
  for (const TypedSpan& s : spans) {
    const auto words = path.subspan(static_cast<std::size_t>(s.words.begin),
                                    static_cast<std::size_t>(s.words.size()));
    if (std::any_of(words.begin(), words.end(), [](std::int32_t x) { return x != kOutside; })) {
      continue;
    }
    if (words.size() == 1) {
      words[0] = of(s.type, kSingle);
      continue;
    }
    std::fill(words.begin(), words.end(), of(s.type, kWithin));
    words.front() = of(s.type, kFirst);
    words.back() = of(s.type, kLast);
  }
}

std::vector<TypedSpan> States::spans(std::span<const std::int32_t> path) const {
  std::vector<TypedSpan> out;
  int begin = 0;
  for (int i = 0; i < static_cast<int>(path.size()); ++i) {
    const int state = path[static_cast<std::size_t>(i)];
    if (state == kOutside) continue;
    if (may_begin(state)) begin = i;
    if (may_end(state)) out.push_back({{begin, i + 1}, type_of(state)});
  }
  return out;
}

}  // namespace entente::entities
