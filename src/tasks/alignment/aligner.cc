#include "tasks/alignment/aligner.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>
#include <utility>

#include "base/text.h"
#include "entente/error.h"
#include "tasks/alignment/agree_proof.h"
#include "tasks/alignment/bitext.h"

namespace entente::alignment {

namespace {

constexpr std::pair<std::string_view, Combine> kNames[] = {
    {"posterior", Combine::kPosterior},
    {"agree", Combine::kAgree},
    {"intersect", Combine::kIntersect},
    {"union", Combine::kUnion},
    {"grow-diag-final-and", Combine::kGrowDiagFinalAnd},
    {"forward", Combine::kForward},
    {"backward", Combine::kBackward}};

Heuristic heuristic_of(Combine combine) {
  switch (combine) {
    case Combine::kIntersect:
      return Heuristic::kIntersect;
    case Combine::kUnion:
      return Heuristic::kUnion;
    case Combine::kForward:
      return Heuristic::kForward;
    case Combine::kBackward:
      return Heuristic::kBackward;
    default:
      return Heuristic::kGrowDiagFinalAnd;
  }
}

double log_of(float x) { return std::log(static_cast<double>(x)); }

}  // namespace

Combine combine_from_name(std::string_view name) {
  Nearest nearest(name);
  for (const auto& [text, combine] : kNames) {
    if (text == name) return combine;
    nearest.consider(text);
  }
  throw Error("there is no way to combine called " + quoted(name) + nearest.suggestion());
}

std::vector<std::string> combine_names() {
  std::vector<std::string> names;
  for (const auto& [text, combine] : kNames) names.emplace_back(text);
  return names;
}

std::array<double, 2> Aligner::posteriors(std::span<const std::string> side0,
                                          std::span<const std::string> side1, Work& w) const {
  const std::span<const std::string> sides[2] = {side0, side1};
  for (int side = 0; side < 2; ++side) {
    w.words[side].clear();
    for (const std::string& word : sides[side]) w.words[side].push_back(model_.word(side, word));
  }
  model_.gather(w.words[0], w.words[1], w.t);
  std::array<double, 2> log_likelihood{};
  for (int d = 0; d < 2; ++d) {
    const int n = static_cast<int>(sides[d].size()), m = static_cast<int>(sides[1 - d].size());
    w.null_t[d].clear();
    for (const KnownWord& target : w.words[1 - d]) {
      w.null_t[d].push_back(model_.null_emission(d, target));
    }
    w.classes.clear();
    if (model_.has_classes()) {
      for (const KnownWord& source : w.words[d]) w.classes.push_back(model_.jump_class(d, source));
    }
    w.stays.clear();
    if (model_.has_stays()) {
      for (const KnownWord& source : w.words[d]) w.stays.push_back(model_.stay(d, source));
    }
    w.rows[d].prepare(model_.jumps(d), w.classes, n, w.stays);
    const HmmPair pair{.sources = n,
                       .targets = m,
                       .emission = w.t[d].data(),
                       .null_emission = w.null_t[d].data(),
                       .null = model_.null(d),
                       .jumps = w.rows[d].rows(),
                       .scale = w.rows[d].scale(),
                       .start = w.rows[d].start()};
    log_likelihood[d] = hmm_sums(pair, w.hmm);
    w.posterior[d] = w.hmm.posterior;
  }
  return log_likelihood;
}

std::array<HmmScores, 2> Aligner::scores(Work& w, double null) const {
  std::array<HmmScores, 2> scores;
  for (int d = 0; d < 2; ++d) {
    const double none = null > 0 ? null : static_cast<double>(model_.null(d));
    const int n = static_cast<int>(w.words[d].size()), m = static_cast<int>(w.words[1 - d].size());
    w.emission[d].resize(w.t[d].size());
    std::transform(w.t[d].begin(), w.t[d].end(), w.emission[d].begin(), log_of);
    w.null_emission[d].resize(m);
    std::transform(w.null_t[d].begin(), w.null_t[d].end(), w.null_emission[d].begin(), log_of);
    w.step[d].resize(static_cast<std::size_t>(n) * n);
    w.start[d].resize(n);
    for (int i = 0; i < n; ++i) {
      w.start[d][i] = log_of(w.rows[d].start()[i]);
      const double scale = log_of(w.rows[d].scale()[i]);
      for (int k = 0; k < n; ++k) {
        w.step[d][static_cast<std::size_t>(i) * n + k] = log_of(w.rows[d].rows()[i][k - i]) + scale;
      }
    }
    scores[d] = {.sources = n,
                 .targets = m,
                 .emission = w.emission[d].data(),
                 .null_emission = w.null_emission[d].data(),
                 .null = std::log(none),
                 .word = std::log(1 - none),
                 .step = w.step[d].data(),
                 .start = w.start[d].data()};
  }
  return scores;
}

// Piece by piece; of a pair this long there is one alignment, however many are asked for.
Aligned Aligner::align_long(std::span<const std::string> side0, std::span<const std::string> side1,
                            AlignOptions options, Work& w) const {
  options.n_best = 1;
  Aligned out;
  Candidate& best = out.best.emplace_back();
  const std::size_t pieces = pieces_of(side0.size(), side1.size());
  for (std::size_t p = 0; p < pieces; ++p) {
    const std::size_t at0 = piece_begin(side0.size(), p, pieces);
    const std::size_t at1 = piece_begin(side1.size(), p, pieces);
    const Aligned piece =
        align(side0.subspan(at0, piece_begin(side0.size(), p + 1, pieces) - at0),
              side1.subspan(at1, piece_begin(side1.size(), p + 1, pieces) - at1), options, w);
    for (Link link : piece.best[0].links) {
      link.i += static_cast<int>(at0);
      link.j += static_cast<int>(at1);
      best.links.push_back(link);
    }
    best.score += piece.best[0].score;
    for (int d = 0; d < 2; ++d) out.log_likelihood[d] += piece.log_likelihood[d];
    out.bound += piece.bound;
    out.rounds += piece.rounds;
    out.nodes = std::max(out.nodes, piece.nodes);
    out.optimal = out.optimal && piece.optimal;
  }
  return out;
}

Aligned Aligner::align(std::span<const std::string> side0, std::span<const std::string> side1,
                       const AlignOptions& options, Work& w) const {
  if (pieces_of(side0.size(), side1.size()) > 1) return align_long(side0, side1, options, w);
  Aligned out;
  if (side0.empty() || side1.empty()) {
    out.best.emplace_back();
    return out;
  }
  out.log_likelihood = posteriors(side0, side1, w);
  if (options.combine == Combine::kPosterior) {
    n_best_posterior(options, w, out);
  } else if (options.combine == Combine::kAgree) {
    n_best_agree(options, w, out);
  } else {
    if (options.n_best > 1) throw Error("only posterior and agree have several best alignments");
    const std::array<HmmScores, 2> both = scores(w);
    Candidate& best = out.best.emplace_back();
    for (int d = 0; d < 2; ++d) {
      w.places[d].resize(both[d].targets);
      best.score += hmm_viterbi(both[d], w.places[d], w.hmm);
    }
    best.links = symmetrize(heuristic_of(options.combine), w.places[0], w.places[1]);
  }
  const std::size_t n = side0.size(), m = side1.size();
  for (Candidate& candidate : out.best) {
    for (Link& link : candidate.links) {
      link.score = std::min(1.0f, std::sqrt(w.posterior[0][link.j * n + link.i] *
                                            w.posterior[1][link.i * m + link.j]));
    }
  }
  return out;
}

// Every cell is decided by itself, so that the next best alignments flip the cells that were
// nearest to the threshold: subsets in the order of the sum of their costs.
void Aligner::n_best_posterior(const AlignOptions& options, Work& w, Aligned& out) const {
  const int n = static_cast<int>(w.words[0].size()), m = static_cast<int>(w.words[1].size());
  struct Flip {
    double cost;
    Link link;
    bool on;
  };
  std::vector<Flip> cells;
  const double limit = std::log(options.threshold / (1 - options.threshold));
  Candidate best;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const double p =
          std::sqrt(static_cast<double>(w.posterior[0][static_cast<std::size_t>(j) * n + i]) *
                    static_cast<double>(w.posterior[1][static_cast<std::size_t>(i) * m + j]));
      const bool on = p > options.threshold;
      if (on) best.links.push_back({i, j});
      if (!on && options.n_best <= 1) continue;
      const double safe = std::clamp(p, 1e-9, 1 - 1e-9);
      const double odds = std::log(safe / (1 - safe)) - limit;
      if (on) best.score += odds;
      cells.push_back({std::abs(odds), {i, j}, on});
    }
  }
  out.best.push_back(std::move(best));
  if (options.n_best <= 1) return;
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Flip& a, const Flip& b) { return a.cost < b.cost; });
  // A subset is reached from one with its largest cell moved on by one, or one more cell added.
  struct Subset {
    double cost;
    std::vector<int> flipped;
    bool operator>(const Subset& o) const {
      return cost != o.cost ? cost > o.cost : flipped > o.flipped;
    }
  };
  std::priority_queue<Subset, std::vector<Subset>, std::greater<>> queue;
  queue.push({cells[0].cost, {0}});
  while (!queue.empty() && static_cast<int>(out.best.size()) < options.n_best) {
    const Subset top = queue.top();
    queue.pop();
    std::set<Link> links(out.best[0].links.begin(), out.best[0].links.end());
    for (const int k : top.flipped) {
      if (cells[k].on) {
        links.erase(cells[k].link);
      } else {
        links.insert(cells[k].link);
      }
    }
    out.best.push_back({{links.begin(), links.end()}, out.best[0].score - top.cost});
    const int last = top.flipped.back();
    if (last + 1 == static_cast<int>(cells.size())) continue;
    Subset more = top, moved = top;
    more.flipped.push_back(last + 1);
    more.cost += cells[last + 1].cost;
    moved.flipped.back() = last + 1;
    moved.cost += cells[last + 1].cost - cells[last].cost;
    queue.push(std::move(more));
    queue.push(std::move(moved));
  }
}

