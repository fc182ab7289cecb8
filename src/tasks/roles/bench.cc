#include "tasks/roles/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "base/text.h"
#include "corpus/propbank/evaluation.h"
#include "entente/error.h"
#include "tasks/roles/kernel_recognition.h"
#include "tasks/roles/labeller.h"

namespace entente::roles {

namespace {

using propbank::PropSentence;

constexpr int kMatrixExamples = 16000;  // more would take over 3 GB

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

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

struct Recognition {
  propbank::RoleScore pieces, whole;  // C-X on its own, and as CoNLL-2005 joins it
};

// Counts spans that were found for one proposition.
void count(const propbank::Proposition& gold, std::vector<std::pair<int, int>> found,
           Recognition& out) {
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  const auto has = [&](std::pair<int, int> s) {
    return std::binary_search(found.begin(), found.end(), s);
  };
  for (const propbank::RoleSpan& r : gold.roles) {
    if (propbank::bare_role(r.label) == "V") continue;
    ++out.pieces.gold;
    out.pieces.correct += has({r.begin, r.end});
  }
  for (const propbank::Argument& a : propbank::joined_arguments(gold)) {
    ++out.whole.gold;
    out.whole.correct += a.pieces.size() == 1 && has(a.pieces[0]);
  }
  out.pieces.system += static_cast<std::int64_t>(found.size());
  out.whole.system += static_cast<std::int64_t>(found.size());
}

struct Held {
  std::vector<PropSentence> sentences;
  std::vector<KernelTree> trees;
};

// With and without the rule against overlap.
struct TwoWays {
  Recognition disjoint, free;
};

TwoWays recognise(const KernelRecognizer& recognizer, const Held& held) {
  KernelRecognizer::Work work(recognizer);
  TwoWays out;
  std::vector<double> scores;
  std::vector<char> chosen;
  for (std::size_t i = 0; i < held.sentences.size(); ++i) {
    const PropSentence& s = held.sentences[i];
    const KernelTree& tree = held.trees[i];
    if (s.propositions.empty()) continue;
    recognizer.prepare(tree, Recognise::kOurs, work);
    const auto span_of = [&](int k) {
      const auto& node = s.tree.nodes[tree.phrase_of[k]];
      return std::pair{node.begin, node.end};
    };
    for (const propbank::Proposition& p : s.propositions) {
      recognizer.scores(tree, tree.node_of[s.tree.leaf(p.predicate)], Recognise::kOurs, work,
                        scores);
      std::vector<std::pair<int, int>> found;
      for (int k : tree.candidates) {
        if (scores[k] > 0) found.push_back(span_of(k));
      }
      count(p, std::move(found), out.free);
      best_disjoint_nodes(tree.tree, scores, chosen);
      found.clear();
      for (int k : tree.candidates) {
        if (chosen[k]) found.push_back(span_of(k));
      }
      count(p, std::move(found), out.disjoint);
    }
  }
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
    const std::size_t dev = static_cast<std::size_t>(read_.integer("dev_sentences"));
    held_.sentences = first_sentences(folder + "/dev.conll.gz", dev);
    train_ = propbank::read_propbank(folder + "/train.conll.gz");
  }
  int run();

 private:
  void one_size(std::size_t size);
  void table_4(const RecognitionSet& set, const Best& best, double beta);
  void explicit_features(std::size_t size);
  void say(const std::string& line) { request_.write(line); }

