#include "tasks/translation/prices.h"

#include <algorithm>
#include <limits>

#include "learn/hash.h"
#include "oracle/hypergraph/best.h"
#include "tasks/translation/lm_forest.h"
#include "tasks/translation/word_sets.h"

namespace entente::translation {

float SeamPrices::open(std::uint32_t set, WordHash word) const {
  const auto [at, fresh] = open_.try_emplace({set, word}, -1e30f);
  if (fresh) {
    Context next;
    for (const std::int32_t k : sets_[set]) {
      const Before& b = befores_[k];
      at->second = std::max(at->second, lm_->score(word, b.context, next) + b.price);
    }
  }
  return at->second;
}

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kSlack = 1e-6;
constexpr int kPasses = 4;
constexpr std::size_t kCandidates =
    12'000'000;  // of all seams: prices of places are not looked for beyond

}  // namespace

class PriceSearch {
 public:
  explicit PriceSearch(const Scoring& scoring)
      : scoring_(scoring),
        chart_(scoring.chart()),
        h_(chart_.forest),
        lm_(scoring.lm()),
        weight_(scoring.scorer().lm_weight()),
        alive_(chart_.edges.size(), 1) {
    for (const ChartEdge& edge : chart_.edges) {
      for (const Symbol s : edge.target) {
        if (!is_nonterminal(s)) index(scoring_.hash_of_symbol(s));
      }
    }
    end_ = index(lm_.end());
  }

  // First with a price for every word and node of the chart that it stands in: tighter, so that more edges
  // go, but parts cannot carry such prices on. Then with one for every word.
  SeamPrices run(double lower, int rounds) {
    double bound = std::numeric_limits<double>::infinity();
    for (const bool by_node : {true, false}) {
      by_node_ = by_node;
      price_.assign(by_node ? 1 : words_.size() + 1, 0);
      price_index_.clear();
      for (int pass = 0; pass < kPasses; ++pass) {
        if (!find_seams()) break;
        if (std::count(empty_.begin(), empty_.end(), 1) > 0) {
          SeamPrices none;
          none.usable_ = false;
          return none;
        }
        bound = std::min(bound, descend(lower, rounds));
        const std::size_t before = std::count(alive_.begin(), alive_.end(), 1);
        drop(lower);
        const std::size_t after = std::count(alive_.begin(), alive_.end(), 1);
        if (bound <= lower + kSlack || 10 * after > 9 * before) break;
      }
    }
    return result(bound);
  }

 private:
  // A word whose predecessor is one of a set.
  struct Seam {
    std::uint32_t set;
    std::int32_t word;
    std::int32_t begin = 0, end = 0;  // candidates, in before_ and value_
  };
  // What an edge costs whatever the prices; its seams and the words whose successor is not known.
  struct Parts {
    double fixed = 0;
    std::int32_t seams = 0, paid = 0;  // ends in seam_of_ and pays_
  };

  std::int32_t index(WordHash w) {
    const auto [at, fresh] = index_.try_emplace(w, static_cast<std::int32_t>(words_.size()));
    if (fresh) words_.push_back(w);
    return at->second;
  }
  // What is priced: a word, or a word within a node. 0 is <s>, which costs nothing.
  std::int32_t price_id(std::int32_t word, int node) {
    if (!by_node_) return word + 1;
    const auto [at, fresh] =
        price_index_.try_emplace(static_cast<std::uint64_t>(node) * words_.size() + word,
                                 static_cast<std::int32_t>(price_.size()));
    if (fresh) price_.push_back(0);
    return at->second;
  }
  std::int32_t word_of(Symbol s) const { return index_.at(scoring_.hash_of_symbol(s)); }

  // What stands at the end of the first `size` symbols of an edge, the last of them a word.
  std::int32_t before_at(int e, std::size_t size) {
    const auto target = chart_.edges[e].target;
    std::size_t first = size;
    while (first > 0 && !is_nonterminal(target[first - 1])) --first;
    SeamPrices::Before b;
    for (std::size_t k = first; k < size; ++k) {
      lm_.score(scoring_.hash_of_symbol(target[k]), b.context, b.context);
    }
    b.priced = price_id(word_of(target[size - 1]), h_.head(e));
    return number(b);
  }
  std::int32_t number(const SeamPrices::Before& b) {
    std::uint64_t key = mix(static_cast<std::uint64_t>(b.priced),
                            static_cast<std::uint64_t>(b.context.size) * 2 + b.context.complete);
    for (int k = 0; k < b.context.size; ++k) key = mix(key, b.context.words[k]);
    for (auto [at, end] = before_index_.equal_range(key); at != end; ++at) {
      const SeamPrices::Before& known = befores_[at->second];
      if (known.priced == b.priced && known.context == b.context) return at->second;
    }
    const auto fresh = static_cast<std::int32_t>(befores_.size());
    befores_.push_back(b);
    before_index_.emplace(key, fresh);
    return fresh;
  }

