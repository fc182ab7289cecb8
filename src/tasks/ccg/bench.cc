#include "tasks/ccg/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>

#include "base/bootstrap.h"
#include "base/text.h"
#include "corpus/layers/ccg/auto.h"
#include "entente/error.h"
#include "tasks/ccg/bench_cost.h"
#include "tasks/ccg/bench_rows.h"
#include "tasks/ccg/experiment.h"
#include "tasks/ccg/train_parser.h"

namespace entente::ccg {

namespace {

constexpr const char* kSections[] = {"cost",   "figure4", "figure5", "figure6", "table3",
                                     "table4", "table5",  "table6",  "table7",  "reverse"};

struct Corpus {
  CategoryTable table;
  std::vector<Derivation> all;
  std::vector<std::vector<std::string>> tags;
};

std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

std::vector<double> numbers(const std::string& text) {
  std::vector<double> out;
  for (const std::string& p : pieces(text)) {
    char* end = nullptr;
    out.push_back(std::strtod(p.c_str(), &end));
    if (*end != '\0' || !(out.back() > 0))
      throw Error("expected numbers above 0 with commas, found " + quoted(text));
  }
  if (out.empty()) throw Error("expected at least one number");
  return out;
}

std::string cells(const Scores& s) {
  return fmt::format("{:7.2f}{:7.2f}{:7.2f}{:7.2f}{:7.2f}{:7.2f}{:7.2f}", s.labelled.f1(),
                     s.labelled.precision(), s.labelled.recall(), s.unlabelled.f1(),
                     s.unlabelled.precision(), s.unlabelled.recall(), s.supertags.recall());
}

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

std::string key_of(const TrainingOptions& o) {
  return fmt::format("features {} beams {} most {} targets {}", static_cast<int>(o.features),
                     static_cast<int>(o.beams), o.most, static_cast<int>(o.targets));
}

std::string key_of(const ParseOptions& o) {
  return fmt::format("decoding {} strategy {} rounds {}", static_cast<int>(o.decoding),
                     static_cast<int>(o.strategy), o.rounds);
}

class Bench {
 public:
  explicit Bench(const TaskRequest& request)
      : request_(request),
        settings_(request.settings),
        monitor_(*request.monitor),
        rows_(request.settings.text("keep")) {
    for (const std::string& s : pieces(settings_.text("sections"))) {
      if (std::find(std::begin(kSections), std::end(kSections), s) == std::end(kSections))
        throw Error("unknown section " + quoted(s) +
                    "; there are cost, figure4 to figure6, table3 to table7 and reverse");
      wanted_.insert(s);
    }
    if (wanted_.empty()) wanted_.insert(std::begin(kSections), std::end(kSections));
    options_.supertags.epochs = settings_.integer("bench_supertag_epochs");
    options_.supertags.bits = 21;
    options_.jackknife = settings_.integer("bench_jackknife");
    options_.weights.threads = std::max(1, request.threads);
    options_.weights.iterations = settings_.integer("bench_iterations");
    options_.weights.supertags = false;
    options_.add_gold = false;
    taus_ = numbers(settings_.text("taus"));
  }

  int run() {
    const std::string folder = settings_.text("corpus") + "/" + settings_.text("scheme");
    dev_path_ = folder + "-dev.auto.gz";
    train_ = read(folder + "-train.auto.gz", settings_.integer("sentences"), false);
    dev_ = read(dev_path_, settings_.integer("dev_sentences"), false);
    if (monitor_.stopped()) return 1;
    say(fmt::format("{}: {} training sentences, {} of dev, parts of speech by our tagger\n",
                    settings_.text("scheme"), train_.all.size(), dev_.all.size()));
    choose();
    if (wants({"cost", "figure4", "figure5"})) costs();
    if (wants({"figure6"})) figure_6();
    if (wants({"table4"})) table_4();
    if (wants({"table3"})) table_3();
    if (wants({"table5", "table6"})) tables_5_and_6();
    if (wants({"table7"})) table_7();
    return monitor_.stopped() ? 1 : 0;
  }

