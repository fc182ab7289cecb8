#include "tasks/frames/frame_features.h"

#include <algorithm>

#include "learn/hash.h"

namespace entente::frames {

namespace {

// Kinds of properties: part of the model format.
enum Kind : std::uint64_t {
  kBias = 1,
  kForm,
  kTag,
  kPos,
  kRelation,
  kRelationTag,
  kHead,
  kHeadRelation,
  kHeadPos,
  kSibling,
  kChild,
  kChildLemma,
  kChildPos,
  kMark,
  kMarkLemma,
  kChildren,
  kCount,
  kFlags,
  kNear,
  kNearTag,
  kAround,
  kMatch,
  kMatchPos,
  kPosPos,
  kTagPos,
  kMatchFrame
};

std::uint64_t property(Kind kind, std::uint64_t a, std::uint64_t b = 0) {
  return spread(mix(mix(kind * 0x9e3779b97f4a7c15ULL, a), b));
}

std::uint64_t number(Pos pos) { return static_cast<std::uint64_t>(pos); }

bool is_content(Pos pos) {
  return pos == Pos::noun || pos == Pos::propn || pos == Pos::verb || pos == Pos::adj ||
         pos == Pos::adv;
}

bool contains(std::span<const int> target, int word) {
  return std::find(target.begin(), target.end(), word) != target.end();
}

}  // namespace

void TargetContext::read(std::span<const WordFact> facts, const FactTree& tree,
                         std::span<const int> target, bool hidden) {
  properties.clear();
  const int head = head_of(facts, target);
  const WordFact& h = facts[head];
  pos = h.pos;
  tag = h.tag;
  words = target.size();
  for (const int i : target) words = mix(words, facts[i].lemma);
  properties.push_back(property(kBias, 0));
  properties.push_back(property(kPos, number(h.pos)));
  properties.push_back(property(kTag, h.tag));
  properties.push_back(property(kRelation, h.deprel));
  properties.push_back(property(kRelationTag, h.deprel, h.tag));
  properties.push_back(property(kFlags, h.flags, number(h.pos)));
  if (!hidden) {
    for (const int i : target) properties.push_back(property(kForm, facts[i].form));
  }
  read_head(facts, tree, head, target);
  read_dependents(facts, tree, head, target);
  read_surroundings(facts, target);
}

void TargetContext::read_head(std::span<const WordFact> facts, const FactTree& tree, int head,
                              std::span<const int> target) {
  const WordFact& h = facts[head];
  if (h.head < 0) return;
  const WordFact& up = facts[h.head];
  properties.push_back(property(kHead, up.lemma));
  properties.push_back(property(kHeadRelation, up.lemma, h.deprel));
  properties.push_back(property(kHeadPos, number(up.pos), h.deprel));
  for (const int c : tree.children(h.head)) {
    if (contains(target, c) || !is_content(facts[c].pos)) continue;
    properties.push_back(property(kSibling, facts[c].lemma, facts[c].deprel));
  }
}

void TargetContext::read_dependents(std::span<const WordFact> facts, const FactTree& tree, int head,
                                    std::span<const int> target) {
  std::uint64_t set = 0;
  int count = 0;
  for (const int c : tree.children(head)) {
    if (contains(target, c) || facts[c].pos == Pos::punct) continue;
    const WordFact& f = facts[c];
    ++count;
    set += spread(f.deprel);
    properties.push_back(property(kChild, f.deprel));
    properties.push_back(property(kChildLemma, f.lemma, f.deprel));
    properties.push_back(property(kChildPos, number(f.pos), f.deprel));
    for (const int g : tree.children(c)) {  // "on the table": what marks the dependent
      if (facts[g].pos != Pos::adp && facts[g].pos != Pos::sconj && facts[g].pos != Pos::part)
        continue;
      properties.push_back(property(kMark, facts[g].lemma, f.deprel));
      properties.push_back(property(kMarkLemma, facts[g].lemma, f.lemma));
      set += spread(facts[g].lemma);
    }
  }
  properties.push_back(property(kChildren, set));
  properties.push_back(property(kCount, static_cast<std::uint64_t>(std::min(count, 5))));
}

void TargetContext::read_surroundings(std::span<const WordFact> facts,
                                      std::span<const int> target) {
  const int n = static_cast<int>(facts.size());
  constexpr int kReach = 2;
  for (int d = -kReach; d <= kReach; ++d) {
    if (d == 0) continue;
    const int at = (d < 0 ? target.front() : target.back()) + d;
    const auto place = static_cast<std::uint64_t>(d + kReach);
    const bool inside = at >= 0 && at < n;
    properties.push_back(property(kNear, inside ? facts[at].lemma : 0, place));
    properties.push_back(property(kNearTag, inside ? facts[at].tag : 0, place));
  }
  constexpr int kFar = 60;  // sentences are shorter, but for lists and errors of the splitter
  for (int i = std::max(0, target.front() - kFar); i < std::min(n, target.back() + kFar); ++i) {
    if (is_content(facts[i].pos) && !contains(target, i)) {
      properties.push_back(property(kAround, facts[i].lemma));
    }
  }
}

void place_features(const TargetContext& context, const FrameCandidate& candidate,
                    std::vector<std::uint64_t>& features) {
  features.clear();
  const std::uint64_t frame = spread(static_cast<std::uint64_t>(candidate.frame) + 1);
  const std::uint64_t unit = spread(frame ^ context.words);
  for (const std::uint64_t p : context.properties) features.push_back(mix(frame, p));
  if (candidate.known()) {
    for (const std::uint64_t p : context.properties) features.push_back(mix(unit, p));
  }
  const std::uint64_t match = static_cast<std::uint64_t>(candidate.source) * 8 +
                              static_cast<std::uint64_t>(candidate.reading);
  const auto pos = static_cast<std::uint64_t>(candidate.pos);
  features.push_back(property(kMatch, match));
  features.push_back(property(kMatchPos, match, pos));
  features.push_back(property(kPosPos, number(context.pos), pos));
  features.push_back(property(kTagPos, context.tag, pos));
  features.push_back(property(kMatchFrame, match, frame));
}

}  // namespace entente::frames
