#include "engine/core/pairwise.h"

#include <algorithm>
#include <type_traits>

#include "engine/core/joint_nodes.h"

namespace entente {

void Pairwise::clear() {
  begin.clear();
  score.clear();
  edges.clear();
  table.clear();
  head.clear();
  degree.clear();
  open.clear();
  joint.clear();
  eliminated.clear();
  eliminated_edges.clear();
  queue.clear();
  constant = 0;
}

namespace {

// The edge between a and b, -1 if there is none. Dead ones it meets leave the list.
int find_edge(Pairwise& p, int a, int b) {
  const int from = p.degree[a] <= p.degree[b] ? a : b, to = from == a ? b : a;
  std::int32_t* link = &p.head[from];
  while (*link >= 0) {
    Pairwise::Edge& e = p.edges[*link >> 1];
    const int side = *link & 1;
    if (!e.alive) {
      *link = e.next[side];
      continue;
    }
    if (e.node[1 - side] == to) return *link >> 1;
    link = &e.next[side];
  }
  return -1;
}

// An edge whose table comes next.
int new_edge(Pairwise& p, int a, int b) {
  const int at = static_cast<int>(p.edges.size());
  p.edges.push_back(
      {{a, b}, static_cast<std::int32_t>(p.table.size()), {p.head[a], p.head[b]}, true});
  p.head[a] = 2 * at;
  p.head[b] = 2 * at + 1;
  ++p.degree[a];
  ++p.degree[b];
  return at;
}

// The edge between a and b, made of zeros if there is none.
int edge_between(Pairwise& p, int a, int b) {
  int at = find_edge(p, a, b);
  if (at >= 0) return at;
  at = new_edge(p, a, b);
  p.table.resize(p.table.size() + static_cast<std::size_t>(p.size(a)) * p.size(b), 0.0);
  return at;
}

double& entry(Pairwise& p, int edge, int a, int sa, int sb) {
  const Pairwise::Edge& e = p.edges[edge];
  return e.node[0] == a ? p.table[e.offset + sa * p.size(e.node[1]) + sb]
                        : p.table[e.offset + sb * p.size(e.node[1]) + sa];
}

void forbid(Pairwise& p, const Core& core, int s, int t) {
  const int a = core.node[s], b = core.node[t];
  if (a == b) return;
  entry(p, edge_between(p, a, b), a, s - core.begin[a], t - core.begin[b]) = -kInfinity;
}

// A row over nodes a and b, whose edge is given (b < 0: over one node): every pair of states is
// looked at.
void add_small_row(Pairwise& p, const Core& core, const Core::Row& row, int a, int b, int edge) {
  const int split = b < 0 ? row.end : [&] {
    int e = row.begin;
    while (core.node[core.row_state[e]] == a) ++e;
    return e;
  }();
  double* cell =
      nullptr;  // table entry of (first state of a, first of b), and the strides of the two
  int step_a = 0, step_b = 0;
  if (b >= 0) {
    const Pairwise::Edge& e = p.edges[edge];
    cell = p.table.data() + e.offset;
    step_a = e.node[0] == a ? p.size(b) : 1;
    step_b = e.node[0] == a ? 1 : p.size(a);
  }
  for (int s = core.begin[a], e = row.begin; s < core.begin[a + 1]; ++s) {
    const double c = e < split && core.row_state[e] == s ? core.row_coefficient[e++] : 0.0;
    if (b < 0) {
      if (c < row.lower || c > row.upper) p.score[s] = -kInfinity;
      continue;
    }
    double* at = cell + (s - core.begin[a]) * step_a;
    for (int t = core.begin[b], f = split; t < core.begin[b + 1]; ++t, at += step_b) {
      const double d = f < row.end && core.row_state[f] == t ? core.row_coefficient[f++] : 0.0;
      if (c + d < row.lower || c + d > row.upper) *at = -kInfinity;
    }
  }
}

// Does a row over nodes a and b forbid anything? A table of zeros would make neighbours of nodes that
// are none, to a proof's checker, too.
bool forbids(const Core& core, const Core::Row& row, int a) {
  double least[2] = {kInfinity, kInfinity}, most[2] = {-kInfinity, -kInfinity};
  int states[2] = {0, 0}, node[2] = {a, a};
  for (int e = row.begin; e < row.end; ++e) {
    const int n = core.node[core.row_state[e]], side = n == a ? 0 : 1;
    node[side] = n;
    ++states[side];
    least[side] = std::min(least[side], core.row_coefficient[e]);
    most[side] = std::max(most[side], core.row_coefficient[e]);
  }
  for (int side = 0; side < 2; ++side) {
    if (states[side] == core.size(node[side])) continue;
    least[side] = std::min(least[side], 0.0);  // of the states that it does not name
    most[side] = std::max(most[side], 0.0);
  }
  return least[0] + least[1] < row.lower || most[0] + most[1] > row.upper;
}

// `last` remembers the edge of the row before: rules about two nodes come one after the other.
bool add_row(Pairwise& p, const Core& core, const Core::Row& row, int& last) {
  const int a = core.node[core.row_state[row.begin]];
  int b = -1;
  bool packing = row.lower <= 0 && row.upper >= 1 && row.upper < 2, many = false;
  for (int e = row.begin; e < row.end; ++e) {
    const int n = core.node[core.row_state[e]];
    if (n != a && b < 0) b = n;
    many |= n != a && n != b;
    packing &= core.row_coefficient[e] == 1.0;
  }
  if (!many) {
    if (b >= 0 && !forbids(core, row, a)) return true;
    const bool same =
        last >= 0 && b >= 0 && p.edges[last].node[0] == a && p.edges[last].node[1] == b;
    if (!same && b >= 0) last = edge_between(p, a, b);
    add_small_row(p, core, row, a, b, last);
    return true;
  }
  if (!packing || row.end - row.begin > 64) return false;
  for (int e = row.begin; e < row.end; ++e) {
    for (int f = row.begin; f < e; ++f) forbid(p, core, core.row_state[e], core.row_state[f]);
  }
  return true;
}

void add_edge(Pairwise& p, const Core& core, const Core::Edge& edge) {
  const int sa = p.size(edge.a), sb = p.size(edge.b);
  const auto table = core.table.begin() + edge.offset;
  const int at = find_edge(p, edge.a, edge.b);
  if (at < 0) {
    new_edge(p, edge.a, edge.b);
    p.table.insert(p.table.end(), table, table + sa * sb);
    return;
  }
  for (int i = 0; i < sa; ++i) {
    for (int j = 0; j < sb; ++j) entry(p, at, edge.a, i, j) += table[i * sb + j];
  }
}

void unlink(Pairwise& p, int edge) {
  p.edges[edge].alive = false;
  for (int n : p.edges[edge].node) {
    if (--p.degree[n] == 2) p.queue.push_back(n);
  }
}

// Of each pair of states of two nodes, what the best of d states is worth beside it, whose rows of
// the two tables are given. Row by row, so that entries are added several at a time, in numbers that
// the compiler knows where they are common.
constexpr int kFewPairs = 64;
template <typename Height, typename Width>
void best_pairs_of(const double* own, const double* ta, const double* tb, int d, Height height,
                   Width width, double* __restrict best) {
  for (int i = 0; i < height * width; ++i) best[i] = -kInfinity;
  for (int s = 0; s < d; ++s, ta += height, tb += width) {
    for (int i = 0; i < height; ++i) {
      const double with = own[s] + ta[i];
      for (int j = 0; j < width; ++j)
        best[i * width + j] = std::max(best[i * width + j], with + tb[j]);
    }
  }
}
void best_pairs(const double* own, const double* ta, const double* tb, int d, int sa, int sb,
                double* best) {
  constexpr std::integral_constant<int, 4> kUsual;
  if (sa == 4 && sb == 4) return best_pairs_of(own, ta, tb, d, kUsual, kUsual, best);
  best_pairs_of(own, ta, tb, d, sa, sb, best);
}

// Best value of node n given what its (at most two) edges leave open, over all its states.
void fold(Pairwise& p, int n, int edge_a, int edge_b) {
  const int d = p.size(n);
  const double* own = p.score.data() + p.begin[n];
  if (edge_a < 0) {
    p.constant += *std::max_element(own, own + d);
    return;
  }
  auto other = [&](int edge) { return p.edges[edge].node[p.edges[edge].node[0] == n ? 1 : 0]; };
  const int a = other(edge_a);
  if (edge_b < 0) {
    for (int i = 0; i < p.size(a); ++i) {
      double best = -kInfinity;
      for (int s = 0; s < d; ++s) best = std::max(best, own[s] + entry(p, edge_a, n, s, i));
      p.score[p.begin[a] + i] += best;
    }
    return;
  }
  const int b = other(edge_b);
  const int target = edge_between(p, a, b);
  own = p.score.data() + p.begin[n];
  const int sa = p.size(a), sb = p.size(b);
  // Strides, so that the inner loop is plain arithmetic on three tables.
  const Pairwise::Edge &ea = p.edges[edge_a], &eb = p.edges[edge_b], &et = p.edges[target];
  const double* ta = p.table.data() + ea.offset;
  const double* tb = p.table.data() + eb.offset;
  double* out = p.table.data() + et.offset;
  const int a_own = ea.node[0] == n ? sa : 1, a_other = ea.node[0] == n ? 1 : d;
  const int b_own = eb.node[0] == n ? sb : 1, b_other = eb.node[0] == n ? 1 : d;
  const int out_a = et.node[0] == a ? sb : 1, out_b = et.node[0] == a ? 1 : sa;
  if (a_other == 1 && b_other == 1 && sa * sb <= kFewPairs) {
    double best[kFewPairs];
    best_pairs(own, ta, tb, d, sa, sb, best);
    for (int i = 0; i < sa; ++i) {
      for (int j = 0; j < sb; ++j) out[i * out_a + j * out_b] += best[i * sb + j];
    }
    return;
  }
  for (int i = 0; i < sa; ++i) {
    for (int j = 0; j < sb; ++j) {
      double best = -kInfinity;
      for (int s = 0; s < d; ++s) {
        best = std::max(best, own[s] + ta[s * a_own + i * a_other] + tb[s * b_own + j * b_other]);
      }
      out[i * out_a + j * out_b] += best;
    }
  }
}

// A table too large to write out, or one between tables that were apart before.
bool costs_more_than_it_saves(const Pairwise& p, int n, int edge_a, int edge_b) {
  const auto other = [&](int e) { return p.edges[e].node[p.edges[e].node[0] == n ? 1 : 0]; };
  const int a = other(edge_a), b = other(edge_b);
  const auto sn = static_cast<std::int64_t>(p.size(n)), sa = static_cast<std::int64_t>(p.size(a)),
             sb = static_cast<std::int64_t>(p.size(b));
  if (sn * sa * sb > 100000) return true;
  return !p.joint[n] && (p.joint[a] || p.joint[b]) && sa * sb > sn * (sa + sb);
}

}  // namespace

bool make_pairwise(const Core& core, Pairwise& p) {
  p.clear();
  const int nodes = core.nodes();
  p.begin.assign(core.begin.begin(), core.begin.end());
  p.score.assign(core.score.begin(), core.score.end());
  p.head.assign(nodes, -1);
  p.degree.assign(nodes, 0);
  p.open.assign(nodes, 1);
  p.joint.resize(nodes);
  for (int n = 0; n < nodes; ++n) p.joint[n] = is_joint(core, n);
  int last = -1;
  for (const Core::Row& row : core.rows) {
    if (!add_row(p, core, row, last)) return false;
  }
  for (std::size_t d = 0; d + 1 < core.disjoint_begin.size(); ++d) {
    for (int i = core.disjoint_begin[d]; i < core.disjoint_begin[d + 1]; ++i) {
      for (int j = core.disjoint_begin[d]; j < i; ++j) {
        if (core.spans[i].interval.overlaps(core.spans[j].interval)) {
          forbid(p, core, core.spans[i].state, core.spans[j].state);
        }
      }
    }
  }
  for (const Core::Edge& edge : core.edges) add_edge(p, core, edge);
  return true;
}

bool eliminate(Pairwise& p, Recorder* record) {
  for (int n = 0; n < p.nodes(); ++n) {
    if (p.degree[n] <= 2) p.queue.push_back(n);
  }
  while (!p.queue.empty()) {
    const int n = p.queue.back();
    p.queue.pop_back();
    if (!p.open[n]) continue;
    int edge[2] = {-1, -1}, found = 0;
    for (int h = p.head[n]; h >= 0; h = p.edges[h >> 1].next[h & 1]) {
      if (!p.edges[h >> 1].alive) continue;
      if (found == 2) break;
      edge[found++] = h >> 1;
    }
    if (found == 2 && costs_more_than_it_saves(p, n, edge[0], edge[1])) continue;
    fold(p, n, edge[0], edge[1]);
    if (record) record->eliminate(n);
    p.open[n] = 0;
    p.eliminated.push_back(n);
    p.eliminated_edges.push_back(edge[0]);
    p.eliminated_edges.push_back(edge[1]);
    for (int i = 0; i < found; ++i) unlink(p, edge[i]);
    for (int i = 0; i < found; ++i) {
      for (int m : p.edges[edge[i]].node) {
        if (m != n && p.open[m] && p.degree[m] <= 2) p.queue.push_back(m);
      }
    }
    if (p.constant == -kInfinity) {
      if (record) record->bound();
      return false;
    }
  }
  return true;
}

void complete(const Pairwise& p, std::span<std::int32_t> chosen) {
  for (int i = static_cast<int>(p.eliminated.size()) - 1; i >= 0; --i) {
    const int n = p.eliminated[i];
    int best = 0;
    double best_score = -kInfinity;
    for (int s = 0; s < p.size(n); ++s) {
      double total = p.score[p.begin[n] + s];
      for (int side = 0; side < 2; ++side) {
        const int edge = p.eliminated_edges[2 * i + side];
        if (edge < 0) continue;
        const Pairwise::Edge& e = p.edges[edge];
        total += e.node[0] == n ? p.table[e.offset + s * p.size(e.node[1]) + chosen[e.node[1]]]
                                : p.table[e.offset + chosen[e.node[0]] * p.size(n) + s];
      }
      if (total > best_score) {
        best_score = total;
        best = s;
      }
    }
    chosen[n] = best;
  }
}

}  // namespace entente