 private:
  bool wants(std::initializer_list<const char*> any) const {
    return !monitor_.stopped() &&
           std::any_of(any.begin(), any.end(), [&](const char* s) { return wanted_.count(s) > 0; });
  }
  void say(const std::string& text) const { request_.write(text); }

  Corpus read(const std::string& path, int most, bool file_tags) {
    Corpus out;
    out.all = std::move(read_derivations(path, out.table, true).all);
    if (most > 0 && most < static_cast<int>(out.all.size())) out.all.resize(most);
    out.tags = tags_of(out.all, *request_.models, file_tags, monitor_);
    return out;
  }

  // What every row depends on.
  std::string key() const {
    return fmt::format("{} train {} dev {} epochs {} parts {} iterations {} l2 {}",
                       settings_.text("scheme"), train_.all.size(), dev_.all.size(),
                       options_.supertags.epochs, options_.jackknife, options_.weights.iterations,
                       options_.weights.l2);
  }
  // The trainer with these charts, which are made unless it has them.
  ParserTrainer& with_charts(const TrainingOptions& options) {
    if (trainer_ == nullptr) {
      trainer_ = std::make_unique<ParserTrainer>(train_.all, train_.table, train_.tags, options_);
      trainer_->train_taggers(monitor_);
    }
    if (charts_ != key_of(options) && !monitor_.stopped()) {
      trainer_->rebuild(options, monitor_);
      charts_ = key_of(options);
    }
    return *trainer_;
  }

  WeightsOptions weights(const std::string& loss, double tau) const {
    WeightsOptions w = options_.weights;
    w.loss = parse_loss(loss);
    w.loss.tau = tau;
    return w;
  }
  LazyParser learned(const TrainingOptions& charts, const std::string& loss, double tau) {
    return learned(charts, weights(loss, tau), loss);
  }
  LazyParser learned(const TrainingOptions& charts, const WeightsOptions& w,
                     const std::string& loss) {
    return {fmt::format("{} {} {} tau {} supertags {}", key(), key_of(charts), loss,
                        loss == "cll" ? 0 : w.loss.tau, w.supertags),
            [this, charts, w] { return with_charts(charts).train(w, monitor_); }};
  }
  BenchRow test(LazyParser& parser, const ParseOptions& options) const {
    return rows_.get(parser.key() + " " + key_of(options), monitor_, [&] {
      BenchRow row;
      ParsingCost cost;
      row.scores = score_parser(parser.get(), dev_path_, dev_.tags, options, monitor_, &cost);
      const double n = static_cast<double>(std::max<std::size_t>(1, row.scores.size()));
      if (options.decoding == Decoding::agreement)
        row.note = fmt::format("  proven {:.2f}%, {:.1f} rounds a sentence",
                               100.0 * static_cast<double>(cost.proven) / n,
                               static_cast<double>(cost.rounds) / n);
      return row;
    });
  }
  void head(const std::string& title) const {
    say(fmt::format("\n{}\n{:22}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}\n", title, "", "LF", "LP", "LR",
                    "UF", "UP", "UR", "ST"));
  }
  void row(const std::string& name, const BenchRow& made, const char* paper) const {
    if (monitor_.stopped()) return;
    const Scores all = total(made.scores);
    say(fmt::format("{:22}{}  coverage {:.2f}\n", name, cells(all),
                    100.0 * static_cast<double>(all.parsed) / static_cast<double>(all.sentences)));
    if (!made.note.empty()) say(made.note + "\n");
    if (*paper != '\0') say(fmt::format("{:22}{}\n", "  paper", paper));
  }
  void compare(const std::string& what, const BenchRow& one, const BenchRow& other) const {
    if (monitor_.stopped()) return;
    const std::span<const Scores> first = one.scores, second = other.scores;
    const BootstrapInterval i = paired_bootstrap<Scores>(
        static_cast<int>(first.size()),
        [&](int s, Scores& a, Scores& b) {
          a.add(first[s]);
          b.add(second[s]);
        },
        [](const Scores& s) { return s.labelled.f1(); });
    say(fmt::format("{:22}{:+7.2f} LF, 95% of resampled dev {:+.2f} to {:+.2f}\n", what,
                    i.difference, i.low, i.high));
  }

