// What the tests of this folder share: a made-up corpus, and random scores.
#pragma once

#include <string>
#include <vector>

#include "base/line_source.h"
#include "base/random.h"
#include "corpus/conll04.h"
#include "tasks/relations/passage.h"
#include "tasks/relations/scores.h"

namespace entente::relations {

// The labels and rules of the paper.
inline LabelSet paper_labels() {
  LabelSet out;
  out.entities = {"Loc", "Org", "Other", "Peop"};
  out.relations = {"none", "Kill", "Live_In", "Located_In", "OrgBased_In", "Work_For"};
  out.signatures = {{1, 3, 3}, {2, 3, 0}, {3, 0, 0}, {4, 1, 0}, {5, 3, 1}};
  return out;
}

inline JointScores random_scores(Random& r, int mentions, const LabelSet& labels, double spread) {
  JointScores out(mentions, labels);
  for (int m = 0; m < mentions; ++m) {
    for (double& s : out.entity(m)) s = r.normal(0, spread);
  }
  for (int i = 0; i < pair_count(mentions); ++i) {
    for (double& s : out.states(i)) s = r.normal(0, spread);
  }
  return out;
}

// Sentences that nobody wrote: a person lives in a place, works for a firm, shot another person; a
// firm or a place is in a place.
inline std::vector<Conll04Sentence> made_up_corpus(int count, std::uint64_t seed) {
  static const std::vector<std::string> people = {"Ada/Moor",  "Tom/Birk",  "Lena/Ohm",
                                                  "Karl/Wied", "Ines/Roca", "Hugo/Falk"};
  static const std::vector<std::string> places = {"Lund", "Brest", "Gera", "Oulu", "Tula", "Vigo"};
  static const std::vector<std::string> firms = {"Nordex/Corp.", "Balt/Bank", "Ferro/Corp.",
                                                 "Osprey/Inc."};
  Random r(seed);
  std::vector<Conll04Sentence> out;
  for (int i = 0; i < count; ++i) {
    Conll04Sentence& s = out.emplace_back();
    s.id = std::to_string(i);
    const auto add = [&](const std::string& label, const std::string& words) {
      std::string tags = label == "O" ? "IN" : "NNP";
      for (char c : words) tags += c == '/' ? "/NNP" : "";
      s.rows.push_back({label, tags, words, {"O", "O", "O", "O"}});
      return static_cast<int>(s.rows.size()) - 1;
    };
    const auto pick = [&](const std::vector<std::string>& from) {
      return from[r.below(static_cast<int>(from.size()))];
    };
    const int kind = r.below(5);
    const int first = kind == 1 || kind == 2 || kind == 4 ? add("Peop", pick(people))
                      : kind == 3                         ? add("Org", pick(firms))
                                                          : add("Loc", pick(places));
    static const std::vector<std::string> words[] = {
        {"in"}, {"lives", "in"}, {"works", "for"}, {"based", "in"}, {"shot"}};
    static const char* const labels[] = {"Located_In", "Live_In", "Work_For", "OrgBased_In",
                                         "Kill"};
    for (const std::string& w : words[kind]) add("O", w);
    const int second = kind == 4   ? add("Peop", pick(people))
                       : kind == 2 ? add("Org", pick(firms))
                                   : add("Loc", pick(places));
    s.relations.push_back({first, second, labels[kind]});
    add("O", r.chance(0.5) ? "today" : "again");
    if (r.chance(0.5)) add("Other", "Monday");
  }
  return out;
}

inline std::vector<Passage> passages_of(const std::string& text, const LabelSet& labels) {
  StringLines lines(text, "test.tsv");
  Conll04Reader reader(lines);
  std::vector<Conll04Sentence> sentences;
  for (Conll04Sentence s; reader.read(s);) sentences.push_back(s);
  return make_passages(sentences, labels, false);
}

}  // namespace entente::relations
