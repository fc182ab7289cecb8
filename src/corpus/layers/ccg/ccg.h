// The CCG layer: how a sentence's categories combine, and who depends on whom.
#pragma once

#include <string>
#include <vector>

#include "corpus/span.h"

namespace entente {

// A node of a derivation; children stand before it.
struct CcgNode {
  std::string category;       // "S[dcl]\NP"
  std::string rule;           // "fa", "ba", "fc", ...; empty for words, or where it is not known
  int left = -1, right = -1;  // nodes; right -1: one child; both -1: a word
  Span words;
  bool head_is_left = true;
};

// <head, category, slot, dependent>; words from 0.
struct CcgDependency {
  int head = 0, slot = 0, dependent = 0;
  std::string category;
};

struct CcgLayer {
  std::vector<CcgNode> nodes;  // the last is the root; none: there is no parse
  std::vector<CcgDependency> dependencies;
  double score = 0;        // of the derivation under the model
  double probability = 0;  // among all derivations of the chart
  std::string status;      // "optimal": no derivation of the chart scores more; "none": no parse;
                           // empty: not looked for
};

}  // namespace entente
