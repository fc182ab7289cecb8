#include "tasks/ccg/integrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace entente::ccg {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr double kLeast = -60;  // of a message: all but impossible

// The forest's side: its words' edges are the indicators.
class ForestSide : public AgreementModel {
 public:
  ForestSide(const Hypergraph& forest, std::span<const double> base,
             std::vector<std::int32_t> edges)
      : forest_(forest), base_(base), edges_(std::move(edges)), place_(forest.edges(), -1) {
    for (std::size_t i = 0; i < edges_.size(); ++i) place_[edges_[i]] = static_cast<int>(i);
  }
  int size() const override { return static_cast<int>(edges_.size()); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override {
    priced_.assign(base_.begin(), base_.end());
    for (std::size_t i = 0; i < edges_.size(); ++i) priced_[edges_[i]] += prices[i];
    const double value = pass_.run(forest_, priced_);
    std::fill(on.begin(), on.end(), std::uint8_t{0});
    if (value == kNone) return value;
    pass_.derivation(forest_, derivation_);
    for (const std::int32_t e : derivation_) {
      if (place_[e] >= 0) on[place_[e]] = 1;
    }
    return value;
  }
  double score(std::span<const std::uint8_t> on) override {
    priced_.assign(base_.begin(), base_.end());
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (on[i] == 0) priced_[edges_[i]] = kNone;
    }
    return pass_.run(forest_, priced_);
  }
  // Of the last search.
  void derivation(std::vector<std::int32_t>& out) { pass_.derivation(forest_, out); }

 private:
  const Hypergraph& forest_;
  std::span<const double> base_;
  std::vector<std::int32_t> edges_, place_;
  std::vector<double> priced_;
  BestPass pass_;
  std::vector<std::int32_t> derivation_;
};

// The chain's side: candidates, word after word.
class ChainSide : public AgreementModel {
 public:
  explicit ChainSide(LatticeChain& chain)
      : chain_(chain), own_(chain.scores().begin(), chain.scores().end()) {}
  int size() const override { return static_cast<int>(own_.size()); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override {
    for (std::size_t i = 0; i < own_.size(); ++i) chain_.scores()[i] = own_[i] + prices[i];
    const double value = chain_.best(path_);
    std::fill(on.begin(), on.end(), std::uint8_t{0});
    if (value == kNone) return value;
    for (int i = 0; i < chain_.size(); ++i) on[chain_.first(i) + path_[i]] = 1;
    return value;
  }
  double score(std::span<const std::uint8_t> on) override {
    path_.assign(chain_.size(), -1);
    for (int i = 0; i < chain_.size(); ++i) {
      for (int c = 0; c < chain_.width(i); ++c) {
        if (on[chain_.first(i) + c] == 0) continue;
        if (path_[i] >= 0) return kNone;
        path_[i] = c;
      }
      if (path_[i] < 0) return kNone;
    }
    std::copy(own_.begin(), own_.end(), chain_.scores().begin());
    return chain_.score_of(path_);
  }

 private:
  LatticeChain& chain_;
  std::vector<double> own_;
  std::vector<std::int32_t> path_;
};

}  // namespace

void Integration::begin(const Chart& chart, const Choices& kept, LatticeChain& chain) {
  forest_ = &chart.forest();
  chain_ = &chain;
  words_.clear();
  for (int e = 0; e < forest_->edges(); ++e) {
    const Chart::Edge& edge = chart.edge(e);
    if (edge.rule.rule != Rule::lexical) continue;
    words_.push_back({e, edge.word, kept[edge.word][edge.choice].candidate});
  }
  std::stable_sort(words_.begin(), words_.end(),
                   [](const Word& a, const Word& b) { return a.word < b.word; });
}

// What the forest says of the words, without what it was told, becomes part of the chain's scores.
void Integration::tell_chain(double weight, const ForestSums& sums) {
  // What the forest does not have is ruled out; per word only differences count.
  std::fill(incoming_.begin(), incoming_.end(), kLeast);
  best_.assign(chain_->size(), kNone);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const Word& w = words_[i];
    if (w.candidate < 0) continue;
    const double to = std::log(std::max(sums.edge_marginal(w.edge), 1e-300)) - weight * message_[i];
    incoming_[chain_->first(w.word) + w.candidate] = to;
    best_[w.word] = std::max(best_[w.word], to);
  }
  for (const Word& w : words_) {
    if (w.candidate < 0) continue;
    double& to = incoming_[chain_->first(w.word) + w.candidate];
    to = std::max(to - best_[w.word], kLeast);
  }
  for (std::size_t c = 0; c < own_.size(); ++c) chain_->scores()[c] = own_[c] + incoming_[c];
  chain_->sums();
}

// What the chain says of the words, without what it was told; returns how far messages moved.
double Integration::hear_chain(bool is_first) {
  best_.assign(chain_->size(), kNone);
  next_.assign(words_.size(), kLeast);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const Word& w = words_[i];
    if (w.candidate < 0) continue;
    const int c = chain_->first(w.word) + w.candidate;
    next_[i] = std::log(std::max(chain_->marginals()[c], 1e-300)) - incoming_[c];
    best_[w.word] = std::max(best_[w.word], next_[i]);
  }
  double moved = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const double best = best_[words_[i].word];
    double next = best > kNone ? std::max(next_[i] - best, kLeast) : 0;
    // Half of what it was keeps loops from swinging.
    if (!is_first) next = (next + message_[i]) / 2;
    moved = std::max(moved, std::abs(next - message_[i]));
    message_[i] = next;
  }
  return moved;
}

