// What the network sees of a candidate, one by one; and kinds of words for the log-linear model.
#include <cstdlib>

#include "tasks/roles/feature_parts.h"
#include "tasks/roles/features.h"

namespace entente::roles {

// Kinds of words, where words are too many.
void FeatureMaker::add_meanings(const Candidate& c, FeatureList& out) const {
  const InputWord& head = input_->words[c.head];
  const InputWord& p = input_->words[word_];
  const std::uint64_t first = input_->words[c.begin].form;
  const std::uint64_t side = (c.begin > word_ ? 1u : 0u) + (passive_ ? 2u : 0u);
  const std::uint64_t label = of(c.label, c.kind);
  const auto add = [&](auto... parts) { out.push_back(of(parts...)); };
  add(300u, head.fine, label, side);
  add(301u, head.middle, dependency_path_);
  add(302u, head.topic, label, side);
  add(303u, head.topic, first);
  add(304u, head.fine, first);
  add(305u, head.topic, predicate_, side);
  add(306u, head.middle, predicate_, side);
  add(307u, p.middle, dependency_path_, side);
  add(308u, p.topic, dependency_path_, side);
  add(309u, p.fine, path_, side);
  add(310u, p.topic, head.topic, side);
  add(311u, p.middle, head.middle, side);
  add(312u, p.topic, head.topic, first);
  add(313u, p.middle, first, label);
  add(314u, head.topic, dependency_path_, side);
  add(315u, p.fine, label, side);
  add(316u, p.topic, path_, side);
}

void FeatureMaker::properties(const Candidate& c, FeatureList& out) {
  find_paths(c);
  out.clear();
  const std::vector<InputWord>& words = input_->words;
  const InputNode& node = input_->nodes[c.node];
  const InputWord& head = words[c.head];
  const InputWord& p = words[word_];
  const InputWord& first = words[c.begin];
  const InputWord& last = words[c.end - 1];
  const std::uint64_t side = (c.begin > word_ ? 1u : 0u) + (passive_ ? 2u : 0u);
  std::uint64_t number = 400;
  const auto add = [&](auto... parts) { out.push_back(of(++number, parts...)); };
  add(predicate_);
  add(predicate_tag_);
  add(p.form);
  add(p.relation);
  add(p.fine);
  add(p.middle);
  add(p.topic);
  add(subcategorisation_);
  add(particle_);
  add(p.head >= 0 ? words[p.head].lemma : kOutside);
  add(frame_);
  add(predicate_, side);
  add(of(c.label, c.kind), side);
  add(of(c.label, c.kind), node.parent < 0 ? 0 : input_->nodes[node.parent].label);
  add(input_->nodes[meet_].label, side);
  add(head.lemma);
  add(head.tag, side);
  add(head.relation, side);
  add(head.fine);
  add(head.middle);
  add(head.topic);
  add(head.head >= 0 ? words[head.head].lemma : kOutside);
  add(first.form);
  add(first.tag);
  add(last.form);
  add(last.tag);
  add(c.end - c.begin > 1 ? words[c.begin + 1].form : kOutside);
  add(c.begin > 0 ? words[c.begin - 1].form : kOutside);
  add(c.begin > 0 ? words[c.begin - 1].tag : kOutside);
  add(c.end < input_->size() ? words[c.end].form : kOutside);
  add(c.end < input_->size() ? words[c.end].tag : kOutside);
  add(bucket(c.end - c.begin));
  add(bucket(std::abs(c.begin > word_ ? c.begin - word_ : word_ - c.end + 1)), side);
  add(path_);
  add(dependency_path_);
  add(dependency_path_, side);
  add(up_, input_->nodes[meet_].label);
  add(down_[level_[meet_]], side);
  add(static_cast<std::uint64_t>(up_length_) * 16 + level_[meet_], side);
  add(node.left < 0 ? 0 : input_->nodes[node.left].label);
  add(node.right < 0 ? 0 : input_->nodes[node.right].label);
  add(c.belief, c.agrees, c.rival);
  add(c.kind, c.belief);
  add(between(c), of(c.label, c.kind));
}

}  // namespace entente::roles
