#include "tasks/ccg/losses.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "entente/error.h"

namespace entente::ccg {

namespace {

constexpr std::array<std::pair<std::string_view, LossKind>, 9> kNames = {{
    {"cll", LossKind::likelihood},
    {"hamming", LossKind::hamming},
    {"decp", LossKind::dec_precision},
    {"decr", LossKind::dec_recall},
    {"decf1", LossKind::dec_f1},
    {"precision", LossKind::precision},
    {"recall", LossKind::recall},
    {"f1", LossKind::f_measure},
    {"corpus_f1", LossKind::corpus_f1},
}};

}  // namespace

Loss parse_loss(std::string_view name) {
  Loss out;
  Nearest nearest(name);
  for (const auto& [known, kind] : kNames) {
    out.kind = kind;
    if (name == known) return out;
    nearest.consider(known);
  }
  if (name.starts_with("f:")) {
    const std::string_view number = name.substr(2);
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), out.beta);
    if (error == std::errc() && end == number.data() + number.size() && out.beta > 0) return out;
  }
  throw Error(
      "unknown loss " + quoted(name) + nearest.suggestion() +
      "; there are cll, hamming, decp, decr, decf1, precision, recall, f1, f:BETA and corpus_f1");
}

void count_edges(const Chart& chart, std::span<const Dependency> gold,
                 std::span<const CategoryId> supertags, EdgeCounts& out) {
  const int edges = chart.forest().edges();
  out.correct.assign(edges, 0);
  out.total.assign(edges, 0);
  out.due.assign(edges, 0);
  out.wrong_word.assign(edges, 0);
  for (int e = 0; e < edges; ++e) {
    const Chart::Edge& edge = chart.edge(e);
    if (edge.rule.rule == Rule::lexical)
      out.wrong_word[e] = edge.rule.result == supertags[edge.word] ? 0 : 1;
    for (const Dependency& d : chart.dependencies(e)) {
      ++out.total[e];
      if (std::binary_search(gold.begin(), gold.end(), d)) ++out.correct[e];
    }
    if (edge.right < 0) continue;
    const Chart::Node &left = chart.node(edge.left), &right = chart.node(edge.right);
    const auto in = [](const Chart::Node& n, std::int32_t word) {
      return word >= n.begin && word < n.end;
    };
    for (const Dependency& d : gold) {
      if ((in(left, d.head) && in(right, d.dependent)) ||
          (in(right, d.head) && in(left, d.dependent)))
        ++out.due[e];
    }
  }
  // Unification makes some dependencies later than their words meet.
  for (int e = 0; e < edges; ++e) out.due[e] = std::max(out.due[e], out.correct[e]);
}

double LossSums::run(const Hypergraph& forest, std::span<const double> score, const Loss& loss,
                     const EdgeCounts& counts, int gold) {
  passes_ = 1;
  if (loss.kind == LossKind::f_measure || loss.kind == LossKind::precision) {
    const double b = loss.beta * loss.beta;
    FMeasureLoss f;
    f.correct = counts.correct;
    f.total = counts.total;
    f.gold = gold;
    f.tau = loss.tau;
    f.error = loss.error;
    f.gain = loss.kind == LossKind::precision ? 1 : 1 + b;
    f.gold_weight = loss.kind == LossKind::precision ? 0 : b;
    f_measure_.set(f);
    const double log_z = f_measure_.run(forest, score);
    marginals_ = f_measure_.edge_marginals();
    passes_ = f_measure_.points();
    return log_z;
  }
  shifted_.assign(score.begin(), score.end());
  double constant = 0;
  for (std::size_t e = 0; e < shifted_.size(); ++e) {
    double cost = 0;
    switch (loss.kind) {
      case LossKind::hamming:
        cost = counts.wrong_word[e];
        break;
      case LossKind::dec_precision:
        cost = counts.total[e] - counts.correct[e];
        break;
      case LossKind::dec_recall:
        cost = counts.due[e] - counts.correct[e];
        break;
      case LossKind::dec_f1:
        cost = counts.total[e] + counts.due[e] - 2 * counts.correct[e];
        break;
      case LossKind::recall:
        cost = gold > 0 ? -static_cast<double>(counts.correct[e]) / gold : 0;
        break;
      default:
        break;
    }
    shifted_[e] += loss.tau * cost;
  }
  if (loss.kind == LossKind::recall) constant = loss.tau;
  const double log_z = sums_.inside(forest, shifted_);
  sums_.outside(forest);
  marginals_ = sums_.edge_marginals();
  return log_z + constant;
}

}  // namespace entente::ccg