int Integration::propagate(const PropagationOptions& options, std::span<const double> base,
                           std::vector<double>& score, ForestSums& sums) {
  own_.assign(chain_->scores().begin(), chain_->scores().end());
  incoming_.assign(own_.size(), 0);
  message_.assign(words_.size(), 0);
  score.assign(base.begin(), base.end());
  int round = 0;
  for (double moved = 1; round < options.rounds && moved > options.tolerance; ++round) {
    if (round > 0) tell_chain(options.weight, sums);
    moved = hear_chain(round == 0);
    score.assign(base.begin(), base.end());
    for (std::size_t i = 0; i < words_.size(); ++i)
      score[words_[i].edge] += options.weight * message_[i];
    sums.inside(*forest_, score);
    sums.outside(*forest_);
  }
  if (round == 0) {
    sums.inside(*forest_, score);
    sums.outside(*forest_);
  }
  std::copy(own_.begin(), own_.end(), chain_->scores().begin());
  return round;
}

void Integration::make_small_chain(double weight) {
  small_.begin();
  std::vector<double> scores;
  std::vector<std::int32_t> before, own;
  for (std::size_t i = 0; i < words_.size();) {
    const int word = words_[i].word;
    scores.clear();
    own.clear();
    for (; i < words_.size() && words_[i].word == word; ++i) {
      const std::int32_t c = words_[i].candidate;
      own.push_back(c);
      scores.push_back(c < 0 ? kLeast : weight * chain_->scores(word)[c]);
    }
    small_.add(scores);
    const int at = small_.size() - 1;
    if (at > 0) {
      for (std::size_t a = 0; a < before.size(); ++a) {
        for (std::size_t b = 0; b < own.size(); ++b) {
          if (before[a] < 0 || own[b] < 0) continue;
          small_.steps(at)[a * own.size() + b] =
              weight * chain_->steps(word)[before[a] * chain_->width(word) + own[b]];
        }
      }
    }
    before = own;
  }
}

AgreementResult Integration::agree(const AgreementOptions& options, double weight,
                                   std::span<const double> base, std::vector<std::int32_t>& edges) {
  make_small_chain(weight);
  std::vector<std::int32_t> lexical;
  for (const Word& w : words_) lexical.push_back(w.edge);
  ForestSide forest(*forest_, base, std::move(lexical));
  ChainSide chain(small_);
  AgreementResult result = Agreement(forest, chain).run(options);
  edges.clear();
  if (result.status == Status::optimal || result.status == Status::feasible) {
    if (forest.score(result.on) > kNone) forest.derivation(edges);
  }
  return result;
}

ForestCertificate Integration::certify(std::span<const double> base, const AgreementResult& result,
                                       std::span<const std::int32_t> edges,
                                       ForestProblem& problem) {
  problem.clear();
  problem.indicators = static_cast<int>(words_.size());
  problem.forests.resize(2);
  SharedForest &chart = problem.forests[0], &chain = problem.forests[1];
  chart.graph = *forest_;
  chart.graph.score.assign(base.begin(), base.end());
  std::vector<std::int32_t> indicator(forest_->edges(), -1);
  for (std::size_t i = 0; i < words_.size(); ++i)
    indicator[words_[i].edge] = static_cast<std::int32_t>(i);
  chart.mark_begin.assign(1, 0);
  for (const std::int32_t i : indicator) {
    if (i >= 0) chart.marks.push_back(i);
    chart.mark_begin.push_back(static_cast<std::int32_t>(chart.marks.size()));
  }
  // A node a candidate, numbered like the indicators: small_ has the words' categories in their order.
  Hypergraph& h = chain.graph;
  std::vector<std::int32_t> path(small_.size() + 1);
  chain.mark_begin.assign(1, 0);
  h.add_nodes(small_.candidates());
  for (int w = 0; w < small_.size(); ++w) {
    for (int c = 0; c < small_.width(w); ++c) {
      const int node = small_.first(w) + c;
      for (int from = 0; from < (w == 0 ? 1 : small_.width(w - 1)); ++from) {
        const std::int32_t before = w == 0 ? 0 : small_.first(w - 1) + from;
        const double step = w == 0 ? 0 : small_.steps(w)[from * small_.width(w) + c];
        if (result.on[node] && (w == 0 || result.on[before])) path[small_.size() - w] = h.edges();
        h.add_edge(node, std::span(&before, w == 0 ? 0 : 1), small_.scores(w)[c] + step);
        chain.marks.push_back(node);
        chain.mark_begin.push_back(static_cast<std::int32_t>(chain.marks.size()));
      }
    }
  }
  const int goal = h.add_node(), last = small_.size() - 1;
  for (int c = 0; c < small_.width(last); ++c) {
    if (result.on[small_.first(last) + c]) path[0] = h.edges();
    h.add_edge(goal, {small_.first(last) + c}, 0);
    chain.mark_begin.push_back(chain.mark_begin.back());
  }
  h.finish(goal);
  ForestProver prover(problem);
  prover.add({}, result.prices);
  return prover.finish({{edges.begin(), edges.end()}, std::move(path)});
}

double Integration::bound(double weight, std::span<const double> base,
                          std::span<const double> prices) {
  make_small_chain(weight);
  std::vector<std::int32_t> lexical;
  for (const Word& w : words_) lexical.push_back(w.edge);
  ForestSide forest(*forest_, base, std::move(lexical));
  ChainSide chain(small_);
  return agreement_bound(forest, chain, prices);
}

}  // namespace entente::ccg
