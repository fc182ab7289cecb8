#include "tasks/frames/frame_identification.h"

#include <algorithm>
#include <cmath>

namespace entente::frames {

ParentFrames::ParentFrames(const framenet::Lexicon& lexicon) {
  std::vector<std::vector<int>> of(lexicon.frames.size());
  for (const framenet::FrameRelation& r : lexicon.relations) {
    if (r.type == "Inheritance" && r.child != r.parent) of[r.child].push_back(r.parent);
  }
  first_.push_back(0);
  for (std::vector<int>& list : of) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    parents_.insert(parents_.end(), list.begin(), list.end());
    first_.push_back(static_cast<int>(parents_.size()));
  }
}

void frame_candidates(std::span<const Match> matches, Pos pos, const ParentFrames& parents,
                      std::vector<FrameCandidate>& out) {
  out.clear();
  for (const Match& m : matches) {
    const auto at = std::find_if(out.begin(), out.end(),
                                 [&](const FrameCandidate& c) { return c.frame == m.frame; });
    const FrameCandidate candidate{
        m.frame, m.unit, m.pos, m.source, m.reading, true, parents.of(m.frame)};
    if (at == out.end()) {
      out.push_back(candidate);
    } else if (agrees(m.pos, pos) && !agrees(at->pos, pos)) {
      *at = candidate;
    }
  }
}

void softmax(std::span<double> scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& s : scores) sum += s = std::exp(s - top);
  for (double& s : scores) s /= sum;
}

}  // namespace entente::frames
