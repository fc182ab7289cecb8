#include "tasks/roles/argument_model.h"

namespace entente::roles {

ArgumentModel::ArgumentModel(const ModelFile& file)
    : labels_(RoleLabels::from_names(file.strings("roles/labels"))) {
  if (file.number("roles/version") != kVersion) {
    file.fail("the model of roles was made by another version");
  }
  // Models from before the groups were written know paths, heads and subtrees.
  features_ = FeatureGroups::of(
      file.has("roles/features") ? static_cast<int>(file.number("roles/features")) : 3);
  if (labels_.size() < 2) file.fail("section \"roles/labels\" is damaged");
  pruner_ = LabelRowView(file, "roles/pruner", 2);
  roles_ = LabelRowView(file, "roles/weights", labels_.size());
  if (file.has("roles/network")) network_ = NetworkView(file, "roles/network", labels_.size());
}

void ArgumentModel::write(ModelWriter& writer, const RoleLabels& labels, FeatureGroups features,
                          const PackedWeights& pruner, const PackedWeights& roles,
                          const RoleNetwork* network) {
  writer.add_number("roles/features", features.bits());
  writer.add_number("roles/version", kVersion);
  writer.add_strings("roles/labels", labels.names);
  pruner.write(writer, "roles/pruner");
  roles.write(writer, "roles/weights");
  if (network != nullptr) network->write(writer, "roles/network");
}

void ArgumentModel::make_problem(const Input& input, int word, int v_begin, int v_end, Work& work,
                                 RoleProblem& problem, float keep) const {
  const std::size_t n = static_cast<std::size_t>(labels_.size());
  problem.labels = labels_.size();
  problem.candidates.clear();
  problem.scores.clear();
  work.maker.set_predicate(input, word, v_begin, v_end);
  work.sums.resize(n);
  work.scores.resize(n);
  for (const Candidate& c : work.maker.candidates()) {
    work.maker.cheap(c, work.features);
    pruner_.scores(work.features, std::span(work.sums).first(2), std::span(work.scores).first(2));
    if (work.scores[1] - work.scores[0] < keep) continue;
    work.maker.full(c, work.features);
    roles_.scores(work.features, work.sums, work.scores);
    problem.candidates.push_back(c);
    if (!network_.empty()) {
      for (float& s : work.scores) s *= 1 - kNetworkShare;
      work.maker.properties(c, work.features);
      network_.add_scores(work.features, kNetworkShare, work.network, work.scores);
    }
    for (float s : work.scores) problem.scores.push_back(s - work.scores[0]);
  }
}

}  // namespace entente::roles
