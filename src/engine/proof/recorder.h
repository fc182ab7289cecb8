// Writes a Proof while a search goes its way. Searches hold a Recorder* that is null when no proof
// is asked for, and write where they close states, branch and give up a subtree:
//
//   if (record_) record_->close(id);                       // propagation closed a state
//   const int p = record_prices();  record_->strike(p, id);  // the bound at these prices closed it
//   record_->suppose(ids);  ...the log of that side...      // then go on without these states
//   record_->bound(p);                                       // this side is done
//
// What turns out not to matter (a dive, a search that ran out of steps) is taken back by rewind().
// Cost: a few words a call, no look back. docs/certificates.md says which steps a new search needs.
#pragma once

#include <cstdint>
#include <span>

#include "entente/proof.h"

namespace entente {

class Recorder {
 public:
  // states: those of variables and soft rules, 2 (V + F); for searches that make joint nodes.
  explicit Recorder(Proof& proof, std::int32_t states = 0) : proof_(proof), states_(states) {}

  struct Mark {
    std::size_t words = 0, numbers = 0;
    std::int32_t prices = 0, cuts = 0, lines = 0, leaves = 0, states = 0, regions = 0;
  };
  Mark mark() {
    last_ = kNothing;
    return {proof_.words.size(),
            proof_.numbers.size(),
            prices_,
            cuts_,
            lines_,
            proof_.leaves,
            states_,
            regions_};
  }
  void rewind(const Mark& m) {
    proof_.words.resize(m.words);
    proof_.numbers.resize(m.numbers);
    prices_ = m.prices;
    cuts_ = m.cuts;
    lines_ = m.lines;
    proof_.leaves = m.leaves;
    states_ = m.states;
    regions_ = m.regions;
    last_ = kNothing;
  }

  void choose(int factor) { proof_.choices.push_back(factor); }
  void forget_choices() { proof_.choices.clear(); }
  std::span<const std::int32_t> choices() const { return proof_.choices; }

  // ---- steps; calls of the same kind make one step
  void close(int state) {
    if (last_ != kClose) {
      put(ProofStep::close);
      begin_list(kClose);
    }
    extend(state);
  }
  void dominated(int by, int state) {
    if (last_ != kDominated || operand_ != by) {
      put(ProofStep::dominated);
      word(by);
      begin_list(kDominated);
      operand_ = by;
    }
    extend(state);
  }
  void dominated_all(int by) {
    put(ProofStep::dominated);
    word(by);
    word(0);
  }
  void strike(int price, int state) {
    if (last_ != kStrike || operand_ != price) {
      put(ProofStep::strike);
      word(price);
      begin_list(kStrike);
      operand_ = price;
    }
    extend(state);
  }
  // Returns what stands for the new row in price_row().
  int cut(std::span<const std::int32_t> states) {
    list(ProofStep::cut, states);
    return Proof::kFirstCut - cuts_++;
  }
  // What follows from one side of a row (proof.h). Returns what stands for the new row in price_row().
  int derive(int factor, int part, int side, int k, std::span<const std::int32_t> states) {
    put(ProofStep::derive);
    for (int w : {factor, part, side, k}) word(w);
    word(static_cast<std::int32_t>(states.size()));
    proof_.words.insert(proof_.words.end(), states.begin(), states.end());
    return Proof::kFirstCut - cuts_++;
  }
  // A row that follows from others, rounded (proof.h): as many times round_row() as `rows`, then the
  // states that count nothing. Returns what stands for the new row in price_row().
  int round(int rows) {
    put(ProofStep::round);
    word(rows);
    return Proof::kFirstCut - cuts_++;
  }
  void round_row(int factor, int part, int side, double times) {
    for (int w : {factor, part, side}) word(w);
    number(times);
  }
  void round_states(std::span<const std::int32_t> states) {
    word(static_cast<std::int32_t>(states.size()));
    proof_.words.insert(proof_.words.end(), states.begin(), states.end());
  }
  // A node of its own for a factor over the nodes whose states these are. The choices are numbered
  // on from `state`, the last node's states running first; the row that ties the i-th of all listed
  // states to its choices stands for itself in price_row() as `row` - i.
  struct Joint {
    std::int32_t state, row;
  };
  Joint joint(int factor, std::span<const std::span<const std::int32_t>> nodes) {
    put(ProofStep::joint);
    word(factor);
    word(static_cast<std::int32_t>(nodes.size()));
    const Joint made{states_, Proof::kFirstCut - cuts_};
    std::int32_t choices = 1;
    for (std::span<const std::int32_t> states : nodes) {
      word(static_cast<std::int32_t>(states.size()));
      proof_.words.insert(proof_.words.end(), states.begin(), states.end());
      choices *= static_cast<std::int32_t>(states.size());
      cuts_ += static_cast<std::int32_t>(states.size());
    }
    states_ += choices;
    return made;
  }
  // Add `count` times three words with line_interval(). Returns what begin_price() takes.
  int line(int count) {
    put(ProofStep::line);
    word(count);
    return Proof::kFirstCut - lines_++;
  }
  void line_interval(int state, int begin, int end) {
    word(state);
    word(begin);
    word(end);
  }

