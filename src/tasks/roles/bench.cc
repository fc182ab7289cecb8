#include "tasks/roles/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "entente/error.h"
#include "tasks/roles/bench_recognition.h"
#include "tasks/roles/gram.h"
#include "tasks/roles/labeller.h"

namespace entente::roles {

namespace {

using propbank::PropSentence;

std::vector<double> numbers(const std::string& text, const std::string& name) {
  std::vector<double> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto value = parse_number(std::string_view(text).substr(at, end - at));
    if (!value || *value <= 0) {
      throw Error("expected numbers above 0 with commas for --" + name + ", found " + quoted(text));
    }
    out.push_back(*value);
    at = end + 1;
  }
  return out;
}

std::vector<PropSentence> first_sentences(const std::string& path, std::size_t count) {
  std::vector<PropSentence> out = propbank::read_propbank(path);
  if (out.size() > count) out.resize(count);
  return out;
}

// What one line of Table 3 needs.
struct Best {
  double lambda = 0, c = 0;
  TwoWays f1;
  Svm svm;
};

class Bench {
 public:
  explicit Bench(const TaskRequest& request) : request_(request), read_(request.settings) {
    const std::string folder = read_.text("corpus");
    const auto path = [&](const char* name, const char* file) {
      return read_.text(name).empty() ? folder + file : read_.text(name);
    };
    const std::size_t dev = static_cast<std::size_t>(read_.integer("dev_sentences"));
    held_.sentences = first_sentences(path("dev_columns", "/dev.conll.gz"), dev);
    train_ = propbank::read_propbank(path("train_columns", "/train.conll.gz"));
    betas_ = numbers(read_.text("betas"), "betas");
    bytes_ = static_cast<std::size_t>(read_.integer("cache")) << 20;
  }
  int run();

 private:
  MarkWeights weights(double beta) const { return {beta * read_.number("predicate_share"), beta}; }
  KernelSettings settings(double lambda, double beta) const {
    const MarkWeights w = weights(beta);
    return {.lambda = lambda, .predicate = w.predicate, .argument = w.argument};
  }
  void one_size(std::size_t size);
  void try_costs(const RecognitionSet& set, double lambda, std::size_t beta, KernelRows& rows,
                 Best& best);
  void table_3(std::size_t size, const std::vector<Best>& best);
  void table_4(const RecognitionSet& set, const Best& best, double beta);
  void explicit_features(std::size_t size);
  void inclusions(std::size_t size);
  void plots() const;
  void say(const std::string& line) { request_.write(line); }

