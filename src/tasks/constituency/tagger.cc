#include "tasks/constituency/tagger.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "learn/hash.h"
#include "learn/online_trainer.h"
#include "tasks/constituency/word_hashes.h"

namespace entente::constituency {

namespace {

// What is looked at around a word.
void word_features(std::span<const WordHashes> w, int i, bool classes,
                   std::vector<std::uint64_t>& out) {
  static const WordHashes kOutside = WordHashes::outside();
  const int n = static_cast<int>(w.size());
  const auto at = [&](int j) -> const WordHashes& { return j < 0 || j >= n ? kOutside : w[j]; };
  const WordHashes &c = at(i), &l = at(i - 1), &r = at(i + 1);
  std::uint64_t name = 1;
  const auto add = [&](std::uint64_t a, std::uint64_t b = 0) {
    out.push_back(mix(mix(spread(name++), a), b));
  };
  add(c.form), add(c.lower), add(c.shape, i == 0), add(c.shape, l.lower), add(c.shape, c.suffix[1]);
  for (const std::uint64_t s : c.suffix) add(s);
  for (const std::uint64_t p : c.prefix) add(p);
  add(l.lower), add(r.lower), add(at(i - 2).lower), add(at(i + 2).lower);
  add(l.lower, c.lower), add(c.lower, r.lower), add(l.lower, r.lower);
  add(l.suffix[1], c.suffix[1]), add(r.suffix[1], c.suffix[1]), add(r.shape, c.shape);
  add(r.suffix[2]), add(l.suffix[2]), add(0);
  if (!classes) return;
  add(c.fine), add(c.fine, c.shape), add(c.groups), add(c.groups, c.shape), add(c.groups, c.fine);
  add(l.fine), add(r.fine), add(l.fine, c.fine), add(c.fine, r.fine), add(l.fine, r.fine);
  add(l.middle, c.groups), add(c.groups, r.middle), add(c.lower, l.middle), add(c.lower, r.middle);
  add(at(i - 2).fine), add(at(i + 2).fine), add(c.suffix[2], l.middle), add(c.suffix[2], r.middle);
}

}  // namespace

void Tagger::build(std::span<const std::string> words, TagLattice& l,
                   std::span<const std::int32_t> gold) const {
  const int n = static_cast<int>(words.size());
  static thread_local std::vector<WordHashes> hashes;
  hashes.clear();
  for (const std::string& w : words) {
    WordHashes& h = hashes.emplace_back(WordHashes::of(w));
    if (!lexicon_->has_classes()) continue;
    const WordClass c = lexicon_->word_class(w);
    h.fine = c.fine, h.middle = c.middle, h.groups = c.tags;
  }
  l.candidates.clear();
  l.features.clear();
  l.first.assign(1, 0);
  for (int i = 0; i < n; ++i) {
    const std::size_t begin = l.features.size();
    word_features(hashes, i, lexicon_->has_classes(), l.features);
    l.per_word = static_cast<int>(l.features.size() - begin);
    lexicon_->candidates(words[i], i == 0, l.spare);
    if (!gold.empty() && std::none_of(l.spare.begin(), l.spare.end(),
                                      [&](const TagCandidate& c) { return c.tag == gold[i]; })) {
      l.spare.push_back({gold[i], -5});
    }
    for (const TagCandidate& c : l.spare) {
      float score = 0;
      for (std::size_t f = begin; f < l.features.size(); ++f) {
        score += weights_(mix(l.features[f], c.tag));
      }
      l.candidates.push_back({c.tag, c.score, score + 0.5F * c.score, 0});
    }
    l.first.push_back(static_cast<std::int32_t>(l.candidates.size()));
  }
  // Nodes of position i: candidates of i-1 (one outside at 0) times candidates of i.
  Hypergraph& h = l.forest;
  h.clear();
  l.edges.clear();
  const int outside = lexicon_->tags();
  int before_nodes = 0;  // the first node of the position before
  for (int i = 0; i <= n; ++i) {
    const int here = i < n ? l.first[i + 1] - l.first[i] : 1;
    const int back = i > 0 ? l.first[i] - l.first[i - 1] : 1;
    const int back2 = i > 1 ? l.first[i - 1] - l.first[i - 2] : 1;
    const int first_node = i < n ? h.add_nodes(here * back) : h.add_node();
    for (int b = 0; b < back; ++b) {
      const int before = i > 0 ? l.candidates[l.first[i - 1] + b].tag : outside;
      for (int c = 0; c < here; ++c) {
        const int candidate = i < n ? l.first[i] + c : -1;
        const int tag = i < n ? l.candidates[candidate].tag : outside;
        const float unary =
            (i < n ? l.candidates[candidate].unary : 0) + weights_.at(pair_place(before, tag));
        const int head = i < n ? first_node + b * here + c : first_node;
        for (int a = 0; a < back2; ++a) {
          const int before2 = i > 1 ? l.candidates[l.first[i - 2] + a].tag : outside;
          const double score = unary + weights_.at(triple_place(before2, before, tag));
          if (i == 0) {
            h.add_edge(head, {}, score);
          } else {
            h.add_edge(head, {before_nodes + a * back + b}, score);
          }
          l.edges.push_back({i, before2, before, tag, candidate});
        }
      }
    }
    before_nodes = first_node;
  }
  h.finish(h.nodes() - 1);
}

double Tagger::decode(TagLattice& l) const {
  const double value = l.best.run(l.forest, l.forest.score);
  l.best.derivation(l.forest, l.derivation);
  l.best_tags.assign(l.size(), 0);
  for (const std::int32_t e : l.derivation) {
    if (l.edges[e].candidate >= 0) l.best_tags[l.edges[e].position] = l.edges[e].tag;
  }
  return value;
}

void Tagger::marginals(TagLattice& l) const {
  l.sums.inside(l.forest, l.forest.score);
  l.sums.outside(l.forest);
  for (TagLattice::Candidate& c : l.candidates) c.probability = 0;
  for (int e = 0; e < l.forest.edges(); ++e) {
    if (l.edges[e].candidate >= 0) {
      l.candidates[l.edges[e].candidate].probability += static_cast<float>(l.sums.edge_marginal(e));
    }
  }
  l.best_tags.assign(l.size(), 0);
  for (int i = 0; i < l.size(); ++i) {
    int best = l.first[i];
    for (int c = best; c < l.first[i + 1]; ++c) {
      if (l.candidates[c].probability > l.candidates[best].probability) best = c;
    }
    l.best_tags[i] = l.candidates[best].tag;
  }
}

OnlineWeights train_tagger(const Lexicon& lexicon, std::span<const PhraseTree> trees, int epochs,
                           std::uint64_t seed) {
  OnlineWeights weights(Tagger::kBits, Tagger::extra_weights(lexicon.tags()), 0.1);
  Random random(seed);
  TagLattice l;
  std::vector<std::int32_t> gold;
  std::vector<float> gradient;
  const auto learn = [&](std::span<const int> batch, const OnlineStep&) {
    for (const int s : batch) {
      const Tagger tagger(lexicon, weights.reader());
      gold.clear();
      for (const std::string& tag : trees[s].tags) gold.push_back(lexicon.find_tag(tag));
      tagger.build(trees[s].words, l, gold);
      l.sums.inside(l.forest, l.forest.score);
      l.sums.outside(l.forest);
      gradient.assign(l.candidates.size(), 0.0F);
      const int n = l.size(), outside = lexicon.tags();
      const auto gold_at = [&](int i) { return i < 0 || i >= n ? outside : gold[i]; };
      for (int e = 0; e < l.forest.edges(); ++e) {
        const TagLattice::Edge& edge = l.edges[e];
        const bool right = edge.tag == gold_at(edge.position) &&
                           edge.before == gold_at(edge.position - 1) &&
                           edge.before2 == gold_at(edge.position - 2);
        const float g = (right ? 1.0F : 0.0F) - static_cast<float>(l.sums.edge_marginal(e));
        if (edge.candidate >= 0) gradient[edge.candidate] += g;
        if (std::abs(g) < 1e-4F) continue;
        weights.step_at(tagger.pair_place(edge.before, edge.tag), g);
        weights.step_at(tagger.triple_place(edge.before2, edge.before, edge.tag), g);
      }
      for (int i = 0; i < n; ++i) {
        for (int c = l.first[i]; c < l.first[i + 1]; ++c) {
          if (std::abs(gradient[c]) < 1e-4F) continue;
          for (int f = 0; f < l.per_word; ++f) {
            weights.step(mix(l.features[i * l.per_word + f], l.candidates[c].tag), gradient[c]);
          }
        }
      }
      weights.next();
    }
  };
  Monitor none;  // quick beside the parser
  train_online({.epochs = epochs,
                .examples = trees.size(),
                .average_from = 1,
                .stream = &random,
                .reshuffle = true},
               {.learn = learn, .start_average = [&] { weights.start_average(); }}, none);
  return weights;
}

}  // namespace entente::constituency
