#include "tasks/constituency/train.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "base/random.h"
#include "learn/online_trainer.h"
#include "oracle/hypergraph/f_measure.h"

namespace entente::constituency {

namespace {

// A training sentence after tagging and pruning.
struct Example {
  int tree = 0;
  Leaves leaves;
  std::vector<std::int32_t> best_tags;
  AllowedSymbols allowed;
  std::vector<BinaryNode> gold;
  GoldSpans spans;
};

std::vector<float> learned_weights(const Lexicon& lexicon, std::span<const PhraseTree> trees,
                                   const ParserTraining& options) {
  return train_tagger(lexicon, trees, options.tagger_epochs, options.seed).averaged();
}

class Trainer {
 public:
  Trainer(std::span<const PhraseTree> trees, const ParserTraining& options, Monitor& monitor)
      : trees_(trees), options_(options), monitor_(monitor) {
    model_.base = Grammar::count(trees, {1, 0});
    model_.fine = Grammar::count(trees, {options.vertical, options.horizontal});
    model_.lexicon = Lexicon::count(trees, options.classes);
    model_.bits = options.bits;
    model_.contexts = options.contexts;
  }

  ConstituencyModel run() {
    tag();
    learn_filter();
    prune();
    learn();
    const std::vector<float> tagger = learned_weights(model_.lexicon, trees_, options_);
    model_.tagger_weights = pack_weights(tagger, model_.tagger_scale);
    model_.arc_weight = options_.arc_weight;
    model_.temperature = options_.temperature;
    model_.bracket_cost = options_.bracket_cost;
    if (!options_.heads.empty()) {
      model_.heads = HeadTable::count(model_.base, trees_, options_.heads);
    }
    return std::move(model_);
  }

 private:
  int folds() const {
    return std::max(1, std::min<int>(options_.folds, static_cast<int>(trees_.size())));
  }
  bool is_held_out(std::size_t i, int fold) const { return static_cast<int>(i) % folds() == fold; }

  // Tags every fold by a tagger of the others (by its own where there is only one).
  void tag() {
    monitor_.stage("constituency: tags", static_cast<std::int64_t>(trees_.size()));
    examples_.resize(trees_.size());
    for (int fold = 0; fold < folds(); ++fold) {
      std::vector<PhraseTree> others;
      for (std::size_t i = 0; i < trees_.size(); ++i) {
        if (folds() == 1 || !is_held_out(i, fold)) others.push_back(trees_[i]);
      }
      const Lexicon lexicon = Lexicon::count(others, options_.classes);
      const std::vector<float> weights = learned_weights(lexicon, others, options_);
      const ConstituencyParser parser(model_.base, model_.fine, lexicon,
                                      WeightReader(weights.data(), Tagger::kBits),
                                      {model_.base, {}, false}, {});
      for (std::size_t i = fold; i < trees_.size(); i += folds()) {
        tag(static_cast<int>(i), lexicon, parser);
        monitor_.advance(1);
      }
    }
  }

  void tag(int t, const Lexicon& lexicon, const ConstituencyParser& parser) {
    Example& x = examples_[t];
    x.tree = t;
    model_.base.binarise(trees_[t], x.gold);
    for (const BinaryNode& n : x.gold) x.spans.emplace_back(n.begin, n.end);
    std::sort(x.spans.begin(), x.spans.end());
    parser.tag(trees_[t].words, s_);
    for (const std::int32_t tag : s_.lattice.best_tags) {
      x.best_tags.push_back(std::max(0, model_.lexicon.find_tag(lexicon.tag(tag))));
    }
    add_gold_tags(x.gold);
    x.leaves = s_.leaves;
  }

  void look_at(const Example& x) {
    s_.context.set(trees_[x.tree].words, x.best_tags, model_.lexicon);
  }

