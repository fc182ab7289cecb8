#include "tasks/constituency/corpus_tags.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/byte_scan.h"

namespace entente::constituency {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr double kStart = 0.5;       // of the log odds that prices begin with
constexpr std::size_t kKnown = 4;    // taggings of a sentence whose scores are kept
constexpr double kClassFloor = 0.5;  // tokens that a class has of every tag
constexpr float kLeast = 1e-6F;      // probabilities below are all alike

std::string lower(std::string word) {
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return word;
}

}  // namespace

void SentenceSide::list_edges() {
  value_.assign(lattices_.size(), 0.0);
  own_ = value_;
  answer_.assign(sentence_of_.size(), 0);
  known_.resize(lattices_.size());
  kept_.resize(lazy_ ? lattices_.size() : 1);
  first_edge_.assign(sentence_of_.size() + 1, 0);
  const auto each = [&](auto use) {
    for (std::size_t s = 0; s < lattices_.size(); ++s) {
      for (std::size_t e = 0; e < lattices_[s].edges.size(); ++e) {
        const std::int32_t c = lattices_[s].edges[e].candidate;
        if (c >= 0 && indicator_[s][c] >= 0) use(indicator_[s][c], static_cast<std::int32_t>(e));
      }
    }
  };
  each([&](std::int32_t indicator, std::int32_t /*edge*/) { ++first_edge_[indicator + 1]; });
  std::partial_sum(first_edge_.begin(), first_edge_.end(), first_edge_.begin());
  edges_.resize(first_edge_.back());
  std::vector<std::int32_t> next(first_edge_.begin(), first_edge_.end() - 1);
  each([&](std::int32_t indicator, std::int32_t edge) { edges_[next[indicator]++] = edge; });
}

double SentenceSide::decode(int s, std::span<const double> prices, std::span<std::uint8_t> on) {
  Kept& kept = kept_[lazy_ ? s : 0];
  const std::vector<double>& score = lattices_[s].forest.score;
  kept.priced.assign(score.begin(), score.end());
  for (const std::int32_t i : of_sentence_[s]) {
    for (const std::int32_t e : edges_of(i)) kept.priced[e] += prices[i];
  }
  return search(s, 0, kept, on);
}

// `changed`: indicators of this sentence.
double SentenceSide::decode_again(int s, std::span<const double> prices,
                                  std::span<const std::int32_t> changed,
                                  std::span<std::uint8_t> on) {
  const Hypergraph& forest = lattices_[s].forest;
  int first = forest.edges();
  for (const std::int32_t i : changed) {
    for (const std::int32_t e : edges_of(i)) kept_[s].priced[e] = forest.score[e] + prices[i];
    if (!edges_of(i).empty()) first = std::min(first, edges_of(i).front());
  }
  return first == forest.edges() ? value_[s] : search(s, forest.head(first), kept_[s], on);
}

double SentenceSide::search(int s, int first_node, Kept& kept, std::span<std::uint8_t> on) {
  ++decoded_;
  const TagLattice& l = lattices_[s];
  value_[s] = kept.best.run_again(l.forest, kept.priced, first_node);
  for (const std::int32_t i : of_sentence_[s]) on[i] = 0;
  kept.best.derivation(l.forest, derivation_);
  own_[s] = 0;
  for (const std::int32_t e : derivation_) {
    const std::int32_t c = l.edges[e].candidate;
    own_[s] += l.forest.score[e];
    if (c >= 0 && indicator_[s][c] >= 0) on[indicator_[s][c]] = 1;
  }
  for (const std::int32_t i : of_sentence_[s]) answer_[i] = on[i];
  return value_[s];
}

double SentenceSide::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  double sum = 0;
  for (std::size_t s = 0; s < lattices_.size(); ++s) sum += decode(static_cast<int>(s), prices, on);
  return sum;
}

double SentenceSide::maximize_again(std::span<const double> prices,
                                    std::span<const std::int32_t> changed,
                                    std::span<std::uint8_t> on) {
  if (!lazy_) return maximize(prices, on);
  // Indicators are numbered sentence by sentence.
  for (std::size_t begin = 0, end = 0; begin < changed.size(); begin = end) {
    const std::int32_t s = sentence_of_[changed[begin]];
    while (end < changed.size() && sentence_of_[changed[end]] == s) ++end;
    decode_again(s, prices, changed.subspan(begin, end - begin), on);
  }
  return std::accumulate(value_.begin(), value_.end(), 0.0);
}

// Tags that the types want: the best of each sentence with just these. Most sentences were asked
// that before, lately or not, or have chosen the same tags themselves.
double SentenceSide::score(std::span<const std::uint8_t> on) {
  touched_.assign(lattices_.size(), 1);
  if (lazy_ && scored_on_.size() == on.size()) {
    std::fill(touched_.begin(), touched_.end(), char{0});
    for_each_difference(on, scored_on_, [&](std::size_t i) { touched_[sentence_of_[i]] = 1; });
  }
  scored_.resize(lattices_.size(), 0.0);
  double sum = 0;
  for (std::size_t s = 0; s < lattices_.size(); ++s) {
    if (touched_[s]) scored_[s] = score(static_cast<int>(s), on);
    sum += scored_[s];
  }
  scored_on_.assign(on.begin(), on.end());
  return sum;
}

