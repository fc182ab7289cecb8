#include "tasks/frames/scoring.h"

#include <algorithm>
#include <set>

#include "base/parallel.h"

namespace entente::frames {

namespace {

// Gold arguments know nothing of core roles: the lexicon does.
void mark_core(const framenet::Lexicon& lexicon, std::vector<FrameInstance>& instances) {
  for (FrameInstance& instance : instances) {
    const int frame = lexicon.find(instance.frame);
    for (FrameArgument& a : instance.arguments) {
      const int role = frame < 0 ? -1 : lexicon.frames[frame].find_role(a.role);
      a.core = role >= 0 && lexicon.frames[frame].roles[role].core == framenet::Core::kCore;
    }
  }
}

}  // namespace

std::vector<std::vector<FrameInstance>> parse_frames(std::span<const Sentence> gold,
                                                     const FrameParser& parser,
                                                     const FrameOptions& options, int threads) {
  std::vector<std::vector<FrameInstance>> parsed(gold.size());
  std::vector<FrameParser::Workspace> work(static_cast<std::size_t>(threads));
  parallel_for(static_cast<int>(gold.size()), threads, [&](int i, int thread) {
    Sentence sentence = gold[i];
    if (options.given == Given::kNothing) sentence.frames.clear();
    parser.parse(sentence, options, work[thread]);
    parsed[i] = std::move(sentence.frames);
  });
  return parsed;
}

void join_pieces(std::vector<FrameInstance>& frames) {
  std::set<std::vector<int>> seen;
  std::erase_if(frames, [&](const FrameInstance& f) { return !seen.insert(f.target).second; });
  for (FrameInstance& f : frames) {
    std::vector<FrameArgument> joined;
    for (const FrameArgument& a : f.arguments) {
      const auto same = std::find_if(joined.begin(), joined.end(),
                                     [&](const FrameArgument& b) { return a.role == b.role; });
      if (same == joined.end()) {
        joined.push_back(a);
      } else {
        same->words.begin = std::min(same->words.begin, a.words.begin);
        same->words.end = std::max(same->words.end, a.words.end);
      }
    }
    f.arguments = std::move(joined);
  }
}

FrameScorer score_frames(std::span<const Sentence> gold, const FrameParser& parser,
                         const FrameOptions& options, int threads) {
  const auto parsed = parse_frames(gold, parser, options, threads);
  FrameScorer scorer;
  for (std::size_t i = 0; i < gold.size(); ++i) {
    std::vector<FrameInstance> truth = gold[i].frames;
    mark_core(parser.lexicon(), truth);
    scorer.add(truth, parsed[i]);
  }
  return scorer;
}

std::vector<ScoredPredicate> scored_predicates(std::span<const Sentence> gold,
                                               const FrameParser& parser, int threads) {
  std::vector<std::vector<ScoredPredicate>> parts(gold.size());
  std::vector<FrameParser::Workspace> work(static_cast<std::size_t>(threads));
  parallel_for(static_cast<int>(gold.size()), threads, [&](int i, int thread) {
    if (gold[i].frames.empty()) return;
    work[thread].trees.read(gold[i]);
    for (const FrameInstance& instance : gold[i].frames) {
      const int frame = parser.lexicon().find(instance.frame);
      ScoredPredicate& p = parts[i].emplace_back();
      p.problem.frame = 0;  // a frame that the lexicon does not have: no roles, only misses
      if (frame >= 0) parser.make_problem(instance, frame, work[thread], p.problem);
      for (const FrameArgument& a : instance.arguments) {
        p.gold.emplace_back(a.role, a.words);
      }
    }
  });
  std::vector<ScoredPredicate> out;
  for (auto& part : parts) {
    for (auto& p : part) out.push_back(std::move(p));
  }
  return out;
}

}  // namespace entente::frames
