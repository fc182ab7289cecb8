// The dependency layer: heads and relations are fields of words; here is what is known of the tree.
#pragma once

namespace entente {

// Whether the tree is the best under the model's scores. Labels are chosen after it.
struct TreeProof {
  bool known = false;           // a parser made the tree and says so
  bool proven = false;          // no other tree of the arcs considered is worth more
  double value = 0, bound = 0;  // of the tree, and of any tree
};

}  // namespace entente
