#include "tasks/frames/evaluate.h"

#include <algorithm>

#include "tasks/frames/decode.h"

namespace entente::frames {

namespace {

double weight(const FrameArgument& a) { return a.core ? 1.0 : 0.5; }

bool agree(const FrameArgument& a, const FrameArgument& b) {
  return a.words == b.words && a.role == b.role;
}

// The predicted instance with the gold one's target, of its frame if there is a choice.
int find_match(const FrameInstance& gold, std::span<const FrameInstance> predicted,
               const std::vector<bool>& used) {
  int found = -1;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (used[i] || predicted[i].target != gold.target) continue;
    if (predicted[i].frame == gold.frame) return static_cast<int>(i);
    if (found < 0) found = static_cast<int>(i);
  }
  return found;
}

}  // namespace

Counts& Counts::operator+=(const Counts& o) {
  right += o.right;
  predicted += o.predicted;
  gold += o.gold;
  return *this;
}

ArgumentScore& ArgumentScore::operator+=(const ArgumentScore& o) {
  plain += o.plain;
  weighted += o.weighted;
  return *this;
}

ArgumentScore score_arguments(std::span<const FrameArgument> gold,
                              std::span<const FrameArgument> predicted) {
  ArgumentScore out;
  std::vector<bool> used(gold.size(), false);
  for (const FrameArgument& g : gold) {
    out.plain.gold += 1;
    out.weighted.gold += weight(g);
  }
  for (const FrameArgument& p : predicted) {
    out.plain.predicted += 1;
    out.weighted.predicted += weight(p);
    for (std::size_t i = 0; i < gold.size(); ++i) {
      if (used[i] || !agree(gold[i], p)) continue;
      used[i] = true;
      out.plain.right += 1;
      out.weighted.right += weight(gold[i]);
      break;
    }
  }
  return out;
}

void FrameScorer::add(std::span<const FrameInstance> gold,
                      std::span<const FrameInstance> predicted) {
  // Equal frames are matched first, so that two frames on one target find their own.
  std::vector<bool> used(predicted.size(), false);
  std::vector<int> match(gold.size(), -1);
  for (const bool same_frame : {true, false}) {
    for (std::size_t g = 0; g < gold.size(); ++g) {
      if (match[g] >= 0) continue;
      const int p = find_match(gold[g], predicted, used);
      if (p < 0 || (same_frame && predicted[p].frame != gold[g].frame)) continue;
      match[g] = p;
      used[p] = true;
    }
  }
  for (std::size_t g = 0; g < gold.size(); ++g) {
    targets_.gold += 1;
    frames_.gold += 1;
    const int p = match[g];
    const bool right = p >= 0 && predicted[p].frame == gold[g].frame;
    if (p >= 0) targets_.right += 1;
    if (right) {
      frames_.right += 1;
      if (gold[g].arguments.empty())
        needless_ += static_cast<double>(predicted[p].arguments.size());
      arguments_ += score_arguments(gold[g].arguments, predicted[p].arguments);
      continue;
    }
    arguments_ += score_arguments(gold[g].arguments, {});
    if (p >= 0) arguments_ += score_arguments({}, predicted[p].arguments);
  }
  for (std::size_t p = 0; p < predicted.size(); ++p) {
    targets_.predicted += 1;
    frames_.predicted += 1;
    if (!used[p]) arguments_ += score_arguments({}, predicted[p].arguments);
  }
}

Counts FrameScorer::together() const {
  Counts out = frames_;
  return out += arguments_.weighted;
}

ArgumentScore score_decision(const framenet::Frame& frame, const ScoredPredicate& predicate,
                             std::span<const int> span_of) {
  std::vector<FrameArgument> gold;
  for (const auto& [name, span] : predicate.gold) {
    const int role = frame.find_role(name);
    const bool core = role >= 0 && frame.roles[role].core == framenet::Core::kCore;
    gold.push_back({.role = name, .words = span, .core = core});
  }
  return score_arguments(gold, to_arguments(frame, predicate.problem, span_of));
}

void Coverage::add(const ScoredPredicate& predicate) {
  const auto& spans_here = predicate.problem.spans;
  ++predicates;
  spans += static_cast<long>(spans_here.size());
  for (const auto& [role, span] : predicate.gold) {
    ++gold;
    covered += std::find(spans_here.begin(), spans_here.end(), span) != spans_here.end() ? 1 : 0;
  }
}

double Coverage::recall() const {
  return gold > 0 ? 100.0 * static_cast<double>(covered) / static_cast<double>(gold) : 0.0;
}

double Coverage::spans_a_predicate() const {
  return predicates > 0 ? static_cast<double>(spans) / static_cast<double>(predicates) : 0.0;
}

}  // namespace entente::frames
