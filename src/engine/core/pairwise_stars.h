// Passes of messages where some nodes are tables (joint_nodes.h): such a node, with those that its
// states say which to take, shares everything out at once, by looking at one entry a state and
// neighbour instead of at whole tables. Above pairwise_messages.h, below pairwise_answers.h; used by
// nothing else.
#pragma once

#include "engine/core/pairwise_messages.h"

namespace entente {

class PairwiseStars : protected PairwiseMessages {
 protected:
  using PairwiseMessages::PairwiseMessages;

  double pass(bool forward) {
    ++passes_;
    const int count = static_cast<int>(has_tables() ? ws_.visits.size() : ws_.edges.size());
    for (int i = 0; i < count; ++i) {
      const int at = forward ? i : count - 1 - i;
      const int what = has_tables() ? ws_.visits[at] : at;
      if (what >= 0) {
        handshake(ws_.edges[what]);
      } else {
        share_out(ws_.stars[~what]);
      }
    }
    double total = 0, top = 0;
    for (int n = 0; n < nodes(); ++n) {
      best_open(n, top);
      total += top;
    }
    return total;
  }

  // Before passes, and whenever states have been dropped.
  void find_stars() {
    if (!has_tables()) return;
    ws_.stars.clear();
    ws_.star_links.clear();
    ws_.star_state.clear();
    ws_.star_of_edge.assign(ws_.edges.size(), -1);
    for (int n = 0; n < nodes(); ++n) {
      if (ws_.joint[n]) add_star(n);
    }
    ws_.visits.clear();
    ws_.star_seen.assign(ws_.stars.size(), 0);
    for (int e = 0; e < static_cast<int>(ws_.edges.size()); ++e) {
      const int star = ws_.star_of_edge[e];
      if (star < 0) ws_.visits.push_back(e);
      if (star < 0 || ws_.star_seen[star]) continue;
      ws_.star_seen[star] = 1;
      ws_.visits.push_back(~star);
    }
  }

 private:
  using Star = PairwiseScratch::Star;
  using Link = PairwiseScratch::StarLink;

  // Those neighbours of which each of its states allows one state.
  void add_star(int n) {
    Star star{n, static_cast<std::int32_t>(ws_.star_links.size()), 0};
    for (int k = ws_.arc_begin[n]; k < ws_.arc_begin[n + 1]; ++k) {
      const int edge = ws_.arcs[k] >> 1;
      const auto& e = ws_.edges[edge];
      const bool first = (ws_.arcs[k] & 1) == 0;
      const int m = first ? e.b : e.a, stride = size(e.b);
      const auto begin = static_cast<std::int32_t>(ws_.star_state.size());
      bool one = true;
      for (int s = 0; one && s < size(n); ++s) {
        int partner = -1;
        for (int t = 0; t < size(m); ++t) {
          const int at = first ? s * stride + t : t * stride + s;
          if (ws_.table[e.offset + at] < impossible_) continue;
          one &= partner < 0;
          partner = t;
        }
        one &= partner >= 0;
        ws_.star_state.push_back(partner);
      }
      if (one) {
        ws_.star_links.push_back({edge, m, begin, first ? stride : 1, first ? 1 : stride});
        ws_.star_of_edge[edge] = static_cast<std::int32_t>(ws_.stars.size());
      } else {
        ws_.star_state.resize(begin);
      }
    }
    star.end = static_cast<std::int32_t>(ws_.star_links.size());
    if (star.end > star.begin) ws_.stars.push_back(star);
  }

  double& entry_of(const Link& l, int s, int t) {
    return ws_.table[ws_.edges[l.edge].offset + s * l.own_step + t * l.other_step];
  }

