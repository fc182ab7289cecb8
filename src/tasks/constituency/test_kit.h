// A small made-up treebank, for tests.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "corpus/layers/constituency/brackets.h"

namespace entente::constituency {

inline PhraseTree tree_from(const std::string& text) {
  StringLines lines(text, "made up");
  PhraseTree tree;
  BracketReader(lines, {}).read(tree);
  return tree;
}

// Sentences such as "the old cat saw a dog in the park ." with the attachment decided by the words:
// "with" goes with verbs, "of" with nouns.
class ToyTreebank {
 public:
  explicit ToyTreebank(std::uint64_t seed) : r_(seed) {}
  PhraseTree tree() {
    return tree_from("(TOP (S " + noun_phrase(0) + " " + verb_phrase() + " (. .)))");
  }
  std::vector<PhraseTree> trees(int count) {
    std::vector<PhraseTree> out;
    for (int i = 0; i < count; ++i) out.push_back(tree());
    return out;
  }

 private:
  std::string pick(std::initializer_list<const char*> list) {
    return *(list.begin() + r_.below(static_cast<int>(list.size())));
  }
  std::string noun_phrase(int depth) {
    if (r_.chance(0.2)) return "(NP (PRP " + pick({"she", "it", "they"}) + "))";
    std::string out = "(NP (DT " + pick({"the", "a"}) + ") ";
    if (r_.chance(0.3)) out += "(JJ " + pick({"old", "red", "light"}) + ") ";
    out += "(NN " + pick({"cat", "dog", "park", "saw", "light"}) + "))";
    if (depth < 1 && r_.chance(0.3))
      out = "(NP " + out + " (PP (IN of) " + noun_phrase(depth + 1) + "))";
    return out;
  }
  std::string verb_phrase() {
    std::string out = "(VP (VBD " + pick({"saw", "liked", "left"}) + ") ";
    if (r_.chance(0.7)) out += noun_phrase(0) + " ";
    if (r_.chance(0.4)) out += "(PP (IN with) " + noun_phrase(1) + ")";
    return out + ")";
  }
  Random r_;
};

}  // namespace entente::constituency
