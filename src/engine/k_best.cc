// The k best assignments by partition (Murty 1968, Lawler 1972): the assignments other than a
// solution are split by the first decision in which they differ from it, and each part is solved
// exactly. margins: the best assignment in which one variable is flipped.
#include <algorithm>
#include <queue>

#include "engine/limits.h"
#include "engine/walk.h"
#include "entente/solve.h"

namespace entente {

namespace {

// One decision: a group, or a free variable (size 0).
struct Decision {
  std::int32_t first, size;
};

std::vector<Decision> decisions_of(const Graph& g) {
  std::vector<Decision> out;
  walk(
      g,
      [&](int v) {
        out.push_back({v, 0});
      },
      [&](Group group) {
        out.push_back({group.first, group.size});
      });
  return out;
}

// A part of the space: literals fixed along the way, and its best assignment.
struct Part {
  std::vector<Literal> fixed;
  int from = 0;  // decisions before this one are fixed
  Solution best;
};

struct Worse {
  const std::vector<Part>* parts;
  bool operator()(int a, int b) const {
    const double va = (*parts)[a].best.value, vb = (*parts)[b].best.value;
    return va != vb ? va < vb : a > b;
  }
};

class KBest {
 public:
  KBest(const Graph& g, const Options& o, Workspace& ws)
      : graph_(g), original_(g), options_(o), limits_(o), ws_(ws), decisions_(decisions_of(g)) {
    options_.explain = options_.certificate = options_.trace = false;
  }

  // Best first. A limit holds for all of them together: what is known by then is returned.
  std::vector<Solution> find(int k) {
    std::vector<Solution> out;
    parts_.reserve(64);
    add({}, 0);
    while (static_cast<int>(out.size()) < k && !heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), Worse{&parts_});
      const int p = heap_.back();
      heap_.pop_back();
      out.push_back(parts_[p].best);
      if (static_cast<int>(out.size()) < k) split(p);
    }
    if (exact_) return out;
    // A part that was cut short may have hidden something better until it was split.
    std::stable_sort(out.begin(), out.end(),
                     [](const Solution& a, const Solution& b) { return a.value > b.value; });
    for (Solution& s : out) {
      s.status = Status::feasible;
      s.bound = std::max(s.value, bound_);
    }
    return out;
  }

 private:
  // Solves the part; keeps it if it holds anything.
  void add(std::vector<Literal> fixed, int from) {
    options_.time_limit = std::max(1e-3, limits_.left());
    for (Literal l : fixed) graph_.fix(Var{l.var()}, !l.negated());
    Part part{std::move(fixed), from, {}};
    solve(graph_, options_, ws_, part.best);
    for (Literal l : part.fixed) restore(l.var());
    if (parts_.empty()) bound_ = part.best.bound;
    // A part cut short by a limit may hide something better: say so of all that follows.
    if (part.best.status == Status::feasible || part.best.status == Status::unknown) exact_ = false;
    if (part.best.status != Status::optimal && part.best.status != Status::feasible) return;
    parts_.push_back(std::move(part));
    heap_.push_back(static_cast<int>(parts_.size()) - 1);
    std::push_heap(heap_.begin(), heap_.end(), Worse{&parts_});
  }
  void restore(int v) {
    const auto fixed = original_.fixed();
    if (fixed.empty() || fixed[v] < 0) {
      graph_.free(Var{v});
    } else {
      graph_.fix(Var{v}, fixed[v] == 1);
    }
  }

  void split(int p) {
    std::vector<Literal> fixed = parts_[p].fixed;
    const std::vector<std::uint8_t> z = parts_[p].best.assignment;
    for (int d = parts_[p].from; d < static_cast<int>(decisions_.size()); ++d) {
      if (limits_.reached()) {
        exact_ = false;
        return;
      }
      const Literal chosen = choice(decisions_[d], z);
      std::vector<Literal> other = fixed;
      other.push_back(!chosen);
      // A group may lose further states; a 0/1 variable is settled.
      if (allowed(!chosen)) add(std::move(other), decisions_[d].size == 0 ? d + 1 : d);
      fixed.push_back(chosen);
    }
  }
  // The literal that says what the assignment decided.
  static Literal choice(Decision d, const std::vector<std::uint8_t>& z) {
    if (d.size == 0) return Literal(Var{d.first}, z[d.first] == 0);
    int v = d.first;
    while (v < d.first + d.size - 1 && !z[v]) ++v;
    return Literal(Var{v});
  }
  bool allowed(Literal l) const {
    const auto fixed = original_.fixed();
    return fixed.empty() || fixed[l.var()] < 0 || (fixed[l.var()] == 1) != l.negated();
  }

  Graph graph_;
  const Graph& original_;
  Options options_;
  const Limits limits_;
  Workspace& ws_;
  std::vector<Decision> decisions_;
  std::vector<Part> parts_;
  std::vector<int> heap_;
  bool exact_ = true;
  double bound_ = kInfinity;  // of everything
};

}  // namespace

std::vector<Solution> k_best(const Graph& graph, int k, const Options& options,
                             Workspace& workspace) {
  if (k <= 0) return {};
  return KBest(graph, options, workspace).find(k);
}

std::vector<double> margins(const Graph& graph, const Solution& solution, const Options& options,
                            Workspace& workspace) {
  Graph g = graph;
  Options o = options;
  o.explain = o.certificate = o.trace = false;
  std::vector<double> out(graph.variable_count(), kInfinity);
  const Limits limits(options);
  Solution flipped;
  for (int v = 0; v < graph.variable_count(); ++v) {
    if (!graph.fixed().empty() && graph.fixed()[v] >= 0) continue;
    if (limits.reached()) break;
    o.time_limit = std::max(1e-3, limits.left());
    g.fix(Var{v}, solution.assignment[v] == 0);
    solve(g, o, workspace, flipped);
    g.free(Var{v});
    if (flipped.value != -kInfinity) out[v] = std::max(0.0, solution.value - flipped.value);
  }
  return out;
}

}  // namespace entente
