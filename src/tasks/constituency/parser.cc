#include "tasks/constituency/parser.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace entente::constituency {

namespace {
constexpr double kTagThreshold = 0.02;  // of tags that a word may have in a tree
// What a phrase directly over one of the same label must be likely by: most of those in treebanks
// are left over from traces.
constexpr double kTwice = 0.6;
}  // namespace

ConstituencyParser::ConstituencyParser(const ConstituencyModel& m)
    : ConstituencyParser(
          m.base, m.fine, m.lexicon,
          WeightReader(m.tagger_weights.data(), Tagger::kBits, m.tagger_scale),
          {m.base, WeightReader(m.weights.data(), m.bits, m.scale), m.contexts},
          m.filter_weights.empty()
              ? SpanFilter()
              : SpanFilter(WeightReader(m.filter_weights.data(), SpanFilter::kBits, m.filter_scale),
                           m.filter_cut)) {}

ConstituencyParser::ConstituencyParser(const Grammar& base, const Grammar& fine,
                                       const Lexicon& lexicon, WeightReader tagger_weights,
                                       const ForestScorer& scorer, SpanFilter filter)
    : base_(&base),
      fine_(&fine),
      lexicon_(&lexicon),
      tagger_(lexicon, tagger_weights),
      scorer_(scorer),
      filter_(filter),
      pruner_(base),
      base_builder_(base, base),
      fine_builder_(fine, base) {
  for (int t = 0; t < lexicon.tags(); ++t) tag_symbol_.push_back(base.find(lexicon.tag(t)));
  for (const ChainRule& rule : base.chains()) {
    auto& labels = chain_label_.emplace_back();
    for (const std::string& label : base.chain_labels(rule.chain)) {
      labels.push_back(base.find(label));
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto below =
          std::count(labels.begin() + static_cast<std::ptrdiff_t>(i) + 1, labels.end(), labels[i]);
      labels[i] +=
          base.symbols() * static_cast<std::int32_t>(below + (labels[i] == rule.bottom ? 1 : 0));
    }
  }
}

void ConstituencyParser::tag(std::span<const std::string> words, ParserScratch& s) const {
  tagger_.build(words, s.lattice);
  tagger_.marginals(s.lattice);
  s.context.set(words, s.lattice.best_tags, *lexicon_);
  s.leaves.tags.clear();
  s.leaves.first.assign(1, 0);
  for (int i = 0; i < s.lattice.size(); ++i) {
    for (int c = s.lattice.first[i]; c < s.lattice.first[i + 1]; ++c) {
      const TagLattice::Candidate& x = s.lattice.candidates[c];
      if (x.probability < kTagThreshold || tag_symbol_[x.tag] < 0) continue;
      s.leaves.tags.push_back({tag_symbol_[x.tag],
                               x.probability * std::exp(static_cast<double>(x.lexical)) + 1e-12,
                               std::log(x.probability)});
    }
    s.leaves.first.push_back(static_cast<std::int32_t>(s.leaves.tags.size()));
  }
}

bool ConstituencyParser::prune(double threshold, ParserScratch& s) const {
  s.open.clear();
  if (filter_.given() && threshold > 0) filter_.run(s.context, s.open);
  return pruner_.run(s.leaves, {.threshold = threshold, .open = s.open}, s.chart, s.allowed);
}

bool ConstituencyParser::build(ParserScratch& s, double threshold) const {
  if (!base_builder_.build(s.leaves, s.allowed, s.whole)) return false;
  if (!s.likely.run(s.whole, kEdgeShare * threshold, {}, s.plain)) return false;
  scorer_.score(s.leaves, s);
  return true;
}

bool ConstituencyParser::forest_of(std::span<const std::string> words, const ParseOptions& options,
                                   ParserScratch& s) const {
  tag(words, s);
  if (!prune(options.threshold, s)) return false;
  return build(s, options.threshold);
}

