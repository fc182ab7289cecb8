#include "tasks/frames/listing.h"

#include <utility>
#include <vector>

namespace entente::frames {

namespace {

void append_pairs(std::string& out, const framenet::Frame& frame, const char* verb,
                  const std::vector<std::pair<int, int>>& pairs) {
  for (const auto& [a, b] : pairs) {
    out += "  " + frame.roles[a].name + " " + verb + " " + frame.roles[b].name + "\n";
  }
}

void append_list(std::string& out, const std::string& title,
                 const std::vector<std::string>& names) {
  if (names.empty()) return;
  out += "  " + title;
  for (std::size_t i = 0; i < names.size(); ++i) out += (i > 0 ? ", " : " ") + names[i];
  out += "\n";
}

}  // namespace

std::string describe(const framenet::Lexicon& lexicon, const framenet::Frame& frame) {
  std::string out = frame.name + "\n";
  using framenet::Core;
  for (const auto& [core, title] : {std::pair{Core::kCore, "core roles:"},
                                    {Core::kCoreUnexpressed, "core, unexpressed:"},
                                    {Core::kPeripheral, "peripheral:"},
                                    {Core::kExtraThematic, "extra-thematic:"}}) {
    std::vector<std::string> names;
    for (const framenet::Role& role : frame.roles) {
      if (role.core == core) names.push_back(role.name);
    }
    append_list(out, title, names);
  }
  append_pairs(out, frame, "excludes", frame.excludes);
  append_pairs(out, frame, "requires", frame.requires_);
  std::vector<std::string> words;
  for (int unit : frame.lexical_units) words.push_back(lexicon.lexical_units[unit].name);
  append_list(out, "evoked by:", words);
  return out;
}

}  // namespace entente::frames
