// Which lexical units words may stand for: the lexicon's lexemes, and what training sentences call
// by a unit's name, found by hashes of words.
//
//   LexicalUnitsBuilder builder(lexicon);
//   for (const Sentence& s : train) builder.add(s);
//   LexicalUnitsData data = builder.build();
//   data.write(writer);                                        // sections "frames/units/..."
//
//   LexicalUnits units(file);                                  // where they lie; or data.view()
//   units.find(facts, target, matches);                        // of these words: never throws
//   units.each_group(facts, [&](std::span<const int> words) {...});   // groups that may be targets
//
// Groups of several words are found in any inflection, and also apart ("take it off") where the
// lexical unit is a verb and one of the words depends on the other. A unit of several words is
// also known by its chief one ("according", of "according to"), a word in digits as "#". Cost: a
// few lookups a word. Reading is thread-safe and does not touch the heap once warm.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "learn/flat_table.h"
#include "learn/hash.h"
#include "learn/model_file.h"
#include "tasks/frames/facts.h"

namespace entente::frames {

// How words came to stand for a lexical unit.
enum class Source : std::uint8_t {
  lexicon,   // all its lexemes
  training,  // so annotated
  part,      // the chief lexeme of several
  // Of words that the table does not know:
  neighbour,  // a lexeme that begins as the word does
  frequent,   // the frame is frequent for the part of speech
};
// Which writing of the words was looked up.
enum class Reading : std::uint8_t { lemma, form, stem, one_word };

struct UnitLink {
  std::uint32_t unit : 20 = 0;  // of the lexicon
  std::uint32_t pos : 4 = 0;    // of the unit: see unit_pos()
  std::uint32_t source : 2 = 0;
  std::uint32_t rest : 6 = 0;  // said to be zero, since the bytes go into model files
  std::uint32_t frame = 0;
};

struct Match {
  int unit = -1, frame = -1, pos = 0;
  Source source = Source::lexicon;
  Reading reading = Reading::lemma;
};

// Of a group's words, whatever their order ("is there", "there is").
std::uint64_t group_key(std::span<const std::uint32_t> words);
int unit_pos(std::string_view name);  // of ".v", ".n", ...; 0 is any other
bool agrees(int unit_pos, Pos pos);   // a verb with .v, a noun with .n

class LexicalUnits {
 public:
  struct Entry {
    std::uint32_t check = 0, first = 0, count = 0;
  };
  // A unit of several words: its lexemes, and whether words may stand between them.
  struct Pattern {
    std::uint32_t first = 0;
    std::uint16_t count = 0, may_part = 0;
  };
  static constexpr int kLongest = 6;  // words of a group
  static constexpr int kReach = 8;    // words from the first to the last, both included

  LexicalUnits() = default;
  // Error if the sections do not fit together, or with the lexicon.
  LexicalUnits(const ModelFile& file, std::size_t units, std::size_t frames);

  // Replaces `matches`: each unit once, in the order they were found. May be empty.
  void find(std::span<const WordFact> facts, std::span<const int> target,
            std::vector<Match>& matches) const;
  bool knows(const WordFact& fact) const;  // as a group of its own

  // Calls use(words) for every group of words that a table entry knows: single words first, then
  // groups of several; each group once for each pattern that gives it.
  template <typename Use>
  void each_group(std::span<const WordFact> facts, Use use) const;

 private:
  friend struct LexicalUnitsData;
  void add_links(std::uint64_t key, Reading reading, std::vector<Match>& matches) const;
  void find_several(std::span<const WordFact> facts, std::span<const int> target,
                    std::vector<Match>& matches) const;
  bool place_pattern(std::span<const WordFact> facts, const Pattern& pattern, int from,
                     std::span<int> words) const;

  FlatTable<Entry> units_;  // a group's key -> links
  std::span<const UnitLink> links_;
  FlatTable<Entry> starts_;  // the first lexeme -> patterns
  std::span<const Pattern> patterns_;
  std::span<const std::uint32_t> lexemes_;
};

struct LexicalUnitsData {
  std::vector<LexicalUnits::Entry> units, starts;
  std::vector<UnitLink> links;
  std::vector<LexicalUnits::Pattern> patterns;
  std::vector<std::uint32_t> lexemes;

  LexicalUnits view() const;
  void write(ModelWriter& writer) const;
};

class LexicalUnitsBuilder {
 public:
  explicit LexicalUnitsBuilder(const framenet::Lexicon& lexicon);
  void add(const Sentence& sentence);  // its frames
  LexicalUnitsData build() const;

 private:
  using Group = std::vector<std::uint32_t>;
  void add_lexicon();
  void link(const Group& group, int unit, Source source);
  void pattern(const Group& group, bool may_part);

  const framenet::Lexicon& lexicon_;
  std::map<std::pair<int, std::string>, int> unit_of_;       // frame and name
  std::map<std::uint64_t, std::vector<UnitLink>> links_;     // by key
  std::map<std::uint32_t, std::map<Group, bool>> patterns_;  // by first lexeme: may part?
  std::vector<WordFact> facts_;
};

template <typename Use>
void LexicalUnits::each_group(std::span<const WordFact> facts, Use use) const {
  for (int i = 0; i < static_cast<int>(facts.size()); ++i) {
    if (knows(facts[i])) use(std::span<const int>(&i, 1));
  }
  std::array<int, kLongest> words;
  for (int i = 0; i < static_cast<int>(facts.size()); ++i) {
    const WordFact& fact = facts[i];
    for (const std::uint32_t start : {fact.lemma, fact.form == fact.lemma ? 0 : fact.form,
                                      fact.stems[0], fact.stems[1], fact.stems[2]}) {
      if (start == 0) continue;
      const Entry* entry = starts_.find(spread(start));
      if (!entry) continue;
      for (const Pattern& p : patterns_.subspan(entry->first, entry->count)) {
        const std::span<int> group = std::span<int>(words).first(p.count);
        if (place_pattern(facts, p, i, group)) use(std::span<const int>(group));
      }
    }
  }
}

}  // namespace entente::frames
