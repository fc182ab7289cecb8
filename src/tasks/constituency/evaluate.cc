// entente evaluate constituency: EVALB's figures of files, or of decoders on gold words.
#include <fmt/format.h>

#include <chrono>

#include "base/json.h"
#include "base/parallel.h"
#include "corpus/layers/constituency/brackets.h"
#include "entente/error.h"
#include "tasks/constituency/evalb.h"
#include "tasks/constituency/task.h"

namespace entente::constituency {

namespace {

struct System {
  std::string name;
  std::vector<BracketScores> scores;  // of each sentence
  double seconds = 0;                 // of one thread's parsing; 0: not measured
};

System parse_all(const ConstituencyParser& parser, const ParseOptions& options, std::string name,
                 const std::vector<PhraseTree>& gold, int threads) {
  System out;
  out.name = std::move(name);
  out.scores.resize(gold.size());
  std::vector<ParserScratch> scratch(thread_count(threads));
  const auto start = std::chrono::steady_clock::now();
  parallel_for(static_cast<int>(gold.size()), thread_count(threads), [&](int i, int thread) {
    out.scores[i] = compare_trees(gold[i], parser.parse(gold[i].words, options, scratch[thread]));
  });
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

System read_system(const std::string& path, const std::vector<PhraseTree>& gold) {
  System out;
  out.name = path;
  const std::vector<PhraseTree> trees = read_trees(path);
  if (trees.size() != gold.size()) {
    throw Error(fmt::format("has {} trees, the gold file {}", trees.size(), gold.size()),
                {.file = path});
  }
  for (std::size_t i = 0; i < trees.size(); ++i) {
    try {
      out.scores.push_back(compare_trees(gold[i], trees[i]));
    } catch (const Error& e) {
      throw Error(fmt::format("tree {}: {}", i + 1, e.what()), {.file = path});
    }
  }
  return out;
}

void append_table(std::string& out, const std::vector<System>& systems) {
  out += fmt::format("{:<16} {:>6} {:>6} {:>6} {:>6} {:>9} {:>6} {:>7}\n", "", "P", "R", "F1",
                     "exact", "crossing", "tags", "sents/s");
  for (const System& system : systems) {
    const BracketScores s = total(system.scores);
    out += fmt::format(
        "{:<16} {:>6.2f} {:>6.2f} {:>6.2f} {:>6.1f} {:>9.2f} {:>6.2f} {:>7}\n", system.name,
        s.precision(), s.recall(), s.f1(), s.exact_share(),
        static_cast<double>(s.crossing) / static_cast<double>(s.sentences), s.tag_accuracy(),
        system.seconds > 0
            ? fmt::format("{:.0f}", static_cast<double>(s.sentences) / system.seconds)
            : "");
  }
  for (std::size_t i = 1; i < systems.size(); ++i) {
    const BootstrapInterval b = paired_bootstrap(systems[i].scores, systems[i - 1].scores);
    out += fmt::format("{} over {}: {:+.2f} F1, 95% of resampled corpora {:+.2f} to {:+.2f}\n",
                       systems[i].name, systems[i - 1].name, b.difference, b.low, b.high);
  }
}

void append_json(std::string& out, const std::vector<System>& systems) {
  for (const System& system : systems) {
    const BracketScores s = total(system.scores);
    JsonWriter w;
    w.begin_object().key("system").string(system.name).key("precision").number(s.precision());
    w.key("recall")
        .number(s.recall())
        .key("f1")
        .number(s.f1())
        .key("exact")
        .number(s.exact_share());
    w.key("tags").number(s.tag_accuracy()).key("sentences").integer(s.sentences).end_object();
    out += w.take() + "\n";
  }
}

}  // namespace

void evaluate_constituency(const EvaluateRequest& request) {
  if (request.inputs.empty()) throw Error("expected trees in brackets: the gold file");
  const std::vector<PhraseTree> gold = read_trees(request.inputs[0]);
  expect_some(gold.size(), "trees in brackets", request.inputs[0]);
  std::vector<System> systems;
  for (std::size_t i = 1; i < request.inputs.size(); ++i) {
    systems.push_back(read_system(request.inputs[i], gold));
  }
  if (request.inputs.size() == 1) {
    const auto& annotator = dynamic_cast<const ConstituencyAnnotator&>(request.models->annotator());
    ParseOptions options = annotator.options();
    options.threshold = request.settings.number("threshold");
    if (request.settings.given("temperature")) {
      options.temperature = request.settings.number("temperature");
    }
    if (request.settings.given("bracket_cost")) {
      options.bracket_cost = request.settings.number("bracket_cost");
    }
    const std::string& wanted = request.settings.text("tree_decoder");
    for (const auto& [name, decoder] : {std::pair{"coarse", Decoder::kCoarse},
                                        {"best", Decoder::kBest},
                                        {"risk", Decoder::kRisk}}) {
      if (!request.settings.flag("all_decoders") && wanted != name) continue;
      options.decoder = decoder;
      for (const std::string& path : request.settings.list("against")) {
        const ModelFile file(path);
        const ConstituencyModel model = ConstituencyModel::read(file);
        ParseOptions other = options;
        other.bracket_cost = model.bracket_cost;
        other.temperature = model.temperature;
        systems.push_back(
            parse_all(ConstituencyParser(model), other, path + ", " + name, gold, request.threads));
      }
      systems.push_back(parse_all(annotator.parser(), options, name, gold, request.threads));
    }
  }
  std::string out;
  if (request.json) {
    append_json(out, systems);
  } else {
    append_table(out, systems);
  }
  request.write(out);
}

}  // namespace entente::constituency
