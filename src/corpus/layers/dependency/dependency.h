// The dependency layer: heads and relations are fields of words; here is what is known of the tree.
#pragma once

#include <vector>

namespace entente {

// Whether the tree is the best under the model's scores. Labels are chosen after it.
struct TreeProof {
  bool known = false;           // a parser made the tree and says so
  bool proven = false;          // no other tree of the arcs considered is worth more
  double value = 0, bound = 0;  // of the tree, and of any tree
};

// A tree that a parser found nearly as good as the one of the words: where it differs.
struct OtherTree {
  struct Change {
    int word = 0;  // of Sentence::words
    int head = 0;  // as Word::head
  };
  double value = 0;  // less what the best tree is worth: not above 0
  std::vector<Change> changes;
};

}  // namespace entente
