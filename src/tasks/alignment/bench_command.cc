// entente bench alignment: fast_align's method and ours, trained and measured in one run.
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <limits>
#include <map>

#include "base/bootstrap.h"
#include "corpus/gzip.h"
#include "entente/error.h"
#include "tasks/alignment/commands.h"
#include "tasks/alignment/evaluation.h"

namespace entente::alignment {

namespace {

// Seconds of the clock and of the processor.
class Stopwatch {
 public:
  std::string text() const {
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_;
    return fmt::format("{:.1f} s, {:.1f} s of processor", wall.count(),
                       static_cast<double>(std::clock() - cpu_) / CLOCKS_PER_SEC);
  }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
  }

 private:
  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
  std::clock_t cpu_ = std::clock();
};

std::string row(const char* name, const AlignmentScores& s) {
  return fmt::format("  {:<22} AER {:>5.2f}  precision {:>5.2f}  recall {:>5.2f}\n", name,
                     100 * s.error_rate(), 100 * s.precision(), 100 * s.recall());
}

// The first's error rate less the second's, and how sure that is.
std::string difference(const char* first, const char* second,
                       const std::map<std::string, std::vector<std::vector<Link>>>& by_name,
                       const GoldLinks& gold) {
  const auto &a = by_name.at(first), &b = by_name.at(second);
  const BootstrapInterval i = paired_bootstrap<AlignmentScores>(
      static_cast<int>(gold.sentences.size()),
      [&](int k, AlignmentScores& x, AlignmentScores& y) {
        x += score_sentence(gold.sentences[k], a[k]);
        y += score_sentence(gold.sentences[k], b[k]);
      },
      [](const AlignmentScores& x) { return 100 * x.error_rate(); });
  return fmt::format("  {} less {}: AER {:+.2f} ({:+.2f} to {:+.2f} on 95% of resampled texts)\n",
                     first, second, i.difference, i.low, i.high);
}

// The rival: every direction by itself, its own constants.
std::string bench_diagonal(const Bitext& text, int first_gold, const GoldLinks& gold, int threads,
                           Monitor& monitor) {
  const TrainingSettings settings{.model1 = 0,
                                  .diagonal = 5,
                                  .hmm = 0,
                                  .agreement = false,
                                  .null = 0.08,
                                  .prior = 0.01,
                                  .classes = 0,
                                  .threads = threads};
  const Stopwatch watch;
  const Trained trained = train(text, settings, monitor);
  std::string out = fmt::format("model 2 with a diagonal, 5 rounds: {}\n", watch.text());
  for (const auto& [name, heuristic] : {std::pair{"forward", Heuristic::kForward},
                                        {"backward", Heuristic::kBackward},
                                        {"intersect", Heuristic::kIntersect},
                                        {"union", Heuristic::kUnion},
                                        {"grow-diag-final-and", Heuristic::kGrowDiagFinalAnd}}) {
    std::vector<std::vector<Link>> links;
    for (int k = 0; k < static_cast<int>(gold.sentences.size()); ++k) {
      const int p = first_gold + k;
      links.push_back(symmetrize(heuristic, diagonal_best(text, trained, settings, 0, p),
                                 diagonal_best(text, trained, settings, 1, p)));
    }
    out += row(name, score_alignments(gold, links));
  }
  return out;
}

}  // namespace