  void number_befores() {
    befores_.clear();
    before_index_.clear();
    befores_.push_back({lm_.start(), 0});
    for (std::size_t e = 0; e < chart_.edges.size(); ++e) {
      const auto target = chart_.edges[e].target;
      for (std::size_t k = 0; alive_[e] && k < target.size(); ++k) {
        const bool ends = k + 1 == target.size() || is_nonterminal(target[k + 1]);
        if (ends && !is_nonterminal(target[k])) before_at(static_cast<int>(e), k + 1);
      }
    }
  }

  void find_sets(WordSets& last, WordSets& before) {
    empty_.assign(h_.nodes(), 0);
    for (int v = 0; v < h_.nodes(); ++v) {
      for (int e = h_.first_edge(v); e < h_.last_edge(v); ++e) {
        if (alive_[e] && add_lasts(e, chart_.edges[e].target.size(), last, v, last)) empty_[v] = 1;
      }
    }
    before.add(h_.goal(), 0);  // <s>
    for (int v = h_.nodes() - 1; v >= 0; --v) {
      for (int e = h_.first_edge(v); e < h_.last_edge(v); ++e) {
        if (!alive_[e]) continue;
        const auto target = chart_.edges[e].target;
        for (std::size_t k = 0; k < target.size(); ++k) {
          if (!is_nonterminal(target[k])) continue;
          const int tail = h_.tails(e)[nonterminal_index(target[k])];
          if (add_lasts(e, k, last, tail, before)) before.add(tail, before, v);
        }
      }
    }
  }
  // Adds what may stand at the end of the first `size` symbols; true if that may be nothing.
  bool add_lasts(int e, std::size_t size, const WordSets& last, int to, WordSets& sets) {
    const auto target = chart_.edges[e].target;
    for (std::size_t k = size; k-- > 0;) {
      if (!is_nonterminal(target[k])) {
        sets.add(to, before_at(e, k + 1));
        return false;
      }
      const int tail = h_.tails(e)[nonterminal_index(target[k])];
      sets.add(to, last, tail);
      if (!empty_[tail]) return false;
    }
    return true;
  }

  // False if there are too many candidates.
  bool find_seams() {
    number_befores();
    WordSets last(h_.nodes(), befores_.size()), before(h_.nodes(), befores_.size());
    find_sets(last, before);
    sets_.assign(2 * static_cast<std::size_t>(h_.nodes()), {});
    for (int v = 0; v < h_.nodes(); ++v) {
      before.append_to(v, sets_[SeamPrices::before(v)]);
      last.append_to(v, sets_[SeamPrices::after(v)]);
    }
    seams_.clear();
    seam_index_.clear();
    seam_of_.clear();
    pays_.clear();
    parts_.clear();
    for (std::size_t e = 0; e < chart_.edges.size(); ++e)
      parts_.push_back(parts_of(static_cast<int>(e)));
    closing_ = seam(SeamPrices::after(h_.goal()), end_);
    std::size_t candidates = 0;
    for (const Seam& s : seams_) candidates += sets_[s.set].size();
    if (by_node_ && candidates > kCandidates) return false;
    before_.clear();
    value_.clear();
    for (Seam& s : seams_) {
      s.begin = static_cast<std::int32_t>(before_.size());
      before_.insert(before_.end(), sets_[s.set].begin(), sets_[s.set].end());
      s.end = static_cast<std::int32_t>(before_.size());
      for (std::int32_t k = s.begin; k < s.end; ++k) {
        Context next;
        value_.push_back(lm_.score(words_[s.word], befores_[before_[k]].context, next));
      }
    }
    return true;
  }
  std::int32_t seam(std::uint32_t set, std::int32_t word) {
    const auto [at, fresh] = seam_index_.try_emplace({set, static_cast<WordHash>(word)},
                                                     static_cast<std::int32_t>(seams_.size()));
    if (fresh) seams_.push_back({set, word});
    return at->second;
  }
  Parts parts_of(int e) {
    Parts p;
    if (alive_[e]) {
      Context context;
      std::int32_t last = -1;
      std::uint32_t set = SeamPrices::before(h_.head(e));
      double sum = 0;
      for (const Symbol symbol : chart_.edges[e].target) {
        if (is_nonterminal(symbol)) {
          if (last >= 0) pays_.push_back(price_id(last, h_.head(e)));
          last = -1;
          context = {};
          set = SeamPrices::after(h_.tails(e)[nonterminal_index(symbol)]);
          continue;
        }
        const std::int32_t w = word_of(symbol);
        const float score = lm_.score(words_[w], context, context);
        if (last >= 0) {
          sum += score;
        } else {
          seam_of_.push_back(seam(set, w));
        }
        last = w;
      }
      if (last >= 0) pays_.push_back(price_id(last, h_.head(e)));
      p.fixed = scoring_.edge_score(e) + weight_ * sum;
    } else {
      p.fixed = kNever;
    }
    p.seams = static_cast<std::int32_t>(seam_of_.size());
    p.paid = static_cast<std::int32_t>(pays_.size());
    return p;
  }

