#include "model/names/gazetteer.h"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/files.h"
#include "base/json.h"
#include "corpus/utf8.h"
#include "learn/hash.h"

namespace entente::names {

namespace {

using Names = std::map<std::string, unsigned>;

void add(Names& names, std::string_view name, unsigned bit) {
  // "Bolivia, Plurinational State of", "Paris (city)": what people write comes first.
  name = name.substr(0, name.find_first_of(",("));
  while (name.ends_with(' ')) name.remove_suffix(1);
  if (name.size() > 1) names[unicode::to_lower(name)] |= bit;
}

bool exists(const std::string& path) { return ::access(path.c_str(), R_OK) == 0; }

// {"3166-1": [{"name": "Aruba", ...}, ...]}
void read_iso(const std::string& path, unsigned bit, Names& names) {
  const std::string text = read_whole_file(path);
  Json json;
  json.parse({text, path, 1});
  for (const auto& list : json.root().members()) {
    for (JsonValue entry : list.value.elements()) {
      for (const auto& member : entry.members()) {
        const std::string_view key = member.key.string();
        if (key == "name" || key == "common_name") add(names, member.value.string(), bit);
      }
    }
  }
}

void read_lines(const std::string& path, unsigned bit, Names& names) {
  InputFile file(path);
  for (std::string line; file.read_line(line);) add(names, line, bit);
}

// data.noun: "offset lexicographer-file n words(hex) word sense word sense ... | gloss".
void read_wordnet(const std::string& path, Names& names) {
  InputFile file(path);
  for (std::string line; file.read_line(line);) {
    if (line.size() < 18 || line[0] == ' ') continue;
    const std::string_view group = std::string_view(line).substr(9, 2);
    const int kind = group == "15" ? 0 : group == "18" ? 1 : group == "14" ? 2 : -1;
    if (kind < 0) continue;
    static constexpr unsigned kCapital[] = {Gazetteer::kPlace, Gazetteer::kPerson,
                                            Gazetteer::kGroup};
    static constexpr unsigned kSmall[] = {Gazetteer::kArea, Gazetteer::kRole, Gazetteer::kWorks};
    int words = static_cast<int>(std::strtol(line.substr(14, 2).c_str(), nullptr, 16));
    std::size_t at = 17;
    while (words-- > 0 && at < line.size()) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      std::string word = line.substr(at, end - at);
      std::replace(word.begin(), word.end(), '_', ' ');
      const bool capital = !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
      add(names, word, capital ? kCapital[kind] : kSmall[kind]);
      at = std::min(line.find(' ', end + 1), line.size() - 1) + 1;
    }
  }
}

}  // namespace

Gazetteer::Gazetteer(const std::vector<std::pair<std::string, unsigned>>& names,
                     WordClasses classes)
    : size_(names.size()), classes_(std::move(classes)) {
  std::vector<std::pair<std::uint64_t, Entry>> entries;
  for (const auto& [name, bits] : names) entries.push_back({hash_of(name), {.bits = bits}});
  table_ = make_flat_table<Entry>(entries);
}

Gazetteer::Gazetteer(const ModelFile& file, const std::string& name)
    : classes_(file, name + "/meanings") {
  const FlatTable<Entry> table(file, name);
  table_.assign(table.entries().begin(), table.entries().end());
  for (const Entry& e : table_) {
    size_ += e.check != 0;
    if (e.bits >> kBits != 0) file.fail("section \"" + name + "\" is damaged");
  }
}

void Gazetteer::save(ModelWriter& writer, const std::string& name) const {
  writer.add<Entry>(name, table_.empty() ? std::vector<Entry>(2) : table_);
  classes_.save(writer, name + "/meanings");
}

Gazetteer Gazetteer::without_classes() const {
  Gazetteer out = *this;
  out.classes_ = WordClasses();
  return out;
}

unsigned Gazetteer::find(std::string_view lower) const {
  if (table_.empty()) return 0;
  const Entry* e = FlatTable<Entry>(table_).find(hash_of(lower));
  return e ? e->bits : 0;
}

Gazetteer read_gazetteer(const std::string& share, std::vector<std::string>* missing) {
  Names names;
  const auto miss = [&](const char* package) {
    if (missing) missing->push_back(package);
  };
  if (exists(share + "/iso-codes/json/iso_3166-1.json")) {
    read_iso(share + "/iso-codes/json/iso_3166-1.json", Gazetteer::kCountry, names);
    read_iso(share + "/iso-codes/json/iso_3166-3.json", Gazetteer::kCountry, names);
    read_iso(share + "/iso-codes/json/iso_3166-2.json", Gazetteer::kRegion, names);
  } else {
    miss("iso-codes");
  }
  if (exists(share + "/rig/fnames.idx")) {
    read_lines(share + "/rig/fnames.idx", Gazetteer::kGiven, names);
    read_lines(share + "/rig/mnames.idx", Gazetteer::kGiven, names);
    read_lines(share + "/rig/lnames.idx", Gazetteer::kFamily, names);
  } else {
    miss("rig");
  }
  if (exists(share + "/wordnet/data.noun")) {
    read_wordnet(share + "/wordnet/data.noun", names);
  } else {
    miss("wordnet-base");
  }
  return Gazetteer({names.begin(), names.end()}, read_word_classes(share));
}

Setting lists_setting(unsigned verbs) {
  return setting::text("names", "/usr/share",
                       "folder with the lists of iso-codes, rig and wordnet; none: no lists")
      .in(verbs)
      .only_set();
}

Gazetteer read_lists(const Settings& settings, Monitor& monitor) {
  const std::string share = settings.text("names");
  if (share == "none") return {};
  std::vector<std::string> missing;
  Gazetteer out = read_gazetteer(share, &missing);
  std::string names;
  for (const std::string& name : missing) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) {
    monitor.say("no lists of names from " + names + " in " + share +
                " (Debian packages, see make setup)");
  }
  return out;
}

}  // namespace entente::names
