#include "tasks/clusters/trainer.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "tasks/clusters/exchange.h"

namespace entente::clusters {

WordTables make_classes(const RawText& text, const names::Dictionary& lists,
                        const std::map<std::string, names::Topics>& topics,
                        const ClusterSettings& settings, Monitor& monitor) {
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
  const auto class_of = [&](int w) {
    WordClass c;
    // Words without text of their own (only seen tagged) have no company to be judged by.
    if (bigrams.counts[w] > 0) {
      c.coarse = static_cast<std::uint8_t>(levels[0][w]);
      c.middle = static_cast<std::uint8_t>(levels[1][w]);
      c.fine = levels[2][w];
    }
    return c;
  };
  std::vector<std::pair<std::uint64_t, WordClass>> classes;
  std::map<std::string, WordMeaning> meanings;
  std::unordered_set<std::string_view> known;
  for (const auto& [word, t] : topics) {
    meanings[word].nouns = t.nouns;
    meanings[word].verbs = t.verbs;
  }
  for (int w = 2; w < words; ++w) {
    const std::string& word = numbered.words[w];
    WordClass c = class_of(w);
    c.tags = numbered.tags[w];
    const auto listed = lists.find(word);
    if (listed != lists.end()) c.lists = listed->second;
    classes.emplace_back(word_class_key(word), c);
    known.insert(word);
    if (c.fine == 0) continue;
    WordMeaning& m = meanings[word];
    m.fine = c.fine;
    m.middle = c.middle;
  }
  for (const auto& [word, bits] : lists) {
    WordClass c;
    c.lists = bits;
    if (!known.contains(word)) classes.emplace_back(word_class_key(word), c);
  }
  std::vector<std::pair<std::uint64_t, WordMeaning>> meaning_entries;
  for (const auto& [word, m] : meanings) {
    meaning_entries.emplace_back(word_meaning_key(word_meaning_hash(word)), m);
  }
  return {make_flat_table<WordClass>(classes), make_flat_table<WordMeaning>(meaning_entries)};
}

}  // namespace entente::clusters
