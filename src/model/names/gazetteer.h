// Lists of names from Debian packages: countries and their parts (iso-codes), given and family
// names (rig), places, people, groups and kinds of people (wordnet-base).
//
//   Gazetteer g = read_gazetteer("/usr/share");     // what of them is there
//   unsigned bits = g.find("new york");             // kPlace | kRegion; of a phrase in lower case
//   g.classes().find("slain", WordClasses::kVerb);  // what a word means (word_classes.h)
//   g.save(writer, "relations/names");              // the model carries them
//
// Reading takes some tenths of a second; find() is O(length). Thread-safe once made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "learn/flat_table.h"
#include "learn/model_file.h"
#include "model/names/word_classes.h"
#include "model/settings.h"

namespace entente::names {

class Gazetteer {
 public:
  enum Bit : unsigned {
    kCountry = 1,
    kRegion = 2,   // a state, a province, ...
    kGiven = 4,    // a given name
    kFamily = 8,   // a family name
    kPlace = 16,   // WordNet's noun.location, capitalised
    kPerson = 32,  // noun.person, capitalised: Lincoln
    kGroup = 64,   // noun.group, capitalised
    kRole = 128,   // noun.person, not capitalised: lawyer
    kWorks = 256,  // noun.group, not capitalised: committee
    kArea = 512,   // noun.location, not capitalised: province
    kBits = 10,    // how many there are
  };
  struct Entry {
    std::uint32_t check = 0;
    std::uint32_t bits = 0;
  };

  Gazetteer() = default;
  explicit Gazetteer(const std::vector<std::pair<std::string, unsigned>>& names,
                     WordClasses classes = {});
  Gazetteer(const ModelFile& file, const std::string& name);
  void save(ModelWriter& writer, const std::string& name) const;

  // The lists alone, a sixth of the size: without what words mean.
  Gazetteer without_classes() const;

  unsigned find(std::string_view lower) const;
  std::size_t size() const { return size_; }
  const WordClasses& classes() const { return classes_; }

 private:
  std::vector<Entry> table_;
  std::size_t size_ = 0;
  WordClasses classes_;
};

// `missing`, if given, gets the packages that were not found.
Gazetteer read_gazetteer(const std::string& share, std::vector<std::string>* missing = nullptr);
// The setting that tasks have to say where the lists are, and the lists it names: "none" is none, and what is missing is
// said to the monitor.
Setting lists_setting(unsigned verbs);
Gazetteer read_lists(const Settings& settings, Monitor& monitor);

}  // namespace entente::names
