// Rounds of an agreement as a table for the terminal and as a picture: a column a word, what each
// side chose for it, and where the two differ.
//
//   RoundTable table(indicators, "parser", "tagger");
//   options.trace = [&](const AgreementRound& r) { table.add(r); };
//   text += table.text();  pictures.push_back(table.picture("A parser and a tagger"));
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/picture.h"
#include "entente/agreement.h"
#include "tasks/constituency/agree_story.h"
#include "tasks/constituency/tutorial_models.h"

namespace entente::constituency {

class RoundTable {
 public:
  RoundTable(const IndicatorTable& table, std::string first, std::string second)
      : table_(table), names_{std::move(first), std::move(second)} {}
  void add(const AgreementRound& round);
  std::string text() const;
  Picture picture(const std::string& title) const;

 private:
  struct Row {
    int round;
    std::vector<std::string> cells[2];
    double dual, best_primal;
    std::vector<std::string> moves;  // "u(United, N) +1"
  };
  IndicatorTable table_;  // a copy: tightening adds to it
  std::string names_[2];
  std::vector<Row> rows_;
};

// Runs examples one after the other and keeps what there is to show.
class Narrator {
 public:
  explicit Narrator(const TaskRequest& request);
  void heading(const std::string& line);
  // One run, drawn, `shown` saying which rounds are (all); with a line on how it ended.
  AgreementResult run(AgreementModel& first, AgreementModel& second, const IndicatorTable& table,
                      const std::pair<std::string, std::string>& names, const std::string& title,
                      AgreementOptions with,
                      const std::function<bool(const AgreementRound&)>& shown = {});
  void draw(const std::string& brackets, const std::string& title);  // a tree
  void finish(const TaskRequest& request);

  std::string text;
  AgreementOptions options;
  bool step_given;

 private:
  Story story_;
  std::vector<Picture> pictures_;
  int problems_ = 0;
};

void tutorial_corpus(Narrator& n);
void tutorial_alignments(Narrator& n);

}  // namespace entente::constituency