  TrainingOptions large() const {  // of Tables 3, 5, 6
    TrainingOptions o = options_;
    o.beams = TrainingBeams::large;
    o.most = 300000;
    o.targets = Targets::both;
    return o;
  }
  TrainingOptions restricted(std::int64_t most) const {  // of Figure 6 and Table 4
    TrainingOptions o = options_;
    o.features = FeatureSet::normal_form;
    o.beams = TrainingBeams::small;
    o.most = most;
    o.targets = Targets::both;
    return o;
  }

  // l2 by likelihood, tau by DecF1 and by F1, on sentences of train that the models did not see.
  void choose() {
    const int size = std::min(settings_.integer("choose"), static_cast<int>(train_.all.size()));
    const int held = size / 5;
    std::vector<double> l2s = numbers(settings_.text("l2s"));
    options_.weights.l2 = l2s[0];
    tau_ = exact_tau_ = taus_[0];
    if (held == 0 || (l2s.size() == 1 && taus_.size() == 1)) return;
    std::vector<Derivation> part(train_.all.begin(), train_.all.begin() + size - held);
    const std::span<const Derivation> rest(train_.all.data() + size - held, held);
    const std::vector<std::vector<std::string>> tags(train_.tags.begin(),
                                                     train_.tags.begin() + size - held);
    const std::span<const std::vector<std::string>> rest_tags(train_.tags.data() + size - held,
                                                              held);
    std::unique_ptr<ParserTrainer> trainer;
    const auto f1 = [&](const std::string& loss, double tau) {
      const auto make = [&]() -> BenchRow {
        if (trainer == nullptr) {
          trainer = std::make_unique<ParserTrainer>(part, train_.table, tags, restricted(30000));
          trainer->prepare(monitor_);
        }
        const Parser parser = trainer->train(weights(loss, tau), monitor_);
        return {score_parser(parser, rest, train_.table, rest_tags, {}, monitor_), ""};
      };
      const std::string name = fmt::format("{} choose {} {} tau {}", key(), size, loss, tau);
      return total(rows_.get(name, monitor_, make).scores).labelled.f1();
    };
    say(fmt::format("chosen on {} sentences of train, learned from {} others (LF):\n", held,
                    part.size()));
    double best = -1, best_l2 = l2s[0];
    for (const double l2 : l2s) {
      options_.weights.l2 = l2;
      const double f = f1("cll", 0);
      say(fmt::format("  likelihood  l2 {:<6} {:6.2f}\n", l2, f));
      if (f > best) best_l2 = l2;
      best = std::max(best, f);
    }
    options_.weights.l2 = best_l2;
    for (const auto& [loss, to] : {std::pair{"decf1", &tau_}, {"f1", &exact_tau_}}) {
      best = -1;
      for (const double tau : taus_) {
        const double f = f1(loss, tau);
        say(fmt::format("  {:11} tau {:<5} {:6.2f}\n", loss, tau, f));
        if (f > best) *to = tau;
        best = std::max(best, f);
      }
    }
    say(fmt::format("  l2 {}, tau {} (decomposed), {} (exact)\n", best_l2, tau_, exact_tau_));
  }

  void costs() {
    const TrainingCharts& charts =
        with_charts(restricted(settings_.integer("cost_chart"))).charts();
    WeightsOptions w = weights("cll", 0);
    w.iterations = 15;
    const std::vector<double> learned_weights = train_weights(charts.sentences, w, monitor_);
    const int most = settings_.integer("cost_sentences");
    std::span<const PackedSentence> some(charts.sentences);
    some = some.subspan(0, std::min<std::size_t>(some.size(), most));
    if (monitor_.stopped()) return;
    say(cost_report(some, learned_weights, 1.0, wants({"figure4"}), wants({"figure5"})));
  }

