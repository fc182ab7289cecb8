// The frames layer: what words evoke which frame, and who does what in it.
#pragma once

#include <string>
#include <vector>

#include "corpus/span.h"

namespace entente {

// A phrase that fills a role of a frame.
struct FrameArgument {
  std::string role;
  Span words;
  bool core = true;   // the frame is not whole without it
  double score = 0;   // log-odds against leaving the role empty
  double margin = 0;  // what the best analysis without it is worth less; only where explained
};

// Why a frame has the arguments it has; made on request.
struct FrameExplanation {
  std::vector<std::string> active_rules;  // those without which another analysis would have won
  std::vector<FrameArgument> runner_up;   // the second best analysis
  double runner_up_value = 0;
  std::vector<std::string> broken_locally;  // rules that the best choice role by role breaks
  std::string problem, certificate;         // JSON for `entente verify`
};

// A frame that some words of the sentence evoke, and who does what in it.
struct FrameInstance {
  std::vector<int> target;               // words, from 0, in order; may have gaps
  std::string frame, lexical_unit;       // "Collaboration", "partner.n"
  double score = 1;                      // probability of the frame given the target
  std::vector<FrameArgument> arguments;  // in the order of their words
  std::vector<std::string> rules;        // that held, for display: "Entity_1 excludes Entities"
  double value = 0, bound = 0;           // of the arguments together
  bool proven = false;                   // no other choice of arguments is worth more
  bool wish_dropped = false;             // a role that was required cannot be had
  std::vector<FrameExplanation> explanation;  // none or one
};

}  // namespace entente
