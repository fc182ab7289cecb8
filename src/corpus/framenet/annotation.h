// Sentences of a FrameNet release with what was annotated on them: full texts and exemplars.
//
//   for (const std::string& name : framenet::read_document_list("train.docs"))
//     for (framenet::AnnotatedSentence& s : framenet::read_full_text(release, name, report)) ...
//   framenet::for_each_exemplar(release, report, [](framenet::AnnotatedSentence&& s) { ... });
//
// A predicate is every annotationSet with a frame and a Target label, whatever its status; its
// arguments are the FE labels of rank 1 that have offsets. Labels of rank 2 and null
// instantiations (DNI, INI, CNI) are kept apart. Offsets count characters of `text` (not bytes),
// begin included, end not. Malformed XML is an Error with file:line:column; labels without a name,
// offsets outside the text and the like are skipped and reported. Linear in the file.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/framenet/lexicon.h"

namespace entente::framenet {

struct Label {
  std::string name;
  int begin = 0, end = 0;
};

struct Predicate {
  std::string frame, lexical_unit, status;
  std::vector<Label> target;  // several where the target is discontinuous; in order
  std::vector<Label> arguments, arguments_of_rank_2;
  std::vector<std::pair<std::string, std::string>> null_instantiations;  // role, "DNI"
};

struct AnnotatedSentence {
  std::string document, id, text;
  std::vector<Predicate> predicates;
  std::vector<Label> tags;  // of all words, as the tagger of their corpus had them: "NN1", "vbd"
};

// Names of documents, one a line; blank lines and those starting with # do not count.
std::vector<std::string> read_document_list(const std::string& path);
// All there are in fulltext/, sorted.
std::vector<std::string> document_names(const std::string& release);
// Error if there is no such document, with the nearest name.
std::vector<AnnotatedSentence> read_full_text(const std::string& release, const std::string& name,
                                              Report& report);
// The same of a file given as text.
std::vector<AnnotatedSentence> parse_full_text(std::string text, const std::string& name,
                                               Report& report);
// Sentences of lu/*.xml that have at least one argument or a null instantiation, in the order of
// the lexical units' numbers. Stops when `use` returns false.
void for_each_exemplar(const std::string& release, Report& report,
                       const std::function<bool(AnnotatedSentence&&)>& use);
// Those of one lu/*.xml given as text; false if `use` stopped it.
bool parse_exemplars(std::string text, const std::string& name, Report& report,
                     const std::function<bool(AnnotatedSentence&&)>& use);

}  // namespace entente::framenet
