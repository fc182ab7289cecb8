#include "tasks/clusters/trainer.h"

#include <fmt/format.h>

#include "tasks/clusters/exchange.h"

namespace entente::clusters {

std::vector<WordClass> make_classes(const RawText& text, const ClusterSettings& settings,
                                    Monitor& monitor) {
  const Numbered numbered = text.number(static_cast<std::size_t>(settings.words));
  monitor.say(fmt::format("clusters: {} words of text, {} different ones kept", text.size(),
                          numbered.words.size() - 2));
  const int words = static_cast<int>(numbered.words.size());
  const Bigrams bigrams = count_bigrams(numbered.tokens, words);
  std::vector<std::vector<std::uint16_t>> levels;
  for (int classes : {settings.coarse, settings.middle, settings.fine}) {
    levels.push_back(exchange(bigrams, {.classes = classes, .passes = settings.passes}, monitor));
    if (monitor.stopped()) return {};
    monitor.say(fmt::format("clusters: {} classes, log-likelihood {:.5g}", classes,
                            class_likelihood(bigrams, levels.back(), classes)));
  }
  std::vector<std::pair<std::uint64_t, WordClass>> entries;
  for (int w = 2; w < words; ++w) {
    WordClass c;
    // Words without text of their own (only seen tagged) have no company to be judged by.
    if (bigrams.counts[w] > 0) {
      c.coarse = static_cast<std::uint8_t>(levels[0][w]);
      c.middle = static_cast<std::uint8_t>(levels[1][w]);
      c.fine = levels[2][w];
    }
    c.tags = numbered.tags[w];
    entries.emplace_back(word_class_key(numbered.words[w]), c);
  }
  return make_flat_table<WordClass>(entries);
}

}  // namespace entente::clusters
