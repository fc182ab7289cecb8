#include "tasks/entities/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace entente::entities {

namespace {

constexpr double kSurest = 1 - 1e-9;  // 1 is for what was given
constexpr double kNever = -std::numeric_limits<double>::infinity();

}  // namespace

void forbid_steps(const States& states, std::vector<double>& steps) {
  const int k = states.count();
  for (int from = 0; from < k; ++from) {
    for (int to = 0; to < k; ++to) {
      if (!States::allows(from, to)) steps[static_cast<std::size_t>(from) * k + to] = kNever;
    }
  }
}

void forbid_ends(const States& states, ChainScores& scores) {
  if (scores.length == 0) return;
  double* last = scores.unary.data() + static_cast<std::size_t>(scores.length - 1) * scores.states;
  for (int s = 0; s < states.count(); ++s) {
    if (!States::may_begin(s)) scores.unary[static_cast<std::size_t>(s)] = kNever;
    if (!States::may_end(s)) last[s] = kNever;
  }
}

EntityModel::EntityModel(const ModelFile& file) {
  if (file.number("entities/version") != kEntitiesVersion) {
    file.fail("its entities were made by another version; train them again");
  }
  types = file.strings("entities/types");
  if (types.empty() || types.size() > 100) file.fail("section \"entities/types\" is damaged");
  states = States(static_cast<int>(types.size()));
  gazetteer = names::Gazetteer(file, "entities/names");
  rows = RowView(file, "entities/weights");
  const auto saved = file.array<double>("entities/steps");
  const auto wanted = static_cast<std::size_t>(states.count()) * states.count();
  if (saved.size() != wanted) file.fail("section \"entities/steps\" has a bad size");
  steps.assign(saved.begin(), saved.end());
  for (double s : steps) {
    if (!std::isfinite(s) || std::abs(s) > 1e6) file.fail("section \"entities/steps\" is damaged");
  }
  forbid_steps(states, steps);
}

void cut_final_stop(Sentence& sentence) {
  if (sentence.size() == 0 || sentence.words.back().form != ".") return;
  for (auto& entity : sentence.entities) {
    if (entity.words.end == sentence.size() && entity.words.size() > 1) --entity.words.end;
  }
}

void Finder::find(Sentence& sentence) {
  sentence.entities.clear();
  if (sentence.size() == 0) return;
  const int n = sentence.size(), k = model_.states.count();
  maker_.read(sentence);
  labels_.resize(static_cast<std::size_t>(k));
  std::iota(labels_.begin(), labels_.end(), 0);
  scores_.length = n;
  scores_.states = k;
  scores_.unary.resize(static_cast<std::size_t>(n) * k);
  scores_.steps = model_.steps;
  for (int i = 0; i < n; ++i) {
    maker_.word(i, features_);
    sums_.assign(static_cast<std::size_t>(k), 0);
    for (std::uint64_t f : features_) model_.rows.prefetch(f);
    for (std::uint64_t f : features_) {
      add_scores(model_.rows, f, std::span<const std::int32_t>(labels_), sums_.data());
    }
    for (int s = 0; s < k; ++s) {
      scores_.unary[static_cast<std::size_t>(i) * k + s] =
          model_.rows.scale() * static_cast<float>(sums_[static_cast<std::size_t>(s)]);
    }
  }
  forbid_ends(model_.states, scores_);
  path_.resize(static_cast<std::size_t>(n));
  viterbi(scores_.chain(), path_, work_);
  if (proofs) prove_chain(*proofs, "entities", scores_.chain(), path_);
  marginals_.resize(scores_.unary.size());
  chain_marginals(scores_.chain(), marginals_, {}, chain_work_);
  const auto marginal = [&](int i) {
    return marginals_[static_cast<std::size_t>(i) * k + path_[static_cast<std::size_t>(i)]];
  };
  for (const TypedSpan& s : model_.states.spans(path_)) {
    double confidence = kSurest;
    for (int i = s.words.begin; i < s.words.end; ++i) {
      confidence = std::min(confidence, marginal(i));
    }
    sentence.entities.push_back(
        {s.words, model_.types[static_cast<std::size_t>(s.type)], confidence});
  }
}

}  // namespace entente::entities