  std::vector<float> filter_of(int held_out) {
    SpanFilterTrainer trainer;
    const auto learn = [&](std::span<const int> batch, const OnlineStep&) {
      for (const int i : batch) {
        if (monitor_.stopped()) return;
        if (held_out >= 0 && is_held_out(static_cast<std::size_t>(i), held_out)) continue;
        look_at(examples_[i]);
        trainer.step(s_.context, examples_[i].spans);
      }
    };
    Monitor none;  // all filters are one stage
    train_online({.epochs = 2, .examples = examples_.size(), .in_order = true}, {.learn = learn},
                 none);
    return trainer.averaged();
  }

  // One filter a fold; the cut is where they lose as much of what they did not see as is allowed.
  void learn_filter() {
    if (options_.span_loss <= 0 || folds() == 1) return;
    monitor_.stage("constituency: spans", folds() + 1);
    std::vector<float> gold, all;
    for (int fold = 0; fold < folds(); ++fold) {
      filters_.push_back(filter_of(fold));
      const SpanFilter filter(WeightReader(filters_.back().data(), SpanFilter::kBits), 0);
      for (std::size_t i = fold; i < examples_.size(); i += folds()) {
        look_at(examples_[i]);
        filter.scores(s_.context, all);
        const int n = trees_[i].size();
        for (const auto& [begin, end] : examples_[i].spans) {
          if (end > begin + 1) gold.push_back(all[begin * (n + 1) + end]);
        }
      }
      monitor_.advance(1);
    }
    if (gold.empty()) {
      filters_.clear();
      return;
    }
    const auto at = gold.begin() + static_cast<std::ptrdiff_t>(options_.span_loss *
                                                               static_cast<double>(gold.size()));
    std::nth_element(gold.begin(), at, gold.end());
    model_.filter_cut = *at;
    model_.filter_weights = pack_weights(filter_of(-1), model_.filter_scale);
    monitor_.advance(1);
  }

  void prune() {
    monitor_.stage("constituency: charts", static_cast<std::int64_t>(trees_.size()));
    const ChartPruner pruner(model_.base);
    for (std::size_t i = 0; i < examples_.size() && !monitor_.stopped(); ++i) {
      Example& x = examples_[i];
      s_.open.clear();
      if (!filters_.empty()) {
        look_at(x);
        const std::vector<float>& weights = filters_[i % filters_.size()];
        SpanFilter(WeightReader(weights.data(), SpanFilter::kBits), model_.filter_cut)
            .run(s_.context, s_.open);
      }
      if (!pruner.run(x.leaves, {.threshold = options_.threshold, .open = s_.open}, s_.chart,
                      x.allowed)) {
        x.allowed.clear(trees_[i].size());
      }
      x.allowed.merge(x.gold);
      monitor_.advance(1);
    }
    filters_.clear();
  }

  void add_gold_tags(const std::vector<BinaryNode>& gold) {
    Leaves out;
    out.first.assign(1, 0);
    std::vector<std::int32_t> tag(s_.leaves.size(), -1);
    for (const BinaryNode& n : gold) {
      if (n.left < 0) tag[n.begin] = n.bottom;
    }
    for (int i = 0; i < s_.leaves.size(); ++i) {
      bool seen = false;
      for (int c = s_.leaves.first[i]; c < s_.leaves.first[i + 1]; ++c) {
        out.tags.push_back(s_.leaves.tags[c]);
        seen |= s_.leaves.tags[c].symbol == tag[i];
      }
      if (!seen) out.tags.push_back({tag[i], 1e-3, std::log(1e-3F)});
      out.first.push_back(static_cast<std::int32_t>(out.tags.size()));
    }
    s_.leaves = std::move(out);
  }

