#include "model/names/word_classes.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/files.h"
#include "learn/hash.h"

namespace entente::names {

namespace {

using Part = WordClasses::Part;

constexpr int kSenses = 2;      // of a word; rarer ones mislead
constexpr int kNounLevels = 2;  // above are "act" and "entity"
constexpr int kVerbLevels = 100;

std::uint64_t key(std::string_view lower, Part part) { return mix(hash_of(lower), 1 + part); }

struct Ending {
  std::string_view form, lemma;
};
constexpr Ending kNounEndings[] = {{"ses", "s"},   {"xes", "x"},   {"zes", "z"}, {"ches", "ch"},
                                   {"shes", "sh"}, {"men", "man"}, {"ies", "y"}, {"s", ""}};
constexpr Ending kVerbEndings[] = {{"s", ""},   {"ies", "y"}, {"es", "e"},  {"es", ""},
                                   {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};

// A line of a WordNet file, word by word; empty at its end.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}
  bool done() const { return rest_.empty(); }
  std::string_view next() {
    const std::size_t begin = std::min(rest_.find_first_not_of(' '), rest_.size());
    const std::size_t end = std::min(rest_.find(' ', begin), rest_.size());
    const std::string_view out = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return out;
  }
  std::uint32_t number(int base) {
    return static_cast<std::uint32_t>(std::strtoul(std::string(next()).c_str(), nullptr, base));
  }

 private:
  std::string_view rest_;
};

struct Synset {
  std::vector<std::uint32_t> above, verbs;  // hypernyms; verbs that a noun comes from
  bool name = false;                        // an instance: no kind of thing
};

// Synsets of both parts of speech by number, and the classes of the words in them.
class WordNet {
 public:
  // data.verb: "offset file part words(hex) word sense ... pointers symbol offset part words ...".
  void read_synsets(const std::string& path, Part part) {
    InputFile file(path);
    for (std::string line; file.read_line(line);) {
      if (line.empty() || line.starts_with(' ')) continue;  // the licence
      Fields fields(line);
      Synset& synset = synsets_[number(fields.number(10), part)];
      fields.next();
      fields.next();
      for (std::uint32_t words = fields.number(16); words > 0 && !fields.done(); --words) {
        fields.next();
        fields.next();
      }
      std::uint32_t pointers = fields.number(10);
      for (; pointers > 0 && !fields.done(); --pointers) {
        const std::string_view symbol = fields.next();
        const std::uint32_t offset = fields.number(10);
        const std::string_view of = fields.next();
        fields.next();
        if (symbol == "@") synset.above.push_back(number(offset, part));
        if (symbol == "@i") synset.name = true;
        if (symbol == "+" && of == "v" && part == Part::kNoun) {
          synset.verbs.push_back(number(offset, Part::kVerb));
        }
      }
    }
  }

  // index.verb: "word part synsets pointers symbol ... senses tagged offset ...".
  void read_words(const std::string& path, Part part, std::vector<WordClasses::Word>& out) const {
    InputFile file(path);
    for (std::string line; file.read_line(line);) {
      if (line.empty() || line.starts_with(' ')) continue;
      Fields fields(line);
      const std::string word(fields.next());
      if (word.find('_') != std::string::npos) continue;  // several words
      fields.next();
      std::uint32_t senses = fields.number(10);
      std::uint32_t others = fields.number(10) + 2;
      for (; others > 0 && !fields.done(); --others) fields.next();
      std::vector<std::uint32_t> classes;
      for (senses = std::min<std::uint32_t>(senses, kSenses); senses > 0; --senses) {
        add_sense(number(fields.number(10), part), part, classes);
      }
      if (!classes.empty()) out.push_back({word, part, std::move(classes)});
    }
  }

 private:
  static std::uint32_t number(std::uint32_t offset, Part part) { return 2 * offset + part; }

  void add_sense(std::uint32_t sense, Part part, std::vector<std::uint32_t>& out) const {
    const auto at = synsets_.find(sense);
    if (at == synsets_.end() || at->second.name) return;
    for (std::uint32_t verb : at->second.verbs) add_with_above(verb, kVerbLevels, out);
    add_with_above(sense, part == Part::kVerb ? kVerbLevels : kNounLevels, out);
  }