int run_bench(const TaskRequest& request) {
  if (request.inputs.size() != 5) {
    throw Error("expected five files: two training texts, two gold texts, the gold links");
  }
  const std::vector<std::string> train_paths(request.inputs.begin(), request.inputs.begin() + 2);
  const std::vector<std::string> gold_paths(request.inputs.begin() + 2, request.inputs.begin() + 4);
  CorpusFile gold_file(request.inputs[4]);
  const GoldLinks gold = read_gold(gold_file);
  const bool unseen = request.settings.flag("unseen");

  Bitext text;
  read_bitext(train_paths, {}, request.threads, *request.monitor, text);
  if (request.monitor->stopped()) return 1;
  const int first_gold = text.size();
  std::vector<WordPair> pairs;
  PairReader reader(gold_paths, {});
  for (WordPair pair; reader.read(pair);) pairs.push_back(pair);
  if (pairs.size() < gold.sentences.size())
    throw Error("there are fewer gold sentences than gold links");
  if (!unseen) {
    for (const WordPair& pair : pairs) text.add(pair);
  }
  request.write(fmt::format("{} pairs, {} and {} words, {} threads{}\n", text.size(),
                            text.all_words(0).size(), text.all_words(1).size(), request.threads,
                            unseen ? ", gold sentences not among them" : ""));
  if (!unseen) {
    request.write(bench_diagonal(text, first_gold, gold, request.threads, *request.monitor));
  }

  const TrainingSettings settings = training_settings(request.settings, request.threads);
  const Stopwatch watch;
  ModelWriter writer("alignment", 0);
  {
    const Trained trained = train(text, settings, *request.monitor);
    if (request.monitor->stopped()) return 1;
    const Round& last = trained.rounds.back();
    request.write(
        fmt::format("{} rounds of model 1, {} of the HMM: {}\n  perplexity {:.3f} and {:.3f}, "
                    "agreement {:.3f}\n",
                    settings.model1, settings.hmm, watch.text(), last.perplexity[0],
                    last.perplexity[1], last.agreement));
    write_model(text, trained, settings, false, writer);
  }
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "bench");
  const AlignmentModel model(file);
  request.write(fmt::format("  model of {:.1f} MB, {} entries\n",
                            static_cast<double>(writer.bytes().size()) / 1e6, model.entries()));
  const Aligner aligner(model);
  Aligner::Work work;
  std::map<std::string, std::vector<std::vector<Link>>> by_name;
  for (const std::string& name : combine_names()) {
    std::vector<std::vector<Link>>& links = by_name[name];
    for (const WordPair& pair : pairs) {
      links.push_back(
          aligner.align(pair.words[0], pair.words[1], {.combine = combine_from_name(name)}, work)
              .best[0]
              .links);
    }
    request.write(row(name.c_str(), score_alignments(gold, links)));
  }
  for (const char* first : {"posterior", "agree"}) {
    for (const char* second : {"intersect", "grow-diag-final-and"}) {
      request.write(difference(first, second, by_name, gold));
    }
  }

  // How often prices alone suffice, and how fast a saved model is.
  const int pairs_wanted = request.settings.integer("pairs");
  for (const auto& [name, options] :
       {std::pair{"posterior", AlignOptions{}},
        {"agree", AlignOptions{.combine = Combine::kAgree}},
        {"agree, strictly", AlignOptions{.combine = Combine::kAgree,
                            .agree = {.near = -std::numeric_limits<double>::infinity()}}}}) {
    PairReader again(train_paths, {});
    std::vector<WordPair> some;
    for (WordPair pair; static_cast<int>(some.size()) < pairs_wanted && again.read(pair);) {
      some.push_back(pair);
    }
    std::int64_t converged = 0, proven = 0, rounds = 0;
    const Stopwatch speed;
    const std::clock_t begin = std::clock();
    for (const WordPair& pair : some) {
      const Aligned a = aligner.align(pair.words[0], pair.words[1], options, work);
      converged += a.optimal && a.nodes <= 1;
      proven += a.optimal;
      rounds += a.rounds;
    }
    const double n = static_cast<double>(some.size());
    const double cpu = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::string line = fmt::format("  {:<22} {:.0f} pairs a second of processor", name, n / cpu);
    if (options.combine == Combine::kAgree) {
      line += fmt::format(", by prices alone {:.2f}%, proven {:.2f}%, {:.1f} rounds each",
                          100 * static_cast<double>(converged) / n,
                          100 * static_cast<double>(proven) / n, static_cast<double>(rounds) / n);
    }
    request.write(line + "\n");
  }
  return 0;
}

}  // namespace entente::alignment
