// What the drawings of frames share: a sentence in pieces, and for each frame its marks on them.
//
//   const std::vector<Piece> pieces = pieces_of(sentence, document.text, piece_of_word);
//   for (const Lane& lane : lanes_of(frame, piece_of_word)) for (const FrameMark& mark : lane) ...
//
// A piece is the least that can be marked: a word, or a token whose words have no places of their
// own. Marks of a lane do not overlap; more lanes than one are rare (a role on the target, or
// decisions made without the rule against overlap). Linear but for the lanes. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/document.h"

namespace entente {

struct Piece {
  std::string text;  // no control characters
  bool space_before = false;
};

struct FrameMark {
  int first = 0, last = 0;  // pieces, both included
  int argument = -1;        // of the frame; -1: the target

  bool is_target() const { return argument < 0; }
};
using Lane = std::vector<FrameMark>;  // from the left

// `text` is that of the document. piece_of_word gets one number a word.
std::vector<Piece> pieces_of(const Sentence& sentence, std::string_view text,
                             std::vector<int>& piece_of_word);

// The target is in the first one.
std::vector<Lane> lanes_of(const FrameInstance& frame, const std::vector<int>& piece_of_word);

// The frame's name for its target, the role for an argument.
std::string_view label_of(const FrameInstance& frame, const FrameMark& mark);

// Words that follow each other, as (first, last), both included: [3, 4, 7] is (3, 4) and (7, 7).
std::vector<std::pair<int, int>> runs_of(const std::vector<int>& words);

// What words first..last say, as they stand in the text.
std::string text_of_words(const Sentence& sentence, std::string_view text, int first, int last);

// "value 4.21, proven best", "value 4.21, at most 5.00", "value 4.21, a required role cannot be had".
std::string verdict_of(const FrameInstance& frame);

// One label of figures for a mark: "Goal, core role, score 2.10".
std::string details_of(const FrameInstance& frame, const FrameMark& mark);

// Whether any sentence has frames.
bool has_frames(const Document& document);

}  // namespace entente