  void open_all() {
    open_.resize(seams_.size());
    chosen_.resize(seams_.size());
    for (std::size_t k = 0; k < seams_.size(); ++k) {
      float top = -1e30f;
      std::int32_t from = -1;
      for (std::int32_t c = seams_[k].begin; c < seams_[k].end; ++c) {
        const std::int32_t priced = befores_[before_[c]].priced;
        const float x = value_[c] + price_[priced];
        if (x > top) top = x, from = priced;
      }
      open_[k] = top;
      chosen_[k] = from;
    }
  }

  // The bound under the prices, and how often each word stands before an unknown one, minus how often
  // it was chosen.
  double evaluate() {
    open_all();
    scores_.resize(parts_.size());
    std::int32_t s = 0, paid = 0;
    for (std::size_t e = 0; e < parts_.size(); ++e) {
      double sum = 0;
      for (; s < parts_[e].seams; ++s) sum += open_[seam_of_[s]];
      for (; paid < parts_[e].paid; ++paid) sum -= price_[pays_[paid]];
      scores_[e] = parts_[e].fixed + weight_ * sum;
    }
    const double bound = pass_.run(h_, scores_) + weight_ * open_[closing_];
    pass_.derivation(h_, derivation_);
    gradient_.assign(price_.size(), 0);
    const auto choose = [&](std::int32_t k) {
      if (chosen_[k] > 0) gradient_[chosen_[k]] -= 1;
    };
    choose(closing_);
    for (const std::int32_t e : derivation_) {
      const Parts before = e > 0 ? parts_[e - 1] : Parts{};
      for (std::int32_t k = before.seams; k < parts_[e].seams; ++k) choose(seam_of_[k]);
      for (std::int32_t k = before.paid; k < parts_[e].paid; ++k) gradient_[pays_[k]] += 1;
    }
    return bound;
  }

  // Subgradient steps; leaves the best prices in place and returns their bound.
  double descend(double lower, int rounds) {
    std::vector<float> best_price = price_;
    double best = std::numeric_limits<double>::infinity(), share = 1;
    int since = 0;
    for (int round = 0; round < rounds; ++round) {
      const double bound = evaluate();
      if (bound < best - 1e-2) since = 0;
      if (bound < best) {
        best = bound;
        best_price = price_;
      }
      if (++since > 5) {
        share *= 0.6;
        since = 0;
      }
      double size = 0;
      for (const double g : gradient_) size += g * g;
      if (size == 0 || best <= lower + kSlack || share < 0.01) break;
      const double step = share * std::max(bound - lower, 1e-3) / size / weight_;
      for (std::size_t v = 0; v < price_.size(); ++v) {
        price_[v] += static_cast<float>(step * gradient_[v]);
      }
    }
    price_ = best_price;
    return best;
  }

  void drop(double lower) {
    evaluate();
    pass_.max_marginals(h_, scores_, through_);
    for (std::size_t e = 0; e < alive_.size(); ++e) {
      if (through_[e] + weight_ * open_[closing_] < lower - kSlack) alive_[e] = 0;
    }
  }

  SeamPrices result(double bound) {
    SeamPrices out;
    out.lm_ = &lm_;
    out.bound_ = bound;
    out.alive_ = alive_;
    out.befores_ = befores_;
    for (SeamPrices::Before& b : out.befores_) b.price = price_[b.priced];
    out.sets_ = std::move(sets_);
    for (std::size_t w = 0; w < words_.size(); ++w) out.price_[words_[w]] = price_[w + 1];
    // Those that are known already; find_seams() may have been of more edges, which is no harm.
    open_all();
    for (std::size_t k = 0; k < seams_.size(); ++k) {
      out.open_[{seams_[k].set, words_[seams_[k].word]}] = open_[k];
    }
    return out;
  }

  const Scoring& scoring_;
  const Chart& chart_;
  const Hypergraph& h_;
  const LanguageModel& lm_;
  double weight_;
  std::vector<std::uint8_t> alive_, empty_;
  std::unordered_map<WordHash, std::int32_t> index_;
  std::vector<WordHash> words_;
  std::vector<SeamPrices::Before> befores_;  // <s> first
  std::unordered_multimap<std::uint64_t, std::int32_t> before_index_;
  std::vector<std::vector<std::int32_t>> sets_;
  bool by_node_ = false;
  std::unordered_map<std::uint64_t, std::int32_t> price_index_;  // by_node_: of node and word
  std::int32_t end_ = 0, closing_ = 0;
  std::vector<Seam> seams_;
  std::unordered_map<SeamPrices::Seam, std::int32_t, SeamPrices::SeamHash> seam_index_;
  std::vector<Parts> parts_;
  std::vector<std::int32_t> seam_of_, pays_, before_, chosen_;
  std::vector<float> value_, price_, open_;
  std::vector<double> scores_, gradient_, through_;
  BestPass pass_;
  Derivation derivation_;
};

SeamPrices find_prices(const Scoring& scoring, double lower, int rounds) {
  return PriceSearch(scoring).run(lower, rounds);
}

}  // namespace entente::translation