// Lawler's partition: what is left after each solution is split by the first cell that differs from
// it.
void Aligner::n_best_agree(const AlignOptions& options, Work& w, Aligned& out) const {
  using Fixed = std::vector<std::pair<std::int32_t, bool>>;
  const std::array<HmmScores, 2> both = scores(w, options.agree_null);
  std::vector<AgreeLeaf> leaves;
  AgreeResult first = w.solver.solve(both[0], both[1], options.agree, w.proofs ? &leaves : nullptr);
  if (w.proofs) {
    ForestProblem problem;
    const ForestCertificate c =
        certify_agreement(both[0], both[1], options.agree, first, leaves, problem);
    w.proofs->add("alignment", problem, c);
  }
  out.bound = first.bound;
  out.rounds = first.rounds;
  out.nodes = first.nodes;
  out.optimal = first.optimal;
  const int m = both[0].targets, cells = both[0].sources * m;
  struct Part {
    double value;
    Fixed fixed;
    std::vector<Link> links;
  };
  std::vector<Part> parts;
  parts.push_back({first.value, {}, std::move(first.links)});
  while (!parts.empty()) {
    const auto top = std::max_element(
        parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.value < b.value; });
    const Part part = std::move(*top);
    parts.erase(top);
    out.best.push_back({part.links, part.value});
    if (static_cast<int>(out.best.size()) >= options.n_best) return;
    std::vector<std::int8_t> on(cells), decided(cells);
    for (const Link& link : part.links) on[link.i * m + link.j] = 1;
    for (const auto& [cell, value] : part.fixed) decided[cell] = 1;
    Fixed fixed = part.fixed;
    for (const bool links_first : {true, false}) {
      for (int cell = 0; cell < cells; ++cell) {
        if (decided[cell] || (on[cell] != 0) != links_first) continue;
        fixed.emplace_back(cell, on[cell] == 0);
        AgreeResult next = w.solver.solve(both[0], both[1], options.agree, nullptr, fixed);
        out.optimal = out.optimal && (next.optimal || next.value == -INFINITY);
        if (next.value > -INFINITY) parts.push_back({next.value, fixed, std::move(next.links)});
        fixed.back().second = on[cell] != 0;
      }
    }
  }
}

}  // namespace entente::alignment
