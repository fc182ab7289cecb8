#include "tasks/translation/lm_forest.h"

#include <algorithm>

#include "base/check.h"
#include "entente/error.h"
#include "learn/hash.h"

namespace entente::translation {

Scorer::Scorer(const Grammar& grammar, const LanguageModel& lm, const Weights& weights)
    : grammar_(grammar), lm_(lm), names_(grammar.feature_names()) {
  for (const char* name : {"words", "glue", "pass", "unknown", "lm"}) names_.emplace_back(name);
  weights_.assign(names_.size(), 0);
  for (const auto& [name, value] : weights) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) throw Error("there is no feature called " + quoted(name));
    weights_[at - names_.begin()] = value;
  }
  lm_weight_ = lm.order() > 0 ? weights_.back() : 0;
  if (lm_weight_ < 0) throw Error("the weight of the language model must not be negative");
  for (int w = 0; w < grammar.target_words(); ++w) {
    words_.push_back(lm.order() > 0 ? lm.word(grammar.target_word(w)) : 0);
    known_.push_back(lm.order() == 0 || lm.knows(grammar.target_word(w)));
  }
  for (std::size_t r = 0; r < grammar.size(); ++r) {
    const Grammar::Rule& rule = grammar.rule(static_cast<int>(r));
    double score = 0;
    const auto features = grammar.features(rule);
    for (std::size_t k = 0; k < features.size(); ++k) score += weights_[k] * features[k];
    for (const Symbol s : grammar.target(rule)) {
      if (is_nonterminal(s)) continue;
      score += fixed_weight(kWords) + (known_[s] ? 0 : fixed_weight(kUnknown));
    }
    rule_scores_.push_back(score);
  }
}

std::uint64_t Part::hash() const {
  std::uint64_t h = mix(static_cast<std::uint64_t>(left_size) * 2 + whole,
                        static_cast<std::uint64_t>(right.size) * 2 + right.complete);
  for (int k = 0; k < left_size; ++k) h = mix(h, left[k]);
  for (int k = 0; k < right.size; ++k) h = mix(h, right.words[k]);
  return spread(h);
}

Scoring::Scoring(const Scorer& scorer, const Chart& chart)
    : scorer_(scorer), chart_(chart), lm_(&scorer.lm()) {
  for (const std::string& word : chart.words) {
    own_words_.push_back(scorer.lm().order() > 0 ? scorer.lm().word(word) : 0);
    own_known_.push_back(scorer.lm().order() == 0 || scorer.lm().knows(word));
  }
  for (const ChartEdge& edge : chart.edges) {
    if (edge.kind == ChartEdge::kRule) {
      edge_scores_.push_back(scorer.rule_score(edge.rule));
    } else if (edge.kind == ChartEdge::kGlue) {
      edge_scores_.push_back(scorer.fixed_weight(Scorer::kGlue));
    } else {
      edge_scores_.push_back(scorer.fixed_weight(Scorer::kPass) +
                             scorer.fixed_weight(Scorer::kWords) +
                             (own_known_[edge.rule] ? 0 : scorer.fixed_weight(Scorer::kUnknown)));
    }
  }
}

void Scoring::localize() {
  if (lm_ == &local_ || scorer_.lm().order() == 0) return;
  std::vector<WordHash> words;
  for (const ChartEdge& edge : chart_.edges) {
    for (const Symbol s : edge.target) {
      if (!is_nonterminal(s)) words.push_back(hash_of_symbol(s));
    }
  }
  local_ = scorer_.lm().restricted_to(words);
  lm_ = &local_;
}

Scoring::Composing Scoring::start(int edge, Keep keep) const {
  return {.edge = edge,
          .writer = {*lm_, keep, prices_, SeamPrices::before(chart_.forest.head(edge)), {}}};
}

void Scoring::go_on(Composing& c, std::span<const Part* const> tails) const {
  if (scorer_.lm_weight() == 0) return;
  const auto& target = chart_.edges[c.edge].target;
  for (; c.done < target.size(); ++c.done) {
    const Symbol s = target[c.done];
    if (!is_nonterminal(s)) {
      c.writer.word(hash_of_symbol(s));
      continue;
    }
    const int tail = nonterminal_index(s);
    if (!tails[tail]) return;
    c.writer.part(*tails[tail], chart_.forest.tails(c.edge)[tail]);
  }
}

Part Scoring::finish(Composing c, std::span<const Part* const> tails) const {
  double score = edge_scores_[c.edge];
  for (const Part* t : tails) score += t->score;
  Part part;
  if (scorer_.lm_weight() != 0) {
    go_on(c, tails);
    part = c.writer.finish();  // may add to the sum
    score += scorer_.lm_weight() * c.writer.sum();
  }
  part.score = score;
  return part;
}

