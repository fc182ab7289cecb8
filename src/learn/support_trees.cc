#include "learn/support_trees.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "learn/tree_kernel.h"

namespace entente {

int SupportTrees::add_tree(const LabelledTree& tree) {
  shared_.add(tree);
  trees_.push_back(tree);
  return static_cast<int>(trees_.size()) - 1;
}

void SupportTrees::add_vector(int tree, int predicate, int argument, double alpha) {
  ENTENTE_CHECK(predicate >= 0 && argument >= 0);
  check_marks(trees_[tree], {predicate, argument});
  added_.push_back({tree, predicate, argument, alpha});
}

void SupportTrees::finish() {
  shared_.finish();
  std::map<std::pair<int, int>, int> places;
  for (std::size_t i = 0; i < added_.size(); ++i) {
    const Added& a = added_[i];
    const auto [at, fresh] = places.try_emplace({a.tree, a.predicate}, groups());
    if (fresh)
      groups_.push_back({.tree = a.tree, .predicate = a.predicate, .vectors = {}, .needed = {}});
    Group& group = groups_[at->second];
    group.vectors.push_back({a.argument, a.alpha, static_cast<int>(i)});
    group.sum += a.alpha;
  }
  for (Group& group : groups_) {
    for (const Vector& v : group.vectors) {
      for (int b = v.node; b >= 0; b = trees_[group.tree].parent(b)) group.needed.push_back(b);
    }
    std::sort(group.needed.begin(), group.needed.end(), std::greater<>());
    group.needed.erase(std::unique(group.needed.begin(), group.needed.end()), group.needed.end());
  }
}

using Query = SupportTrees::Query;

void Query::set_tree(const LabelledTree& u) {
  u_ = &u;
  v_ = -1;
  const std::int64_t before = table_.cells();
  table_.set_tree(u, support_.shared(), support_.lambda());
  cells_ += table_.cells() - before;
}

void Query::set_predicate(int v) {
  v_ = v;
  const std::int64_t before = table_.cells();
  table_.set_predicate(v);
  cells_ += table_.cells() - before;
}

// The cell with marks on v and v', without those of arguments.
double Query::value(int a, int b) const {
  const int level = level_[b];
  if (level >= 0) {
    const std::size_t at = static_cast<std::size_t>(level) * u_->size() + a;
    if (path_stamp_[at] == stamp_) return path_value_[at];
  }
  return table_.at(a, ids_[b]);
}

bool Query::matches_any(std::span<const int> c1, std::span<const int> c2) const {
  for (int a : c1) {
    for (int b : c2) {
      if (u_->label(a) == t_->label(b)) return true;
    }
  }
  return false;
}

// S of the paper over the cells with marks.
double Query::below(std::span<const int> c1, std::span<const int> c2) {
  if (!matches_any(c1, c2)) return 1;
  ++cells_;
  row_.assign(c2.size() + 1, 1);
  for (int a : c1) {
    double diagonal = 1;
    for (std::size_t j = 1; j <= c2.size(); ++j) {
      const double up = row_[j];
      const int b = c2[j - 1];
      const double c = u_->label(a) == t_->label(b) ? value(a, b) : 0;
      row_[j] = up + row_[j - 1] - diagonal + diagonal * c;
      diagonal = up;
    }
  }
  return row_.back();
}

void Query::enter_group(int g, double predicate_weight) {
  group_ = &support_.group(g);
  t_ = &support_.tree(group_->tree);
  ids_ = support_.shared().ids(group_->tree);
  mark_ = predicate_weight;
  ++stamp_;
  level_.assign(t_->size(), -1);
  slot_.assign(t_->size(), -1);
  path_.clear();
  for (int b = group_->predicate; b >= 0; b = t_->parent(b)) {
    level_[b] = static_cast<int>(path_.size());
    path_.push_back(b);
  }
  for (std::size_t i = 0; i < group_->needed.size(); ++i) {
    slot_[group_->needed[i]] = static_cast<int>(i);
  }
  const std::size_t path_cells = path_.size() * u_->size();
  if (path_stamp_.size() < path_cells) {
    path_stamp_.resize(path_cells, 0);
    path_value_.resize(path_cells);
  }
  fill_path();
}

// Only pairs at the same distance above v' and above a node with its label can have changed.
void Query::fill_path() {
  const std::size_t n = u_->size();
  const std::span<const int> first = u_->with_label(t_->label(path_[0]));
  current_.assign(first.begin(), first.end());
  for (int a : current_) {
    const double inside =
        a == v_ ? support_.lambda() * mark_ * below(u_->children(a), t_->children(path_[0])) : 0;
    path_stamp_[a] = stamp_;
    path_value_[a] = inside;
  }
  for (std::size_t level = 1; level < path_.size() && !current_.empty(); ++level) {
    const int b = path_[level];
    next_.clear();
    for (int child : current_) {
      const int a = u_->parent(child);
      if (a < 0 || a == v_ || u_->label(a) != t_->label(b)) continue;
      const std::size_t at = level * n + a;
      if (path_stamp_[at] == stamp_) continue;
      // Stamped first: below() reads only the level underneath.
      path_stamp_[at] = stamp_;
      path_value_[at] = support_.lambda() * below(u_->children(a), t_->children(b));
      next_.push_back(a);
    }
    current_.swap(next_);
  }
}

// gradient_[slot of b * n + a]: what the kernel of the trees with (v, v') gains by a unit more in
// cell (a, b), for the nodes b above arguments, parents first.
void Query::fill_gradients() {
  const std::size_t n = u_->size();
  gradient_.resize(group_->needed.size() * n);
  for (std::size_t i = 0; i < group_->needed.size(); ++i) {
    for (int a : u_->with_label(t_->label(group_->needed[i]))) gradient_[i * n + a] = 1;
  }
  for (int parent : group_->needed) {
    if (!t_->is_leaf(parent)) add_parent_gradients(parent);
  }
}

void Query::add_parent_gradients(int parent) {
  const std::size_t n = u_->size();
  const std::span<const int> theirs = t_->children(parent);
  const std::size_t m = theirs.size();
  for (int a : u_->with_label(t_->label(parent))) {
    if ((a == v_) != (parent == group_->predicate)) continue;
    const std::span<const int> mine = u_->children(a);
    bool wanted = false;
    for (int b : theirs) {
      if (slot_[b] < 0) continue;
      for (int child : mine) wanted |= u_->label(child) == t_->label(b);
    }
    if (!wanted) continue;
    cells_ += 2;
    const std::size_t width = m + 1;
    prefix_.resize((mine.size() + 1) * width);
    suffix_.resize((mine.size() + 1) * width);
    child_values_.resize(mine.size() * m);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        child_values_[i * m + j] =
            u_->label(mine[i]) == t_->label(theirs[j]) ? value(mine[i], theirs[j]) : 0;
      }
    }
    std::fill_n(prefix_.begin(), width, 1.0);
    for (std::size_t i = 1; i <= mine.size(); ++i) {
      double* now = prefix_.data() + i * width;
      const double* up = now - width;
      now[0] = 1;
      for (std::size_t j = 1; j <= m; ++j) {
        now[j] = up[j] + now[j - 1] + up[j - 1] * (child_values_[(i - 1) * m + j - 1] - 1);
      }
    }
    std::fill_n(suffix_.begin() + static_cast<std::ptrdiff_t>(mine.size() * width), width, 1.0);
    for (std::size_t i = mine.size(); i-- > 0;) {
      double* now = suffix_.data() + i * width;
      const double* down = now + width;
      now[m] = 1;
      for (std::size_t j = m; j-- > 0;) {
        now[j] = down[j] + now[j + 1] + down[j + 1] * (child_values_[i * m + j] - 1);
      }
    }
    const double weight = support_.lambda() * (a == v_ ? mark_ : 1) *
                          gradient_[static_cast<std::size_t>(slot_[parent]) * n + a];
    for (std::size_t j = 0; j < m; ++j) {
      if (slot_[theirs[j]] < 0) continue;
      for (std::size_t i = 0; i < mine.size(); ++i) {
        if (u_->label(mine[i]) != t_->label(theirs[j])) continue;
        gradient_[static_cast<std::size_t>(slot_[theirs[j]]) * n + mine[i]] +=
            weight * prefix_[i * width + j] * suffix_[(i + 1) * width + j + 1];
      }
    }
  }
}