  const TaskRequest& request_;
  const Settings& read_;
  Held held_;
  std::vector<PropSentence> train_;
  std::vector<double> betas_;
  std::size_t bytes_ = 0;
  double update_seconds_ = 0;                           // of Table 4
  std::map<double, std::map<double, double>> by_size_;  // size -> beta -> F1
  std::vector<std::pair<double, double>> explicit_f1_;  // size, F1
};

void Bench::try_costs(const RecognitionSet& set, double lambda, std::size_t b, KernelRows& rows,
                      Best& best) {
  const std::vector<int> labels = set.labels();
  for (double c : numbers(read_.text("costs"), "costs")) {
    if (request_.monitor->stopped()) return;
    const double start = processor_seconds();
    Svm svm = train_svm(rows, labels, {.c = c, .cache_bytes = bytes_ / 3}, *request_.monitor);
    const double trained = processor_seconds() - start;
    const KernelRecognizer recognizer(set, svm, settings(lambda, betas_[b]));
    const TwoWays f1 = recognise(recognizer, held_, Recognise::kOurs);
    say(
        fmt::format("beta {:5} lambda {:4} C {:6}  F1 {:.2f} (as CoNLL-2005 {:.2f}), without "
                    "non-overlap {:.2f}; {} vectors of {} predicates, {} steps, {:.1f} s{}\n",
                    betas_[b], lambda, c, f1.disjoint.pieces.f1(), f1.disjoint.whole.f1(),
                    f1.free.pieces.f1(), recognizer.vectors().size(), recognizer.groups(),
                    svm.iterations, trained, svm.converged ? "" : " (not converged)"));
    if (f1.disjoint.pieces.f1() > best.f1.disjoint.pieces.f1()) {
      best = {lambda, c, f1, std::move(svm)};
    }
  }
}

void Bench::one_size(std::size_t size) {
  const std::span<const PropSentence> sentences = std::span(train_).first(size);
  const RecognitionSet set = RecognitionSet::of(sentences, 5, 1);
  TreeLabels names = set.names;  // words of dev get numbers of their own
  held_.trees.clear();
  for (const PropSentence& s : held_.sentences) {
    held_.trees.push_back(kernel_tree(s, names, true));
  }
  const RecognitionData dev = recognition_examples(held_.sentences, held_.trees, 1000000, 1);
  say(fmt::format(
      "\n{} sentences: {} examples, {} of {} arguments without a node (dev: {} of {})\n", size,
      set.size(), set.data.without_node, set.data.arguments, dev.without_node, dev.arguments));
  std::vector<Best> best(betas_.size());
  // As many matrices at once as there is room for: one pass over the pairs serves all of them.
  for (double lambda : numbers(read_.text("lambdas"), "lambdas")) {
    const double start = processor_seconds();
    const PairKernels kernels(set, lambda);
    const bool rounded = Grams::bytes(kernels, set.size(), false) > bytes_;
    const std::size_t each = Grams::bytes(kernels, set.size(), rounded);
    for (std::size_t b = 0; b < betas_.size();) {
      if (request_.monitor->stopped()) return;
      const std::size_t count = std::min(
          betas_.size() - b, std::max<std::size_t>(1, bytes_ / std::max<std::size_t>(each, 1)));
      if (each > bytes_) {
        GramRows rows(kernels, set.size(), weights(betas_[b]), request_.threads);
        try_costs(set, lambda, b, rows, best[b]);
        ++b;
        continue;
      }
      std::vector<MarkWeights> all;
      for (std::size_t i = 0; i < count; ++i) all.push_back(weights(betas_[b + i]));
      const Grams grams(kernels, set.size(), all, rounded, request_.threads, *request_.monitor);
      say(fmt::format("lambda {}: all kernels for {} weights in {:.1f} s{}\n", lambda, count,
                      processor_seconds() - start, rounded ? ", rounded to 16 bits" : ""));
      for (std::size_t i = 0; i < count; ++i, ++b) {
        GramsRows rows(grams, static_cast<int>(i));
        try_costs(set, lambda, b, rows, best[b]);
      }
    }
  }
  table_3(size, best);
  if (!read_.flag("no_times")) table_4(set, best.back(), betas_.back());
  explicit_features(size);
}

void Bench::table_3(std::size_t size, const std::vector<Best>& best) {
  say(fmt::format("\nTable 3, {} sentences (F1 on {} sentences of dev)\n", size,
                  held_.sentences.size()));
  say("   beta  lambda       C      F1  CoNLL-2005  w/o non-overlap: spans  nodes  overlapping\n");
  for (std::size_t b = 0; b < betas_.size(); ++b) {
    const Best& x = best[b];
    say(fmt::format("{:7} {:7} {:7} {:7.2f} {:11.2f} {:23.2f} {:6.2f} {:5} of {}\n", betas_[b],
                    x.lambda, x.c, x.f1.disjoint.pieces.f1(), x.f1.disjoint.whole.f1(),
                    x.f1.free.pieces.f1(), x.f1.nodes.pieces.f1(), x.f1.overlapping,
                    x.f1.predicates));
    by_size_[static_cast<double>(size)][betas_[b]] = x.f1.disjoint.pieces.f1();
  }
}

void Bench::table_4(const RecognitionSet& set, const Best& best, double beta) {
  if (best.svm.weights.empty()) return;
  const KernelRecognizer recognizer(set, best.svm, settings(best.lambda, beta));
  const std::size_t few =
      std::min<std::size_t>(read_.integer("naive_sentences"), held_.trees.size());
  const std::size_t more = std::min<std::size_t>(10 * few, held_.trees.size());
  // The few sentences of the naive way for all three, and more for those that are fast enough.
  const Timing naive = time_way(recognizer, held_, few, Recognise::kNaive);
  const Timing update = time_way(recognizer, held_, few, Recognise::kUpdate);
  const Timing ours = time_way(recognizer, held_, few, Recognise::kOurs);
  const Timing update_more = time_way(recognizer, held_, more, Recognise::kUpdate);
  const Timing ours_more = time_way(recognizer, held_, more, Recognise::kOurs);
  update_seconds_ = update_more.seconds;
  say(fmt::format("\nTable 4, beta {}, {} support vectors; a sentence, on one thread\n", beta,
                  recognizer.vectors().size()));
  say(fmt::format("{:<28}{:>14}{:>14}{:>10}{:>14}\n", "", "cells", "seconds", "speed-up",
                  "difference"));
  const auto row = [&](const char* name, const Timing& t, double factor, double off) {
    say(fmt::format("{:<28}{:>14.0f}{:>14.5f}{:>10.1f}{:>14.1e}\n", name, t.cells, t.seconds,
                    factor, off));
  };
  row(fmt::format("naive ({} sentences)", few).c_str(), naive, 1, 0);
  row("the paper's update", update, naive.seconds / update.seconds,
      largest_difference(naive.scores, update.scores));
  row("all nodes and vectors", ours, naive.seconds / ours.seconds,
      largest_difference(naive.scores, ours.scores));
  row(fmt::format("update ({} sentences)", more).c_str(), update_more, 1, 0);
  row("all nodes and vectors", ours_more, update_more.seconds / ours_more.seconds,
      largest_difference(update_more.scores, ours_more.scores));
}

void Bench::explicit_features(std::size_t size) {
  for (const bool usual : {false, true}) {
    RoleTraining options;
    options.features.usual = usual;
    options.folds = 0;  // one span at a time, as the kernel
    options.network_epochs = 0;
    options.left_out = 0;
    ModelWriter writer("roles", 1);
    double start = processor_seconds();
    if (!train_roles(std::span(train_).first(size), options, writer, *request_.monitor)) return;
    const double trained = processor_seconds() - start;
    const ModelFile file = ModelFile::from_bytes(writer.bytes(), "<bench>");
    const RoleLabeller labeller(file);
    RoleLabeller::Work work(labeller);
    Recognition out;
    propbank::RoleScores scores;
    start = processor_seconds();
    for (const PropSentence& s : held_.sentences) {
      PropSentence system = s;
      labeller.label(system, {.gold_predicates = true, .cost = 0}, work);  // more likely than not
      scores.add(s, system);
      for (std::size_t p = 0; p < s.propositions.size(); ++p) {
        std::vector<std::pair<int, int>> found;
        for (const propbank::RoleSpan& r : system.propositions[p].roles) {
          if (propbank::bare_role(r.label) != "V") found.push_back({r.begin, r.end});
        }
        count_spans(s.propositions[p], std::move(found), out);
      }
    }
    const double spent = processor_seconds() - start;
    say(
        fmt::format("{:<28}{:>14}{:>14.5f}   F1 {:.2f} (as CoNLL-2005 {:.2f}, labelled {:.2f}), "
                    "trained in {:.1f} s\n",
                    usual ? "explicit, and the usual ones" : "explicit marked subtrees", "",
                    spent / static_cast<double>(held_.sentences.size()), out.pieces.f1(),
                    scores.recognised.f1(), scores.labelled.f1(), trained));
    const double each = spent / static_cast<double>(held_.sentences.size());
    if (update_seconds_ > 0) {
      say(fmt::format("{:<28}{:.0f} times faster than the update\n", "", update_seconds_ / each));
    }
    if (!usual) explicit_f1_.push_back({static_cast<double>(size), out.pieces.f1()});
  }
}

// Both ways to include a subtree, by the reference: siblings may be left out, or all stay.
void Bench::inclusions(std::size_t size) {
  const RecognitionSet set = RecognitionSet::of(std::span(train_).first(size), 5, 1);
  TreeLabels names = set.names;
  held_.trees.clear();
  for (const PropSentence& s : held_.sentences) held_.trees.push_back(kernel_tree(s, names, true));
  say(fmt::format("\ninclusion of subtrees, {} sentences, beta {}, F1 on {} sentences of dev\n",
                  size, betas_.back(), held_.sentences.size()));
  for (double lambda : numbers(read_.text("lambdas"), "lambdas")) {
    for (const Inclusion inclusion : {Inclusion::kOrdered, Inclusion::kAllChildren}) {
      KernelSettings kernel = settings(lambda, betas_.back());
      kernel.inclusion = inclusion;
      UpdaterRows rows(set, kernel);
      for (double c : numbers(read_.text("costs"), "costs")) {
        if (request_.monitor->stopped()) return;
        const Svm svm =
            train_svm(rows, set.labels(), {.c = c, .cache_bytes = bytes_ / 3}, *request_.monitor);
        const KernelRecognizer recognizer(set, svm, kernel);
        say(fmt::format("lambda {:4} C {:6}  {:<28}{:7.2f}\n", lambda, c,
                        inclusion == Inclusion::kOrdered ? "siblings may be left out"
                                                         : "all children (Collins, Duffy)",
                        recognise(recognizer, held_, Recognise::kUpdate).disjoint.pieces.f1()));
      }
    }
  }
}

void Bench::plots() const {
  const std::string folder = read_.text("plots");
  if (folder.empty() || by_size_.empty()) return;
  std::vector<PlotLine> by_beta, by_size;
  for (const auto& [size, values] : by_size_) {
    PlotLine& line = by_beta.emplace_back();
    line.name = fmt::format("{} sentences", size);
    for (const auto& [beta, f1] : values) line.points.push_back({beta, f1});
  }
  for (double beta : betas_) {
    PlotLine& line = by_size.emplace_back();
    line.name = fmt::format("beta {}", beta);
    for (const auto& [size, values] : by_size_) line.points.push_back({size, values.at(beta)});
  }
  if (!explicit_f1_.empty()) by_size.push_back({"explicit subtrees", explicit_f1_});
  write_whole_file(folder + "/roles_beta.svg",
                   f1_plot("Recognition: F1 by the weight of the marks", "beta", by_beta));
  write_whole_file(folder + "/roles_size.svg",
                   f1_plot("Recognition: F1 by training size", "sentences", by_size));
}

int Bench::run() {
  const std::string& sizes = read_.text("sizes");
  for (double size : sizes == "none" ? std::vector<double>() : numbers(sizes, "sizes")) {
    if (request_.monitor->stopped()) return 1;
    one_size(std::min(static_cast<std::size_t>(size), train_.size()));
  }
  if (read_.integer("inclusion_sentences") > 0) {
    inclusions(std::min<std::size_t>(read_.integer("inclusion_sentences"), train_.size()));
  }
  if (read_.flag("all")) {
    say(fmt::format("\nall {} sentences, explicit features\n", train_.size()));
    explicit_features(train_.size());
  }
  plots();
  return 0;
}

}  // namespace

