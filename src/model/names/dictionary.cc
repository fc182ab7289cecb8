#include "model/names/dictionary.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/files.h"
#include "base/json.h"
#include "corpus/utf8.h"

namespace entente::names {

namespace {

bool exists(const std::string& path) { return ::access(path.c_str(), R_OK) == 0; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_vowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

// The words of "New_York", "new york" or "Plurinational State", one by one.
template <typename Use>
void for_each_part(std::string_view name, Use use) {
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find_first_of("_ ", at), name.size());
    if (end > at) use(name.substr(at, end - at));
    at = end + 1;
  }
}

class Reader {
 public:
  explicit Reader(const std::string& share) : share_(share) {}

  Dictionary read(std::vector<std::string>* missing) {
    const auto miss = [&](const char* package) {
      if (missing != nullptr) missing->push_back(package);
    };
    exists(share_ + "/wordnet/data.noun") ? read_wordnet() : miss("wordnet-base");
    exists(share_ + "/rig/fnames.idx") ? read_people() : miss("rig");
    exists(share_ + "/iso-codes/json/iso_3166-1.json") ? read_places() : miss("iso-codes");
    return std::move(words_);
  }

 private:
  void add(std::string_view word, unsigned bits) {
    if (word.size() < 2) return;
    std::uint16_t& all = words_[unicode::to_lower(word)];
    all = static_cast<std::uint16_t>(all | bits);
  }

  // data.noun: "offset lexicographer-file n words(hex) word sense word sense ... | gloss".
  template <typename Use>
  void for_each_word(const char* part, Use use) {
    InputFile file(share_ + "/wordnet/data." + part);
    for (std::string line; file.read_line(line);) {
      if (line.size() < 18 || line[0] == ' ') continue;
      int count = static_cast<int>(std::strtol(line.substr(14, 2).c_str(), nullptr, 16));
      for (std::size_t at = 17; count-- > 0 && at < line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        std::string_view word = std::string_view(line).substr(at, end - at);
        use(word.substr(0, word.find('(')));  // "galore(ip)"
        at = std::min(line.find(' ', end + 1), line.size() - 1) + 1;
      }
    }
  }

  // "feet foot": of verbs the past where nothing tells more.
  void read_irregular(const char* part, unsigned bits) {
    InputFile file(share_ + "/wordnet/" + part + ".exc");
    for (std::string line; file.read_line(line);) {
      const std::string word = line.substr(0, line.find(' '));
      if (word.find('_') != std::string::npos) continue;
      unsigned form = bits;
      if (bits == kDictVerbPast && word.ends_with("ing")) form = kDictVerbIng;
      if (bits == kDictVerbPast && word.ends_with("s")) form = kDictVerbThird;
      add(word, form);
    }
  }

  static std::string with_s(std::string_view word) {
    std::string out(word);
    const char last = word.back(), before = word.size() > 1 ? word[word.size() - 2] : 'a';
    if (last == 'y' && !is_vowel(before)) {
      out.back() = 'i';
      return out + "es";
    }
    const bool hiss =
        last == 's' || last == 'x' || last == 'z' || word.ends_with("ch") || word.ends_with("sh");
    return out + (hiss ? "es" : "s");
  }
  void add_verb_forms(std::string_view word) {
    add(with_s(word), kDictVerbThird);
    std::string stem(word);
    const char last = word.back(), before = word.size() > 1 ? word[word.size() - 2] : 'a';
    if (last == 'e') {
      add(stem + "d", kDictVerbPast);
      if (before != 'e' && before != 'y') stem.pop_back();
      add(stem + "ing", kDictVerbIng);
      return;
    }
    add(stem + "ing", kDictVerbIng);
    if (last == 'y' && !is_vowel(before)) stem.back() = 'i';
    add(stem + "ed", kDictVerbPast);
    // "stopped": irregular for WordNet, which lists them
  }

