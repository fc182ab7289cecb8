// Lines that tokenizers get wrong, with what is right, by kind: how well a model does on each.
//
//   std::vector<HardLine> lines = read_hard_lines("hard_lines.tsv");
//   HardLineScores scores = score_hard_lines(segmenter, lines);     // by kind, in their order
//
// A file has tab-separated columns: kind, "sentences" or "words", text, and for words the words
// divided by spaces. \n in a text is a line break; ¶ in the text of a line for sentences stands
// where one ends before another. Lines that are empty or start with # do not count. A line is right
// if every sentence, or every word, is. Linear.
#pragma once

#include <string>
#include <vector>

#include "base/line_source.h"
#include "tasks/tokens/segmenter.h"

namespace entente::tokens {

struct HardLine {
  std::string kind, text;
  bool sentences = false;
  std::vector<std::string> words;  // of lines for words
  std::vector<std::int64_t> ends;  // of lines for sentences: where they end, in bytes
};

struct HardLineScore {
  std::string kind;
  int lines = 0, right = 0;
  std::vector<std::string> wrong;  // what was found instead, as people read it
};

// Error with the line where it is not as it should be.
std::vector<HardLine> read_hard_lines(LineSource& source, const std::string& name);
std::vector<HardLineScore> score_hard_lines(const Segmenter& segmenter,
                                            const std::vector<HardLine>& lines);

}  // namespace entente::tokens
