// The sequence factor: a chain of positions with one label each, by Viterbi.
#include <algorithm>
#include <cmath>

#include "entente/error.h"
#include "entente/graph.h"
#include "entente/structured.h"
#include "oracle/viterbi.h"

namespace entente {

namespace {

class Sequence final : public StructuredFactor {
 public:
  Sequence(int length, int labels, std::vector<double> transitions)
      : shape_{length, labels}, transitions_(std::move(transitions)) {
    const Chain chain = chain_of({});
    for (int t = 0; t + 1 < length; ++t) {
      double largest = 0;
      for (int x = 0; x < labels * labels; ++x) {
        const double score = chain.step(t)[x];
        if (score != -kInfinity) largest = std::max(largest, std::fabs(score));
      }
      range_ += largest;
    }
  }

  int size() const override { return length() * labels(); }

  double maximize(std::span<const double> scores, std::span<std::uint8_t> config,
                  StructuredScratch& scratch) const override {
    scratch.integers.resize(length());
    const double best = viterbi(chain_of(scores), scratch.integers, scratch.numbers);
    if (best == -kInfinity) return best;
    std::fill(config.begin(), config.end(), 0);
    for (int t = 0; t < length(); ++t) config[t * labels() + scratch.integers[t]] = 1;
    return best;
  }

  bool max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one,
                     StructuredScratch& scratch) const override {
    viterbi_marginals(chain_of(scores), one, scratch.numbers);
    for (int first = 0; first < size(); first += labels()) {
      double best = -kInfinity, second = -kInfinity;
      for (int l = first; l < first + labels(); ++l) {
        second = std::max(second, std::min(best, one[l]));
        best = std::max(best, one[l]);
      }
      for (int l = first; l < first + labels(); ++l) zero[l] = one[l] == best ? second : best;
    }
    return true;
  }

  double own_score(std::span<const std::uint8_t> config) const override {
    const Chain chain = chain_of({});
    double total = 0;
    int before = -1;
    for (int t = 0; t < length(); ++t) {
      int now = -1;
      for (int l = 0; l < labels(); ++l) {
        if (!config[t * labels() + l]) continue;
        if (now >= 0) return -kInfinity;
        now = l;
      }
      if (now < 0) return -kInfinity;
      if (t > 0) total += chain.step(t - 1)[before * labels() + now];
      before = now;
    }
    return total;
  }

  double own_range() const override { return range_; }
  std::unique_ptr<StructuredFactor> clone() const override {
    return std::make_unique<Sequence>(*this);
  }
  std::string_view type() const override { return "sequence"; }
  std::span<const std::int32_t> shape() const override { return shape_; }
  std::span<const double> scores() const override { return transitions_; }

  // One exactly_one a position and one table a step. A soft sequence is broken once however many of
  // these are, which they cannot say.
  bool expand(Graph& out, std::span<const Literal> links, Rule rule) const override {
    if (rule.cost != kHard) return false;
    const Chain chain = chain_of({});
    const std::size_t n = labels();
    for (int t = 0; t < length(); ++t) out.add_exactly_one(links.subspan(t * n, n), rule);
    const std::int32_t axes[] = {labels(), labels()};
    for (int t = 0; t + 1 < length(); ++t) {
      std::span<const double> step(chain.step(t), n * n);
      const double single[] = {0, 0, 0, step[0]};  // an axis of one literal has the states 0 and 1
      if (n == 1) step = single;
      out.add_table(links.subspan(t * n, 2 * n), axes, step, rule);
    }
    return true;
  }

 private:
  int length() const { return shape_[0]; }
  int labels() const { return shape_[1]; }
  Chain chain_of(std::span<const double> scores) const {
    return {length(), labels(), scores, transitions_};
  }

  std::int32_t shape_[2];
  std::vector<double> transitions_;
  double range_ = 0;
};

}  // namespace

std::unique_ptr<StructuredFactor> make_sequence(int length, int labels,
                                                std::vector<double> transitions) {
  if (length < 1 || labels < 1)
    throw Error("sequence: at least one position and one label are needed");
  if (static_cast<std::int64_t>(length) * labels > 1 << 30) throw Error("sequence: too long");
  const std::size_t table = static_cast<std::size_t>(labels) * labels;
  const std::size_t all = table * (length - 1);
  if (transitions.size() != table && transitions.size() != all)
    throw Error("sequence: " + std::to_string(table) + " transition scores, or " +
                std::to_string(all) + " for scores that differ by position, are needed");
  for (double x : transitions) {
    if (std::isnan(x) || x == kInfinity)
      throw Error("sequence: a transition score is a finite number or -infinity");
  }
  return std::make_unique<Sequence>(length, labels, std::move(transitions));
}

}  // namespace entente
