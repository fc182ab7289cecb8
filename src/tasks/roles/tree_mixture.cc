#include "tasks/roles/tree_mixture.h"

#include <algorithm>
#include <cmath>

namespace entente::roles {

void TreeMixture::assign(const propbank::PropSentence& sentence, double share) {
  input_.assign(sentence);
  share_ = share;
  weights_.clear();
  if (share >= 1) return;
  for (std::size_t t = 0; t < sentence.others.size(); ++t) {
    if (others_.size() == t) others_.emplace_back();
    others_[t].words = input_.words;
    others_[t].assign_other(sentence, t);
    weights_.push_back((1 - share) * static_cast<double>(sentence.others[t].share));
  }
}

void TreeMixture::make_problem(const ArgumentModel& model, int word, int v_begin, int v_end,
                               ArgumentModel::Work& work, RoleProblem& problem, float keep) {
  model.make_problem(input_, word, v_begin, v_end, work, problem, keep);
  if (weights_.empty()) return;
  start(problem.labels);
  add(problem, share_);
  for (std::size_t t = 0; t < weights_.size(); ++t) {
    model.make_problem(others_[t], word, v_begin, v_end, work, problem, keep);
    add(problem, weights_[t]);
  }
  finish(problem);
}

void TreeMixture::start(int labels) {
  labels_ = labels;
  total_ = 0;
  candidates_.clear();
  sums_.clear();
}

void TreeMixture::add(const RoleProblem& problem, double weight) {
  const std::size_t n = static_cast<std::size_t>(labels_);
  total_ += weight;
  for (std::size_t c = 0; c < problem.candidates.size(); ++c) {
    const Candidate& x = problem.candidates[c];
    const auto at = std::find_if(candidates_.begin(), candidates_.end(), [&](const Candidate& y) {
      return x.begin == y.begin && x.end == y.end;
    });
    const std::size_t place = static_cast<std::size_t>(at - candidates_.begin());
    if (at == candidates_.end()) {
      candidates_.push_back(x);
      sums_.resize(sums_.size() + n, 0.0);
    }
    const float* scores = problem.scores.data() + c * n;
    const float most = *std::max_element(scores, scores + n);
    double sum = 0;
    alone_.resize(n);
    for (std::size_t l = 0; l < n; ++l) {
      alone_[l] = std::exp(scores[l] - most);
      sum += static_cast<double>(alone_[l]);
    }
    double* to = sums_.data() + place * n;
    for (std::size_t l = 1; l < n; ++l) to[l] += weight * static_cast<double>(alone_[l]) / sum;
  }
}

void TreeMixture::finish(RoleProblem& out) const {
  constexpr double kLeast = 1e-9;
  const std::size_t n = static_cast<std::size_t>(labels_);
  out.labels = labels_;
  out.candidates = candidates_;
  out.scores.resize(sums_.size());
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    const double* from = sums_.data() + c * n;
    double some = 0;
    for (std::size_t l = 1; l < n; ++l) some += from[l];
    const double none = std::log(std::max(1 - some / total_, kLeast));
    float* to = out.scores.data() + c * n;
    to[0] = 0;
    for (std::size_t l = 1; l < n; ++l) {
      to[l] = static_cast<float>(std::log(std::max(from[l] / total_, kLeast)) - none);
    }
  }
}

}  // namespace entente::roles
