#include "learn/tree_kernel.h"

#include <algorithm>

#include "entente/error.h"

namespace entente {

void KernelTables::prepare(const LabelledTree& t1, const LabelledTree& t2) {
  width = t2.size();
  const std::size_t size = static_cast<std::size_t>(t1.size()) * width;
  c.assign(size, 0);
  cr.assign(size, 0);
}

void check_marks(const LabelledTree& tree, Marks marks) {
  if (marks.predicate >= tree.size() || marks.argument >= tree.size()) {
    throw Error("a mark is on a node that is not there");
  }
  if (marks.predicate >= 0 && marks.predicate == marks.argument) {
    throw Error("predicate and argument are the same node");
  }
}

namespace {

int mark_of(Marks marks, int node) {
  return node == marks.predicate ? 1 : node == marks.argument ? 2 : 0;
}

// The trees below a pair of nodes that have children: S and Sr of the paper.
struct Below {
  double all, marked;
};

Below ordered_below(std::span<const int> c1, std::span<const int> c2, bool marked,
                    KernelTables& tables) {
  const std::size_t m = c2.size();
  const double start = marked ? 1 : 0;
  tables.s.assign(m + 1, 1);
  tables.sr.assign(m + 1, start);
  for (int a : c1) {
    double diagonal = 1, diagonal_r = start;  // S(i - 1, j - 1)
    for (std::size_t j = 1; j <= m; ++j) {
      const double c = tables.at(a, c2[j - 1]), cr = tables.marked_at(a, c2[j - 1]);
      const double up = tables.s[j], up_r = tables.sr[j];
      tables.s[j] = up + tables.s[j - 1] - diagonal + diagonal * c;
      tables.sr[j] =
          up_r + tables.sr[j - 1] - diagonal_r + diagonal_r * c + diagonal * cr - diagonal_r * cr;
      diagonal = up;
      diagonal_r = up_r;
    }
  }
  return {tables.s[m], tables.sr[m]};
}

Below all_children_below(std::span<const int> c1, std::span<const int> c2, bool marked,
                         KernelTables& tables) {
  const double alone = marked ? 1 : 0;
  if (c1.size() != c2.size()) return {1, alone};
  double all = 1, unmarked = 1;
  for (std::size_t i = 0; i < c1.size(); ++i) {
    const double c = tables.at(c1[i], c2[i]);
    all *= c;
    unmarked *= c - tables.marked_at(c1[i], c2[i]);
  }
  return {1 + all, marked ? 1 + all : all - unmarked};
}

// (A) of Algorithm 3.1 for nodes of equal labels.
void fill_cell(const LabelledTree& t1, int n1, int mark1, const LabelledTree& t2, int n2, int mark2,
               const KernelSettings& settings, KernelTables& tables) {
  ++tables.cells;
  if (mark1 != mark2) {
    tables.at(n1, n2) = tables.marked_at(n1, n2) = 0;
    return;
  }
  const bool marked = mark1 != 0;
  const double weight = settings.lambda * (mark1 == 1   ? settings.predicate
                                           : mark1 == 2 ? settings.argument
                                                        : 1);
  Below below{1, marked ? 1.0 : 0.0};
  if (!t1.is_leaf(n1) && !t2.is_leaf(n2)) {
    below = settings.inclusion == Inclusion::kOrdered
                ? ordered_below(t1.children(n1), t2.children(n2), marked, tables)
                : all_children_below(t1.children(n1), t2.children(n2), marked, tables);
  }
  tables.at(n1, n2) = weight * below.all;
  tables.marked_at(n1, n2) = weight * below.marked;
}

}  // namespace

double tree_kernel_again(const LabelledTree& t1, Marks m1, const LabelledTree& t2, Marks m2,
                         const KernelSettings& settings, KernelTables& tables) {
  double sum = 0;
  for (int a = 0; a < t1.size(); ++a) {
    if (t1.label(a) < 0) continue;
    const int mark = mark_of(m1, a);
    for (int b : t2.with_label(t1.label(a))) {
      fill_cell(t1, a, mark, t2, b, mark_of(m2, b), settings, tables);
      sum += settings.only_marked ? tables.marked_at(a, b) : tables.at(a, b);
    }
  }
  return sum;
}

double tree_kernel(const LabelledTree& t1, Marks m1, const LabelledTree& t2, Marks m2,
                   const KernelSettings& settings, KernelTables& tables) {
  check_marks(t1, m1);
  check_marks(t2, m2);
  tables.prepare(t1, t2);
  return tree_kernel_again(t1, m1, t2, m2, settings, tables);
}

// The kernel with the predicate's mark alone, its cells kept.
double NodeUpdater::start(const LabelledTree& u, int v, const LabelledTree& t, Marks marks,
                          const KernelSettings& settings) {
  const std::size_t size = static_cast<std::size_t>(u.size()) * t.size();
  tables_.width = t.size();
  if (tables_.c.size() < size) {
    tables_.c.resize(size, 0);
    tables_.cr.resize(size, 0);
  }
  if (stamps_.size() < static_cast<std::size_t>(t.size())) stamps_.resize(t.size(), 0);
  matches_.resize(u.size());
  double sum = 0;
  for (int a = 0; a < u.size(); ++a) {
    matches_[a] = u.label(a) < 0 ? std::span<const int>() : t.with_label(u.label(a));
    for (int b : matches_[a]) {
      fill_cell(u, a, a == v ? 1 : 0, t, b, mark_of(marks, b), settings, tables_);
      sum += settings.only_marked ? tables_.marked_at(a, b) : tables_.at(a, b);
    }
  }
  return sum;
}

// FAST-UPDATE of Algorithm 4.1: what the kernel grows by when the argument's mark is put on a node.
double NodeUpdater::update(const LabelledTree& u, Marks now, const LabelledTree& t, Marks marks,
                           const KernelSettings& settings) {
  double growth = 0;
  saved_.clear();
  // Which nodes of t had a child whose cells changed; at the first node all may.
  const std::span<const int> first = matches_[now.argument];
  change_.assign(first.begin(), first.end());
  for (int a = now.argument; a >= 0 && !change_.empty(); a = u.parent(a)) {
    next_.clear();
    ++stamp_;
    const int above = u.parent(a), wanted = above < 0 ? -1 : u.label(above);
    for (int b : change_) {
      const std::size_t at = static_cast<std::size_t>(a) * tables_.width + b;
      saved_.push_back({at, tables_.c[at], tables_.cr[at]});
      fill_cell(u, a, mark_of(now, a), t, b, mark_of(marks, b), settings, tables_);
      growth += settings.only_marked ? tables_.cr[at] - saved_.back().cr
                                     : tables_.c[at] - saved_.back().c;
      const int parent = t.parent(b);
      if (wanted < 0 || parent < 0 || t.label(parent) != wanted || stamps_[parent] == stamp_) {
        continue;
      }
      stamps_[parent] = stamp_;
      next_.push_back(parent);
    }
    change_.swap(next_);
  }
  for (auto s = saved_.rbegin(); s != saved_.rend(); ++s) {
    tables_.c[s->at] = s->c;
    tables_.cr[s->at] = s->cr;
  }
  return growth;
}

void NodeUpdater::scores(const LabelledTree& u, int v, const LabelledTree& t, Marks marks,
                         const KernelSettings& settings, std::span<double> out) {
  check_marks(t, marks);
  const double base = start(u, v, t, marks, settings);
  for (int k = 0; k < u.size(); ++k) {
    out[k] = k == v ? 0 : base + update(u, {v, k}, t, marks, settings);
  }
  for (int a = 0; a < u.size(); ++a) {
    for (int b : matches_[a]) tables_.at(a, b) = tables_.marked_at(a, b) = 0;
  }
}

}  // namespace entente
