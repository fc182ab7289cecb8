#include "tasks/frames/frame_identification.h"

#include <algorithm>
#include <cmath>

#include "corpus/utf8.h"

namespace entente::frames {

namespace {

constexpr std::size_t kShortestBeginning = 4;  // bytes that neighbours share

bool has_frame(std::span<const FrameCandidate> candidates, int frame) {
  return std::any_of(candidates.begin(), candidates.end(),
                     [&](const FrameCandidate& c) { return c.frame == frame; });
}

}  // namespace

void frame_candidates(std::span<const Match> matches, Pos pos, std::vector<FrameCandidate>& out) {
  out.clear();
  for (const Match& m : matches) {
    const FrameCandidate candidate{m.frame, m.unit, m.pos, m.source, m.reading};
    const auto at = std::find_if(out.begin(), out.end(),
                                 [&](const FrameCandidate& c) { return c.frame == m.frame; });
    if (at == out.end()) {
      out.push_back(candidate);
    } else if (agrees(m.pos, pos) && !agrees(at->pos, pos)) {
      *at = candidate;
    }
  }
}

void neighbour_candidates(const framenet::Lexicon& lexicon, std::string_view lower_case,
                          std::vector<FrameCandidate>& out) {
  out.clear();
  struct Near {
    std::size_t shared;
    int unit;
  };
  std::vector<Near> near;
  for (std::size_t u = 0; u < lexicon.lexical_units.size(); ++u) {
    const framenet::LexicalUnit& unit = lexicon.lexical_units[u];
    if (unit.lexemes.size() != 1 || unit.lexemes[0] == lower_case) continue;
    const std::string& lexeme = unit.lexemes[0];
    const std::size_t most = std::min(lexeme.size(), lower_case.size());
    std::size_t shared = 0;
    while (shared < most && lexeme[shared] == lower_case[shared]) ++shared;
    if (shared >= kShortestBeginning) near.push_back({shared, static_cast<int>(u)});
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const Near& a, const Near& b) { return a.shared > b.shared; });
  for (const Near& n : near) {
    const framenet::LexicalUnit& unit = lexicon.lexical_units[n.unit];
    if (out.size() == kNeighbours) break;
    if (has_frame(out, unit.frame)) continue;
    // The nearer, the better: `reading` tells the weights how near.
    const std::size_t apart = std::min<std::size_t>(lower_case.size() - n.shared, 3);
    out.push_back(
        {unit.frame, -1, unit_pos(unit.name), Source::neighbour, static_cast<Reading>(apart)});
  }
}

void add_frequent(std::span<const std::int32_t> frames, std::vector<FrameCandidate>& out) {
  for (const int frame : frames) {
    if (frame >= 0 && !has_frame(out, frame)) {
      out.push_back({frame, -1, 0, Source::frequent, Reading::lemma});
    }
  }
}

void softmax(std::span<double> scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& s : scores) sum += s = std::exp(s - top);
  for (double& s : scores) s /= sum;
}

FrameIdentifier::FrameIdentifier(const ModelFile& file, const framenet::Lexicon& lexicon)
    : lexicon_(lexicon),
      units_(file, lexicon.lexical_units.size(), lexicon.frames.size()),
      weights_(file, "frames/identify/weights"),
      frequent_(file.array<std::int32_t>("frames/identify/frequent")) {
  bool good = frequent_.size() == kParts * kFrequent && !lexicon.frames.empty();
  for (const std::int32_t frame : frequent_) {
    good = good && frame < static_cast<std::int32_t>(lexicon.frames.size());
  }
  if (!good) file.fail("section \"frames/identify/frequent\" does not fit the lexicon");
}

void FrameIdentifier::begin(const Sentence& sentence, Workspace& work) const {
  work.sentence = &sentence;
  work.facts.clear();
  append_facts(sentence, work.facts);
  work.tree.begin(work.facts);
}

void FrameIdentifier::find_candidates(std::span<const int> target, Workspace& work) const {
  units_.find(work.facts, target, work.matches);
  frame_candidates(work.matches, work.context.pos, work.candidates);
  if (!work.candidates.empty()) return;
  const int head = head_of(work.facts, target);
  const std::string word = unicode::to_lower(work.sentence->words[head].form);
  neighbour_candidates(lexicon_, word, work.candidates);
  const auto part = static_cast<std::size_t>(work.context.pos);
  add_frequent(frequent_.subspan(part * kFrequent, kFrequent), work.candidates);
  if (work.candidates.empty()) add_frequent(frequent_, work.candidates);
  const std::int32_t any = 0;
  if (work.candidates.empty()) add_frequent({&any, 1}, work.candidates);
}

void FrameIdentifier::choose(std::span<const int> target, Workspace& work,
                             std::vector<Choice>& choices) const {
  work.context.read(work.facts, work.tree, target);
  find_candidates(target, work);
  work.scores.clear();
  for (const FrameCandidate& c : work.candidates) {
    place_features(work.context, c, work.features);
    work.scores.push_back(weights_.score(work.features));
  }
  softmax(work.scores);
  choices.clear();
  for (std::size_t i = 0; i < work.candidates.size(); ++i) {
    choices.push_back({work.candidates[i].frame, work.scores[i], work.candidates[i].unit});
  }
  std::sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
    return a.probability != b.probability ? a.probability > b.probability : a.frame < b.frame;
  });
}

}  // namespace entente::frames
