// A proof as a log of small steps: what a search knew, in the order in which it found out. Each step
// is checked by a few lines that need no search (src/engine/proof/checker.cc; a second checker in
// Python is tools/check_certificate.py). docs/certificates.md has the meaning of every step.
//
// The log speaks of *states*: of a 0/1 variable v, 2v says "v is 1"; 2v + 1 says "v is 0", which is
// a state only where v belongs to no group; of a soft rule that is written as rows (factor f),
// 2(V + f) says "broken" and 2(V + f) + 1 "kept", V the number of variables. States that exclude
// each other and of which one is chosen make a *node*: the variables of a group (or of a hard
// exactly_one listed in `choices`), the two values of any other variable, broken and kept. All
// states are open at first but for fixed values. Steps close states; what is worth more than the
// bound a log arrives at would need a closed one.
//
//   Proof p;  Recorder r(p);          // src/engine/proof/recorder.h
//   r.bound();                        // nothing is worth more than the nodes' best states together
//
// A value: flat arrays, cleared without giving memory back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace entente {

// One word, then its operands; "n s..." is a count and as many states.
enum class ProofStep : std::int32_t {
  close,      // n s...            each follows from one rule and what is closed
  dominated,  // t n s...          t is open and never worse than s (n = 0: than all of its node)
  cut,        // n s...            a new row: any two of these exclude each other
  line,     // n (s begin end)...  new intervals: states whose intervals overlap exclude each other
  price,    // disjoint rows nodes shares pairs, then (factor part) a row, (s) a node,
            // (factor links) shares, (node node) a pair; numbers hold the prices in this order
  strike,   // price n s...      with any of these the bound is no better than what is claimed
  suppose,  // n s... log        states of one node; once the log has ended they are closed
  part,     // n s... log        the nodes of these states, apart from the others
  pairs,    // n (count s...)... nodes and the tables between them stand for all from here
  eliminate,  // i                 of `pairs`: node i is maximised out
  bound,      // price             ends a log: the sum of the maxima, and of its parts' bounds
  empty,      // s                 ends a log: at the node of s nothing is allowed (-1: somewhere)
  joint,   // factor n (count s...)...  a node of its own for a factor over n nodes: new states, one
           // a choice of theirs (the last node's runs first), and as many new rows as are listed
  region,  // n (count s...)... of `pairs`, until the log at hand ends: a table over these nodes
  derive,  // factor part side k n s...  until the log at hand ends: a new row that follows from one
           // side of a row (1 upper, -1 lower). k >= 0: at most k of these states; k = -1: the row
           // for the nodes of these states, the others taking their least
  grid,   // (a number)      what is open is worth a base and whole multiples of this, and the bound
          // that the log at hand ends with goes down to such a worth
  alike,  // n (count s...)... variables' states "it is 1", as columns of one length: two that are
          // exchanged leave the problem as it is. Of the i-th place the first i + 1 stay open, as
          // long as places are of one node
  round,  // k (factor part side)... n s...  until the log at hand ends: a new row that follows from
  // others, rounded. Rows times the numbers, from one side (1 upper, -1 lower; 2 and -2: with
  // whole coefficients, so that what they leave is whole, too), are added up; the states s
  // are those of their nodes that count nothing
};

struct Proof {
  static constexpr int kNone = -1;  // no price, no intervals, no state
  // A row's factor if it is cut (or row that was made otherwise) k: kFirstCut - k; a price's disjoint
  // factor if it is line k: likewise.
  static constexpr int kFirstCut = -2;

  std::vector<std::int32_t> choices;  // hard exactly_one factors whose variables make nodes
  std::vector<std::int32_t> words;
  std::vector<double> numbers;
  std::int32_t leaves = 0;  // logs that end
  bool complete = false;    // every log has its end: the bound it gives is the search's own

  void clear() {
    choices.clear();
    words.clear();
    numbers.clear();
    leaves = 0;
    complete = false;
  }
  bool empty() const { return words.empty(); }
  std::size_t bytes() const {
    return sizeof(std::int32_t) * (words.size() + choices.size()) + sizeof(double) * numbers.size();
  }
};

}  // namespace entente
