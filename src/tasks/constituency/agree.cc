#include "tasks/constituency/agree.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "base/text.h"
#include "corpus/layers/constituency/brackets.h"
#include "entente/agreement.h"
#include "entente/error.h"
#include "model/proof_lines.h"
#include "tasks/constituency/agree_story.h"
#include "tasks/constituency/evalb.h"
#include "tasks/constituency/tag_agreement.h"
#include "tasks/constituency/task.h"
#include "tasks/constituency/tutorial.h"

namespace entente::constituency {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Tally {
  int sentences = 0, agreed = 0, proven = 0, checked = 0, equal = 0, no_tree = 0;
  int loose = 0, tightened = 0,
      branched = 0;  // not proven at first; by pairs of tags; by branching
  std::int64_t rounds = 0;
  double seconds = 0, check_seconds = 0, checked_seconds = 0;
  std::vector<BracketScores> alone, joint, risk_alone, risk_joint;  // of every sentence with a tree
  std::int64_t words = 0, tagger_right = 0;
};

// Section 5 of the tutorial: boundaries between words whose tags are in doubt are watched, more of
// them each time, and both go on from the same prices; what is then still open is branched on.
void tighten(TreeSide& trees, TagSide& tags, const Leaves& leaves, int branches,
             AgreementOptions options, AgreementResult& r, Tally& tally) {
  if (r.average.empty()) return;  // stopped before the first round
  std::vector<std::int32_t> boundaries;
  TagPairs pairs;
  const auto known = static_cast<std::ptrdiff_t>(leaves.tags.size());
  const int rounds = r.rounds;
  options.trace = nullptr;
  for (const double sure : {0.2, 0.05, 0.01}) {
    boundaries.clear();
    const auto in_doubt = [&](int word) {
      return std::any_of(r.average.begin() + leaves.first[word],
                         r.average.begin() + leaves.first[word + 1],
                         [&](double p) { return p > sure && p < 1 - sure; });
    };
    for (int k = 1; k < leaves.size(); ++k) {
      if (in_doubt(k - 1) || in_doubt(k)) boundaries.push_back(k);
    }
    if (boundaries.empty()) continue;
    pairs.set(leaves, boundaries);
    if (!trees.watch(boundaries, pairs)) break;
    tags.watch(boundaries, pairs);
    std::vector<double> prices(r.prices.begin(), r.prices.begin() + known);
    prices.resize(pairs.size(), 0.0);
    Agreement again(trees, tags);
    again.start_from(prices);
    const std::vector<double> average = r.average;
    r = again.run(options);
    if (r.status == Status::optimal) {
      ++tally.tightened;
      return;
    }
    r.average = average;
    r.rounds += rounds;
  }
  options.branches = branches;
  Agreement last(trees, tags);
  last.start_from(r.prices);
  r = last.run(options);
  tally.branched += r.status == Status::optimal ? 1 : 0;
}

PhraseTree tree_by(const ConstituencyParser& parser, const PhraseTree& gold, ParserScratch& s) {
  PhraseTree tree;
  tree_of(parser.base(), s.forest, s.derivation, gold.words, tree);
  return tree;
}

// The tree of fewest wrong brackets expected: of the parser alone, and among those with the tags that
// both agreed on.
PhraseTree least_risk(const ConstituencyParser& parser, const ParseOptions& parse,
                      const PhraseTree& gold, ParserScratch& s) {
  std::vector<double> scores = s.score;
  for (double& x : scores) x *= parse.temperature;
  s.sums.inside(s.forest.graph, scores);
  s.sums.outside(s.forest.graph);
  s.best.run(s.forest.graph,
             parser.gains(s.forest, s.sums.edge_marginals(), parse.bracket_cost, s));
  s.best.derivation(s.forest.graph, s.derivation);
  return tree_by(parser, gold, s);
}
PhraseTree least_risk(const ConstituencyParser& parser, const ParseOptions& parse,
                      const PhraseTree& gold, TreeSide& trees, std::span<const std::uint8_t> on,
                      ParserScratch& s) {
  std::vector<double> marginals;
  trees.marginals(on, parse.temperature, marginals);
  trees.best_with(parser.gains(s.forest, marginals, parse.bracket_cost, s), on);
  trees.derivation(s.derivation);
  return tree_by(parser, gold, s);
}

// One sentence of parse+tags. proofs: may be null.
void agree_on(const ConstituencyParser& parser, const ParseOptions& parse, const PhraseTree& gold,
              const Settings& settings, AgreementOptions options, ParserScratch& s, Tally& tally,
              ProofSink* proofs) {
  ++tally.sentences;
  const auto start = std::chrono::steady_clock::now();
  parser.tag(gold.words, s);
  for (std::size_t i = 0; i < gold.tags.size(); ++i) {
    ++tally.words;
    tally.tagger_right +=
        parser.tagger().lexicon().tag(s.lattice.best_tags[i]) == gold.tags[i] ? 1 : 0;
  }
  if (!parser.prune(settings.number("threshold"), s) ||
      !parser.build(s, settings.number("threshold"))) {
    ++tally.no_tree;
    return;
  }
  s.best.run(s.forest.graph, s.score);
  s.best.derivation(s.forest.graph, s.derivation);
  tally.alone.push_back(compare_trees(gold, tree_by(parser, gold, s)));
  const double weight = settings.number("tag_weight");
  TreeSide trees(s.forest, s.score, s.leaves, 1);
  TagSide tags(s.lattice, s.leaves, parser.tag_symbols(), weight);
  const int branches = std::exchange(options.branches, 0);
  options.keep_parts = proofs != nullptr;
  AgreementResult r = Agreement(trees, tags).run(options);
  tally.agreed += r.agreed ? 1 : 0;
  if (r.status != Status::optimal) {
    ++tally.loose;
    if (branches > 0) tighten(trees, tags, s.leaves, branches, options, r, tally);
  }
  const double seconds = seconds_since(start);
  tally.seconds += seconds;
  tally.proven += r.status == Status::optimal ? 1 : 0;
  tally.rounds += r.rounds;
  if (proofs != nullptr) {
    ForestProblem problem;
    const ForestCertificate c = certify(trees, tags, r, problem);
    proofs->add("constituency+tags", problem, c);
  }
  tally.risk_alone.push_back(compare_trees(gold, least_risk(parser, parse, gold, s)));
  if (r.on.empty()) {
    tally.joint.push_back(tally.alone.back());
    tally.risk_joint.push_back(tally.risk_alone.back());
    return;
  }
  trees.score(r.on);
  trees.derivation(s.derivation);
  tally.joint.push_back(compare_trees(gold, tree_by(parser, gold, s)));
  tally.risk_joint.push_back(compare_trees(gold, least_risk(parser, parse, gold, trees, r.on, s)));
  if (gold.size() > settings.integer("check_up_to")) return;
  const auto check = std::chrono::steady_clock::now();
  const double same = intersect(s.forest, trees.own_scores(), s.leaves, tags);
  tally.check_seconds += seconds_since(check);
  tally.checked_seconds += seconds;
  ++tally.checked;
  tally.equal += std::abs(same - r.value) < 1e-4 ? 1 : 0;
}

// Brackets, and tags, with what 95% of resampled corpora say of the difference.
std::string compare_rows(const char* name, const std::vector<BracketScores>& alone,
                         const std::vector<BracketScores>& joint) {
  const BracketScores a = total(alone), b = total(joint);
  const BootstrapInterval f = paired_bootstrap(joint, alone),
                          t = entente::paired_bootstrap<BracketScores>(
                              static_cast<int>(joint.size()),
                              [&](int k, BracketScores&x, BracketScores&y) {
                                x += joint[k];
                                y += alone[k];
                              },
                              [](const BracketScores&x) { return x.tag_accuracy(); });
  return fmt::format(
      "{}: alone F1 {:.2f}, tags {:.2f}; together F1 {:.2f}, tags {:.2f}\n"
      "  F1 {:+.2f} ({:+.2f} to {:+.2f} on 95% of resampled corpora), tags {:+.2f} ({:+.2f} to "
      "{:+.2f})\n",
      name, a.f1(), a.tag_accuracy(), b.f1(), b.tag_accuracy(), f.difference, f.low, f.high,
      t.difference, t.low, t.high);
}

std::string table_of(const Tally& t) {
  const auto share = [&](int n, int of) { return of == 0 ? 0.0 : 100.0 * n / of; };
  const int searched = t.sentences - t.no_tree;
  std::string out = fmt::format(
      "{} sentences ({} without a tree): agreed {:.2f}%, proven {:.2f}%, {:.1f} rounds, {:.2f} ms "
      "a "
      "sentence\n",
      t.sentences, t.no_tree, share(t.agreed, searched), share(t.proven, searched),
      static_cast<double>(t.rounds) / std::max(1, searched),
      1e3 * t.seconds / std::max(1, searched));
  out += fmt::format("tagger alone: all tags {:.2f}\n",
                     BracketScores::percent(t.tagger_right, t.words));
  out += compare_rows("likeliest trees", t.alone, t.joint);
  out += compare_rows("fewest wrong brackets", t.risk_alone, t.risk_joint);
  if (t.loose > 0) {
    out += fmt::format("{} not proven at first: {} by sharing pairs of tags, {} by branching\n",
                       t.loose, t.tightened, t.branched);
  }
  if (t.checked > 0) {
    out += fmt::format(
        "intersection: the same optimum on {} of {} sentences, in {:.1f} times the time of "
        "agreeing\n",
        t.equal, t.checked, t.check_seconds / t.checked_seconds);
  }
  return out;
}

int parse_and_tags(const TaskRequest& request) {
  if (request.inputs.size() != 2) throw Error("expected: parse+tags and trees in brackets");
  const std::vector<PhraseTree> gold = read_trees(request.inputs[1]);
  if (gold.empty()) {
    throw Error("expected trees in brackets, found none", {.file = request.inputs[1]});
  }
  const auto& annotator = dynamic_cast<const ConstituencyAnnotator&>(request.models->annotator());
  Story story(request);
  Proofs proofs(request);
  Tally tally;
  ParserScratch scratch;
  const ParseOptions parse = agree_parsing(annotator.options(), request.settings);
  request.monitor->stage("agreeing", static_cast<std::int64_t>(gold.size()));
  for (std::size_t i = 0; i < gold.size() && !request.monitor->stopped(); ++i) {
    AgreementOptions options = agree_options(request);
    options.trace = story.of(static_cast<int>(i));
    const double before = tally.seconds;
    agree_on(annotator.parser(), parse, gold[i], request.settings, options, scratch, tally,
             proofs.sink());
    proofs.flush();
    story.cost(gold[i].size(), tally.seconds - before);
    request.monitor->advance(1);
  }
  story.finish();
  request.write(table_of(tally));
  return proofs.finish();
}

}  // namespace