PhraseTree ConstituencyParser::flat(std::span<const std::string> words,
                                    const ParserScratch& s) const {
  PhraseTree tree;
  tree.words.assign(words.begin(), words.end());
  for (const std::int32_t t : s.lattice.best_tags) tree.tags.push_back(lexicon_->tag(t));
  tree.phrases = {{"TOP", 0, tree.size(), -1}, {"FRAG", 0, tree.size(), 0}};
  for (Phrase& p : tree.phrases) p.confidence = 0;
  return tree;
}

// The probability of every bracket that the forest has; sorted.
void ConstituencyParser::find_brackets(const ParseForest& f, std::span<const double> marginals,
                                       ParserScratch& s) const {
  s.brackets.clear();
  for (int e = 0; e < f.graph.edges(); ++e) {
    const double p = marginals[e];
    if (p < 1e-6) continue;
    const ParseForest::Node& node = f.nodes[f.graph.head(e)];
    brackets_of(f, e, [&](std::int32_t label) {
      s.brackets.push_back({node.begin, node.end, label, p});
    });
  }
  const auto key = [](const ParserScratch::Bracket& b) {
    return std::tie(b.begin, b.end, b.label);
  };
  std::sort(s.brackets.begin(), s.brackets.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.brackets.size(); ++i) {
    if (kept > 0 && key(s.brackets[kept - 1]) == key(s.brackets[i])) {
      s.brackets[kept - 1].p = std::min(1.0, s.brackets[kept - 1].p + s.brackets[i].p);
    } else {
      s.brackets[kept++] = s.brackets[i];
    }
  }
  s.brackets.resize(kept);
}

namespace {

double probability_of(const std::vector<ParserScratch::Bracket>& brackets, int begin, int end,
                      int label) {
  const auto at = std::lower_bound(brackets.begin(), brackets.end(), std::tie(begin, end, label),
                                   [](const ParserScratch::Bracket& b, const auto& wanted) {
                                     return std::tie(b.begin, b.end, b.label) < wanted;
                                   });
  return at == brackets.end() ||
                 std::tie(at->begin, at->end, at->label) != std::tie(begin, end, label)
             ? 0
             : at->p;
}

}  // namespace

// What a tree is expected to gain by an edge: each of its brackets is right with its probability
// and costs `cost`. A trace of the edge's own probability decides between equals, and for tags.
std::span<const double> ConstituencyParser::gains(const ParseForest& f,
                                                  std::span<const double> marginals, double cost,
                                                  ParserScratch& s) const {
  find_brackets(f, marginals, s);
  s.gain.resize(f.graph.edges());
  for (int e = 0; e < f.graph.edges(); ++e) {
    const ParseForest::Node& node = f.nodes[f.graph.head(e)];
    double gain = 0.02 * marginals[e];
    brackets_of(f, e, [&](std::int32_t label) {
      gain += probability_of(s.brackets, node.begin, node.end, label) -
              (label < base_->symbols() ? cost : std::max(cost, kTwice));
    });
    s.gain[e] = gain;
  }
  return s.gain;
}

void ConstituencyParser::set_confidence(const ParserScratch& s, PhraseTree& tree) const {
  for (Phrase& p : tree.phrases) {
    p.confidence = probability_of(s.brackets, p.begin, p.end, base_->find(p.label));
  }
}

void ConstituencyParser::keep_likely(const ParserScratch& s, double least, PhraseTree& tree) const {
  for (const ParserScratch::Bracket& b : s.brackets) {
    if (b.p < least || b.label >= base_->symbols() || b.label == base_->root()) continue;
    const std::string& label = base_->label(b.label);
    const bool there = std::any_of(tree.phrases.begin(), tree.phrases.end(), [&](const Phrase& p) {
      return p.begin == b.begin && p.end == b.end && p.label == label;
    });
    if (!there) tree.likely.push_back({label, b.begin, b.end, -1, b.p});
  }
}

