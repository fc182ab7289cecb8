#include "tasks/frames/lexical_units.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "corpus/utf8.h"
#include "learn/hash.h"

namespace entente::frames {

namespace {

constexpr std::array<std::string_view, 12> kUnitPos = {"",    "v", "n",    "a",   "adv",  "prep",
                                                       "num", "c", "scon", "art", "pron", "intj"};

// The order of the words does not matter ("is there", "there is").
std::uint64_t key_of(std::span<const std::uint32_t> words) {
  std::uint64_t sum = words.size();
  for (const std::uint32_t w : words) sum += spread(w);
  return spread(sum);
}
std::uint64_t key_of(std::uint32_t word) {
  return key_of(std::span<const std::uint32_t>(&word, 1));
}

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

int unit_pos(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return 0;
  const auto* at = std::find(kUnitPos.begin(), kUnitPos.end(), name.substr(dot + 1));
  return at == kUnitPos.end() ? 0 : static_cast<int>(at - kUnitPos.begin());
}

bool agrees(int unit_pos, Pos pos) {
  switch (pos) {
    case Pos::verb:
    case Pos::aux:
      return unit_pos == 1;
    case Pos::noun:
    case Pos::propn:
      return unit_pos == 2;
    case Pos::adj:
      return unit_pos == 3;
    case Pos::adv:
      return unit_pos == 4;
    case Pos::adp:
    case Pos::part:
      return unit_pos == 5;
    case Pos::num:
      return unit_pos == 6;
    case Pos::cconj:
      return unit_pos == 7;
    case Pos::sconj:
      return unit_pos == 8 || unit_pos == 5;
    case Pos::det:
      return unit_pos == 9 || unit_pos == 3;
    case Pos::pron:
      return unit_pos == 10;
    case Pos::intj:
      return unit_pos == 11;
    default:
      return false;
  }
}

void LexicalUnits::add_links(std::uint64_t key, Reading reading,
                             std::vector<Match>& matches) const {
  const Entry* entry = units_.find(key);
  if (!entry) return;
  for (const UnitLink& link : links_.subspan(entry->first, entry->count)) {
    const int unit = static_cast<int>(link.unit);
    if (std::any_of(matches.begin(), matches.end(), [&](const Match& m) { return m.unit == unit; }))
      continue;
    matches.push_back({unit, static_cast<int>(link.frame), static_cast<int>(link.pos),
                       static_cast<Source>(link.source), reading});
  }
}

bool LexicalUnits::knows(const WordFact& fact) const {
  if (units_.find(key_of(fact.lemma)) || units_.find(key_of(fact.form))) return true;
  return std::any_of(fact.stems.begin(), fact.stems.end(), [&](std::uint32_t stem) {
    return stem != 0 && units_.find(key_of(stem)) != nullptr;
  });
}

void LexicalUnits::find(std::span<const WordFact> facts, std::span<const int> target,
                        std::vector<Match>& matches) const {
  matches.clear();
  if (target.size() > 1) {
    find_several(facts, target, matches);
    if (!matches.empty()) return;
  }
  for (const int i : target) {
    const bool alone = target.size() == 1;
    add_links(key_of(facts[i].lemma), alone ? Reading::lemma : Reading::one_word, matches);
    add_links(key_of(facts[i].form), alone ? Reading::form : Reading::one_word, matches);
    for (const std::uint32_t stem : facts[i].stems) {
      if (stem != 0) add_links(key_of(stem), alone ? Reading::stem : Reading::one_word, matches);
    }
  }
}

// Every word by its lemma or by its form.
void LexicalUnits::find_several(std::span<const WordFact> facts, std::span<const int> target,
                                std::vector<Match>& matches) const {
  const std::size_t n = target.size();
  if (n > kLongest) return;
  std::array<std::uint32_t, kLongest> words;
  for (unsigned choice = 0; choice < 1u << n; ++choice) {
    bool repeated = false;
    for (std::size_t k = 0; k < n; ++k) {
      const WordFact& fact = facts[target[k]];
      const bool form = choice >> k & 1;
      repeated = repeated || (form && fact.form == fact.lemma);
      words[k] = form ? fact.form : fact.lemma;
    }
    if (repeated) continue;
    add_links(key_of(std::span<const std::uint32_t>(words).first(n)),
              choice == 0 ? Reading::lemma : Reading::form, matches);
  }
}

// The nearest words after `from` that fit, in order.
bool LexicalUnits::place_pattern(std::span<const WordFact> facts, const Pattern& pattern, int from,
                                 std::span<int> words) const {
  const int n = static_cast<int>(facts.size());
  words[0] = from;
  int at = from;
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::uint32_t lexeme = lexemes_[pattern.first + k];
    const int last = std::min(n - 1, pattern.may_part ? from + kReach - 1 : at + 1);
    const int before = at;
    for (++at; at <= last && !facts[at].is(lexeme); ++at) {
    }
    if (at > last) return false;
    const bool apart = at > before + 1;
    if (apart && facts[at].head != before && facts[before].head != at) return false;
    words[k] = at;
  }
  return true;
}

LexicalUnits::LexicalUnits(const ModelFile& file, std::size_t units, std::size_t frames)
    : units_(file, "frames/units/table"),
      links_(file.array<UnitLink>("frames/units/links")),
      starts_(file, "frames/units/starts"),
      patterns_(file.array<Pattern>("frames/units/patterns")),
      lexemes_(file.array<std::uint32_t>("frames/units/lexemes")) {
  bool good = true;
  const auto within = [](const Entry& e, std::size_t size) {
    return e.check == 0 || (e.first <= size && e.count <= size - e.first);
  };
  for (const Entry& e : units_.entries()) good = good && within(e, links_.size());
  for (const Entry& e : starts_.entries()) good = good && within(e, patterns_.size());
  for (const UnitLink& l : links_) good = good && l.unit < units && l.frame < frames;
  for (const Pattern& p : patterns_) {
    good = good && p.count >= 2 && p.count <= kLongest && p.first <= lexemes_.size() &&
           p.count <= lexemes_.size() - p.first;
  }
  if (!good) file.fail("section \"frames/units/links\" does not fit the lexicon");
}

LexicalUnits LexicalUnitsData::view() const {
  LexicalUnits out;
  out.units_ = FlatTable<LexicalUnits::Entry>(units);
  out.links_ = links;
  out.starts_ = FlatTable<LexicalUnits::Entry>(starts);
  out.patterns_ = patterns;
  out.lexemes_ = lexemes;
  return out;
}

void LexicalUnitsData::write(ModelWriter& writer) const {
  writer.add<LexicalUnits::Entry>("frames/units/table", units);
  writer.add<UnitLink>("frames/units/links", links);
  writer.add<LexicalUnits::Entry>("frames/units/starts", starts);
  writer.add<LexicalUnits::Pattern>("frames/units/patterns", patterns);
  writer.add<std::uint32_t>("frames/units/lexemes", lexemes);
}

LexicalUnitsBuilder::LexicalUnitsBuilder(const framenet::Lexicon& lexicon) : lexicon_(lexicon) {
  for (std::size_t u = 0; u < lexicon.lexical_units.size(); ++u) {
    const framenet::LexicalUnit& unit = lexicon.lexical_units[u];
    unit_of_.emplace(std::pair(unit.frame, unit.name), static_cast<int>(u));
  }
  add_lexicon();
}

void LexicalUnitsBuilder::link(const Group& group, int unit, Source source) {
  std::vector<UnitLink>& links = links_[key_of(group)];
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
