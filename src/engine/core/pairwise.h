// A core whose rules all join two nodes, as one table a pair of nodes, and its exact reduction: a
// node that meets at most two others is maximised out, leaving a table between those two.
//
//   Pairwise p;
//   if (make_pairwise(core, p)) { eliminate(p); ...search what is open...; complete(p, chosen); }
//
// Forbidden pairs have score -infinity. Cost: the product of the three domain sizes for each node
// maximised out. This is how relations between entities vanish into tables between the entities.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/core.h"

namespace entente {

struct Pairwise {
  struct Edge {
    std::int32_t node[2];
    std::int32_t offset;   // table[offset + state(node[0]) * size(node[1]) + state(node[1])]
    std::int32_t next[2];  // next half-edge in each node's list, -1 at the end
    bool alive;
  };
  std::vector<std::int32_t> begin;  // nodes + 1: first state
  std::vector<double> score;        // of each state; -infinity: closed
  std::vector<Edge> edges;
  std::vector<double> table;
  std::vector<std::int32_t> head;  // first half-edge (2 * edge + side) of each node
  std::vector<std::int32_t> degree;
  std::vector<std::uint8_t> open;              // 0: maximised out
  std::vector<std::uint8_t> joint;             // a table that became a node (joint_nodes.h)
  std::vector<std::int32_t> eliminated;        // in order
  std::vector<std::int32_t> eliminated_edges;  // two a node, -1 for none
  std::vector<std::int32_t> queue;
  double constant = 0;

  int nodes() const { return static_cast<int>(begin.size()) - 1; }
  int size(int n) const { return begin[n + 1] - begin[n]; }
  void clear();
};

// False if a rule joins three nodes or more in a way that is no choice of at most one.
bool make_pairwise(const Core& core, Pairwise& out);

// Maximises out every node with at most two neighbours, again and again. False if infeasible.
bool eliminate(Pairwise& p, Recorder* record = nullptr);

// chosen[n] (local state) of the open nodes is given; fills that of the eliminated ones.
void complete(const Pairwise& p, std::span<std::int32_t> chosen);

}  // namespace entente