PhraseTree ConstituencyParser::parse(std::span<const std::string> words,
                                     const ParseOptions& options, ParserScratch& s) const {
  PhraseTree tree;
  s.decided = {};
  if (words.empty()) return tree;
  if (options.decoder == Decoder::kCoarse) {
    tag(words, s);
    if (!prune(options.threshold, s) || !fine_builder_.build(s.leaves, s.allowed, s.forest) ||
        s.best.run(s.forest.graph, s.forest.graph.score) == -INFINITY) {
      return flat(words, s);
    }
    s.best.derivation(s.forest.graph, s.derivation);
    s.decided = s.forest.graph.score;
    tree_of(*fine_, s.forest, s.derivation, words, tree);
    return tree;
  }
  if (!forest_of(words, options, s)) return flat(words, s);
  const Hypergraph& h = s.forest.graph;
  if (options.temperature != 1) {
    for (double& x : s.score) x *= options.temperature;
  }
  const double log_z = s.sums.inside(h, s.score);
  s.sums.outside(h);
  std::span<const double> values = s.score;
  if (options.decoder == Decoder::kRisk) {
    values = gains(s.forest, s.sums.edge_marginals(), options.bracket_cost, s);
  } else {
    find_brackets(s);
  }
  s.best.run(h, values);
  s.best.derivation(h, s.derivation);
  s.decided = values;
  tree_of(*base_, s.forest, s.derivation, words, tree);
  for (const std::int32_t e : s.derivation) tree.score += s.score[e];
  tree.score -= log_z;
  set_confidence(s, tree);
  keep_likely(s, options.likely, tree);
  if (options.draws > 0) draw_others(words, options.draws, s, tree);
  return tree;
}

void ConstituencyParser::draw_others(std::span<const std::string> words, int draws,
                                     ParserScratch& s, PhraseTree& tree) const {
  const auto same = [](const PhraseTree& a, const PhraseTree& b) {
    return std::equal(a.phrases.begin(), a.phrases.end(), b.phrases.begin(), b.phrases.end(),
                      [](const Phrase& x, const Phrase& y) {
                        return x.begin == y.begin && x.end == y.end && x.label == y.label;
                      });
  };
  Random random(1);  // the same trees every time
  PhraseTree other;
  Derivation derivation;
  for (int i = 0; i < draws; ++i) {
    s.sums.sample(s.forest.graph, random, derivation);
    other = {};
    tree_of(*base_, s.forest, derivation, words, other);
    auto at = std::find_if(tree.drawn.begin(), tree.drawn.end(),
                           [&](const PhraseTree& t) { return same(t, other); });
    if (at == tree.drawn.end()) {
      set_confidence(s, other);
      other.words.clear();
      other.tags.clear();
      at = tree.drawn.insert(at, std::move(other));
    }
    at->score += 1;
  }
  for (PhraseTree& t : tree.drawn) t.score = std::log(t.score / draws);
}

PhraseTree ConstituencyParser::finish(std::span<const std::string> words, const ParseForest& forest,
                                      std::span<const double> score,
                                      std::span<const std::int32_t> derivation,
                                      ParserScratch& s) const {
  PhraseTree tree;
  tree.score = -s.sums.inside(s.forest.graph, s.score);
  s.sums.outside(s.forest.graph);
  find_brackets(s);
  tree_of(*base_, forest, derivation, words, tree);
  for (const std::int32_t e : derivation) tree.score += score[e];
  set_confidence(s, tree);
  return tree;
}

PhraseTree ConstituencyParser::finish(std::span<const std::string> words, const ParseForest& forest,
                                      std::span<const std::int32_t> derivation,
                                      const ParserScratch& s) const {
  PhraseTree tree;
  tree_of(*base_, forest, derivation, words, tree);
  set_confidence(s, tree);
  return tree;
}