  void figure_6() {
    say(
        fmt::format("\nFigure 6: normal-form model, charts of at most 3,000 edges\n"
                    "{:12}{:>6}{:>8}{:>8}{:>8}{:>8}\n",
                    "", "tau", "LF", "LP", "LR", "ST"));
    const auto print = [&](const std::string& loss, double tau) {
      LazyParser parser = learned(restricted(3000), loss, tau);
      const Scores s = total(test(parser, {}).scores);
      if (monitor_.stopped()) return;
      say(fmt::format("{:12}{:6}{:8.2f}{:8.2f}{:8.2f}{:8.2f}\n", loss, tau, s.labelled.f1(),
                      s.labelled.precision(), s.labelled.recall(), s.supertags.recall()));
    };
    print("cll", 0);
    for (const char* loss : {"f1", "precision", "recall"}) {
      for (const double tau : numbers(settings_.text("figure_taus"))) {
        if (!monitor_.stopped()) print(loss, tau);
      }
    }
    say("paper: each loss is best on its own measure, LF 86.8 (cll) to 87.3, tau 2 to 20\n");
  }

  void table_4() {
    head(
        "Table 4: exact and decomposed losses, normal-form model, charts of at most 100,000 edges");
    const std::pair<const char*, const char*> rows[] = {
        {"cll", "  86.76  87.16  86.36  92.73  93.16  92.30"},
        {"decp", "  87.18  87.93  86.44  92.93  93.73  92.14"},
        {"decr", "  87.31  87.55  87.07  93.00  93.26  92.75"},
        {"decf1", "  87.27  87.78  86.77  93.04  93.58  92.50"},
        {"precision", "  87.25  87.85  86.66  92.99  93.63  92.36"},
        {"recall", "  87.34  87.51  87.16  92.98  93.17  92.80"},
        {"f1", "  87.34  87.74  86.94  93.05  93.47  92.62"},
        {"corpus_f1", ""}};
    BenchRow likelihood, decomposed;
    for (const auto& [loss, paper] : rows) {
      if (monitor_.stopped()) return;
      const std::string name = loss;
      const bool exact = !name.starts_with("dec") && name != "cll";
      LazyParser parser = learned(restricted(100000), name, exact ? exact_tau_ : tau_);
      const BenchRow scores = test(parser, {});
      row(name, scores, paper);
      if (name == "cll") likelihood = scores;
      if (name == "decf1") decomposed = scores;
      if (name != "cll") compare("  over likelihood", scores, likelihood);
      if (name == "f1") compare("  over DecF1", scores, decomposed);
    }
  }

  void table_3() {
    head("Table 3: what likelihood is drawn to (hybrid model, adaptive supertagging)");
    const struct {
      const char* name;
      Targets targets;
      const char* paper;
    } rows[] = {{"treebank", Targets::treebank, "  87.40  87.85  86.95  93.11  93.59  92.63"},
                {"max-F", Targets::max_f, "  87.46  87.95  86.98  93.09  93.61  92.57"},
                {"treebank + max-F", Targets::both, "  87.45  87.96  86.94  93.09  93.63  92.55"}};
    for (const auto& r : rows) {
      TrainingOptions o = large();
      o.targets = r.targets;
      if (monitor_.stopped()) return;
      LazyParser parser = learned(o, "cll", 0);
      const auto make = [&] {
        BenchRow made = test(parser, {});
        const TrainingCharts& c = with_charts(o).charts();
        made.note = fmt::format(
            "  data used {:.1f}%{}",
            100.0 * static_cast<double>(c.sentences.size()) / static_cast<double>(c.all),
            c.by_oracle > 0 ? fmt::format(", F of the max-F parses {:.2f}", c.oracle_f()) : "");
        return made;
      };
      row(r.name, rows_.get(parser.key() + " with data used", monitor_, make), r.paper);
    }
    say("  paper: data used 91%, 99%, 99%; F of the max-F parses 98.1\n");
  }