  void learn() {
    OnlineWeights weights(options_.bits, 0, options_.rate);
    Random random(options_.seed + 1);
    const ForestBuilder builder(model_.base, model_.base);
    double value = 0;  // of the objective, summed over an epoch
    const auto learn = [&](std::span<const int> batch, const OnlineStep&) {
      for (const int i : batch) {
        value += step(examples_[i], builder, weights);
        weights.next();
      }
    };
    const auto end_epoch = [&](int epoch) {
      monitor_.say("constituency: epoch " + std::to_string(epoch + 1) + ", mean objective " +
                   std::to_string(value / static_cast<double>(examples_.size())));
      value = 0;
    };
    train_online(
        {.name = "constituency",
         .epochs = options_.epochs,
         .examples = examples_.size(),
         .average_from = options_.average_from,
         .stream = &random,
         .reshuffle = true},
        {.learn = learn, .start_average = [&] { weights.start_average(); }, .end_epoch = end_epoch},
        monitor_);
    model_.weights = pack_weights(weights.averaged(), model_.scale);
  }

  // One sentence: builds its forest, takes a step uphill; returns the objective.
  double step(const Example& x, const ForestBuilder& builder, OnlineWeights& weights) {
    if (!builder.build(x.leaves, x.allowed, s_.whole) || !mark_plain(x)) return 0;
    s_.likely.run(s_.whole, kEdgeShare * options_.threshold, plain_gold_, s_.plain);
    look_at(x);
    const ForestScorer scorer(model_.base, weights.reader(), options_.contexts);
    scorer.score(x.leaves, s_);
    const Hypergraph& h = s_.forest.graph;
    mark_gold();
    double gold_score = 0;
    for (int e = 0; e < h.edges(); ++e) gold_score += gold_[e] * s_.score[e];
    gradient_.assign(h.edges(), 0.0);
    double log_z = 0;
    if (options_.loss == Loss::kF1) {
      log_z = f_measure_sums(x);
    } else {
      double least = 0;
      if (options_.loss == Loss::kBrackets) least = add_bracket_costs(x);
      log_z = s_.sums.inside(h, s_.score) + least;
      s_.sums.outside(h);
      for (int e = 0; e < h.edges(); ++e) gradient_[e] = gold_[e] - s_.sums.edge_marginal(e);
    }
    scorer.spread_gradient(s_, gradient_,
                           [&](std::uint64_t feature, float g) { weights.step(feature, g); });
    return gold_score - log_z;
  }

  // Edges of the gold tree in the whole forest; false if it is not there.
  bool mark_plain(const Example& x) {
    const ParseForest& f = s_.whole;
    plain_gold_.assign(f.graph.edges(), 0);
    std::map<std::tuple<int, int, int, bool>, int> nodes;
    for (int v = 0; v < f.graph.nodes(); ++v) {
      nodes[{f.nodes[v].begin, f.nodes[v].end, f.nodes[v].symbol, f.nodes[v].top}] = v;
    }
    for (const BinaryNode& n : x.gold) {
      const auto bottom = nodes.find({n.begin, n.end, n.bottom, false});
      if (bottom == nodes.end()) return false;
      const int split = n.left < 0 ? ParseForest::Edge::kLeaf : x.gold[n.left].end;
      int rule = -1;
      if (n.left >= 0) {
        rule = model_.base.find_binary(n.bottom, x.gold[n.left].top, x.gold[n.right].top);
      }
      if (!mark(bottom->second, split, rule)) return false;
      if (model_.base.kind(n.bottom) == Grammar::kIntermediate) continue;
      const auto top = nodes.find({n.begin, n.end, n.top, true});
      if (top == nodes.end() || !mark(top->second, ParseForest::Edge::kChain,
                                      model_.base.find_chain(n.top, n.chain, n.bottom))) {
        return false;
      }
    }
    return true;
  }

  // The same derivation among the likely edges, where nodes have contexts.
  void mark_gold() {
    const Hypergraph& h = s_.forest.graph;
    gold_.assign(h.edges(), 0.0);
    std::vector<std::int32_t> open{h.goal()};
    while (!open.empty()) {
      const int v = open.back();
      open.pop_back();
      for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
        if (!plain_gold_[s_.likely.edge(options_.contexts ? s_.plain_edge[e] : e)]) continue;
        gold_[e] = 1;
        open.insert(open.end(), h.tails(e).begin(), h.tails(e).end());
      }
    }
  }