std::vector<PhraseTree> ConstituencyParser::k_best(std::span<const std::string> words, int k,
                                                   const ParseOptions& options,
                                                   ParserScratch& s) const {
  std::vector<PhraseTree> out;
  s.decided = {};
  if (words.empty()) return out;
  if (!forest_of(words, options, s)) return {flat(words, s)};
  const double log_z = s.sums.inside(s.forest.graph, s.score);
  s.sums.outside(s.forest.graph);
  find_brackets(s);
  s.list.start(s.forest.graph, s.score);
  double value = 0;
  for (int rank = 0; rank < k && s.list.next(s.derivation, value); ++rank) {
    PhraseTree& tree = out.emplace_back();
    tree_of(*base_, s.forest, s.derivation, words, tree);
    tree.score = value - log_z;
    set_confidence(s, tree);
  }
  s.decided = s.score;
  return out;
}

void ConstituencyModel::write(ModelWriter& writer) const {
  const std::string p(kSection);
  base.write(writer, p + "/base");
  fine.write(writer, p + "/fine");
  lexicon.write(writer, p + "/lexicon");
  writer.add_number(p + "/bits", bits);
  writer.add_number(p + "/tagger_scale", tagger_scale);
  writer.add_number(p + "/scale", scale);
  writer.add_number(p + "/bracket_cost", bracket_cost);
  writer.add_number(p + "/temperature", temperature);
  writer.add<std::int8_t>(p + "/tagger", tagger_weights);
  writer.add<std::int8_t>(p + "/weights", weights);
  writer.add_number(p + "/contexts", contexts ? 1 : 0);
  if (!heads.empty()) {
    heads.write(writer, p + "/heads");
    writer.add_number(p + "/arc_weight", arc_weight);
  }
  if (filter_weights.empty()) return;
  writer.add_number(p + "/filter_scale", filter_scale);
  writer.add_number(p + "/filter_cut", filter_cut);
  writer.add<std::int8_t>(p + "/filter", filter_weights);
}

ConstituencyModel ConstituencyModel::read(const ModelFile& file) {
  const std::string p(kSection);
  ConstituencyModel m;
  m.base = Grammar::read(file, p + "/base");
  m.fine = Grammar::read(file, p + "/fine");
  m.lexicon = Lexicon::read(file, p + "/lexicon");
  m.bits = static_cast<int>(file.number(p + "/bits"));
  m.tagger_scale = static_cast<float>(file.number(p + "/tagger_scale"));
  m.scale = static_cast<float>(file.number(p + "/scale"));
  m.bracket_cost = file.number(p + "/bracket_cost");
  m.temperature = file.number(p + "/temperature");
  const auto tagger = file.array<std::int8_t>(p + "/tagger");
  const auto weights = file.array<std::int8_t>(p + "/weights");
  if (m.bits < 8 || m.bits > 30 || weights.size() != (std::size_t{1} << m.bits)) {
    file.fail("section \"" + p + "/weights\" is damaged");
  }
  if (tagger.size() !=
      (std::size_t{1} << Tagger::kBits) + Tagger::extra_weights(m.lexicon.tags())) {
    file.fail("section \"" + p + "/tagger\" is damaged");
  }
  if (file.has(p + "/filter")) {
    const auto filter = file.array<std::int8_t>(p + "/filter");
    if (filter.size() != std::size_t{1} << SpanFilter::kBits) {
      file.fail("section \"" + p + "/filter\" is damaged");
    }
    m.filter_weights.assign(filter.begin(), filter.end());
    m.filter_scale = static_cast<float>(file.number(p + "/filter_scale"));
    m.filter_cut = file.number(p + "/filter_cut");
  }
  if (file.has(p + "/heads")) {
    m.heads = HeadTable::read(file, p + "/heads", m.base);
    m.arc_weight = file.number(p + "/arc_weight");
  }
  m.contexts = file.has(p + "/contexts") && file.number(p + "/contexts") != 0;
  m.tagger_weights.assign(tagger.begin(), tagger.end());
  m.weights.assign(weights.begin(), weights.end());
  return m;
}

}  // namespace entente::constituency