  void tables_5_and_6() {
    ParseOptions adaptive, reverse;
    reverse.strategy = Strategy::reverse;
    const struct {
      const char* loss;
      const char *paper_adaptive, *paper_reverse;  // LF UF ST
    } rows[] = {{"cll", "87.38 93.08 94.21", "87.36 93.13 93.99"},
                {"decp", "87.35 92.99 94.25", "87.75 93.25 94.22"},
                {"decr", "87.48 93.00 94.34", "87.70 93.16 94.30"},
                {"decf1", "87.67 93.23 94.39", "88.12 93.52 94.46"}};
    BenchRow likelihood, decomposed;
    std::unique_ptr<LazyParser> plain, margin;
    head("Table 5: decomposed losses, hybrid model, large charts (the paper's: LF UF ST)");
    for (const auto& r : rows) {
      const std::string loss = r.loss;
      const bool in_six = loss == "cll" || loss == "decf1";
      if (monitor_.stopped() || (!in_six && !wants({"table5"}))) continue;
      auto parser = std::make_unique<LazyParser>(learned(large(), loss, tau_));
      const BenchRow a = test(*parser, adaptive);
      row(loss, a, fmt::format("  {}", r.paper_adaptive).c_str());
      if (wants({"table5"}) && wants({"reverse"}))
        row(loss + ", reverse", test(*parser, reverse),
            fmt::format("  {}", r.paper_reverse).c_str());
      if (loss == "cll") likelihood = a;
      if (loss == "decf1") decomposed = a;
      if (loss != "cll") compare("  over likelihood", a, likelihood);
      if (in_six) (loss == "cll" ? plain : margin) = std::move(parser);
    }
    if (wants({"table6"}) && margin != nullptr) table_6(*plain, *margin, decomposed);
  }

  void table_6(LazyParser& plain, LazyParser& margin, const BenchRow& decomposed) {
    head("Table 6: belief propagation with the supertagger, minimum risk (the paper's: LF UF ST)");
    ParseOptions bp;
    bp.decoding = Decoding::min_risk;
    bp.rounds = 1;
    row("BP", test(plain, bp), "  87.67 93.26 94.43");
    const BenchRow both = test(margin, bp);
    row("BP + DecF1", both, "  87.90 93.40 94.52");
    compare("  over DecF1 alone", both, decomposed);
    SupertaggerOptions hamming = options_.supertags;
    hamming.tau = settings_.number("hamming_tau");
    LazyParser by_hamming(fmt::format("{} hamming tagger tau {}", margin.key(), hamming.tau), [&] {
      return margin.get().with_tagger(with_charts(large()).train_tagger(hamming, monitor_));
    });
    row("BP + DecF1 + SA", test(by_hamming, bp), "  87.73 93.28 94.49");
    if (wants({"reverse"})) {
      bp.strategy = Strategy::reverse;
      row("BP, reverse", test(plain, bp), "  88.35 93.72 94.73");
      row("BP + DecF1, reverse", test(margin, bp), "  88.58 93.88 94.79");
    }
    bp.strategy = Strategy::adaptive;
    bp.rounds = 100;
    row("BP to convergence", test(margin, bp), "");
    bp.rounds = 1;
    bp.decoding = Decoding::best;
    row("BP, best derivation", test(margin, bp), "");
    bp.decoding = Decoding::agreement;
    row("dual decomposition", test(margin, bp), "");
    ParseOptions risk;
    risk.decoding = Decoding::min_risk;
    row("minimum risk alone", test(margin, risk), "");
    WeightsOptions together = weights("decf1", tau_);
    together.supertags = true;
    LazyParser as_one = learned(large(), together, "decf1");
    row("learned together", test(as_one, {}), "");
  }

