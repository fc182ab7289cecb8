// What gold annotation does that our rules do not allow, or our decoders cannot express: the facts
// of the data in Das, Martins and Smith (2012, section 3).
//
//   GoldFacts facts;
//   for (const Sentence& s : gold) facts.add(s.frames, lexicon);
//   facts.text();                                       // a few lines
//
// Counts predicates, each kind at most once a predicate. Linear.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"

namespace entente::frames {

struct GoldFacts {
  std::int64_t predicates = 0;
  std::int64_t without_arguments = 0;
  std::int64_t filled_twice = 0;  // a role has more than one span
  std::int64_t overlaps = 0;      // spans of two arguments share a word
  std::int64_t requires_broken = 0, excludes_broken = 0;
  std::int64_t with_requires = 0, with_excludes = 0;  // whose frames have such a rule

  // Frames and roles that the lexicon does not have are passed over.
  void add(std::span<const FrameInstance> frames, const framenet::Lexicon& lexicon);
  std::string text() const;
};

}  // namespace entente::frames