  // Level by level; what was met is not met again, since WordNet's verbs have a circle or two.
  void add_with_above(std::uint32_t from, int levels, std::vector<std::uint32_t>& out) const {
    const auto has = [](const std::vector<std::uint32_t>& list, std::uint32_t one) {
      return std::find(list.begin(), list.end(), one) != list.end();
    };
    std::vector<std::uint32_t> met = {from};
    for (std::size_t begin = 0; levels > 0 && begin < met.size(); --levels) {
      for (const std::size_t end = met.size(); begin < end; ++begin) {
        const auto at = synsets_.find(met[begin]);
        if (at == synsets_.end()) continue;
        for (std::uint32_t above : at->second.above) {
          if (!has(met, above)) met.push_back(above);
        }
      }
    }
    for (std::uint32_t one : met) {
      if (!has(out, one)) out.push_back(one);
    }
  }

  std::unordered_map<std::uint32_t, Synset> synsets_;
};

// verb.exc: "slain slay". Those of words that are known come first in `words`: "shot" is a form of
// "shoot" before it is a word of its own.
void add_irregular(const std::string& path, Part part, std::vector<WordClasses::Word>& words) {
  std::map<std::string_view, const WordClasses::Word*> known;
  for (const WordClasses::Word& w : words) {
    if (w.part == part) known.emplace(w.lower, &w);
  }
  std::vector<WordClasses::Word> forms;
  InputFile file(path);
  for (std::string line; file.read_line(line);) {
    Fields fields(line);
    const std::string form(fields.next());
    const auto lemma = known.find(fields.next());
    if (lemma != known.end()) forms.push_back({form, part, lemma->second->classes});
  }
  words.insert(words.begin(), forms.begin(), forms.end());
}

}  // namespace

WordClasses::WordClasses(std::span<const Word> words) {
  std::vector<std::pair<std::uint64_t, Entry>> entries;
  std::map<std::vector<std::uint32_t>, std::uint32_t> lists;  // synonyms share theirs
  for (const Word& w : words) {
    const auto [at, fresh] =
        lists.try_emplace(w.classes, static_cast<std::uint32_t>(classes_.size()));
    if (fresh) classes_.insert(classes_.end(), w.classes.begin(), w.classes.end());
    entries.push_back(
        {key(w.lower, w.part),
         {.begin = at->second, .size = static_cast<std::uint32_t>(w.classes.size())}});
  }
  table_ = make_flat_table<Entry>(entries);
}

WordClasses::WordClasses(const ModelFile& file, const std::string& name) {
  const FlatTable<Entry> table(file, name + "/words");
  table_.assign(table.entries().begin(), table.entries().end());
  const auto classes = file.array<std::uint32_t>(name + "/classes");
  classes_.assign(classes.begin(), classes.end());
  for (const Entry& e : table_) {
    if (e.begin > classes_.size() || e.size > classes_.size() - e.begin) {
      file.fail("section \"" + name + "/words\" is damaged");
    }
  }
}

void WordClasses::save(ModelWriter& writer, const std::string& name) const {
  writer.add<Entry>(name + "/words", table_.empty() ? std::vector<Entry>(2) : table_);
  writer.add<std::uint32_t>(name + "/classes", classes_);
}

const WordClasses::Entry* WordClasses::exact(std::string_view lower, Part part) const {
  return FlatTable<Entry>(table_).find(key(lower, part));
}

std::span<const std::uint32_t> WordClasses::find(std::string_view lower, Part part) const {
  if (classes_.empty()) return {};
  const Entry* found = exact(lower, part);
  const std::span<const Ending> endings =
      part == kNoun ? std::span<const Ending>(kNounEndings) : std::span<const Ending>(kVerbEndings);
  for (std::size_t i = 0; !found && i < endings.size(); ++i) {
    if (!lower.ends_with(endings[i].form)) continue;
    std::string lemma(lower.substr(0, lower.size() - endings[i].form.size()));
    found = exact(lemma += endings[i].lemma, part);
  }
  if (!found) return {};
  return std::span(classes_).subspan(found->begin, found->size);
}

WordClasses read_word_classes(const std::string& share) {
  const std::string folder = share + "/wordnet/";
  static constexpr std::pair<const char*, Part> kParts[] = {{"noun", Part::kNoun},
                                                            {"verb", Part::kVerb}};
  for (const auto& [name, part] : kParts) {
    for (const std::string& file :
         {"data." + std::string(name), "index." + std::string(name), std::string(name) + ".exc"}) {
      if (::access((folder + file).c_str(), R_OK) != 0) return {};
    }
  }
  WordNet net;
  for (const auto& [name, part] : kParts) net.read_synsets(folder + "data." + name, part);
  std::vector<WordClasses::Word> words;
  for (const auto& [name, part] : kParts) net.read_words(folder + "index." + name, part, words);
  for (const auto& [name, part] : kParts) add_irregular(folder + name + ".exc", part, words);
  return WordClasses(words);
}

}  // namespace entente::names
