#include "tasks/frames/examples.h"

namespace entente::frames {

void ExampleStore::add(const Sentence& sentence, const framenet::Lexicon& lexicon, float weight) {
  if (sentence.size() > kLongestSentence) return;
  bool stored = false;
  for (const FrameInstance& f : sentence.frames) {
    const int frame = lexicon.find(f.frame);
    if (frame < 0) {
      ++unknown_frames_;
      continue;
    }
    if (!stored) {
      scratch_.read(sentence);
      words_.insert(words_.end(), scratch_.words().begin(), scratch_.words().end());
      sentence_end_.push_back(words_.size());
      stored = true;
    }
    targets_.insert(targets_.end(), f.target.begin(), f.target.end());
    for (const FrameArgument& a : f.arguments) {
      const int role = lexicon.frames[frame].find_role(a.role);
      if (role < 0) {
        ++unknown_roles_;
        continue;
      }
      arguments_.push_back({role, a.words});
    }
    predicates_.push_back({static_cast<std::int32_t>(sentence_end_.size()) - 1, frame,
                           unit_key(f.lexical_unit), static_cast<std::uint32_t>(targets_.size()),
                           static_cast<std::uint32_t>(arguments_.size()), weight});
  }
}

std::span<const WordFact> ExampleStore::words(int i) const {
  const int s = predicates_[i].sentence;
  const std::uint64_t begin = s == 0 ? 0 : sentence_end_[s - 1];
  return {words_.data() + begin, words_.data() + sentence_end_[s]};
}

std::span<const std::int32_t> ExampleStore::target(int i) const {
  const std::uint32_t begin = i == 0 ? 0 : predicates_[i - 1].target_end;
  return {targets_.data() + begin, targets_.data() + predicates_[i].target_end};
}

std::span<const StoredArgument> ExampleStore::arguments(int i) const {
  const std::uint32_t begin = i == 0 ? 0 : predicates_[i - 1].argument_end;
  return {arguments_.data() + begin, arguments_.data() + predicates_[i].argument_end};
}

}  // namespace entente::frames
