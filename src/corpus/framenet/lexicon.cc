#include "corpus/framenet/lexicon.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "corpus/framenet/xml.h"
#include "entente/error.h"

namespace entente::framenet {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::pair<std::string_view, Core>, 4> kCores = {{
    {"Core", Core::kCore},
    {"Core-Unexpressed", Core::kCoreUnexpressed},
    {"Peripheral", Core::kPeripheral},
    {"Extra-Thematic", Core::kExtraThematic},
}};

// Rules between roles name them; roles may be named before they are declared.
struct NamedPair {
  std::string from, to;
};

std::vector<std::pair<int, int>> resolve(const Frame& frame, const std::vector<NamedPair>& pairs,
                                         bool ordered, Report& report) {
  std::vector<std::pair<int, int>> out;
  for (const NamedPair& p : pairs) {
    int a = frame.find_role(p.from), b = frame.find_role(p.to);
    if (a < 0 || b < 0 || a == b) {
      report.skip("rules between roles that the frame does not have");
      continue;
    }
    if (!ordered && a > b) std::swap(a, b);
    out.emplace_back(a, b);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void read_role(const XmlFile& file, pugi::xml_node fe, Frame& frame, Report& report) {
  Role role;
  role.name = attribute(fe, "name");
  if (role.name.empty()) file.fail(fe, "a role (FE) needs a name");
  if (frame.find_role(role.name) >= 0) {
    report.skip("roles declared twice");
    return;
  }
  const std::string core = attribute(fe, "coreType");
  const auto* at =
      std::find_if(kCores.begin(), kCores.end(), [&](const auto& c) { return c.first == core; });
  if (at == kCores.end()) {
    report.skip("unknown core types of roles (taken as Peripheral)");
    role.core = Core::kPeripheral;
  } else {
    role.core = at->second;
  }
  role.semantic_type = attribute(fe.child("semType"), "name");
  frame.roles.push_back(std::move(role));
}

void read_lexical_unit(const XmlFile& file, pugi::xml_node node, const Frame& frame,
                       Lexicon& lexicon) {
  LexicalUnit unit;
  unit.name = attribute(node, "name");
  if (unit.name.empty()) file.fail(node, "a lexical unit needs a name");
  unit.pos = attribute(node, "POS");
  unit.frame = static_cast<int>(lexicon.frames.size());
  unit.incorporated = frame.find_role(attribute(node, "incorporatedFE"));
  std::vector<std::pair<int, pugi::xml_node>> lexemes;
  for (pugi::xml_node lexeme : node.children("lexeme")) {
    lexemes.emplace_back(lexeme.attribute("order").as_int(), lexeme);
  }
  std::stable_sort(lexemes.begin(), lexemes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [order, lexeme] : lexemes) {
    if (lexeme.attribute("headword").as_bool()) unit.head = static_cast<int>(unit.lexemes.size());
    unit.lexemes.push_back(attribute(lexeme, "name"));
  }
  lexicon.lexical_units.push_back(std::move(unit));
}

void read_frame(const XmlFile& file, Lexicon& lexicon, Report& report) {
  const pugi::xml_node root = file.root("frame");
  Frame frame;
  frame.name = attribute(root, "name");
  if (frame.name.empty()) file.fail(root, "a frame needs a name");
  std::vector<NamedPair> excludes, needs;
  for (pugi::xml_node fe : root.children("FE")) {
    read_role(file, fe, frame, report);
    const std::string name = attribute(fe, "name");
    for (pugi::xml_node e : fe.children("excludesFE")) {
      excludes.push_back({name, attribute(e, "name")});
    }
    for (pugi::xml_node r : fe.children("requiresFE"))
      needs.push_back({name, attribute(r, "name")});
  }
  frame.excludes = resolve(frame, excludes, false, report);
  frame.requires_ = resolve(frame, needs, false, report);
  frame.requires_one_way = resolve(frame, needs, true, report);
  for (pugi::xml_node set : root.children("FEcoreSet")) {
    std::vector<int>& members = frame.core_sets.emplace_back();
    for (pugi::xml_node m : set.children("memberFE")) {
      const int role = frame.find_role(attribute(m, "name"));
      if (role >= 0) members.push_back(role);
    }
    if (members.size() < 2) frame.core_sets.pop_back();
  }
  for (pugi::xml_node unit : root.children("lexUnit")) {
    frame.lexical_units.push_back(static_cast<int>(lexicon.lexical_units.size()));
    read_lexical_unit(file, unit, frame, lexicon);
  }
  lexicon.frames.push_back(std::move(frame));
}

void read_relations(const XmlFile& file, Lexicon& lexicon, Report& report) {
  for (pugi::xml_node type : file.root("frameRelations").children("frameRelationType")) {
    for (pugi::xml_node node : type.children("frameRelation")) {
      FrameRelation relation;
      relation.type = attribute(type, "name");
      relation.child = lexicon.find(attribute(node, "subFrameName"));
      relation.parent = lexicon.find(attribute(node, "superFrameName"));
      if (relation.child < 0 || relation.parent < 0) {
        report.skip("relations between frames that the release does not have");
        continue;
      }
      for (pugi::xml_node pair : node.children("FERelation")) {
        const int a = lexicon.frames[relation.child].find_role(attribute(pair, "subFEName"));
        const int b = lexicon.frames[relation.parent].find_role(attribute(pair, "superFEName"));
        if (a >= 0 && b >= 0) relation.roles.emplace_back(a, b);
      }
      lexicon.relations.push_back(std::move(relation));
    }
  }
}

}  // namespace

std::string_view core_name(Core core) {
  for (const auto& [name, c] : kCores) {
    if (c == core) return name;
  }
  return "Core";
}

int Frame::find_role(std::string_view role) const {
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i].name == role) return static_cast<int>(i);
  }
  return -1;
}