std::vector<Setting> agree_settings() {
  return {
      setting::choice("step", {"rises", "harmonic", "root", "constant", "polyak"}, "rises",
                      "c over 1 + how often the dual rose, c/k, c/sqrt(k), c, or Polyak's")
          .in(kOwn),
      setting::number("step_rate", 1, 1e-6, 1e6, "c").in(kOwn),
      setting::integer("max_rounds", 50, 1, 1000000, "searches of both models").in(kOwn),
      setting::flag("tighten", "go on where the two do not agree, until it is proven").in(kOwn),
      setting::text("trace", "", "a file for every round, as JSON lines").in(kOwn),
      setting::text("plot", "", "a picture of the rounds (SVG)").in(kOwn),
      setting::text(
          "certificate", "",
          "file for the proofs (JSON lines); entente verify checks it. With --tighten all "
          "prove an optimum")
          .in(kOwn),
      setting::integer("check_up_to", 0, 0, 1000,
                       "compare with the intersection of both on sentences of so many words")
          .in(kOwn),
      setting::number("tag_weight", 1, 0, 1e3,
                      "parse+tags: of the tagger's scores, beside the parser's own of tags")
          .in(kOwn),
      setting::integer("learn", 200, 1, 1000000, "corpus-tags: trees to learn the tagger from")
          .in(kOwn),
      setting::number("penalty", 2, 0, 1e6, "corpus-tags: of a token unlike its type").in(kOwn),
      setting::integer("seen", 4, 1, 1000,
                       "corpus-tags: types that the tagger saw less often take part")
          .in(kOwn),
      setting::number("class_weight", 8, 0, 1e3,
                      "corpus-tags: of what the type's class says (0: word classes are not used)")
          .in(kOwn),
      setting::flag("compare_lazy", "corpus-tags: also decode every sentence in every round")
          .in(kOwn),
  };
}

