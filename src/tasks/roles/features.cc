#include "tasks/roles/features.h"

#include <algorithm>

#include "tasks/roles/feature_parts.h"

namespace entente::roles {

void FeatureMaker::prepare_predicate() {
  const std::vector<InputNode>& nodes = input_->nodes;
  const InputWord& w = input_->words[word_];
  passive_ = input_->passive(word_);
  predicate_ = w.lemma;
  predicate_tag_ = of(w.tag, passive_);
  above_.clear();
  down_.clear();
  level_.assign(nodes.size(), -1);
  std::uint64_t path = 1;
  for (int n = w.leaf; n >= 0; n = nodes[n].parent) {
    level_[n] = static_cast<int>(above_.size());
    above_.push_back(n);
    path = mix(path, nodes[n].label);
    down_.push_back(path);
  }
  const int parent = nodes[w.leaf].parent;
  subcategorisation_ = parent < 0 ? 0 : production(parent, w.leaf);
  particle_ = 0;
  static const std::uint64_t kParticle = hash_of("compound:prt");
  for (const InputWord& x : input_->words) {
    if (x.head == word_ && x.relation == kParticle) particle_ = x.lemma;
  }
  frame_ = 5;
  for (std::size_t i = 0; i < input_->words.size(); ++i) {
    const InputWord& x = input_->words[i];
    if (x.head != word_ || x.kind == '.') continue;
    frame_ = mix(frame_, mix(x.relation, static_cast<int>(i) > word_));
  }
  // Paths from the predicate upwards in the dependency tree, met by those of candidates.
  dependency_.assign(input_->words.size(), 0);
  std::uint64_t up = 7;
  int steps = 0;
  for (int x = word_; x >= 0 && steps <= input_->size(); x = input_->words[x].head, ++steps) {
    dependency_[x] = up | 1;
    up = mix(up, input_->words[x].relation);
  }
}

std::uint64_t FeatureMaker::production(int node, int marked) const {
  std::uint64_t h = input_->nodes[node].label;
  for (int c : input_->children[node]) h = mix(h, input_->nodes[c].label + (c == marked ? 77 : 0));
  return spread(h);
}

void FeatureMaker::find_paths(const Candidate& c) {
  const std::vector<InputNode>& nodes = input_->nodes;
  up_ = 3;
  up_length_ = 0;
  int n = c.node;
  for (; level_[n] < 0; n = nodes[n].parent) {
    up_ = mix(up_, nodes[n].label);
    ++up_length_;
  }
  meet_ = n;
  path_ = of(up_, down_[level_[n]], c.kind);
  // In the dependency tree: up from the candidate's head to the predicate's line.
  std::uint64_t up = 11;
  dependency_length_ = 0;
  int x = c.head, steps = 0;
  for (; x >= 0 && dependency_[x] == 0 && steps <= input_->size();
       x = input_->words[x].head, ++steps) {
    up = mix(up, input_->words[x].relation);
    ++dependency_length_;
  }
  dependency_path_ = of(up, x >= 0 ? dependency_[x] : kOutside);
}

void FeatureMaker::cheap(const Candidate& c, FeatureList& out) {
  find_paths(c);
  out.clear();
  const InputNode& node = input_->nodes[c.node];
  const InputWord& head = input_->words[c.head];
  const std::uint64_t side = c.begin > word_;
  const std::uint64_t label = of(c.label, c.kind);
  const int parent = node.parent < 0 ? c.node : node.parent;
  out.push_back(of(1, path_, side));
  out.push_back(of(2, path_, side, predicate_));
  out.push_back(of(3, dependency_path_, side));
  out.push_back(of(4, dependency_path_, label, side));
  out.push_back(of(5, dependency_path_, predicate_));
  out.push_back(of(6, label, side, static_cast<std::uint64_t>(up_length_) * 16 + level_[meet_]));
  out.push_back(of(7, label, input_->nodes[parent].label, input_->nodes[meet_].label));
  out.push_back(of(8, label, head.lemma, level_[meet_]));
  out.push_back(of(9, head.tag, head.relation, predicate_tag_));
  out.push_back(of(10, up_, input_->nodes[meet_].label, level_[meet_]));
  out.push_back(of(11, down_[level_[meet_]], label, up_length_));
  out.push_back(of(12, bucket(c.end - c.begin), label, level_[meet_]));
  out.push_back(of(13, input_->words[c.begin].form, label, side));
  out.push_back(of(14, path_, head.lemma));
  out.push_back(of(15, predicate_, head.lemma));
  out.push_back(of(16, dependency_path_, predicate_tag_, head.tag));
  if (!groups_.trust) return;
  const std::uint64_t trust = c.belief * 2u + c.agrees;
  out.push_back(of(17, trust, label));
  out.push_back(of(18, trust, path_, side));
  out.push_back(of(19, trust, dependency_path_, side));
  out.push_back(of(20, trust * 16u + c.rival, label));
}

// Phrases of the same kind between the predicate and here: the second object is not the first.
std::uint64_t FeatureMaker::between(const Candidate& c) const {
  const InputNode& node = input_->nodes[c.node];
  std::uint64_t out = 0;
  if (node.parent < 0) return out;
  for (int s : input_->children[node.parent]) {
    const InputNode& sibling = input_->nodes[s];
    if (sibling.label != node.label) continue;
    out += c.begin > word_ ? sibling.begin > word_ && sibling.end <= c.begin
                           : sibling.end <= word_ && sibling.begin >= c.end;
  }
  return out;
}

void FeatureMaker::add_usual(const Candidate& c, FeatureList& out) const {
  const InputNode& node = input_->nodes[c.node];
  const InputWord& head = input_->words[c.head];
  const std::uint64_t side = (c.begin > word_ ? 1u : 0u) + (passive_ ? 2u : 0u);
  const std::uint64_t label = of(c.label, c.kind);
  const std::uint64_t parent = node.parent < 0 ? 0 : input_->nodes[node.parent].label;
  const std::uint64_t left = node.left < 0 ? 0 : input_->nodes[node.left].label;
  const std::uint64_t right = node.right < 0 ? 0 : input_->nodes[node.right].label;
  const std::uint64_t depth = static_cast<std::uint64_t>(up_length_) * 16 + level_[meet_];
  const auto add = [&](auto... parts) { out.push_back(of(parts...)); };
  add(100u, path_);
  add(101u, path_, side, predicate_tag_);
  add(102u, path_, predicate_);
  add(103u, path_, head.lemma);
  add(104u, path_, head.tag, side);
  add(105u, label, side);
  add(106u, label, side, predicate_);
  add(107u, label, parent, side);
  add(108u, dependency_path_, side);
  add(109u, dependency_path_, label, side);
  add(110u, dependency_path_, predicate_, passive_);
  add(111u, dependency_path_, head.lemma);
  add(112u, dependency_path_, predicate_tag_);
  add(113u, head.lemma, head.tag);
  add(114u, head.lemma, predicate_);
  add(115u, head.lemma, label, side);
  add(116u, head.relation, side, predicate_);
  add(117u, head.relation, predicate_tag_, label);
  add(118u, subcategorisation_, label, side);
  add(119u, subcategorisation_, path_);
  add(120u, subcategorisation_, predicate_, depth + side * 4096);
  add(121u, left, label, right);
  add(122u, up_, input_->nodes[meet_].label, side);
  add(123u, down_[level_[meet_]], label, up_length_);
  add(124u, depth, label, side);
  add(125u, particle_, predicate_, label);
  add(126u, predicate_, predicate_tag_, side);
  add(127u, bucket(std::abs(c.begin > word_ ? c.begin - word_ : word_ - c.end + 1)), label, side);
  add(128u, bucket(c.end - c.begin), label, side);
  const std::uint64_t same_between = between(c);
  add(129u, same_between, label, depth + side * 4096);
  add(130u, same_between, label, predicate_);
  add(131u, predicate_, depth, label);
  // How sure the parser is, and whether both trees say the same.
  if (!groups_.trust) return;
  const std::uint64_t trust = c.belief * 2u + c.agrees;
  add(132u, trust, label, side);
  add(133u, trust, path_);
  add(134u, trust, dependency_path_, side);
  add(135u, trust, bucket(c.end - c.begin), label);
  const std::uint64_t contest = trust * 16u + c.rival;
  add(136u, contest, label, side);
  add(137u, contest, c.kind);
  add(138u, contest, head.relation, c.end < input_->size() ? input_->words[c.end].tag : kOutside);
}

void FeatureMaker::add_words(const Candidate& c, FeatureList& out) const {
  const std::vector<InputWord>& words = input_->words;
  const InputNode& node = input_->nodes[c.node];
  const std::uint64_t side = (c.begin > word_ ? 1u : 0u) + (passive_ ? 2u : 0u);
  const InputWord& first = words[c.begin];
  const InputWord& last = words[c.end - 1];
  const auto add = [&](auto... parts) { out.push_back(of(parts...)); };
  add(140u, first.form, node.label, side);
  add(141u, first.form, predicate_, side);
  add(142u, first.tag, last.tag, node.label);
  add(143u, last.form, node.label);
  add(144u, c.begin > 0 ? words[c.begin - 1].form : kOutside, node.label, side);
  add(145u, c.end < input_->size() ? words[c.end].form : kOutside, node.label, side);
  add(146u, c.begin > 0 ? words[c.begin - 1].tag : kOutside, first.tag, side);
  add(147u, c.end < input_->size() ? words[c.end].tag : kOutside, last.tag, side);
  add(148u, first.form, last.form);
  add(149u, path_, first.form);
  // What stands inside a prepositional phrase or a clause: its first two words, its second head.
  const std::uint64_t second = c.end - c.begin > 1 ? words[c.begin + 1].form : kOutside;
  add(150u, first.form, second);
  add(151u, first.form, words[c.head].lemma);
  add(152u, first.form, words[c.head].lemma, predicate_);
  add(153u, first.tag, words[c.head].tag, side);
  const int up = words[c.head].head;
  add(154u, words[c.head].relation, up >= 0 ? words[up].lemma : kOutside, first.form);
  add(155u, words[c.head].lemma, words[c.head].relation, predicate_tag_);
  add(156u, first.form, words[c.head].relation, dependency_path_);
  // Words that hang from the head decide what kind of modifier it is.
  int shown = 0;
  for (int w = c.begin; w < c.end && shown < 3; ++w) {
    if (words[w].head != c.head || w == c.begin || words[w].kind == '.') continue;
    add(157u, words[w].lemma, words[w].relation, first.form);
    ++shown;
  }
}

// Trees with both marks: the path, with one more child at one of its nodes, cut off above the
// argument or the predicate; and those with one mark that show what the node is.
void FeatureMaker::add_subtrees(const Candidate& c, FeatureList& out) const {
  const std::vector<InputNode>& nodes = input_->nodes;
  const auto add = [&](auto... parts) { out.push_back(of(parts...)); };
  const std::uint64_t marked = of(path_, c.begin > word_);
  add(200u, marked, predicate_);
  // (path) + the production of the place where both ways meet, with where they leave it
  int arm = c.node, leg = above_[level_[meet_] > 0 ? level_[meet_] - 1 : 0];
  while (nodes[arm].parent >= 0 && nodes[arm].parent != meet_ && level_[arm] < 0) {
    arm = nodes[arm].parent;
  }
  std::uint64_t h = nodes[meet_].label;
  for (int s : input_->children[meet_]) {
    h = mix(h, nodes[s].label + (s == arm ? 7 : 0) + (s == leg ? 13 : 0));
  }
  add(201u, h, up_length_, level_[meet_]);
  add(202u, h, marked);
  int kept = 0;
  for (int s : input_->children[meet_]) {
    if (s == arm || s == leg || ++kept > 6) continue;
    add(203u, marked, nodes[s].label, static_cast<std::uint64_t>((s > arm) * 2 + (s > leg)));
  }
  kept = 0;
  if (!nodes[c.node].is_tag) {
    add(204u, production(c.node, -1), marked);
    for (int s : input_->children[c.node]) {
      if (++kept > 6) break;
      add(205u, marked, nodes[s].label, nodes[s].head == c.head);
      if (nodes[s].is_tag) add(206u, marked, input_->words[nodes[s].begin].form);
    }
  } else {
    add(207u, marked, input_->words[c.begin].form);
  }
  kept = 0;
  const int parent = nodes[above_[0]].parent;
  if (parent >= 0 && parent != meet_) {
    for (int s : input_->children[parent]) {
      if (s == above_[0] || ++kept > 6) continue;
      add(208u, marked, nodes[s].label, s > above_[0]);
    }
  }
}

void FeatureMaker::full(const Candidate& c, FeatureList& out) {
  find_paths(c);
  out.clear();
  out.push_back(of(99, 1));
  if (groups_.usual) {
    add_usual(c, out);
    add_words(c, out);
    if (groups_.meanings) add_meanings(c, out);
  }
  if (groups_.subtrees) add_subtrees(c, out);
}

}  // namespace entente::roles