Part Scoring::compose(int edge, std::span<const Part* const> tails, Keep keep) const {
  return finish(start(edge, keep), tails);
}

Part Scoring::close(const Part& part, Keep keep) const {
  Part closed;
  closed.score = part.score;
  if (scorer_.lm_weight() == 0) return closed;
  const int goal = chart_.forest.goal();
  PartWriter writer(*lm_, keep, prices_, SeamPrices::before(goal), lm_->start());
  writer.begin();
  writer.part(part, goal);
  writer.word(lm_->end());
  closed.score += scorer_.lm_weight() * writer.sum();
  return closed;
}

void Scoring::symbols_of(std::span<const std::int32_t> derivation, std::size_t& at,
                         std::vector<Symbol>& out) const {
  const int edge = derivation[at++];
  const std::size_t tails = chart_.forest.tails(edge).size();
  // Tails come in the order of the source; the target may want them the other
  // way round.
  std::array<std::vector<Symbol>, 2> made;
  for (std::size_t t = 0; t < tails; ++t) symbols_of(derivation, at, made[t]);
  for (const Symbol s : chart_.edges[edge].target) {
    if (is_nonterminal(s)) {
      const auto& words = made[nonterminal_index(s)];
      out.insert(out.end(), words.begin(), words.end());
    } else {
      out.push_back(s);
    }
  }
}

std::vector<std::string> Scoring::words_of(std::span<const std::int32_t> derivation) const {
  std::vector<Symbol> symbols;
  std::size_t at = 0;
  if (!derivation.empty()) symbols_of(derivation, at, symbols);
  std::vector<std::string> words;
  for (const Symbol s : symbols) {
    words.push_back(s < chart_.first_own_word ? std::string(scorer_.grammar().target_word(s))
                                              : chart_.words[s - chart_.first_own_word]);
  }
  return words;
}

std::vector<double> Scoring::features_of(std::span<const std::int32_t> derivation) const {
  const std::size_t rules = scorer_.grammar().feature_names().size();
  std::vector<double> f(scorer_.names().size());
  std::vector<Symbol> symbols;
  std::size_t at = 0;
  if (!derivation.empty()) symbols_of(derivation, at, symbols);
  for (const std::int32_t e : derivation) {
    const ChartEdge& edge = chart_.edges[e];
    if (edge.kind == ChartEdge::kGlue) f[rules + Scorer::kGlue] += 1;
    if (edge.kind == ChartEdge::kPass) f[rules + Scorer::kPass] += 1;
    if (edge.kind != ChartEdge::kRule) continue;
    const auto own = scorer_.grammar().features(scorer_.grammar().rule(edge.rule));
    for (std::size_t k = 0; k < own.size(); ++k) f[k] += own[k];
  }
  const LanguageModel& lm = *lm_;
  Context context = lm.start();
  for (const Symbol s : symbols) {
    f[rules + Scorer::kWords] += 1;
    const bool known =
        s < chart_.first_own_word ? scorer_.known(s) : own_known_[s - chart_.first_own_word];
    f[rules + Scorer::kUnknown] += known ? 0 : 1;
    if (lm.order() > 0) f[rules + Scorer::kLm] += lm.score(hash_of_symbol(s), context, context);
  }
  if (lm.order() > 0) f[rules + Scorer::kLm] += lm.score(lm.end(), context, context);
  return f;
}

double Scoring::score_of(std::span<const std::int32_t> derivation) const {
  const std::vector<double> f = features_of(derivation);
  double sum = 0;
  for (std::size_t k = 0; k < f.size(); ++k) sum += f[k] * scorer_.weights()[k];
  return sum;
}

void LmForest::clear() {
  graph.clear();
  parts.clear();
  chart_edges.clear();
  chart_nodes.clear();
}

void LmForest::reorder() {
  const auto order = graph.order();
  if (order.empty()) return;
  std::vector<std::int32_t> moved(chart_edges.size());
  for (std::size_t e = 0; e < moved.size(); ++e) moved[e] = chart_edges[order[e]];
  chart_edges = std::move(moved);
}

std::vector<std::int32_t> LmForest::chart_derivation(
    std::span<const std::int32_t> derivation) const {
  std::vector<std::int32_t> out;
  for (const std::int32_t e : derivation) {
    if (chart_edges[e] >= 0) out.push_back(chart_edges[e]);
  }
  return out;
}

}  // namespace entente::translation