double SentenceSide::score(int s, std::span<const std::uint8_t> on) {
  const std::vector<std::int32_t>& mine = of_sentence_[s];
  Known& known = known_[s];
  if (lazy_) {
    if (std::all_of(mine.begin(), mine.end(), [&](int i) { return answer_[i] == on[i]; })) {
      return own_[s];
    }
    for (std::size_t k = 0; k < known.score.size(); ++k) {
      const std::uint8_t* as = known.on.data() + k * mine.size();
      if (std::all_of(mine.begin(), mine.end(), [&](int i) { return *as++ == on[i]; })) {
        return known.score[k];
      }
    }
  }
  ++rescored_;
  const Hypergraph& forest = lattices_[s].forest;
  other_.priced.assign(forest.score.begin(), forest.score.end());
  for (const std::int32_t i : mine) {
    if (on[i] != 0) continue;
    for (const std::int32_t e : edges_of(i)) other_.priced[e] = kNone;
  }
  const double value = other_.best.run(forest, other_.priced);
  if (lazy_) {
    const std::size_t at = known.next++ % kKnown;
    if (at >= known.score.size()) {
      known.score.push_back(0);
      known.on.resize(known.on.size() + mine.size());
    }
    known.score[at] = value;
    std::transform(mine.begin(), mine.end(),
                   known.on.begin() + static_cast<std::ptrdiff_t>(at * mine.size()),
                   [&](int i) { return on[i]; });
  }
  return value;
}

void TypeSide::start_sums(std::size_t type) {
  sum_.assign(tags_, 0.0);
  if (prior_.empty()) return;
  const auto first = prior_.begin() + static_cast<std::ptrdiff_t>(type * tags_);
  std::copy(first, first + tags_, sum_.begin());
}

// The best of one type: writes which of its indicators are on.
double TypeSide::choose(std::size_t type, std::span<const double> prices,
                        std::span<std::uint8_t> on) {
  // A token is worth its best price less the penalty, or the price of the type's tag.
  start_sums(type);
  double base = 0;
  for (const Token& t : types_[type]) {
    double most = kNone;
    for (int i = t.first; i < t.first + t.count; ++i) most = std::max(most, prices[i]);
    base += most - penalty_;
    for (int i = t.first; i < t.first + t.count; ++i) {
      sum_[tag_[i]] += std::max(0.0, prices[i] - (most - penalty_));
    }
  }
  const int tag = static_cast<int>(std::max_element(sum_.begin(), sum_.end()) - sum_.begin());
  for (const Token& t : types_[type]) {
    int best = t.first, own = -1;
    for (int i = t.first; i < t.first + t.count; ++i) {
      on[i] = 0;
      if (prices[i] > prices[best]) best = i;
      if (tag_[i] == tag) own = i;
    }
    on[own >= 0 && prices[own] >= prices[best] - penalty_ ? own : best] = 1;
  }
  return value_[type] = base + sum_[tag];
}

double TypeSide::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  double total = 0;
  value_.resize(types_.size());
  for (std::size_t type = 0; type < types_.size(); ++type) total += choose(type, prices, on);
  return total;
}

double TypeSide::maximize_again(std::span<const double> prices,
                                std::span<const std::int32_t> changed, std::span<std::uint8_t> on) {
  if (!lazy_) return maximize(prices, on);
  touched_.assign(types_.size(), 0);
  for (const std::int32_t i : changed) touched_[type_of_[i]] = 1;
  double total = 0;
  for (std::size_t type = 0; type < types_.size(); ++type) {
    if (touched_[type]) choose(type, prices, on);
    total += value_[type];
  }
  return total;
}

double TypeSide::score(std::span<const std::uint8_t> on) {
  touched_.assign(types_.size(), 1);
  if (lazy_ && scored_on_.size() == on.size()) {
    std::fill(touched_.begin(), touched_.end(), char{0});
    for_each_difference(on, scored_on_, [&](std::size_t i) { touched_[type_of_[i]] = 1; });
  }
  scored_.resize(types_.size(), 0.0);
  double total = 0;
  for (std::size_t type = 0; type < types_.size(); ++type) {
    if (touched_[type]) {
      start_sums(type);
      for (const Token& t : types_[type]) {
        for (int i = t.first; i < t.first + t.count; ++i) sum_[tag_[i]] += penalty_ * on[i];
      }
      scored_[type] = *std::max_element(sum_.begin(), sum_.end()) -
                      penalty_ * static_cast<double>(types_[type].size());
    }
    total += scored_[type];
  }
  scored_on_.assign(on.begin(), on.end());
  return total;
}

