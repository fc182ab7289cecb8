// What trainings and measurements of CCG share: parts of speech for derivations, and a parser's
// scores on a corpus, sentence by sentence.
//
//   const auto tags = tags_of(derivations, models, false, monitor);
//   std::vector<Scores> scores = score_parser(parser, "dev.auto.gz", dev_tags, {}, monitor);
//   Scores all = total(scores);
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "model/task.h"
#include "tasks/ccg/evaluate.h"
#include "tasks/ccg/parser.h"

namespace entente::ccg {

// One list a sentence: by the layers below, or as the file has them.
std::vector<std::vector<std::string>> tags_of(std::span<const Derivation> derivations,
                                              TaskModels& models, bool from_file, Monitor& monitor);

// What a parser cost beside what it found.
struct ParsingCost {
  double seconds = 0;  // of the processor, parsing alone
  std::int64_t proven = 0, rounds = 0;
};

// Of the first sentences of a corpus, as many as there are tags for.
std::vector<Scores> score_parser(const Parser& parser, const std::string& path,
                                 std::span<const std::vector<std::string>> tags,
                                 const ParseOptions& options, Monitor& monitor,
                                 ParsingCost* cost = nullptr);
// The same of derivations that are not marked (mark_conjuncts) yet; categories are those of `table`.
std::vector<Scores> score_parser(const Parser& parser, std::span<const Derivation> gold,
                                 const CategoryTable& table,
                                 std::span<const std::vector<std::string>> tags,
                                 const ParseOptions& options, Monitor& monitor);

// The supertagger by itself: how often its best category is right, and how often the right one is
// among as many a word as a beam leaves on average (multitagging; Clark and Curran 2004).
struct TaggerScores {
  double best = 0, among = 0;  // percent of the words
  double categories = 0;       // a word
};
TaggerScores score_tagger(const Parser& parser, const std::string& path,
                          std::span<const std::vector<std::string>> tags, double categories);

Scores total(std::span<const Scores> scores);

}  // namespace entente::ccg
