#include "entente/sparsemap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/dual.h"
#include "engine/factors/active_set.h"

namespace entente {

namespace {

constexpr double kInFace = 1e-7;  // configurations of less weight are not part of the answer's face
constexpr double kIndependent = 1e-7;  // shorter directions are combinations of those before
constexpr double kSolved = 1e-24;  // squared residual of the conjugate gradients, against the first

}  // namespace

struct SparseMap::Parts {
  DualProblem problem;
  FactorScratch scratch;
  std::vector<ActiveSet> active;
  std::vector<double> u, z, y, target, sums;
  std::vector<double> basis;  // directions of each factor's face, orthonormal, `size` numbers each
  std::vector<std::int32_t> basis_begin;  // of each factor, in numbers
  std::vector<double> step, residual, image, solution, links;
  int iterations = 0;
  bool converged = false;

  double literal(int link) const {
    const double x = u[problem.var[link]];
    return problem.negated[link] ? 1 - x : x;
  }
  double sign(int link) const { return problem.negated[link] ? -1 : 1; }
  bool is_free(int v) const { return problem.clamp[v] < 0; }

  bool step_factors(double penalty);
  double step_variables(std::span<const double> scores, double penalty);
  void find_faces();
  void off_face(std::vector<double>& x) const;
  void to_variables(const std::vector<double>& from, std::vector<double>& to) const;
  void to_links(const std::vector<double>& from, std::vector<double>& to) const;
};

bool SparseMap::Parts::step_factors(double penalty) {
  for (int f = 0; f < problem.factors; ++f) {
    const int begin = problem.begin[f], size = problem.size(f);
    for (int l = 0; l < size; ++l) target[l] = literal(begin + l) - y[begin + l];
    const std::span<double> answer(z.data() + begin, size);
    if (!project_active(problem.views[f], {target.data(), static_cast<std::size_t>(size)},
                        problem.clamps(f), 1 / penalty, answer, active[f], scratch)) {
      return false;
    }
  }
  return true;
}

// Returns how far things still are from rest.
double SparseMap::Parts::step_variables(std::span<const double> scores, double penalty) {
  std::fill(sums.begin(), sums.end(), 0.0);
  for (int l = 0; l < problem.links; ++l) {
    const double wish = z[l] + y[l];
    sums[problem.var[l]] += problem.negated[l] ? 1 - wish : wish;
  }
  double moved = 0;
  for (int v = 0; v < problem.variables; ++v) {
    if (!is_free(v)) continue;
    const int degree = problem.degree(v);
    const double before = u[v];
    u[v] = degree == 0 ? std::clamp(scores[v], 0.0, 1.0)
                       : (scores[v] + penalty * sums[v]) / (1 + penalty * degree);
    moved = std::max(moved, std::abs(u[v] - before));
  }
  for (int l = 0; l < problem.links; ++l) {
    const double apart = z[l] - literal(l);
    y[l] += apart;
    moved = std::max(moved, std::abs(apart));
  }
  return moved;
}

SparseMap::SparseMap() : parts_(std::make_unique<Parts>()) {}
SparseMap::~SparseMap() = default;
SparseMap::SparseMap(SparseMap&&) noexcept = default;
SparseMap& SparseMap::operator=(SparseMap&&) noexcept = default;
std::span<const double> SparseMap::answer() const { return parts_->u; }
int SparseMap::iterations() const { return parts_->iterations; }
bool SparseMap::converged() const { return parts_->converged; }

bool SparseMap::forward(const Graph& graph, const SparseMapOptions& options) {
  Parts& p = *parts_;
  p.problem.build(graph);
  const int links = p.problem.links;
  int longest = 0;
  for (int f = 0; f < p.problem.factors; ++f) longest = std::max(longest, p.problem.size(f));
  p.target.resize(longest);
  p.sums.resize(p.problem.variables);
  p.u.assign(p.problem.variables, 0.5);
  p.z.assign(links, 0.5);
  p.y.assign(links, 0.0);
  if (static_cast<int>(p.active.size()) < p.problem.factors) p.active.resize(p.problem.factors);
  for (ActiveSet& set : p.active) set.size = 0;
  for (int v = 0; v < p.problem.variables; ++v) {
    if (!p.is_free(v)) p.u[v] = p.problem.clamp[v];
  }
  p.converged = false;
  for (p.iterations = 1; p.iterations <= options.max_iterations && !p.converged; ++p.iterations) {
    if (!p.step_factors(options.penalty)) return false;
    p.converged = p.step_variables(graph.scores(), options.penalty) < options.tolerance;
  }
  for (double& x : p.u) x = std::clamp(x, 0.0, 1.0);
  p.find_faces();
  return true;
}

// Differences of the configurations that make up each factor's answer, made orthonormal.
void SparseMap::Parts::find_faces() {
  basis.clear();
  basis_begin.assign(1, 0);
  for (int f = 0; f < problem.factors; ++f) {
    const int size = problem.size(f);
    const std::size_t begin = basis.size();
    const ActiveSet& set = active[f];
    int first = -1;
    for (int c = 0; c < set.size; ++c) {
      if (set.weight[c] < kInFace) continue;
      if (first < 0) {
        first = c;
        continue;
      }
      const std::size_t at = basis.size();
      for (int l = 0; l < size; ++l) {
        basis.push_back(static_cast<double>(set.configs[c * size + l]) -
                        set.configs[first * size + l]);
      }
      for (int pass = 0; pass < 2; ++pass) {  // twice is enough
        for (std::size_t b = begin; b < at; b += size) {
          double dot = 0;
          for (int l = 0; l < size; ++l) dot += basis[b + l] * basis[at + l];
          for (int l = 0; l < size; ++l) basis[at + l] -= dot * basis[b + l];
        }
      }
      double length = 0;
      for (int l = 0; l < size; ++l) length += basis[at + l] * basis[at + l];
      length = std::sqrt(length);
      if (length < kIndependent) {
        basis.resize(at);
      } else {
        for (int l = 0; l < size; ++l) basis[at + l] /= length;
      }
    }
    basis_begin.push_back(static_cast<std::int32_t>(basis.size()));
  }
}

// Takes away from each factor's part of x what lies in its face.
void SparseMap::Parts::off_face(std::vector<double>& x) const {
  for (int f = 0; f < problem.factors; ++f) {
    const int size = problem.size(f), begin = problem.begin[f];
    for (std::int32_t b = basis_begin[f]; b < basis_begin[f + 1]; b += size) {
      double dot = 0;
      for (int l = 0; l < size; ++l) dot += basis[b + l] * x[begin + l];
      for (int l = 0; l < size; ++l) x[begin + l] -= dot * basis[b + l];
    }
  }
}

void SparseMap::Parts::to_variables(const std::vector<double>& from,
                                    std::vector<double>& to) const {
  to.assign(problem.variables, 0.0);
  for (int l = 0; l < problem.links; ++l) {
    if (is_free(problem.var[l])) to[problem.var[l]] += sign(l) * from[l];
  }
}

void SparseMap::Parts::to_links(const std::vector<double>& from, std::vector<double>& to) const {
  to.resize(problem.links);
  for (int l = 0; l < problem.links; ++l) {
    to[l] = is_free(problem.var[l]) ? sign(l) * from[problem.var[l]] : 0;
  }
}

// The projection d of the gradient onto { d: each factor's part of d lies in its face }: d = g - R M w, where w solves
// M R' R M w = M R' g, M takes faces away and R adds up links.
void SparseMap::backward(std::span<const double> gradient, std::span<double> out) {
  Parts& p = *parts_;
  std::vector<double>& variables = p.sums;
  variables.assign(gradient.begin(), gradient.end());
  for (int v = 0; v < p.problem.variables; ++v) {
    const bool stuck = !p.is_free(v) || (p.problem.degree(v) == 0 && (p.u[v] <= 0 || p.u[v] >= 1));
    if (stuck) variables[v] = 0;
    out[v] = variables[v];
  }
  p.to_links(variables, p.residual);
  p.off_face(p.residual);
  p.solution.assign(p.problem.links, 0.0);
  p.step = p.residual;
  auto square = [](const std::vector<double>& x) {
    double sum = 0;
    for (const double a : x) sum += a * a;
    return sum;
  };
  const double first = square(p.residual);
  double now = first;
  for (int i = 0; i < 2 * p.problem.links + 10 && now > kSolved * first && now > 0; ++i) {
    p.to_variables(p.step, variables);
    p.to_links(variables, p.image);
    p.off_face(p.image);
    double curve = 0;
    for (int l = 0; l < p.problem.links; ++l) curve += p.step[l] * p.image[l];
    if (!(curve > 0)) break;
    const double along = now / curve;
    for (int l = 0; l < p.problem.links; ++l) {
      p.solution[l] += along * p.step[l];
      p.residual[l] -= along * p.image[l];
    }
    const double next = square(p.residual);
    for (int l = 0; l < p.problem.links; ++l) p.step[l] = p.residual[l] + next / now * p.step[l];
    now = next;
  }
  p.off_face(p.solution);
  p.to_variables(p.solution, variables);
  for (int v = 0; v < p.problem.variables; ++v) out[v] -= variables[v];
}

}  // namespace entente