  bool mark(int node, int split, int rule) {
    const ParseForest& f = s_.whole;
    for (int e = f.graph.first_edge(node); e < f.graph.last_edge(node); ++e) {
      if (f.edges[e].split == split && (rule < 0 || f.edges[e].rule == rule)) {
        plain_gold_[e] = 1;
        return true;
      }
    }
    return false;
  }

  template <typename Use>
  void brackets_of(int edge, Use use) const {
    const ParseForest& f = s_.forest;
    const ParseForest::Edge& e = f.edges[edge];
    const ParseForest::Node& node = f.nodes[f.graph.head(edge)];
    if (e.split == ParseForest::Edge::kLeaf) return;
    if (e.split == ParseForest::Edge::kChain) {
      for (const std::string& l : model_.base.chain_labels(model_.base.chains()[e.rule].chain)) {
        if (l != "TOP") use(node.begin, node.end, model_.base.find(l));
      }
    } else if (model_.base.kind(node.symbol) == Grammar::kLabel &&
               node.symbol != model_.base.root()) {
      use(node.begin, node.end, node.symbol);
    }
  }

  void find_gold_brackets() {
    wanted_.clear();
    for (std::size_t e = 0; e < gold_.size(); ++e) {
      if (gold_[e] == 0) continue;
      brackets_of(static_cast<int>(e),
                  [&](int begin, int end, int label) { wanted_.emplace_back(begin, end, label); });
    }
    std::sort(wanted_.begin(), wanted_.end());
  }

  // Wrong brackets cost tau, right ones earn it: what is missing, less a constant, which is
  // returned.
  double add_bracket_costs(const Example&) {
    find_gold_brackets();
    for (std::size_t e = 0; e < gold_.size(); ++e) {
      brackets_of(static_cast<int>(e), [&](int begin, int end, int label) {
        const bool right =
            std::binary_search(wanted_.begin(), wanted_.end(), std::tuple(begin, end, label));
        s_.score[e] += right ? -options_.tau : options_.tau;
      });
    }
    return options_.tau * static_cast<double>(wanted_.size());
  }

  double f_measure_sums(const Example&) {
    find_gold_brackets();
    correct_.assign(gold_.size(), 0);
    total_.assign(gold_.size(), 0);
    for (std::size_t e = 0; e < gold_.size(); ++e) {
      brackets_of(static_cast<int>(e), [&](int begin, int end, int label) {
        ++total_[e];
        correct_[e] +=
            std::binary_search(wanted_.begin(), wanted_.end(), std::tuple(begin, end, label));
      });
    }
    f_.set({correct_, total_, static_cast<int>(wanted_.size()), options_.tau});
    const double log_z = f_.run(s_.forest.graph, s_.score);
    for (std::size_t e = 0; e < gold_.size(); ++e) {
      gradient_[e] = gold_[e] - f_.edge_marginal(static_cast<int>(e));
    }
    return log_z;
  }

  std::span<const PhraseTree> trees_;
  const ParserTraining& options_;
  Monitor& monitor_;
  ConstituencyModel model_;
  std::vector<Example> examples_;
  ParserScratch s_;
  std::vector<std::vector<float>> filters_;  // of each fold
  std::vector<char> plain_gold_;
  std::vector<double> gold_, gradient_;
  std::vector<std::tuple<int, int, int>> wanted_;
  std::vector<std::int32_t> correct_, total_;
  FMeasureSums f_;
};

}  // namespace

ConstituencyModel train_parser(std::span<const PhraseTree> trees, const ParserTraining& options,
                               Monitor& monitor) {
  return Trainer(trees, options, monitor).run();
}

}  // namespace entente::constituency