CorpusTags::CorpusTags(const Tagger& tagger, std::span<const std::vector<std::string>> sentences,
                       const CorpusTagOptions& options) {
  sentences_.lazy_ = types_.lazy_ = options.lazy;
  types_.penalty_ = options.penalty;
  types_.tags_ = tagger.lexicon().tags();
  std::map<std::string, int> counts;
  for (const auto& words : sentences) {
    for (const std::string& w : words) {
      if (tagger.lexicon().seen(w) < options.seen) ++counts[lower(w)];
    }
  }
  const WordClasses classes =
      options.classes.empty() ? WordClasses() : WordClasses(options.classes);
  std::vector<double> class_counts;  // [class * tags + tag]
  if (!classes.empty()) class_counts.assign((std::size_t{1} << 16) * types_.tags_, 0.0);
  std::vector<std::string> names;  // of types
  std::map<std::string, int> number;
  place_.assign(sentences.size(), -1);
  TagLattice plain;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const std::vector<std::string>& words = sentences[s];
    const auto takes_part = [&](const std::string& w) {
      return tagger.lexicon().seen(w) < options.seen && counts[lower(w)] > 1;
    };
    const bool any = std::any_of(words.begin(), words.end(), takes_part);
    TagLattice& l = any ? sentences_.lattices_.emplace_back() : plain;
    tagger.build(words, l);
    tagger.decode(l);
    separate_.push_back(l.best_tags);
    if (any || !classes.empty()) tagger.marginals(l);
    for (std::size_t i = 0; i < words.size() && !classes.empty(); ++i) {
      const int fine = classes.find(word_class_key(lower(words[i]))).fine;
      for (int c = l.first[i]; fine != 0 && c < l.first[i + 1]; ++c) {
        class_counts[fine * types_.tags_ + l.candidates[c].tag] += l.candidates[c].probability;
      }
    }
    if (!any) continue;
    place_[s] = static_cast<std::int32_t>(sentences_.lattices_.size()) - 1;
    auto& indicator = sentences_.indicator_.emplace_back(l.candidates.size(), -1);
    auto& mine = sentences_.of_sentence_.emplace_back();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!takes_part(words[i])) continue;
      const auto [type, fresh] =
          number.emplace(lower(words[i]), static_cast<int>(types_.types_.size()));
      if (fresh) {
        types_.types_.emplace_back();
        names.push_back(lower(words[i]));
      }
      types_.types_[type->second].push_back(
          {static_cast<std::int32_t>(types_.tag_.size()), l.first[i + 1] - l.first[i]});
      for (int c = l.first[i]; c < l.first[i + 1]; ++c) {
        indicator[c] = static_cast<std::int32_t>(types_.tag_.size());
        mine.push_back(indicator[c]);
        types_.tag_.push_back(l.candidates[c].tag);
        types_.type_of_.push_back(type->second);
        start_.push_back(-kStart * std::log(std::max(l.candidates[c].probability, kLeast)));
        sentences_.sentence_of_.push_back(place_[s]);
      }
    }
  }
  sentences_.list_edges();
  if (!classes.empty()) set_priors(names, class_counts, options);
}

void CorpusTags::set_priors(std::span<const std::string> names, std::span<const double> counts,
                            const CorpusTagOptions& options) {
  const WordClasses classes(options.classes);
  const int tags = types_.tags_;
  types_.prior_.assign(names.size() * tags, 0.0);
  for (std::size_t t = 0; t < names.size(); ++t) {
    const int fine = classes.find(word_class_key(names[t])).fine;
    if (fine == 0) continue;
    const std::span<const double> mine =
        counts.subspan(static_cast<std::size_t>(fine) * tags, tags);
    double all = 0;
    for (const double x : mine) all += x;
    for (int tag = 0; tag < tags; ++tag) {
      types_.prior_[t * tags + tag] =
          options.class_weight * std::log((mine[tag] + kClassFloor) / (all + kClassFloor * tags));
    }
  }
}

AgreementResult CorpusTags::run(const AgreementOptions& options) {
  Agreement both(sentences_, types_);
  both.start_from(start_);
  return both.run(options);
}

void CorpusTags::tags(const AgreementResult& result, std::vector<std::vector<std::int32_t>>& out) {
  out = separate_;
  if (result.on.empty()) return;
  std::vector<double> prices(result.on.size());
  for (std::size_t i = 0; i < prices.size(); ++i) prices[i] = result.on[i] ? 0 : -1e6;
  std::vector<std::uint8_t> on(result.on.size());
  for (std::size_t s = 0; s < place_.size(); ++s) {
    if (place_[s] < 0) continue;
    sentences_.decode(place_[s], prices, on);
    for (const std::int32_t e : sentences_.derivation_) {
      const TagLattice::Edge& edge = sentences_.lattices_[place_[s]].edges[e];
      if (edge.candidate >= 0) out[s][edge.position] = edge.tag;
    }
  }
}

}  // namespace entente::constituency