  // The paper's other tables have gold parts of speech and this one its tagger's; ours are the other
  // way round, where the corpus has gold ones that are features.
  void table_7() {
    if (settings_.text("scheme") != "ewt") return;
    Corpus gold =
        read(settings_.text("corpus") + "/ewt-train.auto.gz", settings_.integer("sentences"), true);
    const Corpus dev = read(dev_path_, settings_.integer("dev_sentences"), true);
    std::unique_ptr<ParserTrainer> trainer;
    head("Table 7: with the corpus's parts of speech (the paper: with its tagger's)");
    const auto print = [&](const char* name, const std::string& loss, const ParseOptions& options,
                           const char* paper) {
      const auto make = [&]() -> BenchRow {
        if (trainer == nullptr) {
          trainer = std::make_unique<ParserTrainer>(gold.all, gold.table, gold.tags, large());
          trainer->prepare(monitor_);
        }
        const Parser parser = trainer->train(weights(loss, tau_), monitor_);
        return {score_parser(parser, dev_path_, dev.tags, options, monitor_), ""};
      };
      const std::string name_of_row = fmt::format("{} {} gold tags {} tau {} {}", key(),
                                                  key_of(large()), loss, tau_, key_of(options));
      row(name, rows_.get(name_of_row, monitor_, make), paper);
    };
    ParseOptions bp;
    bp.decoding = Decoding::min_risk;
    bp.rounds = 1;
    print("cll", "cll", {}, "  85.53  85.73  85.33  91.99  92.20  91.77");
    print("BP", "cll", bp, "  86.45  86.75  86.17  92.60  92.92  92.29");
    print("BP + DecF1", "decf1", bp, "  86.73  87.07  86.39  92.79  93.16  92.43");
    say("  paper, Petrov I-5      85.79  86.09  85.50  92.44  92.76  92.13\n");
  }

  const TaskRequest& request_;
  const Settings& settings_;
  Monitor& monitor_;
  std::set<std::string> wanted_;
  TrainingOptions options_;
  std::vector<double> taus_;
  double tau_ = 1, exact_tau_ = 1;
  std::string dev_path_;
  Corpus train_, dev_;
  KeptRows rows_;
  std::unique_ptr<ParserTrainer> trainer_;
  std::string charts_;  // the key of those that the trainer has
};

}  // namespace

std::vector<Setting> bench_settings() {
  return {
      setting::text("corpus", "../shared/data/ccg", "the folder with ewt-*.auto.gz, pmb3-*.auto.gz")
          .in(kBench),
      setting::choice("scheme", {"ewt", "pmb3"}, "ewt", "which of the two schemes").in(kBench),
      setting::text("sections", "",
                    "cost, figure4 to figure6, table3 to table7, reverse (rows of Tables 5 and 6), "
                    "with commas; none: all")
          .in(kBench),
      setting::text("keep", "", "a folder that keeps finished rows; what is there is not run again")
          .in(kBench),
      setting::integer("sentences", 0, 0, 1000000, "of train; 0: all").in(kBench),
      setting::integer("dev_sentences", 0, 0, 1000000, "of dev; 0: all").in(kBench),
      setting::integer("choose", 1500, 0, 1000000,
                       "sentences of train to choose l2 and tau on, a fifth held out")
          .in(kBench),
      setting::text("l2s", "0.03,0.1,0.3", "to choose from; one: that").in(kBench),
      setting::text("taus", "0.25,0.5,1,2", "to choose from; one: that").in(kBench),
      setting::text("figure_taus", "1,2,4,8", "of Figure 6").in(kBench),
      setting::integer("cost_sentences", 200, 1, 1000000, "charts to measure costs on").in(kBench),
      setting::integer("cost_chart", 100000, 100, 10000000, "their edges at the most").in(kBench),
      setting::integer("bench_iterations", 80, 1, 10000, "of L-BFGS at the most").in(kBench),
      setting::integer("bench_supertag_epochs", 8, 1, 1000, "of supertaggers").in(kBench),
      setting::integer("bench_jackknife", 4, 1, 100, "parts for training supertags").in(kBench),
      setting::number("hamming_tau", 1, 0, 100, "of the supertagger of Table 6").in(kBench),
  };
}

int run_bench(const TaskRequest& request) { return Bench(request).run(); }

}  // namespace entente::ccg
