// Subtrees that have the predicate's mark, weighed forwards and backwards with dual numbers: the
// second half of SupportTrees::Query.
//
// All of them contain (v, v'), so their roots are pairs at the same distance above v and v' with
// equal labels all the way: a chain. Beside the chain there are no marks, so plain cells serve.
#include <algorithm>

#include "learn/support_trees.h"

namespace entente {

using Query = SupportTrees::Query;

// A cell beside the chain and its derivative by eps, where argument nodes j weigh 1 + eps alpha_j.
Query::Dual Query::plain(int a, int b) {
  Dual out{table_.at(a, ids_[b]), 0};
  if (slot_[b] < 0) return out;
  const std::size_t at = static_cast<std::size_t>(slot_[b]) * u_->size() + a;
  if (dual_stamp_[at] == stamp_) return {out.v, dual_[at]};
  out.d = alpha_[slot_[b]] * out.v;
  const std::span<const int> mine = u_->children(a), theirs = t_->children(b);
  std::size_t place;
  if (block(a, b, 0, static_cast<int>(mine.size()), 0, static_cast<int>(theirs.size()), true,
            place)) {
    const std::size_t width = theirs.size() + 1;
    out.d += support_.lambda() * stack_[place + mine.size() * width + theirs.size()].d;
    top_ = place;
  }
  dual_stamp_[at] = stamp_;
  dual_[at] = out.d;
  return out;
}

// Prefix sums of the block's cells at stack_[at], then suffix sums; the caller sets top_ = at when
// it is done with them. Pairs with a cell of 0 in them change nothing, so most blocks are empty.
bool Query::block(int a, int b, int i0, int i1, int j0, int j1, bool dual, std::size_t& at) {
  const std::span<const int> mine = u_->children(a).subspan(i0, i1 - i0);
  const std::span<const int> theirs = t_->children(b).subspan(j0, j1 - j0);
  if (!matches_any(mine, theirs)) return false;
  ++cells_;
  const std::size_t rows = mine.size() + 1, width = theirs.size() + 1;
  at = top_;
  top_ += 3 * rows * width;
  if (stack_.size() < top_) stack_.resize(2 * top_);
  // The cells first: finding their derivatives may use the stack above.
  for (std::size_t i = 0; i + 1 < rows; ++i) {
    for (std::size_t j = 0; j + 1 < width; ++j) {
      Dual c;
      if (u_->label(mine[i]) == t_->label(theirs[j])) {
        c = dual ? plain(mine[i], theirs[j]) : Dual{table_.at(mine[i], ids_[theirs[j]]), 0};
      }
      stack_[at + 2 * rows * width + i * width + j] = c;
    }
  }
  Dual* prefix = stack_.data() + at;
  Dual* suffix = prefix + rows * width;
  const Dual* cells = suffix + rows * width;
  const auto next = [](Dual x, Dual y, Dual diagonal, Dual c) {
    return Dual{x.v + y.v + diagonal.v * (c.v - 1),
                x.d + y.d + diagonal.d * (c.v - 1) + diagonal.v * c.d};
  };
  for (std::size_t j = 0; j < width; ++j) {
    prefix[j] = {1, 0};
    suffix[(rows - 1) * width + j] = {1, 0};
  }
  for (std::size_t i = 1; i < rows; ++i) {
    Dual* now = prefix + i * width;
    const Dual* before = prefix + (i - 1) * width;
    now[0] = {1, 0};
    for (std::size_t j = 1; j < width; ++j) {
      now[j] = next(before[j], now[j - 1], before[j - 1], cells[(i - 1) * width + j - 1]);
    }
  }
  for (std::size_t i = rows - 1; i-- > 0;) {
    Dual* now = suffix + i * width;
    now[width - 1] = {1, 0};
    for (std::size_t j = width - 1; j-- > 0;) {
      now[j] = next(now[j + width], now[j + 1], now[j + width + 1], cells[i * width + j]);
    }
  }
  return true;
}

// `above`: what a unit more in S of the block is worth. Hands it on to the cells of the block.
void Query::walk_block(int a, int b, int i0, int i1, int j0, int j1, Dual above) {
  std::size_t at;
  if (!block(a, b, i0, i1, j0, j1, slot_[b] >= 0, at)) return;
  const std::size_t rows = i1 - i0 + 1, width = j1 - j0 + 1;
  for (int i = i0; i < i1; ++i) {
    const int child = u_->children(a)[i];
    for (int j = j0; j < j1; ++j) {
      const int other = t_->children(b)[j];
      if (u_->label(child) != t_->label(other)) continue;
      const Dual p = stack_[at + (i - i0) * width + (j - j0)];
      const Dual s = stack_[at + rows * width + (i - i0 + 1) * width + (j - j0 + 1)];
      const double d = p.v * s.v;
      walk(child, other, {above.v * d, above.d * d + above.v * (p.d * s.v + p.v * s.d)});
    }
  }
  top_ = at;
}

// `above`: what a unit more in cell (a, b) is worth.
void Query::walk(int a, int b, Dual above) {
  const Dual c = plain(a, b);
  if (slot_[b] >= 0) reached_[slot_[b]] = 1;
  used_[a].v += above.v * c.v;
  used_[a].d += above.d * c.v + above.v * c.d;
  if (u_->is_leaf(a) || t_->is_leaf(b)) return;
  const double lambda = support_.lambda(), alpha = slot_[b] >= 0 ? alpha_[slot_[b]] : 0;
  walk_block(a, b, 0, static_cast<int>(u_->children(a).size()), 0,
             static_cast<int>(t_->children(b).size()),
             {lambda * above.v, lambda * (above.d + alpha * above.v)});
}

void Query::weigh_predicate() {
  ++stamp_;  // of derivatives; the path's values are not read any more
  const std::size_t cells = group_->needed.size() * u_->size();
  if (dual_stamp_.size() < cells) {
    dual_stamp_.resize(cells, 0);
    dual_.resize(cells);
  }
  used_.assign(u_->size(), {});
  total_ = {};
  top_ = 0;
  walk_chain();
}

void Query::walk_chain() {
  const double lambda = support_.lambda();
  const auto product = [](Dual x, Dual y) { return Dual{x.v * y.v, x.d * y.v + x.v * y.d}; };
  const auto sum_of = [&](int a, int b, int i0, int i1, int j0, int j1) {
    std::size_t at;
    if (!block(a, b, i0, i1, j0, j1, slot_[b] >= 0, at)) return Dual{1, 0};
    top_ = at;
    return stack_[at + static_cast<std::size_t>(i1 - i0) * (j1 - j0 + 1) + (j1 - j0)];
  };
  const auto counts = [&](int a, int b) {
    return std::pair{static_cast<int>(u_->children(a).size()),
                     static_cast<int>(t_->children(b).size())};
  };
  chain_.clear();
  chain_nodes_.clear();
  chain_left_.assign(1, {});
  chain_right_.assign(1, {});
  int a = v_, b = group_->predicate;
  const auto [n0, m0] = counts(a, b);
  const Dual inside = sum_of(a, b, 0, n0, 0, m0);
  chain_.push_back({lambda * mark_ * inside.v, lambda * mark_ * inside.d});
  chain_nodes_.push_back({a, b});
  while (u_->parent(a) >= 0 && t_->parent(b) >= 0 &&
         u_->label(u_->parent(a)) == t_->label(t_->parent(b))) {
    const int i = u_->position(a), j = t_->position(b);
    a = u_->parent(a);
    b = t_->parent(b);
    const auto [n, m] = counts(a, b);
    chain_left_.push_back(sum_of(a, b, 0, i, 0, j));
    chain_right_.push_back(sum_of(a, b, i + 1, n, j + 1, m));
    const Dual weight{lambda, slot_[b] >= 0 ? lambda * alpha_[slot_[b]] : 0};
    chain_.push_back(
        product(product(weight, chain_.back()), product(chain_left_.back(), chain_right_.back())));
    chain_nodes_.push_back({a, b});
  }
  Dual worth{1, 0};  // of a unit more in the chain's cell at hand
  for (std::size_t i = chain_.size(); i-- > 0;) {
    const auto [x, y] = chain_nodes_[i];
    if (slot_[y] >= 0) reached_[slot_[y]] = 1;
    const Dual all = product(worth, chain_[i]);
    total_.v += chain_[i].v;
    total_.d += chain_[i].d;
    used_[x].v += all.v;
    used_[x].d += all.d;
    const auto [n, m] = counts(x, y);
    if (i == 0) {
      walk_block(x, y, 0, n, 0, m, {worth.v * lambda * mark_, worth.d * lambda * mark_});
      break;
    }
    const Dual weight{lambda, slot_[y] >= 0 ? lambda * alpha_[slot_[y]] : 0};
    const Dual here = product(worth, weight), below = product(here, chain_[i - 1]);
    const int p = u_->position(chain_nodes_[i - 1].first);
    const int q = t_->position(chain_nodes_[i - 1].second);
    walk_block(x, y, 0, p, 0, q, product(below, chain_right_[i]));
    walk_block(x, y, p + 1, n, q + 1, m, product(below, chain_left_[i]));
    const Dual sides = product(chain_left_[i], chain_right_[i]);
    worth = product(here, sides);
    worth.v += 1;
  }
}

}  // namespace entente
