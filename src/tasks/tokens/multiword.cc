#include "tasks/tokens/multiword.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "corpus/utf8.h"

namespace entente::tokens {
namespace {

constexpr int kLongestEnding = 12;
constexpr int kEnoughTokens = 3;  // different tokens an ending must have split

// Where the last n characters start.
std::size_t ending_at(std::string_view text, int n) {
  return text.size() - last_characters(text, n).size();
}

std::string joined(std::span<const std::string> parts) {
  std::string out;
  for (const std::string& part : parts) out += part;
  return out;
}

int characters_in(std::string_view text) { return static_cast<int>(count_characters(text)); }

// Characters that two texts share at their beginnings.
int common_prefix(std::string_view a, std::string_view b) {
  int n = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size(); ++n) {
    const Utf8Char x = decode_utf8(a, i), y = decode_utf8(b, j);
    if (x.length == 0 || x.code != y.code) break;
    i += static_cast<std::size_t>(x.length);
    j += static_cast<std::size_t>(y.length);
  }
  return n;
}

bool is_capitals(std::string_view text) {
  return characters_in(text) > 1 && unicode::to_upper(text) == text &&
         unicode::to_lower(text) != text;
}

std::string capitalised(const std::string& text) {
  const std::size_t first = first_characters(text, 1).size();
  return unicode::to_upper(std::string_view(text).substr(0, first)) + text.substr(first);
}

}  // namespace

MultiwordRules::Rule MultiwordRules::Rule::of(std::string_view token,
                                              std::span<const std::string> words) {
  Rule rule;
  if (joined(words) == token) {
    for (std::size_t k = 1; k < words.size(); ++k) {
      rule.lengths.push_back(characters_in(words[k]));
      rule.cut += rule.lengths.back();
    }
    return rule;
  }
  const std::string low = unicode::to_lower(token);
  for (const std::string& word : words) rule.literal.push_back(unicode::to_lower(word));
  const int shared = common_prefix(low, rule.literal[0]);
  rule.cut = characters_in(low) - shared;
  rule.literal[0].erase(0, first_characters(rule.literal[0], shared).size());
  return rule;
}

std::string MultiwordRules::Rule::text() const {
  std::string out;
  append_number(out, cut);
  for (const int length : lengths) append_number(out += '\t', length);
  for (const std::string& word : literal) (out += "\t=") += word;
  return out;
}

MultiwordRules::Rule MultiwordRules::Rule::of_text(std::string_view text) {
  Rule rule;
  for (bool first = true; !text.empty() || first; first = false) {
    const std::size_t tab = std::min(text.find('\t'), text.size());
    const std::string_view field = text.substr(0, tab);
    text.remove_prefix(std::min(tab + 1, text.size()));
    if (!first && field.starts_with('=')) {
      rule.literal.emplace_back(field.substr(1));
      continue;
    }
    const auto number = parse_integer(field);
    if (!number || *number < 0 || *number > 1000) return {};
    if (first) {
      rule.cut = static_cast<int>(*number);
    } else {
      rule.lengths.push_back(static_cast<int>(*number));
    }
  }
  return rule;
}

MultiwordRules MultiwordRules::learn(std::span<const Paragraph> paragraphs) {
  struct Seen {
    Rule rule;
    std::set<std::string> tokens;  // in small letters
  };
  std::map<std::string, Seen> seen;
  for (const Paragraph& p : paragraphs) {
    for (const GoldToken& t : p.tokens) {
      if (t.first == t.last) continue;
      const std::string_view token = std::string_view(p.text).substr(t.begin, t.end - t.begin);
      std::vector<std::string> words;
      for (int w = t.first; w <= t.last; ++w) words.push_back(t.sentence->words[w].form);
      Rule rule = Rule::of(token, words);
      Seen& entry = seen[rule.text()];
      entry.rule = std::move(rule);
      entry.tokens.insert(unicode::to_lower(token));
    }
  }
  MultiwordRules out;
  for (const auto& [text, entry] : seen) {
    const auto index = static_cast<std::uint32_t>(out.rules_.size());
    std::map<std::string, int> endings;
    for (const std::string& token : entry.tokens) {
      out.tokens_.push_back({folded_hash(token), index});
      // With one character more: what stands before the cut matters, and a whole token is no
      // ending.
      if (entry.rule.cut > 0 && entry.rule.cut < std::min(characters_in(token), kLongestEnding)) {
        ++endings[token.substr(ending_at(token, entry.rule.cut))];
      }
    }
    for (const auto& [ending, count] : endings) {
      if (count < kEnoughTokens) continue;
      out.endings_.push_back({folded_hash(ending), index});
      out.ending_lengths_ |= 1u << entry.rule.cut;
    }
    out.rules_.push_back(entry.rule);
  }
  std::sort(out.tokens_.begin(), out.tokens_.end());
  std::sort(out.endings_.begin(), out.endings_.end());
  const bool english = std::any_of(seen.begin(), seen.end(), [](const auto& entry) {
    return entry.second.tokens.contains("don't") && entry.second.rule.cut == 3;
  });
  if (english) out.add_english();
  return out;
}