  // Everything is gathered in the states of the table's node; each neighbour gets an equal part of
  // the best with each of its states, then what is left of it, so that all peak at 0.
  void share_out(const Star& star) {
    const int n = star.node, begin = ws_.begin[n], count = size(n);
    const double part = 1.0 / (star.end - star.begin);
    std::vector<double>& rest = ws_.star_rest;
    rest.assign(ws_.unary.begin() + begin, ws_.unary.begin() + begin + count);
    for (int i = star.begin; i < star.end; ++i) {
      const Link& l = ws_.star_links[i];
      const std::int32_t* partner = ws_.star_state.data() + l.states;
      for (int s = 0; s < count; ++s) {
        if (ws_.penalty[begin + s] != 0) continue;
        const int t = ws_.begin[l.node] + partner[s];
        if (ws_.penalty[t] != 0) {
          close_by_rule(begin + s);
          continue;
        }
        double& entry = entry_of(l, s, partner[s]);
        rest[s] += entry + ws_.unary[t];
        if (record_) side_of(l, n)[original_of(n, s)] -= entry;
        entry = 0;
      }
    }
    ws_.star_peak.clear();
    for (int i = star.begin; i < star.end; ++i) find_peaks(star, ws_.star_links[i], rest);
    ws_.star_gave.resize(ws_.star_peak.size());
    std::size_t at = 0;
    for (int i = star.begin; i < star.end; ++i) {
      const Link& l = ws_.star_links[i];
      for (int t = ws_.begin[l.node]; t < ws_.begin[l.node + 1]; ++t, ++at) {
        double& peak = ws_.star_peak[at];
        peak *= part;
        ws_.star_gave[at] = ws_.unary[t] - peak;
        if (ws_.penalty[t] == 0) ws_.unary[t] = peak;
      }
      take(star, l, ws_.star_peak.data() + at - size(l.node), rest);
    }
    at = 0;
    for (int i = star.begin; i < star.end; ++i) {
      const Link& l = ws_.star_links[i];
      ws_.star_peak.clear();
      find_peaks(star, l, rest);
      for (int t = 0; t < size(l.node); ++t) {
        if (ws_.penalty[ws_.begin[l.node] + t] != 0) continue;
        ws_.unary[ws_.begin[l.node] + t] += ws_.star_peak[t];
        ws_.star_gave[at + t] -= ws_.star_peak[t];
      }
      take(star, l, ws_.star_peak.data(), rest);
      if (record_) record_gifts(star, l, ws_.star_gave.data() + at);
      at += size(l.node);
    }
    for (int s = 0; s < count; ++s) {
      if (ws_.penalty[begin + s] == 0) ws_.unary[begin + s] = rest[s];
    }
  }

  // The best that is left with each of the neighbour's states, which are closed where there is none.
  void find_peaks(const Star& star, const Link& l, const std::vector<double>& rest) {
    const std::size_t first = ws_.star_peak.size();
    ws_.star_peak.resize(first + size(l.node), 4 * forbidden_);
    const int begin = ws_.begin[star.node];
    for (int s = 0; s < size(star.node); ++s) {
      if (ws_.penalty[begin + s] != 0) continue;
      double& peak = ws_.star_peak[first + ws_.star_state[l.states + s]];
      peak = std::max(peak, rest[s]);
    }
    for (int t = 0; t < size(l.node); ++t) {
      if (ws_.star_peak[first + t] > 2 * forbidden_) continue;
      close_by_rule(ws_.begin[l.node] + t);
      ws_.star_peak[first + t] = 0;
    }
  }
  // What the neighbour's states were given is no longer the node's.
  void take(const Star& star, const Link& l, const double* given, std::vector<double>& rest) {
    for (int s = 0; s < size(star.node); ++s) rest[s] -= given[ws_.star_state[l.states + s]];
  }
  // What neighbours' states gave to the table between, from which it went to the states that allow them.
  void record_gifts(const Star& star, const Link& l, const double* gave) {
    const int n = star.node, m = l.node;
    for (int t = 0; t < size(m); ++t) {
      if (ws_.penalty[ws_.begin[m] + t] == 0) side_of(l, m)[original_of(m, t)] += gave[t];
    }
    for (int s = 0; s < size(n); ++s) {
      if (ws_.penalty[ws_.begin[n] + s] == 0)
        side_of(l, n)[original_of(n, s)] -= gave[ws_.star_state[l.states + s]];
    }
  }
  // For proofs: what states of node n gave to the table of a link.
  double* side_of(const Link& l, int n) {
    const auto& e = ws_.edges[l.edge];
    return message_of(e) + (e.a == n ? 0 : listed_size(e.a));
  }
};

}  // namespace entente
