// LP-SparseMAP: a sparse relaxed answer that can be differentiated, as a layer between scores and a loss.
//
//   SparseMap layer;
//   layer.forward(graph);                     // layer.answer()[v] in [0, 1]
//   layer.backward(gradient, out);            // out = J^T gradient, J = d answer / d scores
//
// The answer is the point u of the local polytope (for each factor in the hull of what it allows) that maximises
//   scores . u + own scores of the factors - 1/2 |u|^2,
// found by alternating directions over the factors' quadratic step, AD3's (factors/active_set.h), until consensus. It is
// the projection of the scores onto a polytope, so J is the projection onto the directions that the face it lies in
// leaves free: found by conjugate gradients over the factors' active configurations. Where the answer sits exactly on a
// kink, J is that of one side. Hull, not row relaxation: linear rows are as tight as their 0/1 points.
//
// Cost of forward: iterations * (one active-set step a factor); of backward: a few passes over the active
// configurations. Keeps its memory; one thread at a time. Papers: Niculae et al., "SparseMAP", 2018; Niculae and
// Martins, "LP-SparseMAP", 2020.
#pragma once

#include <memory>
#include <span>

#include "entente/graph.h"

namespace entente {

struct SparseMapOptions {
  int max_iterations = 3000;
  double tolerance = 1e-9;  // of the factors' disagreement and of the last move
  double penalty = 1;       // on disagreement
};

class SparseMap {
 public:
  SparseMap();
  ~SparseMap();
  SparseMap(SparseMap&&) noexcept;
  SparseMap& operator=(SparseMap&&) noexcept;

  // False if some factor allows nothing; the graph must outlive backward(). Throws nothing.
  bool forward(const Graph& graph, const SparseMapOptions& options = {});
  std::span<const double> answer() const;
  int iterations() const;
  bool converged() const;

  // One number a variable each. After forward().
  void backward(std::span<const double> gradient, std::span<double> out);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace entente