  const TaskRequest& request_;
  const Settings& read_;
  Held held_;
  std::vector<PropSentence> train_;
};

void Bench::one_size(std::size_t size) {
  const std::span<const PropSentence> sentences = std::span(train_).first(size);
  const RecognitionSet set = RecognitionSet::of(sentences, 5, 1);
  TreeLabels names = set.names;  // words of dev get numbers of their own
  held_.trees.clear();
  for (const PropSentence& s : held_.sentences) {
    held_.trees.push_back(kernel_tree(s, names, true));
  }
  const std::vector<int> labels = set.labels();
  say(fmt::format("\n{} sentences: {} examples, {} of {} arguments without a node\n", size,
                  set.size(), set.data.without_node, set.data.arguments));
  const std::vector<double> betas = numbers(read_.text("betas"), "betas");
  std::vector<Best> best(betas.size());
  for (double lambda : numbers(read_.text("lambdas"), "lambdas")) {
    double start = processor_seconds();
    const PairKernels kernels(set, lambda);
    std::unique_ptr<PartsMatrix> matrix;
    if (set.size() <= kMatrixExamples) {
      matrix =
          std::make_unique<PartsMatrix>(kernels, set.size(), request_.threads, *request_.monitor);
      say(fmt::format("lambda {}: all kernels in {:.1f} s\n", lambda, processor_seconds() - start));
    }
    for (std::size_t b = 0; b < betas.size(); ++b) {
      const MarkWeights weights{betas[b] * read_.number("predicate_share"), betas[b]};
      for (double c : numbers(read_.text("costs"), "costs")) {
        if (request_.monitor->stopped()) return;
        start = processor_seconds();
        std::unique_ptr<KernelRows> rows;
        if (matrix) {
          rows = std::make_unique<PartsRows>(*matrix, weights);
        } else {
          rows = std::make_unique<GramRows>(kernels, set.size(), weights, request_.threads);
        }
        const std::size_t cache = static_cast<std::size_t>(read_.integer("cache")) << 20;
        Svm svm = train_svm(*rows, labels, {.c = c, .cache_bytes = cache}, *request_.monitor);
        const double trained = processor_seconds() - start;
        const KernelRecognizer recognizer(set, svm, lambda, weights);
        const TwoWays f1 = recognise(recognizer, held_);
        say(
            fmt::format("beta {:5} lambda {:4} C {:6}  F1 {:.2f} (as CoNLL-2005 {:.2f}), without "
                        "non-overlap {:.2f}; {} vectors of {} predicates, {} steps, {:.1f} s\n",
                        betas[b], lambda, c, f1.disjoint.pieces.f1(), f1.disjoint.whole.f1(),
                        f1.free.pieces.f1(), recognizer.vectors(), recognizer.groups(),
                        svm.iterations, trained));
        if (f1.disjoint.pieces.f1() > best[b].f1.disjoint.pieces.f1()) {
          best[b] = {lambda, c, f1, std::move(svm)};
        }
      }
    }
  }
  say(fmt::format("\nTable 3, {} sentences (F1 on {} sentences of dev)\n", size,
                  held_.sentences.size()));
  say("   beta  lambda       C      F1  CoNLL-2005  w/o non-overlap\n");
  for (std::size_t b = 0; b < betas.size(); ++b) {
    const Best& x = best[b];
    say(fmt::format("{:7} {:7} {:7} {:7.2f} {:11.2f} {:16.2f}\n", betas[b], x.lambda, x.c,
                    x.f1.disjoint.pieces.f1(), x.f1.disjoint.whole.f1(), x.f1.free.pieces.f1()));
  }
  table_4(set, best.back(), betas.back());
  explicit_features(size);
}

// One way of scoring, on some of the sentences: seconds and cells a sentence, and all scores.
struct Timing {
  double seconds = 0, cells = 0;
  std::vector<double> scores;
};

Timing time_way(const KernelRecognizer& recognizer, const Held& held, std::size_t sentences,
                Recognise way) {
  KernelRecognizer::Work work(recognizer);
  Timing out;
  std::vector<double> scores;
  const double start = processor_seconds();
  for (std::size_t i = 0; i < sentences; ++i) {
    const PropSentence& s = held.sentences[i];
    if (s.propositions.empty()) continue;
    recognizer.prepare(held.trees[i], way, work);
    for (const propbank::Proposition& p : s.propositions) {
      recognizer.scores(held.trees[i], held.trees[i].node_of[s.tree.leaf(p.predicate)], way, work,
                        scores);
      out.scores.insert(out.scores.end(), scores.begin(), scores.end());
    }
  }
  out.seconds = (processor_seconds() - start) / static_cast<double>(sentences);
  out.cells = static_cast<double>(way == Recognise::kOurs ? work.query.cells() : work.cells) /
              static_cast<double>(sentences);
  return out;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (std::isfinite(a[i])) {
      most = std::max(most, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(a[i])));
    }
  }
  return most;
}

