#include "tasks/ccg/parser.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace entente::ccg {

namespace {

constexpr const char* kWeights = "ccg/weights";
constexpr const char* kScale = "ccg/weights_scale";
constexpr const char* kTagger = "ccg/tagger_weight";
constexpr const char* kBits = "ccg/bits";
constexpr const char* kSet = "ccg/features";

// Table 1 of the paper.
constexpr std::array<Beam, 5> kAdaptive = {
    {{0.075, 20}, {0.03, 20}, {0.01, 20}, {0.005, 20}, {0.001, 150}}};
constexpr std::array<Beam, 5> kReverse = {
    {{0.001, 150}, {0.005, 20}, {0.01, 20}, {0.03, 20}, {0.075, 20}}};

}  // namespace

Parser::Work::Work(const Parser& parser)
    : rules(parser.grammar_, false),
      all_rules(parser.grammar_, true),
      features(parser.bits_, parser.set_) {}

Parser::Parser(Grammar grammar, Supertagger tagger, std::vector<float> weights, int bits,
               FeatureSet set)
    : grammar_(std::move(grammar)),
      tagger_(std::move(tagger)),
      weights_(weights.begin(), weights.end()),
      bits_(bits),
      set_(set) {}

Parser::Parser(const ModelFile& file)
    : grammar_(Grammar::load(file)),
      tagger_(file),
      bits_(static_cast<int>(file.number(kBits))),
      set_(static_cast<FeatureSet>(static_cast<int>(file.number(kSet)))) {
  const std::span<const std::int8_t> bytes = file.array<std::int8_t>(kWeights);
  if (bits_ < 4 || bits_ > 28 || bytes.size() != std::size_t{1} << bits_ ||
      set_ > FeatureSet::hybrid)
    file.fail("has a broken table of CCG");
  const double scale = file.number(kScale);
  for (const std::int8_t b : bytes) weights_.push_back(scale * b);
  weights_.push_back(file.number(kTagger));
}

void Parser::save(ModelWriter& writer) const {
  grammar_.save(writer);
  tagger_.save(writer);
  double largest = 1e-6;
  for (std::size_t i = 0; i + 1 < weights_.size(); ++i)
    largest = std::max(largest, std::abs(weights_[i]));
  std::vector<std::int8_t> bytes;
  for (std::size_t i = 0; i + 1 < weights_.size(); ++i)
    bytes.push_back(static_cast<std::int8_t>(std::lround(weights_[i] / largest * 127)));
  writer.add<std::int8_t>(kWeights, bytes);
  writer.add_number(kScale, largest / 127);
  writer.add_number(kTagger, weights_.back());
  writer.add_number(kBits, bits_);
  writer.add_number(kSet, static_cast<int>(set_));
}

// Charts that are too large are pruned more. What the treebank's rules cannot put together, all
// combinators may, into any category; and what these cannot stands one after the other: constituents,
// and if all else fails words.
const Parser::Effort Parser::kLastEfforts[] = {
    {.beam = kAdaptive[0], .stricter = 10},
    {.beam = kAdaptive[0], .stricter = 100},
    {.beam = kAdaptive[0], .all = true, .any_root = true},
    {.beam = kAdaptive[2], .all = true, .any_root = true},
    {.beam = kAdaptive[0], .all = true, .any_root = true, .glue = true},
    {.beam = kAdaptive[0], .any_root = true, .glue = true, .stricter = 10},
    {.beam = {1, 1}, .any_root = true, .glue = true, .stricter = 10},
    {.beam = {1, 1}, .any_root = true, .glue = true, .only_glue = true},
};

bool Parser::try_effort(const Effort& effort, const ParseOptions& options, Work& work,
                        ChartResult& result) const {
  RuleCache& rules = effort.all ? work.all_rules : work.rules;
  keep_within(work.choices, effort.beam, work.kept);
  result =
      work.coarse.build(rules, grammar_, work.kept,
                        {.threshold = effort.only_glue ? 0 : effort.stricter * options.threshold,
                         .most = 4 * options.most,
                         .any_root = effort.any_root,
                         .glue = effort.glue,
                         .only_glue = effort.only_glue});
  if (result != ChartResult::parsed) return false;
  result = work.chart.build(rules, grammar_, effort.all ? work.all_markups : work.markups,
                            work.kept, work.coarse,
                            {.most = options.most,
                             .normal_form = options.normal_form,
                             .any_root = effort.any_root,
                             .glue = effort.glue,
                             .only_glue = effort.only_glue});
  return result == ChartResult::parsed;
}

