#include "bench/parse.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/clock.h"
#include "corpus/corpus.h"
#include "corpus/evaluation.h"
#include "entente/error.h"
#include "pipeline/pipeline.h"
#include "tasks/dependency/task.h"

namespace entente::bench {

namespace {

double best_time(int repeats, const std::function<void()>& prepare,
                 const std::function<void()>& run) {
  double best = 1e300;
  for (int r = 0; r < repeats; ++r) {
    prepare();
    const double start = processor_seconds();
    run();
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

// The same words, with nothing known about them.
std::vector<Sentence> without_layers(const std::vector<Sentence>& gold) {
  std::vector<Sentence> out = gold;
  for (Sentence& s : out) {
    for (Word& w : s.words) w = Word{.form = w.form, .misc = w.misc};
  }
  return out;
}

std::int64_t count_words(const std::vector<Sentence>& sentences) {
  std::int64_t n = 0;
  for (const Sentence& s : sentences) n += s.size();
  return n;
}

class ParseBench {
 public:
  ParseBench(const ParseBenchOptions& options, std::FILE* out)
      : options_(options),
        out_(out),
        pipeline_(options.model),
        worker_(pipeline_.make_worker()),
        gold_(read_corpus(options.gold)) {
    if (gold_.sentences.empty()) throw Error("has no sentences", {.file = options.gold});
  }

  std::vector<LengthTime> run() {
    fmt::print(out_, "{}: {} sentences, {} words; model {}\n", options_.gold,
               gold_.sentences.size(), count_words(gold_.sentences), options_.model);
    if (pipeline_.has("tokens")) from_text();
    from_tokens();
    std::vector<LengthTime> times;
    if (options_.lengths && pipeline_.has("dependency")) times = lengths();
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    fmt::print(out_, "\npeak memory {} MB\n", usage.ru_maxrss / 1024);
    return times;
  }

 private:
  void print_scores(const char* title, const Evaluation& evaluation) {
    fmt::print(out_, "\n{}\n", title);
    for (const Score& s : evaluation.scores) fmt::print(out_, "  {:<10} {:6.2f}\n", s.name, s.f1());
  }

  void from_text() {
    std::vector<Document> paragraphs;
    const auto cut = [&] {
      paragraphs.clear();
      for (std::size_t at = 0; at < gold_.text.size();) {
        const std::size_t end = std::min(gold_.text.find("\n\n", at), gold_.text.size());
        paragraphs.emplace_back().text = gold_.text.substr(at, end - at);
        at = end + 2;
      }
    };
    const double seconds = best_time(options_.repeats, cut, [&] {
      for (Document& p : paragraphs) pipeline_.segment(p, *worker_);
    });
    std::vector<Sentence> system;
    for (Document& p : paragraphs) {
      for (Sentence& s : p.sentences) {
        pipeline_.annotate(s, *worker_, pipeline_.layers());
        system.push_back(std::move(s));
      }
    }
    print_scores("from raw text (F1)", evaluate(gold_.sentences, system, options_.gold, "system"));
    print_speed("tokens", count_words(system), seconds);
  }

  void from_tokens() {
    std::vector<Sentence> system = without_layers(gold_.sentences);
    std::vector<std::pair<std::string, double>> seconds;
    for (const std::string& layer : pipeline_.layers()) {
      const std::vector<Sentence> before = system;
      seconds.emplace_back(layer, best_time(
                                      options_.repeats, [&] { system = before; },
                                      [&] {
                                        for (Sentence& s : system) {
                                          pipeline_.annotate(s, *worker_, {&layer, 1});
                                        }
                                      }));
    }
    print_scores("from gold tokens, each layer on the predicted ones before it",
                 evaluate(gold_.sentences, system, options_.gold, "system"));
    for (const auto& [layer, time] : seconds) print_speed(layer, count_words(system), time);
    if (pipeline_.has("dependency")) print_decoding();
  }

  // Of everything parsed so far: the raw text once, the gold tokens `repeats` times.
  void print_decoding() {
    const auto& t = dependency::statistics(pipeline_.scratch_of(*worker_, "dependency"));
    const auto share = [&](std::int64_t part) {
      return 100 * static_cast<double>(part) / static_cast<double>(t.sentences);
    };
    const auto a_word = [&](double x) { return x / static_cast<double>(t.words); };
    fmt::print(
        out_,
        "\ntrees: {:.2f}% proven optimal, {:.2f}% by dual decomposition alone; {:.1f} rounds "
        "and {:.2f} nodes a sentence\n",
        share(t.optimal), share(t.by_dual_alone), share(t.iterations) / 100, share(t.nodes) / 100);
    fmt::print(out_, "  {:.2f} arcs and {:.1f} pairs of arcs a word after pruning\n",
               a_word(static_cast<double>(t.arcs)), a_word(static_cast<double>(t.pairs)));
    fmt::print(out_,
               "  us a word: pruning {:.1f}, scoring {:.1f}, decoding {:.1f}, labels {:.1f}\n",
               1e6 * a_word(t.pruning), 1e6 * a_word(t.scoring), 1e6 * a_word(t.decoding),
               1e6 * a_word(t.labelling));
  }

  void print_speed(const std::string& what, std::int64_t words, double seconds) {
    fmt::print(out_, "  {:<10} {:>9.0f} words a second\n", what,
               static_cast<double>(words) / seconds);
  }

  // Sentences of every length, made by putting those of the corpus one after the other.
  std::vector<LengthTime> lengths() {
    std::vector<LengthTime> times;
    fmt::print(out_,
               "\ntime of the tree against length (sentences of the corpus joined and cut)\n");
    for (int length : {10, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200}) {
      const std::vector<Sentence> made = make_sentences(length, 5);
      std::vector<Sentence> system;
      const std::string layer = "dependency";
      const double seconds = best_time(
          1, [&] { system = made; },
          [&] {
            for (Sentence& s : system) pipeline_.annotate(s, *worker_, {&layer, 1});
          });
      std::fflush(out_);  // a line is seconds of work
      times.push_back({length, 1000 * seconds / static_cast<double>(made.size())});
      fmt::print(out_, "  {:>4} words {:9.2f} ms a sentence {:8.1f} us a word\n", length,
                 times.back().milliseconds, 1000 * times.back().milliseconds / length);
    }
    return times;
  }

  std::vector<Sentence> make_sentences(int length, int count) {
    std::vector<std::string> before;
    for (const std::string& layer : pipeline_.layers()) {
      if (layer != "dependency") before.push_back(layer);
    }
    std::vector<Sentence> out;
    Sentence joined;
    for (const Sentence& s : gold_.sentences) {
      for (const Word& w : s.words) {
        joined.tokens.push_back({.first = joined.size(), .last = joined.size()});
        joined.words.push_back({.form = w.form});
        if (joined.size() < length) continue;
        pipeline_.annotate(joined, *worker_, before);
        out.push_back(std::move(joined));
        joined = {};
        if (static_cast<int>(out.size()) == count) return out;
        break;  // the next one starts with a sentence
      }
    }
    return out;
  }

  const ParseBenchOptions& options_;
  std::FILE* out_;
  Pipeline pipeline_;
  std::unique_ptr<Pipeline::Worker> worker_;
  Document gold_;
};

}  // namespace

std::vector<LengthTime> run_bench_parse(const ParseBenchOptions& options, std::FILE* out) {
  return ParseBench(options, out).run();
}

}  // namespace entente::bench