void Query::add_group(int g, MarkWeights weights, std::span<double> out) {
  enter_group(g, weights.predicate);
  fill_gradients();
  const std::size_t n = u_->size();
  // Subtrees with the argument's mark: those through the cell (k, j).
  for (const Vector& vector : group_->vectors) {
    const double* gradient = gradient_.data() + slot_[vector.node] * n;
    const double weight = vector.alpha * weights.argument;
    for (int k : u_->with_label(t_->label(vector.node))) {
      if (k != v_) out[k] += weight * gradient[k] * value(k, vector.node);
    }
  }
  // Subtrees with the predicate's mark alone: neither k nor j may be used.
  if (u_->label(v_) != t_->label(group_->predicate)) return;
  alpha_.assign(group_->needed.size(), 0);
  for (const Vector& vector : group_->vectors) alpha_[slot_[vector.node]] += vector.alpha;
  reached_.resize(group_->needed.size());
  weigh_predicate();
  for (std::size_t k = 0; k < n; ++k) {
    if (static_cast<int>(k) == v_) continue;
    out[k] += group_->sum * (total_.v - used_[k].v) - (total_.d - used_[k].d);
  }
}

void Query::pairs(int g, std::span<const int> nodes, std::span<KernelParts> out) {
  const std::size_t n = u_->size(), m = support_.group(g).vectors.size();
  for (const bool with_predicate : {false, true}) {
    enter_group(g, with_predicate ? 1 : 0);
    fill_gradients();
    for (std::size_t j = 0; j < m; ++j) {
      const int b = group_->vectors[j].node;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        KernelParts& parts = out[i * m + j];
        const bool same = u_->label(nodes[i]) == t_->label(b);
        const double marked = same ? gradient_[slot_[b] * n + nodes[i]] * value(nodes[i], b) : 0;
        if (!with_predicate) parts = {.predicate = 0, .argument = marked, .both = 0};
        if (with_predicate) parts.both = marked - parts.argument;
      }
    }
  }
  if (u_->label(v_) != t_->label(group_->predicate)) return;
  // Once for all vectors whose argument no subtree with (v, v') can use, then for each of the others.
  alpha_.assign(group_->needed.size(), 0);
  reached_.assign(group_->needed.size(), 0);
  weigh_predicate();
  const Dual total = total_;
  plain_used_.assign(used_.begin(), used_.end());
  touched_.assign(reached_.begin(), reached_.end());
  for (std::size_t j = 0; j < m; ++j) {
    const int slot = slot_[group_->vectors[j].node];
    if (!touched_[slot]) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        out[i * m + j].predicate = total.v - plain_used_[nodes[i]].v;
      }
      continue;
    }
    alpha_.assign(group_->needed.size(), 0);
    alpha_[slot] = 1;
    weigh_predicate();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const int k = nodes[i];
      out[i * m + j].predicate = total_.v - used_[k].v - total_.d + used_[k].d;
    }
  }
}

}  // namespace entente