  void read_wordnet() {
    for_each_word("noun", [&](std::string_view w) {
      const bool several = w.find('_') != std::string_view::npos;
      for_each_part(w, [&](std::string_view part) {
        if (is_upper(part[0])) add(part, several ? kDictNamePart : kDictName);
      });
      if (several || is_upper(w[0])) return;
      add(w, kDictNoun);
      add(with_s(w), kDictPlural);
    });
    for_each_word("verb", [&](std::string_view w) {
      if (w.find('_') != std::string_view::npos) return;
      add(w, kDictVerb);
      add_verb_forms(w);
    });
    for (const auto& [part, bit] : {std::pair("adj", kDictAdjective), {"adv", kDictAdverb}}) {
      for_each_word(part, [&, bit = bit](std::string_view w) {
        if (w.find('_') == std::string_view::npos) add(w, bit);
      });
    }
    for (const auto& [part, bits] : {std::pair("noun", kDictPlural),
                                     {"verb", kDictVerbPast},
                                     {"adj", kDictCompared},
                                     {"adv", kDictCompared}}) {
      if (exists(share_ + "/wordnet/" + part + ".exc")) read_irregular(part, bits);
    }
  }

  void read_people() {
    for (const auto& [file, bit] :
         {std::pair("fnames", kDictGiven), {"mnames", kDictGiven}, {"lnames", kDictFamily}}) {
      InputFile lines(share_ + "/rig/" + file + ".idx");
      for (std::string line; lines.read_line(line);) add(line, bit);
    }
  }

  // {"3166-1": [{"name": "Aruba", ...}, ...]}
  void read_places() {
    for (const char* list : {"1", "3", "2"}) {
      const std::string path = share_ + "/iso-codes/json/iso_3166-" + list + ".json";
      if (!exists(path)) continue;
      const std::string text = read_whole_file(path);
      Json json;
      json.parse({text, path, 1});
      for (const auto& entries : json.root().members()) {
        for (JsonValue entry : entries.value.elements()) {
          for (const auto& member : entry.members()) {
            const std::string_view key = member.key.string();
            if (key != "name" && key != "common_name") continue;
            const std::string_view name = member.value.string();
            for_each_part(name.substr(0, name.find_first_of(",([")), [&](std::string_view part) {
              if (is_upper(part[0])) add(part, kDictPlace);
            });
          }
        }
      }
    }
  }

  std::string share_;
  Dictionary words_;
};

}  // namespace

std::map<std::string, Topics> read_topics(const std::string& share) {
  std::map<std::string, Topics> words;
  for (const char* part : {"noun", "verb"}) {
    const std::string folder = share + "/wordnet/";
    if (!exists(folder + "data." + part) || !exists(folder + "index." + part)) continue;
    std::unordered_map<std::string, std::uint8_t> file_of;  // by offset
    InputFile data(folder + "data." + part);
    for (std::string line; data.read_line(line);) {
      if (line.size() < 18 || line[0] == ' ') continue;
      file_of[line.substr(0, 8)] =
          static_cast<std::uint8_t>(std::strtol(line.substr(9, 2).c_str(), nullptr, 10) + 1);
    }
    // "word n senses pointers pointer ... senses tagged offset offset ...", commonest first.
    InputFile index(folder + "index." + part);
    for (std::string line; index.read_line(line);) {
      if (line.empty() || line[0] == ' ') continue;
      const std::string word = line.substr(0, line.find(' '));
      if (word.find('_') != std::string::npos) continue;
      Topics& topics = words[word];
      auto& files = part[0] == 'n' ? topics.nouns : topics.verbs;
      for (std::size_t at = line.find(' '); at != std::string::npos; at = line.find(' ', at + 1)) {
        if (at + 9 > line.size() || (at + 9 < line.size() && line[at + 9] != ' ')) continue;
        const auto found = file_of.find(line.substr(at + 1, 8));
        if (found == file_of.end()) continue;
        if (files[0] == 0) {
          files[0] = found->second;
        } else if (files[1] == 0 && found->second != files[0]) {
          files[1] = found->second;
        }
      }
    }
  }
  return words;
}

Dictionary read_dictionary(const std::string& share, std::vector<std::string>* missing) {
  return Reader(share).read(missing);
}

}  // namespace entente::names
