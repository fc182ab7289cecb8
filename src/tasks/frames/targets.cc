#include "tasks/frames/targets.h"

#include <algorithm>

#include "learn/hash.h"

namespace entente::frames {

namespace {

// Kinds of features: part of the model format.
enum Kind : std::uint64_t { kAny = 101, kWords, kSize, kNumber, kFrame, kUnit, kMatch, kAgrees };

std::uint64_t feature(Kind kind, std::uint64_t a, std::uint64_t b = 0) {
  return spread(mix(mix(kind * 0x9e3779b97f4a7c15ULL, a), b));
}

}  // namespace

bool TargetCandidates::Found::operator<(const Found& o) const {
  return words[0] != o.words[0] ? words[0] < o.words[0]
         : count != o.count     ? count < o.count
                                : words < o.words;
}

void TargetCandidates::read(std::span<const WordFact> facts, const LexicalUnits& units) {
  found_.clear();
  units.each_group(facts, [&](std::span<const int> words) {
    Found& f = found_.emplace_back();
    std::copy(words.begin(), words.end(), f.words.begin());
    f.count = static_cast<int>(words.size());
  });
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  words_.clear();
  first_.assign(1, 0);
  for (const Found& f : found_) {
    words_.insert(words_.end(), f.words.begin(), f.words.begin() + f.count);
    first_.push_back(static_cast<int>(words_.size()));
  }
}

void TargetFeatures::add_matches(std::span<const WordFact> facts, std::span<const int> target,
                                 std::vector<std::uint64_t>& out) const {
  const WordFact& head = facts[head_of(facts, target)];
  bool agree = false;
  for (const Match& m : matches_) {
    const auto how =
        static_cast<std::uint64_t>(m.source) * 8 + static_cast<std::uint64_t>(m.reading);
    const bool suits = agrees(m.pos, head.pos);
    agree = agree || suits;
    out.push_back(feature(kFrame, static_cast<std::uint64_t>(m.frame), suits));
    out.push_back(feature(kUnit, static_cast<std::uint64_t>(m.unit), head.tag));
    out.push_back(feature(kMatch, how, suits));
  }
  const bool plain = std::any_of(matches_.begin(), matches_.end(),
                                 [](const Match& m) { return m.source == Source::lexicon; });
  out.push_back(feature(kAgrees, agree, plain));
  out.push_back(feature(kAgrees, agree, head.tag));
  out.push_back(feature(kNumber, std::min<std::uint64_t>(matches_.size(), 8)));
}

void TargetFeatures::read(std::span<const WordFact> facts, const FactTree& tree,
                          const LexicalUnits& units, std::span<const int> target, bool inside,
                          std::vector<std::uint64_t>& out) {
  out.clear();
  context_.read(facts, tree, target);
  units.find(facts, target, matches_);
  const std::uint64_t words = spread(context_.words);
  for (const std::uint64_t p : context_.properties) {
    out.push_back(mix(kAny, p));
    out.push_back(mix(words, p));
  }
  const bool apart = target.back() - target.front() + 1 > static_cast<int>(target.size());
  out.push_back(feature(kSize, target.size(), inside * 2u + apart));
  out.push_back(feature(kWords, words, inside * 2u + apart));
  add_matches(facts, target, out);
}

void find_inside(const TargetCandidates& candidates, std::vector<bool>& inside) {
  inside.assign(candidates.size(), false);
  for (int large = 0; large < candidates.size(); ++large) {
    const std::span<const int> words = candidates[large];
    if (words.size() < 2) continue;
    int small = large;  // candidates are sorted by their first word
    while (small > 0 && candidates[small - 1][0] == words[0]) --small;
    for (; small < candidates.size() && candidates[small][0] <= words.back(); ++small) {
      const std::span<const int> part = candidates[small];
      if (part.size() < words.size() &&
          std::includes(words.begin(), words.end(), part.begin(), part.end())) {
        inside[small] = true;
      }
    }
  }
}

TargetFinder::TargetFinder(const ModelFile& file, const framenet::Lexicon& lexicon)
    : units_(file, lexicon.lexical_units.size(), lexicon.frames.size()),
      weights_(file, "frames/targets/weights"),
      bias_(static_cast<float>(file.number("frames/targets/bias"))) {}

void TargetFinder::find(const Sentence& sentence, Workspace& work,
                        std::vector<std::vector<int>>& targets) const {
  work.facts.clear();
  append_facts(sentence, work.facts);
  work.tree.begin(work.facts);
  work.candidates.read(work.facts, units_);
  find_inside(work.candidates, work.inside);
  work.groups.clear();
  work.scores.clear();
  for (int c = 0; c < work.candidates.size(); ++c) {
    const std::span<const int> words = work.candidates[c];
    work.reader.read(work.facts, work.tree, units_, words, work.inside[c], work.features);
    work.scores.push_back(weights_.score(work.features) + bias_);
    WordGroup& group = work.groups.emplace_back(WordGroup{words[0], 0});
    for (const int w : words) group.mask |= 1u << (w - words[0]);
  }
  work.disjoint.choose(work.groups, work.scores, work.chosen);
  targets.resize(work.chosen.size());
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const std::span<const int> words = work.candidates[work.chosen[t]];
    targets[t].assign(words.begin(), words.end());
  }
}

}  // namespace entente::frames
