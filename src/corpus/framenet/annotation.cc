#include "corpus/framenet/annotation.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/files.h"
#include "base/text.h"
#include "base/utf8.h"
#include "corpus/framenet/xml.h"
#include "entente/error.h"

namespace entente::framenet {

namespace fs = std::filesystem;

namespace {

int count_characters(std::string_view text) {
  int n = 0;
  for (std::size_t i = 0; i < text.size(); ++n) {
    i += static_cast<std::size_t>(std::max(decode_utf8(text, i).length, 1));
  }
  return n;
}

// Start and end as the release has them: the last character is included.
std::optional<Label> read_label(pugi::xml_node node, int characters, Report& report) {
  const auto begin = parse_integer(attribute(node, "start"));
  const auto last = parse_integer(attribute(node, "end"));
  if (!begin || !last || *begin < 0 || *last < *begin || *last >= characters) {
    report.skip("labels whose offsets lie outside their sentence");
    return std::nullopt;
  }
  return Label{attribute(node, "name"), static_cast<int>(*begin), static_cast<int>(*last) + 1};
}

void read_roles(pugi::xml_node layer, int characters, Predicate& predicate, Report& report) {
  const bool first_rank = layer.attribute("rank").as_int(1) == 1;
  for (pugi::xml_node node : layer.children("label")) {
    if (node.attribute("name").empty()) {
      report.skip("FE labels without a role");
    } else if (node.attribute("start").empty()) {
      if (!node.attribute("itype").empty()) {
        predicate.null_instantiations.emplace_back(attribute(node, "name"),
                                                   attribute(node, "itype"));
      }
    } else if (const auto label = read_label(node, characters, report)) {
      (first_rank ? predicate.arguments : predicate.arguments_of_rank_2).push_back(*label);
    }
  }
}

// No value if the set is no predicate.
std::optional<Predicate> read_predicate(pugi::xml_node set, int characters, Report& report) {
  Predicate p;
  p.status = attribute(set, "status");
  for (pugi::xml_node layer : set.children("layer")) {
    const std::string_view name = layer.attribute("name").value();
    if (name == "Target") {
      for (pugi::xml_node node : layer.children("label")) {
        if (const auto label = read_label(node, characters, report)) p.target.push_back(*label);
      }
    } else if (name == "FE") {
      read_roles(layer, characters, p, report);
    }
  }
  if (p.target.empty()) return std::nullopt;
  const auto by_begin = [](const Label& a, const Label& b) { return a.begin < b.begin; };
  std::stable_sort(p.target.begin(), p.target.end(), by_begin);
  std::stable_sort(p.arguments.begin(), p.arguments.end(), by_begin);
  return p;
}

// Of the layer that a tagger made, BNC's or Penn's, if this is the set that has it. What lies
// outside the text is left out: nobody depends on these being complete.
void read_tags(pugi::xml_node set, int characters, std::vector<Label>& tags) {
  for (pugi::xml_node layer : set.children("layer")) {
    const std::string_view name = layer.attribute("name").value();
    if (name != "BNC" && name != "PENN") continue;
    Report unheard;
    for (pugi::xml_node node : layer.children("label")) {
      if (const auto label = read_label(node, characters, unheard)) tags.push_back(*label);
    }
    return;
  }
}

AnnotatedSentence read_sentence(const XmlFile& file, pugi::xml_node node,
                                const std::string& document, const std::string& frame,
                                const std::string& unit, Report& report) {
  AnnotatedSentence s;
  s.document = document;
  s.id = attribute(node, "ID");
  s.text = node.child("text").text().get();
  // References can spell what is no character: half a surrogate, say.
  if (!is_utf8(s.text)) file.fail(node, "the text is not UTF-8");
  const int characters = count_characters(s.text);
  for (pugi::xml_node set : node.children("annotationSet")) {
    if (s.tags.empty()) read_tags(set, characters, s.tags);
    // Exemplars have the frame in their file's head; there every set that is not the tagger's
    // counts.
    const std::string own = attribute(set, "frameName");
    if (own.empty() && frame.empty()) continue;
    auto predicate = read_predicate(set, characters, report);
    if (!predicate) {
      if (!own.empty()) report.skip("annotation sets with a frame but no target");
      continue;
    }
    predicate->frame = own.empty() ? frame : own;
    predicate->lexical_unit = own.empty() ? unit : attribute(set, "luName");
    s.predicates.push_back(std::move(*predicate));
  }
  return s;
}

std::vector<AnnotatedSentence> read_full_text(const XmlFile& file, const std::string& name,
                                              Report& report) {
  std::vector<AnnotatedSentence> out;
  for (pugi::xml_node node : file.root("fullTextAnnotation").children("sentence")) {
    out.push_back(read_sentence(file, node, name, "", "", report));
  }
  return out;
}

bool read_exemplars(const XmlFile& file, Report& report,
                    const std::function<bool(AnnotatedSentence&&)>& use) {
  const pugi::xml_node root = file.root("lexUnit");
  const std::string frame = attribute(root, "frame"), unit = attribute(root, "name");
  if (frame.empty()) file.fail(root, "a lexical unit needs a frame");
  for (pugi::xml_node corpus : root.children("subCorpus")) {
    for (pugi::xml_node node : corpus.children("sentence")) {
      AnnotatedSentence s = read_sentence(file, node, "", frame, unit, report);
      std::erase_if(s.predicates, [](const Predicate& p) {
        return p.arguments.empty() && p.null_instantiations.empty();
      });
      if (!s.predicates.empty() && !use(std::move(s))) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::string> read_document_list(const std::string& path) {
  std::vector<std::string> out;
  InputFile file(path);
  for (std::string line; file.read_line(line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    out.push_back(line.ends_with(".xml") ? line.substr(0, line.size() - 4) : line);
  }
  if (out.empty()) throw Error("expected names of documents, one a line", {.file = path});
  return out;
}

std::vector<std::string> document_names(const std::string& path) {
  const std::string folder = find_release(path) + "/fulltext";
  std::vector<std::string> out;
  std::error_code none;
  for (fs::directory_iterator i(folder, none), end; !none && i != end; i.increment(none)) {
    if (i->path().extension() == ".xml") out.push_back(i->path().stem().string());
  }
  std::sort(out.begin(), out.end());
  if (out.empty()) throw Error("expected annotated documents (*.xml)", {.file = folder});
  return out;
}

std::vector<AnnotatedSentence> parse_full_text(std::string text, const std::string& name,
                                               Report& report) {
  return read_full_text(XmlFile(std::move(text), name), name, report);
}

std::vector<AnnotatedSentence> read_full_text(const std::string& path, const std::string& name,
                                              Report& report) {
  const std::string file = find_release(path) + "/fulltext/" + name + ".xml";
  if (!fs::exists(file)) {
    Nearest nearest(name);
    const std::vector<std::string> names = document_names(path);
    for (const std::string& n : names) nearest.consider(n);
    throw Error("no such document" + nearest.suggestion(), {.file = file});
  }
  return read_full_text(XmlFile(file), name, report);
}

bool parse_exemplars(std::string text, const std::string& name, Report& report,
                     const std::function<bool(AnnotatedSentence&&)>& use) {
  return read_exemplars(XmlFile(std::move(text), name), report, use);
}

void for_each_exemplar(const std::string& path, Report& report,
                       const std::function<bool(AnnotatedSentence&&)>& use) {
  const std::string folder = find_release(path) + "/lu";
  std::vector<std::pair<std::int64_t, std::string>> files;
  std::error_code none;
  for (fs::directory_iterator i(folder, none), end; !none && i != end; i.increment(none)) {
    const std::string stem = i->path().stem().string();
    if (i->path().extension() != ".xml" || !stem.starts_with("lu")) continue;
    if (const auto number = parse_integer(stem.substr(2))) {
      files.emplace_back(*number, i->path().string());
    }
  }
  if (files.empty()) throw Error("expected lexical units (lu*.xml)", {.file = folder});
  std::sort(files.begin(), files.end());
  for (const auto& [number, file] : files) {
    if (!read_exemplars(XmlFile(file), report, use)) return;
  }
}

}  // namespace entente::framenet
