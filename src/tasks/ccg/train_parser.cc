#include "tasks/ccg/train_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "base/processes.h"
#include "oracle/hypergraph/max_f.h"

namespace entente::ccg {

namespace {

// Table 2 of the paper; `narrow` ends as its rows do.
constexpr std::array<Beam, 7> kBeams = {
    {{0.001, 150}, {0.001, 20}, {0.0045, 20}, {0.0055, 20}, {0.01, 20}, {0.05, 20}, {0.1, 20}}};

std::span<const Beam> beams_of(TrainingBeams which) {
  const std::span<const Beam> all(kBeams);
  return which == TrainingBeams::large   ? all
         : which == TrainingBeams::small ? all.subspan(2)
                                         : all.subspan(4);
}

std::vector<float> no_weights(int bits) {
  std::vector<float> out((std::size_t{1} << bits) + 1, 0);
  out.back() = 1;
  return out;
}

}  // namespace

Targets targets_from(const std::string& name) {
  return name == "max_f" ? Targets::max_f : name == "both" ? Targets::both : Targets::treebank;
}

double TrainingCharts::oracle_f() const {
  return oracle_total + oracle_gold == 0 ? 0
                                         : 200.0 * static_cast<double>(oracle_correct) /
                                               static_cast<double>(oracle_total + oracle_gold);
}

double TrainingCharts::edges() const {
  double all_edges = 0;
  for (const PackedSentence& s : sentences) all_edges += s.forest.edges();
  return sentences.empty() ? 0 : all_edges / static_cast<double>(sentences.size());
}

ParserTrainer::ParserTrainer(std::vector<Derivation>& derivations, CategoryTable table,
                             const std::vector<std::vector<std::string>>& tags,
                             const TrainingOptions& options)
    : derivations_(derivations),
      options_(options),
      grammar_(learn_grammar(derivations, std::move(table), options.grammar)) {
  for (std::size_t i = 0; i < derivations.size(); ++i)
    examples_.push_back({{derivations[i].words, tags[i]}, derivations[i].supertags()});
}

bool ParserTrainer::train_taggers(Monitor& monitor) {
  tagger_ = train_supertagger(examples_, options_.supertags, monitor);
  const int parts = std::max(1, options_.jackknife);
  parts_.assign(parts, {});
  if (parts == 1) {
    parts_[0] = tagger_;
  } else {
    Monitor quiet;
    monitor.stage("supertags of parts", parts);
    parallel_for(
        parts, options_.weights.threads,
        [&](int part, int) {
          if (monitor.stopped()) return;
          std::vector<SupertaggerExample> others;
          for (std::size_t i = 0; i < examples_.size(); ++i) {
            if (static_cast<int>(i) % parts != part) others.push_back(examples_[i]);
          }
          parts_[part] = train_supertagger(others, options_.supertags, quiet);
        },
        1);
    monitor.advance(parts);
  }
  return !monitor.stopped();
}

bool ParserTrainer::rebuild(const TrainingOptions& options, Monitor& monitor) {
  options_ = options;
  return build_charts(monitor);
}

bool ParserTrainer::build_charts(Monitor& monitor) {
  const Parser shell(grammar_, {}, no_weights(options_.weights.bits), options_.weights.bits,
                     options_.features);
  const int threads = std::max(1, options_.weights.threads);
  std::vector<Parser::Work> work;
  for (int t = 0; t < threads; ++t) work.emplace_back(shell);
  const int n = static_cast<int>(examples_.size());
  std::vector<PackedSentence> packed(n);
  std::vector<ChartResult> results(n, ChartResult::no_parse);
  std::vector<std::uint8_t> found(n, 0);
  monitor.stage("charts", n);
  constexpr int kBatch = 256;
  for (int first = 0; first < n && !monitor.stopped(); first += kBatch) {
    const int count = std::min(kBatch, n - first);
    parallel_for(count, threads, [&](int i, int thread) {
      const int s = first + i;
      if (!is_mine(s)) return;
      found[s] = build_chart(parts_[s % parts_.size()], s, work[thread], packed[s], results[s]);
    });
    monitor.advance(count);
  }
  if (monitor.stopped()) return false;
  count_charts(packed, found, results);
  monitor.say(
      fmt::format("charts: {} of {} sentences, {:.0f} edges each; {} without the right "
                  "derivation, {} too large",
                  charts_.all - charts_.without_gold - charts_.too_large, n, charts_.edges(),
                  charts_.without_gold, charts_.too_large));
  if (charts_.by_oracle > 0)
    monitor.say(fmt::format("the best derivation of its chart: {} sentences, F {:.2f}",
                            charts_.by_oracle, charts_.oracle_f()));
  return true;
}

void ParserTrainer::count_charts(std::vector<PackedSentence>& packed,
                                 std::span<const std::uint8_t> found,
                                 std::span<const ChartResult> results) {
  charts_ = {};
  charts_.all = static_cast<int>(packed.size());
  for (int i = 0; i < charts_.all; ++i) {
    if (!is_mine(i)) continue;
    if (found[i] != 0) {
      PackedSentence& s = packed[i];
      s.number = i;
      if (s.by_oracle) {
        ++charts_.by_oracle;
        for (const std::int32_t e : s.gold) {
          charts_.oracle_correct += s.counts.correct[e];
          charts_.oracle_total += s.counts.total[e];
        }
        charts_.oracle_gold += s.gold_dependencies;
      }
      charts_.sentences.push_back(std::move(s));
    } else if (results[i] == ChartResult::too_large) {
      ++charts_.too_large;
    } else {
      ++charts_.without_gold;
    }
  }
  // The counts of all processes.
  Processes& all = processes();
  double sum[6] = {};
  for (int from = 0; from < all.size(); ++from) {
    double mine[6] = {
        static_cast<double>(charts_.too_large),    static_cast<double>(charts_.without_gold),
        static_cast<double>(charts_.by_oracle),    static_cast<double>(charts_.oracle_correct),
        static_cast<double>(charts_.oracle_total), static_cast<double>(charts_.oracle_gold)};
    all.broadcast(mine, from);
    for (int k = 0; k < 6; ++k) sum[k] += mine[k];
  }
  charts_.too_large = static_cast<int>(sum[0]);
  charts_.without_gold = static_cast<int>(sum[1]);
  charts_.by_oracle = static_cast<int>(sum[2]);
  charts_.oracle_correct = static_cast<std::int64_t>(sum[3]);
  charts_.oracle_total = static_cast<std::int64_t>(sum[4]);
  charts_.oracle_gold = static_cast<std::int64_t>(sum[5]);
}

bool ParserTrainer::build_chart(const Supertagger& tagger, int sentence, Parser::Work& work,
                                PackedSentence& out, ChartResult& result) const {
  const Derivation& derivation = derivations_[sentence];
  const SupertaggerExample& example = examples_[sentence];
  if (example.gold.empty()) return false;
  RuleCache& rules = options_.all_rules ? work.all_rules : work.rules;
  Markups& markups = options_.all_rules ? work.all_markups : work.markups;
  tagger.tag(example.text, work.tagging, work.choices);
  for (const Beam& beam : beams_of(options_.beams)) {
    keep_within(work.choices, beam, work.kept);
    for (std::size_t i = 0; i < example.gold.size() && options_.add_gold; ++i) {
      const auto is_gold = [&](const Choice& c) { return c.category == example.gold[i]; };
      if (std::none_of(work.kept[i].begin(), work.kept[i].end(), is_gold))
        work.kept[i].push_back({example.gold[i], work.kept[i].back().log_probability});
    }
    result = work.coarse.build(
        rules, grammar_, work.kept,
        {.threshold = options_.threshold, .most = 40 * options_.most, .any_root = false});
    if (result == ChartResult::parsed)
      result = work.chart.build(rules, grammar_, markups, work.kept, work.coarse,
                                {.most = options_.most, .normal_form = options_.normal_form});
    if (result != ChartResult::too_large) break;
  }
  if (result != ChartResult::parsed) return false;
  SignPool pool;
  Analysis gold;
  analyse(derivation, rules.table(), markups, pool, gold);
  count_edges(work.chart, gold.dependencies, example.gold, out.counts);
  out.gold_dependencies = static_cast<int>(gold.dependencies.size());
  if (!choose_target(sentence, work, out)) return false;
  work.features.begin(example.text, rules.table());
  pack(work.chart, work.kept, work.features, out);
  return true;
}

// The derivation that the weights are drawn to.
bool ParserTrainer::choose_target(int sentence, Parser::Work& work, PackedSentence& out) const {
  if (options_.targets != Targets::max_f && work.chart.find(derivations_[sentence], out.gold))
    return true;
  if (options_.targets == Targets::treebank) return false;
  // Of equally good ones the one the supertagger likes best.
  const Hypergraph& forest = work.chart.forest();
  work.score.assign(forest.edges(), 0);
  for (int e = 0; e < forest.edges(); ++e) {
    const Chart::Edge& edge = work.chart.edge(e);
    if (edge.rule.rule == Rule::lexical)
      work.score[e] = work.kept[edge.word][edge.choice].log_probability;
    else if (edge.rule.result != kNoCategory)
      work.score[e] = edge.rule.log_probability;
  }
  MaxF oracle;
  FMeasureLoss measure;
  measure.correct = out.counts.correct;
  measure.total = out.counts.total;
  measure.gold = out.gold_dependencies;
  oracle.run(forest, measure, work.score);
  oracle.derivation(forest, out.gold);
  out.by_oracle = true;
  return !out.gold.empty();
}

Parser ParserTrainer::train(const WeightsOptions& options, Monitor& monitor) const {
  const std::vector<double> weights = train_weights(charts_.sentences, options, monitor);
  return Parser(grammar_, tagger_, {weights.begin(), weights.end()}, options.bits,
                options_.features);
}

}  // namespace entente::ccg
