// Making the table of lexical_units.h from a lexicon and training sentences.
#include <algorithm>
#include <string>
#include <vector>

#include "corpus/utf8.h"
#include "learn/hash.h"
#include "tasks/frames/lexical_units.h"

namespace entente::frames {

namespace {

// "Scud-C missile_(weapon)" -> "scud-c", "missile": lexemes as words that stand alone.
std::vector<std::string> clean_lexemes(const framenet::LexicalUnit& unit) {
  std::string text;
  for (const std::string& lexeme : unit.lexemes) {
    text += lexeme.substr(0, lexeme.find('(')) + " ";
  }
  if (unit.lexemes.empty()) {
    text = unit.name.substr(0, std::min(unit.name.find('('), unit.name.rfind('.')));
  }
  std::vector<std::string> words(1);
  for (const char c : unicode::to_lower(text)) {
    if (c != ' ' && c != '_') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Our tokens part words at hyphens; FrameNet's lexemes do not.
std::vector<std::string> split_hyphens(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    out.emplace_back();
    for (const char c : word) {
      if (c == '-' && !out.back().empty()) {
        out.emplace_back("-");
        out.emplace_back();
      } else {
        out.back() += c;
      }
    }
    if (out.back().empty()) out.pop_back();
  }
  return out;
}

std::vector<std::uint32_t> hashes(const std::vector<std::string>& words) {
  std::vector<std::uint32_t> out;
  for (const std::string& w : words) out.push_back(text_hash(w));
  return out;
}

}  // namespace

LexicalUnitsBuilder::LexicalUnitsBuilder(const framenet::Lexicon& lexicon) : lexicon_(lexicon) {
  for (std::size_t u = 0; u < lexicon.lexical_units.size(); ++u) {
    const framenet::LexicalUnit& unit = lexicon.lexical_units[u];
    unit_of_.emplace(std::pair(unit.frame, unit.name), static_cast<int>(u));
  }
  add_lexicon();
}

void LexicalUnitsBuilder::link(const Group& group, int unit, Source source) {
  std::vector<UnitLink>& links = links_[group_key(group)];
  for (const UnitLink& l : links) {
    if (l.unit == static_cast<std::uint32_t>(unit)) return;
  }
  const framenet::LexicalUnit& u = lexicon_.lexical_units[unit];
  UnitLink added;
  added.unit = static_cast<std::uint32_t>(unit) & 0xFFFFF;
  added.pos = static_cast<std::uint32_t>(unit_pos(u.name)) & 0xF;
  added.source = static_cast<std::uint32_t>(source) & 3;
  added.frame = static_cast<std::uint32_t>(u.frame);
  links.push_back(added);
}

void LexicalUnitsBuilder::pattern(const Group& group, bool may_part) {
  if (group.size() < 2 || group.size() > LexicalUnits::kLongest) return;
  bool& known = patterns_[group[0]][group];
  known = known || may_part;
}

void LexicalUnitsBuilder::add_lexicon() {
  std::vector<std::pair<std::uint32_t, int>> parts;
  for (std::size_t u = 0; u < lexicon_.lexical_units.size(); ++u) {
    const framenet::LexicalUnit& unit = lexicon_.lexical_units[u];
    const std::vector<std::string> words = clean_lexemes(unit), pieces = split_hyphens(words);
    if (words.empty() || pieces.empty()) continue;
    for (const Group& group : {hashes(words), hashes(pieces)}) {
      link(group, static_cast<int>(u), Source::lexicon);
      pattern(group, unit_pos(unit.name) == 1);
    }
    if (words.size() > 1) {
      const std::size_t head = std::min<std::size_t>(unit.head, words.size() - 1);
      parts.emplace_back(text_hash(words[head]), static_cast<int>(u));
    }
  }
  // After all others: what is better than a part is found first.
  for (const auto& [word, unit] : parts) link({word}, unit, Source::part);
}

void LexicalUnitsBuilder::add(const Sentence& sentence) {
  facts_.clear();
  append_facts(sentence, facts_);
  for (const FrameInstance& instance : sentence.frames) {
    const auto at = unit_of_.find({lexicon_.find(instance.frame), instance.lexical_unit});
    if (at == unit_of_.end() || instance.target.empty()) continue;
    Group group;
    for (const int i : instance.target) group.push_back(facts_[i].lemma);
    link(group, at->second, Source::training);
    const bool apart =
        instance.target.back() - instance.target.front() + 1 > static_cast<int>(group.size());
    pattern(group, apart);
  }
}

LexicalUnitsData LexicalUnitsBuilder::build() const {
  LexicalUnitsData out;
  using Entry = LexicalUnits::Entry;
  std::vector<std::pair<std::uint64_t, Entry>> entries;
  const auto at = [](std::size_t first, std::size_t count) {
    return Entry{0, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)};
  };
  for (const auto& [key, links] : links_) {
    entries.emplace_back(key, at(out.links.size(), links.size()));
    out.links.insert(out.links.end(), links.begin(), links.end());
  }
  out.units = make_flat_table<Entry>(entries);
  entries.clear();
  for (const auto& [start, groups] : patterns_) {
    entries.emplace_back(spread(start), at(out.patterns.size(), groups.size()));
    for (const auto& [group, may_part] : groups) {
      out.patterns.push_back({static_cast<std::uint32_t>(out.lexemes.size()),
                              static_cast<std::uint16_t>(group.size()),
                              static_cast<std::uint16_t>(may_part)});
      out.lexemes.insert(out.lexemes.end(), group.begin(), group.end());
    }
  }
  out.starts = make_flat_table<Entry>(entries);
  return out;
}

}  // namespace entente::frames