void Parser::parse(const TaggedWords& text, const ParseOptions& options, Work& work,
                   Parse& out) const {
  out.found = out.proven = false;
  out.beam = -1;
  out.derivation.clear();
  out.dependencies.clear();
  out.supertags.clear();
  if (text.words.empty()) return;
  tagger_.tag(text, work.tagging, work.choices);
  for (const std::vector<Choice>& c : work.choices) out.supertags.push_back(c.front().category);
  const bool adaptive = options.strategy == Strategy::adaptive;
  const auto& beams = adaptive ? kAdaptive : kReverse;
  ChartResult result = ChartResult::no_parse;
  bool all = options.all_rules;
  for (int step = 0; step < static_cast<int>(beams.size()) && !out.found; ++step) {
    out.found = try_effort({.beam = beams[step], .all = all}, options, work, result);
    out.beam = step;
    // Wider does not help a chart that is too large, nor narrower one without a parse.
    if (!out.found && result == (adaptive ? ChartResult::too_large : ChartResult::no_parse)) break;
  }
  bool too_large = result == ChartResult::too_large;
  for (const Effort& effort : kLastEfforts) {
    if (out.found) break;
    // What was too large is not tried with more of the same, what had no parse not with less.
    if (effort.all ? too_large : effort.stricter > 1 && !effort.glue && !too_large) continue;
    all = effort.all;
    out.found = try_effort(effort, options, work, result);
    out.beam = static_cast<int>(beams.size());
    too_large = too_large || result == ChartResult::too_large;
  }
  out.by_all_combinators = all;
  if (out.found) decode(text, options, all, work, out);
}

Parser Parser::with_tagger(Supertagger tagger) const {
  Parser out = *this;
  out.tagger_ = std::move(tagger);
  return out;
}

double Parser::tagger_weight() const { return weights_.back() == 0 ? 1 : weights_.back(); }

// What the parser's own features say of each edge.
void Parser::score_chart(const TaggedWords& text, bool all, Work& work) const {
  work.features.begin(text, (all ? work.all_rules : work.rules).table());
  const int edges = work.chart.forest().edges();
  work.base.resize(edges);
  for (int e = 0; e < edges; ++e) {
    work.features_of_edge.clear();
    work.features.find(work.chart, e, work.features_of_edge);
    double sum = 0;
    for (const std::uint32_t f : work.features_of_edge) sum += weights_[f];
    work.base[e] = sum;
  }
}

void Parser::agree(const ParseOptions& options, Work& work, Parse& out) const {
  AgreementOptions how;
  how.max_rounds = options.agreement_rounds;
  work.agreed = work.both.agree(how, tagger_weight(), work.base, work.edges);
  if (work.edges.empty()) work.agreed.on.clear();
  out.proven = work.agreed.status == Status::optimal;
  out.bound = work.agreed.bound;
  out.rounds = work.agreed.rounds;
}

void Parser::prove(const ParseOptions& options, Work& work, ProofSink& proofs) const {
  if (options.decoding == Decoding::agreement && !work.agreed.on.empty()) {
    ForestProblem problem;
    const ForestCertificate c = work.both.certify(work.base, work.agreed, work.edges, problem);
    return proofs.add("ccg", problem, c);
  }
  const bool risk = options.decoding == Decoding::min_risk;
  prove_forest(proofs, "ccg", work.chart.forest(), risk ? work.risk : work.score, work.edges);
}

void Parser::decode(const TaggedWords& text, const ParseOptions& options, bool all, Work& work,
                    Parse& out) const {
  const Chart& chart = work.chart;
  const Hypergraph& forest = chart.forest();
  score_chart(text, all, work);
  work.both.begin(chart, work.kept, work.tagging.chain);
  const int rounds = options.rounds >= 0 ? options.rounds : weights_.back() == 0 ? 0 : 1;
  out.rounds = work.both.propagate({.rounds = rounds, .weight = tagger_weight()}, work.base,
                                   work.score, work.sums);
  out.log_z = work.sums.log_z();
  out.proven = true;
  if (options.decoding == Decoding::agreement) agree(options, work, out);
  // Dual decomposition that finds no pair leaves the best derivation of belief propagation.
  if (options.decoding != Decoding::agreement || work.edges.empty()) {
    if (options.decoding == Decoding::min_risk) {
      work.min_risk.score(chart, work.sums.edge_marginals(), options.risk, work.risk);
      work.best.run(forest, work.risk);
    } else {
      work.best.run(forest, work.score);
    }
    work.best.derivation(forest, work.edges);
  }
  chart.derivation(work.edges, out.derivation);
  out.rules.clear();
  for (std::size_t i = work.edges.size(); i-- > 0;) {
    if (!chart.is_goal(work.edges[i])) out.rules.push_back(chart.edge(work.edges[i]).rule.rule);
  }
  out.derivation.words = text.words;
  out.derivation.tags = text.tags;
  double score = 0;
  for (const std::int32_t e : work.edges) {
    score += work.score[e];
    const auto made = chart.dependencies(e);
    out.dependencies.insert(out.dependencies.end(), made.begin(), made.end());
  }
  out.score = score;
  std::sort(out.dependencies.begin(), out.dependencies.end());
  out.dependencies.erase(std::unique(out.dependencies.begin(), out.dependencies.end()),
                         out.dependencies.end());
  out.supertags = out.derivation.supertags();
}

}  // namespace entente::ccg