int Lexicon::find(std::string_view frame) const {
  const auto at = std::lower_bound(frames.begin(), frames.end(), frame,
                                   [](const Frame& f, std::string_view n) { return f.name < n; });
  return at != frames.end() && at->name == frame ? static_cast<int>(at - frames.begin()) : -1;
}

std::vector<std::string> Report::lines() const {
  std::vector<std::string> out;
  for (const auto& [what, count] : skipped_)
    out.push_back(fmt::format("skipped {} {}", count, what));
  return out;
}

std::string find_release(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw Error("no such folder", {.file = path});
  const auto is_release = [&](const fs::path& folder) {
    return fs::is_directory(folder / "frame", ignored) ||
           fs::is_directory(folder / "fulltext", ignored);
  };
  if (is_release(path)) return path;
  std::vector<std::string> found;
  bool packed = false;
  for (fs::directory_iterator i(path, ignored), end; !ignored && i != end; i.increment(ignored)) {
    if (is_release(i->path())) found.push_back(i->path().string());
    packed = packed || i->path().string().find(".tar") != std::string::npos;
  }
  if (found.size() != 1) {
    throw Error(
        std::string("expected a FrameNet release: a folder with frame/ and fulltext/ inside") +
            (packed ? "; unpack its archives first" : ""),
        {.file = path});
  }
  return found[0];
}

void parse_frame(std::string text, std::string name, Lexicon& lexicon, Report& report) {
  read_frame(XmlFile(std::move(text), std::move(name)), lexicon, report);
}

Lexicon read_lexicon(const std::string& path, Report& report) {
  const std::string release = find_release(path);
  std::vector<std::string> files;
  std::error_code none;
  for (fs::directory_iterator i(release + "/frame", none), end; !none && i != end;
       i.increment(none)) {
    if (i->path().extension() == ".xml") files.push_back(i->path().string());
  }
  if (files.empty()) throw Error("expected frames (*.xml)", {.file = release + "/frame"});
  // By the frame's name, not the file's: find() searches by halves, and lexical units point back.
  std::sort(files.begin(), files.end());
  Lexicon lexicon;
  for (const std::string& file : files) read_frame(XmlFile(file), lexicon, report);
  if (!std::is_sorted(lexicon.frames.begin(), lexicon.frames.end(),
                      [](const Frame& a, const Frame& b) { return a.name < b.name; })) {
    sort_frames(lexicon);
  }
  for (std::size_t i = 1; i < lexicon.frames.size(); ++i) {
    if (lexicon.frames[i].name == lexicon.frames[i - 1].name) {
      throw Error("frame " + quoted(lexicon.frames[i].name) + " is there twice",
                  {.file = release + "/frame"});
    }
  }
  const std::string relations = release + "/frRelation.xml";
  if (fs::exists(relations)) {
    read_relations(XmlFile(relations), lexicon, report);
  } else {
    report.skip("frRelation.xml, which is not there: roles will share nothing along relations");
  }
  return lexicon;
}

void sort_frames(Lexicon& lexicon) {
  std::vector<int> order(lexicon.frames.size()), place(lexicon.frames.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return lexicon.frames[a].name < lexicon.frames[b].name; });
  std::vector<Frame> sorted;
  for (int i : order) {
    place[i] = static_cast<int>(sorted.size());
    sorted.push_back(std::move(lexicon.frames[i]));
  }
  lexicon.frames = std::move(sorted);
  for (LexicalUnit& unit : lexicon.lexical_units) unit.frame = place[unit.frame];
}

}  // namespace entente::framenet