// Words that a treebank may lack and that are split all the same: those run together, by name, and
// possessives and two contractions at once, by their ending.
void MultiwordRules::add_english() {
  const auto add = [&](std::string_view token, std::vector<int> lengths, std::vector<Key>& keys) {
    Rule rule;
    for (const int length : lengths) rule.cut += length;
    rule.lengths = std::move(lengths);
    keys.push_back({folded_hash(token), static_cast<std::uint32_t>(rules_.size())});
    rules_.push_back(std::move(rule));
  };
  for (const char* token : {"gonna", "gotta", "wanna", "lemme", "gimme"}) add(token, {2}, sure_);
  for (const char* token : {"gotcha", "whatcha", "betcha", "cannot"}) add(token, {3}, sure_);
  add("dunno", {1, 2}, sure_);
  for (const char* token :
       {"dont",  "doesnt", "didnt",   "isnt",    "arent", "wasnt",    "werent", "havent",
        "hasnt", "hadnt",  "wouldnt", "couldnt", "aint",  "shouldnt", "mustnt", "neednt",
        "youre", "theyre", "youve",   "theyve",  "youll", "theyll"}) {
    add(token, {2}, sure_);
  }
  for (const char* token :
       {"thats", "whats", "whos", "hows", "wheres", "heres", "theres", "shes", "youd", "theyd"}) {
    add(token, {1}, sure_);
  }
  for (const char* word : {"tis", "twas"}) {
    for (const char* apostrophe : {"'", "\u2019"}) {
      add(std::string(apostrophe) + word, {static_cast<int>(std::string_view(word).size()) - 1},
          sure_);
    }
  }
  for (const char* apostrophe : {"'", "\u2019"}) {
    const std::string a = apostrophe;
    add(a + "d" + a + "ve", {2, 3}, sure_endings_);
    add(a + "s" + a + "ve", {2, 3}, sure_endings_);
    add(a + "ll" + a + "ve", {3, 3}, sure_endings_);
    add("n" + a + "t" + a + "ve", {3, 3}, sure_endings_);
    add(a + "s", {2}, sure_endings_);  // it's, the boss's
    for (const char* verb : {"m", "d"}) add(a + verb, {2}, sure_endings_);
    for (const char* verb : {"re", "ve", "ll"}) add(a + verb, {3}, sure_endings_);
    add("n" + a + "t", {3}, sure_endings_);
    add("s" + a, {1}, sure_endings_);  // the Beatles'
  }
  std::sort(sure_.begin(), sure_.end());
  std::sort(sure_endings_.begin(), sure_endings_.end());
}

int MultiwordRules::sure(const Characters& c, int begin, int end) const {
  const auto look = [&](const std::vector<Key>& keys, int from) {
    const std::uint64_t hash = c.hash(from, end);
    const auto it = std::lower_bound(keys.begin(), keys.end(), Key{hash, 0});
    return it != keys.end() && it->hash == hash ? static_cast<int>(it->rule) : -1;
  };
  if (sure_.empty()) return -1;
  int found = look(sure_, begin);
  for (int n : {6, 5, 3, 2}) {
    if (found < 0 && end - begin > n && is_letter(c[end - n - 1].kind)) {
      found = look(sure_endings_, end - n);
    }
  }
  return found;
}

void MultiwordRules::write(ModelWriter& writer, const std::string& name) const {
  std::vector<std::string> texts;
  for (const Rule& rule : rules_) texts.push_back(rule.text());
  writer.add_strings(name, texts);
  writer.add<Key>(name + "/tokens", tokens_);
  writer.add<Key>(name + "/endings", endings_);
  writer.add_number(name + "/lengths", ending_lengths_);
  writer.add<Key>(name + "/sure", sure_);
  writer.add<Key>(name + "/sure_endings", sure_endings_);
}

MultiwordRules MultiwordRules::read(const ModelFile& file, const std::string& name) {
  MultiwordRules out;
  for (const std::string& text : file.strings(name)) {
    out.rules_.push_back(Rule::of_text(text));
    const Rule& rule = out.rules_.back();
    if (rule.lengths.empty() && rule.literal.size() < 2) file.fail("a bad rule of splitting");
  }
  const auto keys = [&](const std::string& section) {
    const auto read = file.array<Key>(section);
    for (const Key& key : read) {
      if (key.rule >= out.rules_.size()) file.fail("section \"" + section + "\" names no rule");
    }
    return std::vector<Key>(read.begin(), read.end());
  };
  out.tokens_ = keys(name + "/tokens");
  out.endings_ = keys(name + "/endings");
  // The English ones are those of this program, not of the one that trained.
  if (!keys(name + "/sure").empty()) out.add_english();
  keys(name + "/sure_endings");
  out.ending_lengths_ = static_cast<std::uint32_t>(file.number(name + "/lengths"));
  return out;
}

