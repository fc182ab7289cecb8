// GLPK: simplex, then its branch and bound from the final basis. Neither presolver is used: on
// problems of a few hundred columns they cost more than they save (measured: bench/README.md).
#include <glpk.h>

#include <algorithm>
#include <cmath>

#include "lp/backends.h"

namespace entente::lp {

namespace {

// GLPK keeps an environment a thread and frees it only when told to.
struct ThreadEnvironment {
  bool used = false;
  ThreadEnvironment() = default;
  ThreadEnvironment(const ThreadEnvironment&) = delete;
  ThreadEnvironment& operator=(const ThreadEnvironment&) = delete;
  ~ThreadEnvironment() {
    if (used) glp_free_env();
  }
};

class Model {
 public:
  explicit Model(const Problem& p) {
    static thread_local ThreadEnvironment environment;
    environment.used = true;
    terminal_ = glp_term_out(GLP_OFF);
    model_ = glp_create_prob();
    load(p);
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model() {
    glp_delete_prob(model_);
    glp_term_out(terminal_);
  }
  glp_prob* get() { return model_; }

 private:
  static int bound_type(double lo, double hi) {
    if (lo == hi) return GLP_FX;
    if (std::isinf(lo)) return std::isinf(hi) ? GLP_FR : GLP_UP;
    return std::isinf(hi) ? GLP_LO : GLP_DB;
  }
  void load(const Problem& p) {
    glp_set_obj_dir(model_, GLP_MAX);
    glp_add_cols(model_, p.columns());
    for (int c = 0; c < p.columns(); ++c) {
      if (p.integer[c]) glp_set_col_kind(model_, c + 1, GLP_IV);
      glp_set_col_bnds(model_, c + 1, bound_type(p.lower[c], p.upper[c]), p.lower[c], p.upper[c]);
      glp_set_obj_coef(model_, c + 1, p.cost[c]);
    }
    if (p.rows() == 0) return;
    glp_add_rows(model_, p.rows());
    for (int r = 0; r < p.rows(); ++r) {
      const double lo = p.row_lower[r], hi = p.row_upper[r];
      glp_set_row_bnds(model_, r + 1, bound_type(lo, hi), lo, hi);
      const int begin = p.row_begin[r], count = p.row_begin[r + 1] - begin;
      index_.assign(1, 0);
      for (int e = begin; e < begin + count; ++e) index_.push_back(p.column[e] + 1);
      // It reads elements 1..count of both arrays.
      value_.assign(1, 0.0);
      value_.insert(value_.end(), p.value.begin() + begin, p.value.begin() + begin + count);
      glp_set_mat_row(model_, r + 1, count, index_.data(), value_.data());
    }
  }

  glp_prob* model_ = nullptr;
  int terminal_ = GLP_ON;
  std::vector<int> index_;
  std::vector<double> value_;
};

int milliseconds(double seconds) {
  if (!(seconds < 2e6)) return std::numeric_limits<int>::max();
  return std::max(1, static_cast<int>(seconds * 1000));
}

// The relaxation; leaves an optimal basis in the model. False if there is nothing more to do.
bool solve_relaxation(glp_prob* model, const Problem& p, const Limits& limits, Result& out) {
  glp_smcp parameters;
  glp_init_smcp(&parameters);
  parameters.msg_lev = GLP_MSG_OFF;
  // Measured: few long rows (one a group, one a clique) are quickest by the primal method with
  // plain pricing, many short ones by the dual.
  const bool few_rows = 2 * p.rows() < p.columns();
  parameters.meth = few_rows ? GLP_PRIMAL : GLP_DUALP;
  if (few_rows) parameters.pricing = GLP_PT_STD;
  // In slices, so that somebody who wants it stopped is heard.
  const Watch watch(limits);
  int code = GLP_ETMLIM;
  while (code == GLP_ETMLIM && !watch.reached()) {
    parameters.tm_lim = std::min(100, milliseconds(watch.left()));
    code = glp_simplex(model, &parameters);
  }
  const int status = glp_get_status(model);
  out.iterations = glp_get_it_cnt(model);
  if (code == 0 && status == GLP_OPT) {
    out.x.resize(p.columns());
    for (int c = 0; c < p.columns(); ++c) out.x[c] = glp_get_col_prim(model, c + 1);
    out.bound = glp_get_obj_val(model);
    out.outcome = Outcome::optimal;
    return true;
  }
  set_outcome(code == 0 && status == GLP_NOFEAS ? Outcome::infeasible : Outcome::unknown, out);
  return false;
}

struct Search {
  double bound;
  std::int64_t nodes;
  const Watch& watch;
};

void watch(glp_tree* tree, void* info) {
  auto* search = static_cast<Search*>(info);
  int total = 0;
  glp_ios_tree_size(tree, nullptr, nullptr, &total);
  search->nodes = total;
  if (const int best = glp_ios_best_node(tree)) search->bound = glp_ios_node_bound(tree, best);
  if (search->watch.reached()) glp_ios_terminate(tree);
}

void search_tree(glp_prob* model, const Problem& p, const Limits& limits, Result& out) {
  const Watch clock(limits);
  Search search{out.bound, 1, clock};
  glp_iocp parameters;
  glp_init_iocp(&parameters);
  parameters.msg_lev = GLP_MSG_OFF;
  parameters.tol_int = 1e-7;
  parameters.tol_obj = 1e-9;
  parameters.mip_gap = 0;
  parameters.tm_lim = milliseconds(limits.time_limit);
  parameters.cb_func = watch;
  parameters.cb_info = &search;
  const int code = glp_intopt(model, &parameters);
  const int status = glp_mip_status(model);
  out.nodes = search.nodes;
  if (code == 0 && status == GLP_NOFEAS) return set_outcome(Outcome::infeasible, out);
  if (status != GLP_OPT && status != GLP_FEAS) {
    set_outcome(Outcome::unknown, out);
    out.bound = search.bound;
    return;
  }
  for (int c = 0; c < p.columns(); ++c) out.x[c] = glp_mip_col_val(model, c + 1);
  snap(p, true, out);
  out.outcome = code == 0 && status == GLP_OPT ? Outcome::optimal : Outcome::feasible;
  out.bound = out.outcome == Outcome::optimal ? out.value : std::max(out.value, search.bound);
}

class Glpk : public Backend {
 public:
  void solve(const Problem& problem, const Limits& limits, Result& out) const override {
    if (solve_trivial(problem, out)) return;
    const Watch watch(limits);
    Model model(problem);
    if (!solve_relaxation(model.get(), problem, limits, out)) return;
    if (!limits.integer || is_integral(problem, out.x)) {
      snap(problem, limits.integer, out);
      out.bound = std::max(out.bound, out.value);
      return;
    }
    Limits rest = limits;
    rest.time_limit = std::max(1e-3, watch.left());
    search_tree(model.get(), problem, rest, out);
  }
};

}  // namespace

const Backend& glpk_backend() {
  static const Glpk backend;
  return backend;
}

}  // namespace entente::lp
