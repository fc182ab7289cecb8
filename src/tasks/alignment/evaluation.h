// How good an alignment is: precision, recall and alignment error rate against sure and possible
// links.
//
//   GoldLinks gold = read_gold(file);            // `sentence i j S|P` from 1, or `0-0 1?2` a line
//   AlignmentScores s = score_alignments(gold, read_pharaoh(system));
//   s.error_rate();                               // 1 - (|A and S| + |A and P|) / (|A| + |S|)
//
// Sure links are possible, too. Paper: Och and Ney 2003. Linear.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "base/line_source.h"
#include "tasks/alignment/links.h"

namespace entente::alignment {

struct GoldSentence {
  std::set<Link> sure, possible;  // possible has the sure ones, too
};
struct GoldLinks {
  std::vector<GoldSentence> sentences;
  bool a_line_each = false;  // so these are all sentences; numbered links may stop before the last
};

struct AlignmentScores {
  std::int64_t links = 0, sure = 0, links_sure = 0, links_possible = 0;
  AlignmentScores& operator+=(const AlignmentScores& o) {
    links += o.links;
    sure += o.sure;
    links_sure += o.links_sure;
    links_possible += o.links_possible;
    return *this;
  }
  double precision() const {
    return links ? static_cast<double>(links_possible) / static_cast<double>(links) : 1;
  }
  double recall() const {
    return sure ? static_cast<double>(links_sure) / static_cast<double>(sure) : 1;
  }
  double error_rate() const {
    const auto both = static_cast<double>(links + sure);
    return both > 0 ? 1 - static_cast<double>(links_sure + links_possible) / both : 0;
  }
};

GoldLinks read_gold(LineSource& file);
// One line of Pharaoh links a sentence; `i-j:score` is read, too.
std::vector<std::vector<Link>> read_pharaoh(LineSource& file);
AlignmentScores score_sentence(const GoldSentence& gold, const std::vector<Link>& links);
// Sentences beyond numbered gold ones are not looked at; fewer, or more than lines, are an Error.
AlignmentScores score_alignments(const GoldLinks& gold,
                                 const std::vector<std::vector<Link>>& system);

}  // namespace entente::alignment