void MultiwordRules::find(const std::vector<Key>& keys, std::uint64_t hash,
                          std::vector<int>& found) {
  for (auto it = std::lower_bound(keys.begin(), keys.end(), Key{hash, 0});
       it != keys.end() && it->hash == hash; ++it) {
    found.push_back(static_cast<int>(it->rule));
  }
}

void MultiwordRules::candidates(const Characters& c, int begin, int end,
                                std::vector<int>& found) const {
  found.clear();
  if (rules_.empty()) return;
  find(tokens_, c.hash(begin, end), found);
  for (int n = std::min(kLongestEnding, end - begin - 1); n > 0 && found.empty(); --n) {
    if (ending_lengths_ >> n & 1) find(endings_, c.hash(end - n, end), found);
  }
}

bool MultiwordRules::may_split(const Characters& c, int begin, int end, int rule,
                               const LexiconView& lexicon) const {
  const bool english = !sure_.empty();
  const bool letters =
      std::all_of(&c[begin], &c[end - 1] + 1, [](const Character& x) { return is_letter(x.kind); });
  if (!english || !letters) return true;
  const WordFacts stem = lexicon.find(c.hash(begin, std::max(begin, end - rules_[rule].cut)));
  if (stem.is(WordTag::aux) || stem.is(WordTag::pron)) return true;
  const WordFacts whole = lexicon.find(c.hash(begin, end));  // a split one has its first word's tag
  return whole.count() > 0 && !whole.is(WordTag::adj) && !whole.is(WordTag::noun) &&
         !whole.is(WordTag::propn) && !whole.is(WordTag::verb);
}

void MultiwordRules::apply(int index, std::string_view token,
                           std::vector<std::string>& words) const {
  const Rule& rule = rules_[index];
  words.clear();
  std::size_t at = ending_at(token, rule.cut);
  words.emplace_back(token.substr(0, at));
  for (const int length : rule.lengths) {
    const std::string_view word = first_characters(token.substr(at), length);
    words.emplace_back(word);
    at += word.size();
  }
  if (rule.literal.empty()) return;
  const bool capitals = is_capitals(token);
  const auto cased = [&](const std::string& s) { return capitals ? unicode::to_upper(s) : s; };
  const bool fresh = words[0].empty();
  words[0] += cased(rule.literal[0]);
  const std::string first(first_characters(token, 1));
  if (fresh && unicode::to_lower(first) != first) words[0] = capitalised(words[0]);
  for (std::size_t k = 1; k < rule.literal.size(); ++k) words.push_back(cased(rule.literal[k]));
}

void MultiwordRules::features(const Characters& c, std::span<const int> ends, int i, int rule,
                              const LexiconView& lexicon, Features& out) const {
  const auto begin_of = [&](int k) { return k == 0 ? 0 : ends[k - 1]; };
  const auto facts = [&](int k) {
    if (k < 0 || k >= static_cast<int>(ends.size())) return WordFacts{};
    return lexicon.find_or_guess(c, begin_of(k), ends[k]);
  };
  const auto hash = [&](int k) {
    if (k < 0 || k >= static_cast<int>(ends.size())) return std::uint64_t{0};
    return c.hash(begin_of(k), ends[k]);
  };
  const int begin = begin_of(i), end = ends[i];
  const WordFacts own = facts(i);
  // A token the lexicon does not know has no name: its weights must come from what it looks like.
  const std::uint64_t whole = own.count() > 0 ? hash(i) : 0;
  const std::uint64_t left = hash(i - 1), right = hash(i + 1);
  const std::uint64_t before = facts(i - 1).tag(), after = facts(i + 1).tag();
  const int stem_end = std::max(begin, end - rules_[rule].cut);
  const WordFacts stem = lexicon.find(c.hash(begin, stem_end));
  Templates t(0x700, out);
  t.add(rule);
  t.add(rule, whole);
  t.add(rule, whole, c[begin].kind);
  t.add(rule, left);
  t.add(rule, right);
  t.add(rule, whole, left);
  t.add(rule, whole, right);
  t.add(rule, whole, before);
  t.add(rule, whole, after);
  t.add(rule, whole, before, after);
  t.add(rule, whole, facts(i - 2).tag(), before);
  t.add(rule, whole, after, facts(i + 2).tag());
  t.add(rule, stem.count(), stem.tag());
  t.add(rule, stem.tag(), after);
  t.add(rule, own.count(), own.tag(), after);
  t.add(rule, own.count(), stem.count());
  t.add(rule, c.hash(std::max(begin, stem_end - 2), stem_end));
  t.add(rule, c.shape(begin, end));
}

}  // namespace entente::tokens
