// What the sections of `entente bench ccg` share: corpora, charts that are made when a row first
// needs them, settings chosen on a part of train, rows that are kept, and how rows are printed.
//
//   BenchLab lab(request);
//   if (!lab.read()) return 1;
//   lab.choose();                                            // l2 and tau
//   LazyParser parser = lab.learned(lab.smallest(), "f1", lab.exact_tau());
//   lab.row("f1", lab.test(parser, {}), "");                 // trained and parsed unless it is kept
//
// One thread at a time (trainings have their own).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tasks/ccg/bench_rows.h"
#include "tasks/ccg/experiment.h"
#include "tasks/ccg/train_parser.h"

namespace entente::ccg {

struct BenchCorpus {
  CategoryTable table;
  std::vector<Derivation> all;
  std::vector<std::vector<std::string>> tags;
};

// "a,b" as two.
std::vector<std::string> pieces_of(const std::string& text);
// "0.5,1"; Error unless they are numbers above 0, and at least one.
std::vector<double> numbers_of(const std::string& text);

// A parser that is trained when it is first asked for: rows that are kept need none.
class LazyParser {
 public:
  LazyParser(std::string key, std::function<Parser()> make)
      : key_(std::move(key)), make_(std::move(make)) {}
  const std::string& key() const { return key_; }
  const Parser& get() {
    if (made_ == nullptr) made_ = std::make_unique<Parser>(make_());
    return *made_;
  }

 private:
  std::string key_;
  std::function<Parser()> make_;
  std::unique_ptr<Parser> made_;
};

std::string key_of(const TrainingOptions& options);
std::string key_of(const ParseOptions& options);

class BenchLab {
 public:
  explicit BenchLab(const TaskRequest& request);
  bool read();  // both corpora; false if stopped
  // l2 by likelihood, tau by DecF1 (hybrid model) and by F1 (normal form), on sentences of train that
  // the models did not see.
  void choose();
  double tau() const { return tau_; }              // of decomposed losses
  double exact_tau() const { return exact_tau_; }  // of exact ones

  // What a loss does on the part of train that is held out (choose()).
  Scores held_out(const TrainingOptions& charts, const std::string& loss, double tau);
  bool can_choose() const { return held_ > 0; }

  TrainingOptions large() const;                               // of Tables 3, 5, 6 and 7
  TrainingOptions restricted(std::int64_t most) const;         // of Table 4
  TrainingOptions smallest() const;                            // of Figure 6
  ParserTrainer& with_charts(const TrainingOptions& options);  // made unless they are there
  WeightsOptions weights(const std::string& loss, double tau) const;
  LazyParser learned(const TrainingOptions& charts, const std::string& loss, double tau) {
    return learned(charts, weights(loss, tau), loss);
  }
  LazyParser learned(const TrainingOptions& charts, const WeightsOptions& w,
                     const std::string& loss);
  BenchRow test(LazyParser& parser, const ParseOptions& options) const;
  BenchCorpus read(const std::string& path, int most, bool file_tags) const;

  void say(const std::string& text) const { request_.write(text); }
  void head(const std::string& title) const;
  void row(const std::string& name, const BenchRow& made, const char* paper) const;
  // How sure a difference of LF, or of another measure of labelled dependencies, is.
  void compare(const std::string& what, const BenchRow& one, const BenchRow& other,
               double (*measure)(const Counts&) = nullptr) const;

  std::string key() const;  // what every row depends on
  const Settings& settings() const { return settings_; }
  Monitor& monitor() const { return monitor_; }
  const KeptRows& rows() const { return rows_; }
  const std::string& dev_path() const { return dev_path_; }
  const TrainingOptions& options() const { return options_; }

 private:
  const TaskRequest& request_;
  const Settings& settings_;
  Monitor& monitor_;
  TrainingOptions options_;
  double tau_ = 1, exact_tau_ = 1;
  std::string dev_path_;
  BenchCorpus train_, dev_;
  KeptRows rows_;
  std::unique_ptr<ParserTrainer> trainer_;
  std::string charts_;  // the key of those that the trainer has
  // Of the sentences to choose settings on, the last held_ are what is looked at.
  int chosen_from_ = 0, held_ = 0;
  std::vector<Derivation> part_, rest_;  // copies: a trainer marks conjuncts in its own
  std::vector<std::vector<std::string>> part_tags_;
  std::unique_ptr<ParserTrainer> part_trainer_;
  std::string part_charts_;
};

}  // namespace entente::ccg
