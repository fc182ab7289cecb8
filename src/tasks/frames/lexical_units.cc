#include "tasks/frames/lexical_units.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace entente::frames {

namespace {

constexpr std::array<std::string_view, 12> kUnitPos = {"",    "v", "n",    "a",   "adv",  "prep",
                                                       "num", "c", "scon", "art", "pron", "intj"};

std::uint64_t key_of(std::uint32_t word) {
  return group_key(std::span<const std::uint32_t>(&word, 1));
}

}  // namespace

std::uint64_t group_key(std::span<const std::uint32_t> words) {
  std::uint64_t sum = words.size();
  for (const std::uint32_t w : words) sum += spread(w);
  return spread(sum);
}

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
    add_links(group_key(std::span<const std::uint32_t>(words).first(n)),
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

}  // namespace entente::frames
