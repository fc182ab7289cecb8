// A structured factor: a rule over many variables that has its own algorithm.
//
// Only `maximize` has to be clever: the quadratic step of AD3, max-marginals and soft rules are
// derived from it. A chain is the first of them:
//
//   // 3 positions x 2 labels, transitions[from * 2 + to], the same at every step
//   g.add_structured(links, make_sequence(3, 2, {0.5, -0.5, -0.5, 0.5}));
//
// Trees over arcs and the automata of their nodes are others; sharing arc variables, they make a
// tree scored by more than its arcs (Koo et al. 2010).
//
// Objects are immutable once made, so one may be used from many threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "entente/ids.h"

namespace entente {

class Graph;

// Memory a structured factor may use while it works; kept by the caller between calls.
struct StructuredScratch {
  std::vector<double> numbers;
  std::vector<std::int32_t> integers;
  // Whatever else a kind of factor keeps; one that finds another's here puts its own in place.
  struct Memory {
    virtual ~Memory() = default;
  };
  std::unique_ptr<Memory> memory;
};

class StructuredFactor {
 public:
  virtual ~StructuredFactor() = default;

  // How many literals the factor is over.
  virtual int size() const = 0;

  // The best allowed configuration when literal i being true is worth scores[i]: writes it to
  // `config` (size() bytes, 0 or 1) and returns its value, the factor's own score included. Ties go
  // to the lowest index. Returns -infinity if no configuration is allowed.
  virtual double maximize(std::span<const double> scores, std::span<std::uint8_t> config,
                          StructuredScratch& scratch) const = 0;

  // The best value with each literal 0 and with each literal 1, -infinity where there is none.
  // Optional: false says it is not offered, and maximize is asked once a literal instead.
  virtual bool max_marginals(std::span<const double> /*scores*/, std::span<double> /*zero*/,
                             std::span<double> /*one*/, StructuredScratch& /*scratch*/) const {
    return false;
  }

  // The factor's own score of a configuration; -infinity if it is not allowed.
  virtual double own_score(std::span<const std::uint8_t> config) const = 0;

  // A bound on |own_score| over the allowed configurations.
  virtual double own_range() const = 0;

  virtual std::unique_ptr<StructuredFactor> clone() const = 0;

  // Name used in files and messages, e.g. "sequence".
  virtual std::string_view type() const = 0;

  // Numbers a file needs to make the factor again (see formats): integers and scores.
  virtual std::span<const std::int32_t> shape() const { return {}; }
  virtual std::span<const double> scores() const { return {}; }

  // Writes the same rule with other kinds of factor, where that is possible: what ILP solvers and
  // the exchange formats get. Returns false where it is not.
  virtual bool expand(Graph& out, std::span<const Literal> links, Rule rule) const;
};

// Exactly one label at each of `length` positions; link t * labels + l says "label l at position
// t". transitions: labels * labels numbers, or (length - 1) times as many for scores that differ by
// position; [from * labels + to], -infinity forbids. Throws Error on other sizes. Viterbi: O(length
// * labels^2).
std::unique_ptr<StructuredFactor> make_sequence(int length, int labels,
                                                std::vector<double> transitions);

// An arc between two nodes of a tree; node 0 is the root, which no arc enters.
struct TreeArc {
  std::int32_t from = 0, to = 0;
};

// The true arcs are a tree: each of the nodes 1..nodes is entered by one of them, and all hang from
// node 0; with single_root exactly one of them hangs there directly. Link i says "arc i is in the
// tree". Throws Error on ends out of range and arcs given twice. Contraction: O(nodes^2).
std::unique_ptr<StructuredFactor> make_arborescence(int nodes, std::vector<TreeArc> arcs,
                                                    bool single_root = false);

// The same, and no two arcs cross when the nodes stand in a row, 0 first. O(nodes^3).
std::unique_ptr<StructuredFactor> make_projective_tree(int nodes, std::vector<TreeArc> arcs,
                                                       bool single_root = false);

// The arcs around one node: `left` and `right` possible arcs out of it, counted away from it on
// each side, then `uppers` possible arcs into it, of which exactly one is true (none if there are
// none). pairs scores neighbours: on each side that has a true arc (none, first), (first, second),
// ..., (last, none); for a side of k arcs k * (k + 3) / 2 numbers: for each outer arc the inner one
// none, 0, 1, ..., outer - 1, then for outer none the inner one 0, ..., k - 1; left side first.
// grand scores a true upper with a true arc out: [upper * (left + right) + arc], or nothing at all.
// -infinity forbids. Throws Error on other sizes. O(uppers * (left^2 + right^2)).
std::unique_ptr<StructuredFactor> make_head_automaton(int left, int right, int uppers,
                                                      std::vector<double> pairs,
                                                      std::vector<double> grand = {});

}  // namespace entente
