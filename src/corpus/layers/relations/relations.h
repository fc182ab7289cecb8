// The relations layer: which entities of a sentence stand in which relation.
#pragma once

#include <string>
#include <vector>

namespace entente {

struct Relation {
  int head = 0, tail = 0;  // of the sentence's entities
  std::string type;        // "Live_In"
  double confidence = 1;   // of this relation against none
};

struct RelationLayer {
  std::vector<Relation> all;
  std::string
      status;  // "optimal", or "infeasible" where what was required cannot be; empty: not looked for
};

}  // namespace entente
