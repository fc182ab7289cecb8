// What the tests of the argument model share: a small world whose roles are learned at once.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "tasks/frames/examples.h"

namespace entente::frames {

// Two frames; the roles are told by where their words stand.
inline framenet::Lexicon tiny_lexicon() {
  framenet::Lexicon lexicon;
  framenet::Frame eat, move;
  eat.name = "Eating";
  move.name = "Moving";
  for (const char* role : {"Eater", "Food", "Time"}) eat.roles.emplace_back().name = role;
  for (const char* role : {"Mover", "Goal"}) move.roles.emplace_back().name = role;
  lexicon.frames = {eat, move};
  return lexicon;
}

inline Sentence sentence_of(Random& random) {
  static const std::vector<std::string> nouns = {"dog", "cat", "fish", "bread", "child", "boat"};
  const bool eats = random.below(2) == 0, late = random.below(2) == 0;
  Sentence s;
  const auto noun = [&] { return nouns[random.below(static_cast<int>(nouns.size()))]; };
  s.words.push_back({.form = noun(), .upos = "NOUN", .head = 2, .deprel = "nsubj"});
  s.words.push_back({.form = eats ? "eats" : "moves", .upos = "VERB", .head = 0, .deprel = "root"});
  FrameInstance f;
  f.target = {1};
  f.frame = eats ? "Eating" : "Moving";
  f.lexical_unit = "x.v";
  f.arguments.push_back({.role = eats ? "Eater" : "Mover", .words = {0, 1}});
  if (eats) {
    s.words.push_back({.form = noun(), .upos = "NOUN", .head = 2, .deprel = "obj"});
    f.arguments.push_back({.role = "Food", .words = {2, 3}});
    if (late) {
      s.words.push_back({.form = "today", .upos = "ADV", .head = 2, .deprel = "advmod"});
      f.arguments.push_back({.role = "Time", .words = {3, 4}});
    }
  } else {
    s.words.push_back({.form = "to", .upos = "ADP", .head = 4, .deprel = "case"});
    s.words.push_back({.form = noun(), .upos = "NOUN", .head = 2, .deprel = "obl"});
    f.arguments.push_back({.role = "Goal", .words = {2, 4}});
  }
  s.frames.push_back(f);
  return s;
}

struct World {
  framenet::Lexicon lexicon = tiny_lexicon();
  std::vector<Sentence> sentences;
  ExampleStore store;
};

inline World world_of(int size, std::uint64_t seed) {
  World world;
  Random random(seed);
  for (int i = 0; i < size; ++i) {
    world.sentences.push_back(sentence_of(random));
    world.store.add(world.sentences.back(), world.lexicon, 1);
  }
  return world;
}

}  // namespace entente::frames