void Bench::table_4(const RecognitionSet& set, const Best& best, double beta) {
  if (best.svm.weights.empty()) return;
  const KernelRecognizer recognizer(set, best.svm, best.lambda,
                                    {beta * read_.number("predicate_share"), beta});
  const std::size_t few =
      std::min<std::size_t>(read_.integer("naive_sentences"), held_.trees.size());
  const std::size_t more = std::min<std::size_t>(10 * few, held_.trees.size());
  // The few sentences of the naive way for all three, and more for those that are fast enough.
  const Timing naive = time_way(recognizer, held_, few, Recognise::kNaive);
  const Timing update = time_way(recognizer, held_, few, Recognise::kUpdate);
  const Timing ours = time_way(recognizer, held_, few, Recognise::kOurs);
  const Timing update_more = time_way(recognizer, held_, more, Recognise::kUpdate);
  const Timing ours_more = time_way(recognizer, held_, more, Recognise::kOurs);
  say(fmt::format("\nTable 4, beta {}, {} support vectors; a sentence, on one thread\n", beta,
                  recognizer.vectors()));
  say(fmt::format("{:<28}{:>14}{:>14}{:>10}{:>14}\n", "", "cells", "seconds", "speed-up",
                  "difference"));
  const auto row = [&](const char* name, const Timing& t, double factor, double off) {
    say(fmt::format("{:<28}{:>14.0f}{:>14.5f}{:>10.1f}{:>14.1e}\n", name, t.cells, t.seconds,
                    factor, off));
  };
  row(fmt::format("naive ({} sentences)", few).c_str(), naive, 1, 0);
  row("the paper's update", update, naive.seconds / update.seconds,
      difference(naive.scores, update.scores));
  row("all nodes and vectors", ours, naive.seconds / ours.seconds,
      difference(naive.scores, ours.scores));
  row(fmt::format("update ({} sentences)", more).c_str(), update_more, 1, 0);
  row("all nodes and vectors", ours_more, update_more.seconds / ours_more.seconds,
      difference(update_more.scores, ours_more.scores));
}

void Bench::explicit_features(std::size_t size) {
  for (const bool usual : {false, true}) {
    RoleTraining options;
    options.features.usual = usual;
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
      labeller.label(system, {.gold_predicates = true}, work);
      scores.add(s, system);
      for (std::size_t p = 0; p < s.propositions.size(); ++p) {
        std::vector<std::pair<int, int>> found;
        for (const propbank::RoleSpan& r : system.propositions[p].roles) {
          if (propbank::bare_role(r.label) != "V") found.push_back({r.begin, r.end});
        }
        count(s.propositions[p], std::move(found), out);
      }
    }
    const double spent = processor_seconds() - start;
    say(
        fmt::format("{:<28}{:>14}{:>14.5f}   F1 {:.2f} (as CoNLL-2005 {:.2f}, labelled {:.2f}), "
                    "trained in {:.1f} s\n",
                    usual ? "explicit, and the usual ones" : "explicit marked subtrees", "",
                    spent / static_cast<double>(held_.sentences.size()), out.pieces.f1(),
                    scores.recognised.f1(), scores.labelled.f1(), trained));
  }
}

int Bench::run() {
  for (double size : numbers(read_.text("sizes"), "sizes")) {
    if (request_.monitor->stopped()) return 1;
    one_size(std::min(static_cast<std::size_t>(size), train_.size()));
  }
  if (read_.flag("all")) {
    say(fmt::format("\nall {} sentences, explicit features\n", train_.size()));
    explicit_features(train_.size());
  }
  return 0;
}

}  // namespace

std::vector<Setting> bench_settings() {
  return {
      setting::text("corpus", "../shared/data/propbank-ewt",
                    "the folder with train.conll.gz and dev.conll.gz")
          .in(kBench),
      setting::text("sizes", "250", "numbers of training sentences, with commas").in(kBench),
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
  };
}

int run_bench(const TaskRequest& request) { return Bench(request).run(); }

}  // namespace entente::roles
