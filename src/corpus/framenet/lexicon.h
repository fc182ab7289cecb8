// The lexicon of a FrameNet release: frames, their roles and rules, lexical units, frame relations.
//
//   Report report;
//   const framenet::Lexicon lexicon = framenet::read_lexicon("fndata-1.5", report);
//   const framenet::Frame& f = lexicon.frames[lexicon.find("Similarity")];
//   f.roles[f.excludes[0].first].name                   // "Entity_1"
//
// Reads frame/*.xml and frRelation.xml as releases 1.5 to 1.7 have them; a `fndata-1.x` folder or
// one that holds it. Frames are sorted by name, roles keep the order of the file: the same release
// gives the same numbers everywhere. What cannot be used is skipped and counted in the report.
// Cost: about a second for release 1.5. Immutable once read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace entente::framenet {

enum class Core { kCore, kCoreUnexpressed, kPeripheral, kExtraThematic };
std::string_view core_name(Core core);  // as FrameNet writes it: "Core", "Extra-Thematic"

struct Role {
  std::string name;
  Core core = Core::kCore;
  std::string semantic_type;  // of the first one that is given; mostly empty
};

struct LexicalUnit {
  std::string name;       // "team up.v"
  std::string pos;        // "V"
  int frame = -1;         // of Lexicon::frames
  int incorporated = -1;  // the role that the word itself fills ("partner" is Partner_1); -1: none
  std::vector<std::string> lexemes;  // "team", "up"
  int head = 0;                      // which lexeme inflects
};

struct Frame {
  std::string name;
  std::vector<Role> roles;
  // Pairs of roles, the smaller number first, each pair once and sorted, whichever side declared
  // it: the paper reads both kinds as symmetric.
  std::vector<std::pair<int, int>> excludes, requires_;
  // As declared, one side at a time: first requires second.
  std::vector<std::pair<int, int>> requires_one_way;
  std::vector<std::vector<int>> core_sets;  // one of each is enough
  std::vector<int> lexical_units;

  int find_role(std::string_view role) const;  // -1: it has none
};

struct FrameRelation {
  std::string type;                        // "Inheritance", "Using", "Subframe", ...
  int child = -1, parent = -1;             // the sub and the super frame
  std::vector<std::pair<int, int>> roles;  // role of the child, role of the parent
};

struct Lexicon {
  std::vector<Frame> frames;
  std::vector<LexicalUnit> lexical_units;
  std::vector<FrameRelation> relations;

  int find(std::string_view frame) const;  // -1: there is none
};

// What a reader passed over: a sentence a kind, with how often.
class Report {
 public:
  void skip(const std::string& what) { ++skipped_[what]; }
  void add(const Report& other) {
    for (const auto& [what, count] : other.skipped_) skipped_[what] += count;
  }
  const std::map<std::string, int>& skipped() const { return skipped_; }
  std::vector<std::string> lines() const;  // "skipped 3 labels without a role"

 private:
  std::map<std::string, int> skipped_;
};

// The folder of the release: `path`, or the one folder in it that has a frame/ or a fulltext/
// inside. Error if there is none, that says what was looked for.
std::string find_release(const std::string& path);
Lexicon read_lexicon(const std::string& path, Report& report);
// One frame/*.xml given as text; `name` is for messages. Frames are then to be sorted.
void parse_frame(std::string text, std::string name, Lexicon& lexicon, Report& report);
void sort_frames(Lexicon& lexicon);  // by name, as find() needs them

}  // namespace entente::framenet