namespace {

// Options that only one of the agreements reads.
void check_options(const std::string& mode, const Settings& settings) {
  constexpr std::pair<const char*, const char*> kOf[] = {
      {"check_up_to", "parse+tags"},      {"tag_weight", "parse+tags"},
      {"arc_weight", "parse+dependency"}, {"learn", "corpus-tags"},
      {"penalty", "corpus-tags"},         {"seen", "corpus-tags"},
      {"class_weight", "corpus-tags"},    {"compare_lazy", "corpus-tags"}};
  for (const auto& [name, of] : kOf) {
    if (mode == of || !settings.given(name)) continue;
    std::string option = name;
    std::replace(option.begin(), option.end(), '_', '-');
    throw Error(fmt::format("--{} is an option of {}", option, of));
  }
}

}  // namespace

int run_agree(const TaskRequest& request) {
  const std::string mode = request.inputs.empty() ? "" : request.inputs[0];
  check_options(mode, request.settings);
  if (mode == "parse+tags") return parse_and_tags(request);
  if (mode == "parse+dependency") return parse_and_dependency(request);
  if (mode == "corpus-tags") return corpus_tags(request);
  if (mode == "tutorial") {
    if (request.settings.given("certificate"))
      throw Error("--certificate: the tutorial shows its proofs round by round and writes none");
    return run_tutorial(request);
  }
  const std::string expected = "expected parse+tags, parse+dependency, corpus-tags or tutorial";
  if (mode.empty()) throw Error(expected);
  Nearest nearest(mode);
  for (const char* known : {"parse+tags", "parse+dependency", "corpus-tags", "tutorial"}) {
    nearest.consider(known);
  }
  throw Error(expected + ", found " + quoted(mode) + nearest.suggestion());
}

}  // namespace entente::constituency