  // Prices: first begin_price, then rows, nodes, shares, pairs in this order. Returns the price's
  // number. disjoint: the factor (or line) whose intervals are scheduled. like: an earlier price whose
  // pairs hold where none are given.
  int begin_price(int disjoint = Proof::kNone, int like = Proof::kNone) {
    put(ProofStep::price);
    word(disjoint);
    counts_at_ = proof_.words.size();
    for (int i = 0; i < 4; ++i) word(0);
    word(like);
    return prices_++;
  }
  // mu > 0 prices the row's upper side, mu < 0 the lower one.
  void price_row(int factor, int part, double mu) {
    ++proof_.words[counts_at_];
    word(factor);
    word(part);
    number(mu);
  }
  // What the node of this state keeps, counted from its best open state: <= 0.
  void price_node(int state, double below) {
    ++proof_.words[counts_at_ + 1];
    word(state);
    number(below);
  }
  void price_shares(int factor, std::span<const double> shares) {
    ++proof_.words[counts_at_ + 2];
    word(factor);
    word(static_cast<std::int32_t>(shares.size()));
    proof_.numbers.insert(proof_.numbers.end(), shares.begin(), shares.end());
  }
  // Then as many number() as the two nodes of `pairs` have states; or a is a region, b a node or a
  // region within it, and as many as a has choices there.
  void price_pair(int a, int b) {
    ++proof_.words[counts_at_ + 3];
    word(a);
    word(b);
  }
  void number(double x) { proof_.numbers.push_back(x); }

  void suppose(std::span<const std::int32_t> states) { list(ProofStep::suppose, states); }
  void suppose(std::int32_t state) { suppose(std::span<const std::int32_t>(&state, 1)); }
  void part(std::span<const std::int32_t> states) { list(ProofStep::part, states); }
  // Then for each node pairs_node() and its states by word().
  void pairs(int nodes) {
    put(ProofStep::pairs);
    word(nodes);
    regions_ = nodes;
  }
  // A table over some of them, listed likewise. Returns what stands for it in price_pair().
  int region(int nodes) {
    put(ProofStep::region);
    word(nodes);
    return regions_++;
  }
  // Then for each column its length and its states by word().
  void alike(int columns) {
    put(ProofStep::alike);
    word(columns);
  }
  // What is open is worth multiples of this, one above the other: bounds go down to one of them.
  void grid(double step) {
    put(ProofStep::grid);
    number(step);
  }
  void eliminate(int node) {
    put(ProofStep::eliminate);
    word(node);
  }
  void word(std::int32_t w) { proof_.words.push_back(w); }

  // ---- ends of a log
  void bound(int price = Proof::kNone) { end(ProofStep::bound, price); }
  void empty(int state = Proof::kNone) { end(ProofStep::empty, state); }
  void end_parts() {  // a bound, too; its parts are the leaves
    put(ProofStep::bound);
    word(Proof::kNone);
  }

 private:
  enum Last : std::uint8_t { kNothing, kClose, kDominated, kStrike };

  void put(ProofStep step) {
    word(static_cast<std::int32_t>(step));
    last_ = kNothing;
  }
  void list(ProofStep step, std::span<const std::int32_t> states) {
    put(step);
    word(static_cast<std::int32_t>(states.size()));
    proof_.words.insert(proof_.words.end(), states.begin(), states.end());
  }
  void begin_list(Last kind) {
    last_ = kind;
    count_at_ = proof_.words.size();
    word(0);
  }
  void extend(int state) {
    ++proof_.words[count_at_];
    word(state);
  }
  void end(ProofStep step, int operand) {
    put(step);
    word(operand);
    ++proof_.leaves;
  }

  Proof& proof_;
  std::int32_t prices_ = 0, cuts_ = 0, lines_ = 0, states_ = 0, regions_ = 0, operand_ = 0;
  std::size_t count_at_ = 0, counts_at_ = 0;
  Last last_ = kNothing;
};

}  // namespace entente