std::vector<Setting> bench_settings() {
  return {
      setting::text("corpus", "../shared/data/propbank-ewt",
                    "the folder with train.conll.gz and dev.conll.gz")
          .in(kBench),
      setting::text("sizes", "250", "numbers of training sentences, with commas, or none")
          .in(kBench),
      setting::text("betas", "1,100,1000,4000", "weights of the marks").in(kBench),
      setting::text("lambdas", "0.2,0.3", "what a node of a subtree counts").in(kBench),
      setting::text("costs", "2.4,12", "soft-margin constants C").in(kBench),
      setting::number("predicate_share", 1, 1e-6, 1e6,
                      "weight of the predicate's mark, by that of the argument's")
          .in(kBench),
      setting::integer("dev_sentences", 200, 1, 1000000, "sentences of dev to report on")
          .in(kBench),
      setting::integer("naive_sentences", 3, 1, 1000, "of these, for the naive way").in(kBench),
      setting::integer("cache", 4000, 1, 1000000, "megabytes for rows of kernels").in(kBench),
      setting::flag("all", "explicit features on all training sentences, too").in(kBench),
      setting::integer("inclusion_sentences", 0, 0, 1000000,
                       "both inclusions of subtrees, learned from so many sentences")
          .in(kBench),
      setting::flag("no_times", "without Table 4").in(kBench),
      setting::text("train_columns", "", "training columns with other trees than the corpus's")
          .in(kBench),
      setting::text("dev_columns", "", "dev columns with other trees").in(kBench),
      setting::text("plots", "", "a folder for roles_beta.svg and roles_size.svg").in(kBench),
  };
}

int run_bench(const TaskRequest& request) { return Bench(request).run(); }

}  // namespace entente::roles
