// The worked examples, made in code: what `entente demo` solves and what lies in examples/*.json.
//
// Scores are made up, but of the size a trained model gives; the rules are those of the papers.
#pragma once

#include <string>
#include <vector>

#include "entente/graph.h"

namespace entente::cli {

// A candidate filler of a role: words begin .. end - 1 of the sentence, and its score.
struct Candidate {
  Interval words{};
  double score;
};

struct RoleCandidates {
  std::string name;
  std::vector<Candidate> candidates;  // "none" with score 0 is added as the first state
};

// Roles of one frame in one sentence, with the rules of Das, Martins and Smith (2012): no two
// fillers overlap; some roles exclude each other; some require each other.
struct ArgumentExample {
  std::string frame, target;
  std::vector<std::string> words;
  std::vector<RoleCandidates> roles;
  std::vector<std::pair<std::string, std::string>> excludes, requires_;

  std::string text(Interval span) const;  // its words
  Graph graph() const;
};

ArgumentExample collaboration_example();  // "Austria ... is elbowing its partners"
ArgumentExample resemble_example();       // "A blackberry resembles a loganberry"

// Roth and Yih (2004): kill(KFJ, Oswald) in "J. V. Oswald was murdered at JFK after his assassin,
// R. U. KFJ ...": two entities, the relation between them, and what each relation takes.
Graph kill_example();

}  // namespace entente::cli
