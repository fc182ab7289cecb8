#include "tasks/alignment/cooccurrence.h"

#include <limits>

#include "entente/error.h"

namespace entente::alignment {

Cooccurrence::Cooccurrence(const Bitext& text) {
  const int pairs = text.size(), rows = text.vocabulary(0).size();
  begins_.resize(static_cast<std::size_t>(pairs) + 1);
  for (int p = 0; p < pairs; ++p) {
    begins_[p + 1] = begins_[p] + static_cast<std::size_t>(text.length(0, p)) * text.length(1, p);
  }
  cells_.resize(begins_[pairs]);

  // Where each word of side 0 stands: (pair, place), word after word.
  struct Where {
    std::int32_t pair, place;
  };
  std::vector<std::size_t> first(static_cast<std::size_t>(rows) + 1);
  for (std::int32_t w : text.all_words(0)) ++first[w + 1];
  for (int w = 0; w < rows; ++w) first[w + 1] += first[w];
  std::vector<Where> where(text.all_words(0).size());
  {
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (int p = 0; p < pairs; ++p) {
      const auto words = text.words(0, p);
      for (int i = 0; i < static_cast<int>(words.size()); ++i) where[next[words[i]]++] = {p, i};
    }
  }

  rows_.assign(static_cast<std::size_t>(rows) + 1, 0);
  std::vector<std::int32_t> seen(text.vocabulary(1).size(), -1);
  std::vector<std::uint32_t> entry(text.vocabulary(1).size());
  for (int w = 0; w < rows; ++w) {
    for (std::size_t k = first[w]; k < first[w + 1]; ++k) {
      const auto others = text.words(1, where[k].pair);
      std::uint32_t* cell = &cells_[begins_[where[k].pair] + where[k].place * others.size()];
      for (const std::int32_t other : others) {
        if (seen[other] != w) {
          seen[other] = w;
          if (columns_.size() == std::numeric_limits<std::uint32_t>::max()) {
            throw Error("the texts have more than 4,294,967,295 different pairs of words");
          }
          entry[other] = static_cast<std::uint32_t>(columns_.size());
          columns_.push_back(static_cast<std::uint32_t>(other));
        }
        *cell++ = entry[other];
      }
    }
    rows_[w + 1] = static_cast<std::uint32_t>(columns_.size());
  }
}

}  // namespace entente::alignment
