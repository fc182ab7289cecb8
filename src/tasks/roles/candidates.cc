#include <algorithm>
#include <iterator>
#include <utility>

#include "tasks/roles/features.h"

namespace entente::roles {

namespace {

// Probabilities in steps; a place where the parser saw nothing is a step of its own.
std::uint8_t belief_step(float p) {
  constexpr float kSteps[] = {0.05f, 0.15f, 0.3f, 0.5f, 0.7f, 0.85f, 0.95f, 0.99f};
  if (p < 0) return 0;
  const auto above = std::upper_bound(std::begin(kSteps), std::end(kSteps), p);
  return static_cast<std::uint8_t>(2 + (above - std::begin(kSteps)));
}
constexpr std::uint8_t kNotLikely = 1;

}  // namespace

void FeatureMaker::add_candidate(const Candidate& c) {
  const std::uint64_t key =
      static_cast<std::uint64_t>(c.begin) << 32 | static_cast<unsigned>(c.end);
  if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
  seen_.push_back(key);
  Candidate& made = candidates_.emplace_back(c);
  if (c.kind != Candidate::kLikely) made.label = input_->nodes[c.node].label;
  if (c.kind == Candidate::kPhrase || c.kind == Candidate::kTrimmed) {
    made.belief = belief_step(input_->nodes[c.node].confidence);
  } else if (c.kind != Candidate::kLikely && input_->nodes[0].confidence >= 0) {
    made.belief = kNotLikely;
  }
  int b = subtree_begin_[c.head], e = subtree_end_[c.head];
  int mine = c.begin, mine_end = c.end;
  trim(b, e);
  trim(mine, mine_end);
  made.agrees = b == mine && e == mine_end;
}

// Punctuation at the ends.
void FeatureMaker::trim(int& begin, int& end) const {
  while (end - begin > 1 && input_->words[end - 1].kind == '.') --end;
  while (end - begin > 1 && input_->words[begin].kind == '.') ++begin;
}

int FeatureMaker::smallest_around(int word, int begin, int end) const {
  const std::vector<InputNode>& nodes = input_->nodes;
  int node = input_->words[word].leaf;
  while (nodes[node].parent >= 0 && (nodes[node].begin > begin || nodes[node].end < end)) {
    node = nodes[node].parent;
  }
  return node;
}

void FeatureMaker::find_candidates(int v_begin, int v_end) {
  candidates_.clear();
  seen_.clear();
  find_subtrees();
  const std::vector<InputNode>& nodes = input_->nodes;
  const auto clear_of_predicate = [&](int b, int e) { return e <= v_begin || b >= v_end; };
  // Pre-order: the highest of several phrases over the same words comes first.
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const InputNode& node = nodes[n];
    if (node.top || !clear_of_predicate(node.begin, node.end)) continue;
    if (node.is_tag && input_->words[node.begin].kind == '.') continue;
    add_candidate({node.begin, node.end, static_cast<int>(n), node.head, Candidate::kPhrase});
  }
  const std::size_t phrases = candidates_.size();
  for (std::size_t i = 0; i < phrases; ++i) {
    const Candidate c = candidates_[i];
    int b = c.begin, e = c.end;
    trim(b, e);
    if (b != c.begin || e != c.end) add_candidate({b, e, c.node, c.head, Candidate::kTrimmed});
  }
  if (groups_.trust) add_likely(v_begin, v_end);
  add_subtrees_of_words(v_begin, v_end);
  if (groups_.trust) find_rivals();
}

// Spans with one head are mostly the same argument with more or fewer words.
void FeatureMaker::find_rivals() {
  first_belief_.assign(input_->words.size(), 0);
  second_belief_.assign(input_->words.size(), 0);
  for (const Candidate& c : candidates_) {
    std::uint8_t &first = first_belief_[c.head], &second = second_belief_[c.head];
    if (c.belief > first) {
      second = std::exchange(first, c.belief);
    } else {
      second = std::max(second, c.belief);
    }
  }
  for (Candidate& c : candidates_) {
    const std::uint8_t first = first_belief_[c.head];
    c.rival = c.belief == first ? second_belief_[c.head] : first;
  }
}

void FeatureMaker::add_likely(int v_begin, int v_end) {
  for (const InputPhrase& p : input_->likely) {
    if (p.end > v_begin && p.begin < v_end) continue;
    int b = p.begin, e = p.end;
    trim(b, e);
    Candidate c{b, e, smallest_around(p.head, b, e), p.head, Candidate::kLikely};
    c.label = p.label;
    c.belief = belief_step(p.confidence);
    add_candidate(c);
  }
}

// Where the words below a word of the dependency tree begin and end.
void FeatureMaker::find_subtrees() {
  const int n = input_->size();
  subtree_begin_.resize(n);
  subtree_end_.resize(n);
  for (int w = 0; w < n; ++w) {
    subtree_begin_[w] = w;
    subtree_end_[w] = w + 1;
  }
  for (int w = 0; w < n; ++w) {
    int steps = 0;
    for (int h = input_->words[w].head; h >= 0 && steps < n; h = input_->words[h].head, ++steps) {
      subtree_begin_[h] = std::min(subtree_begin_[h], w);
      subtree_end_[h] = std::max(subtree_end_[h], w + 1);
    }
  }
}

// Words with all that depends on them, where the phrases disagree.
void FeatureMaker::add_subtrees_of_words(int v_begin, int v_end) {
  const int n = input_->size();
  for (int w = 0; w < n; ++w) {
    int b = subtree_begin_[w], e = subtree_end_[w];
    if (e - b < 2 || (e > v_begin && b < v_end)) continue;
    trim(b, e);
    add_candidate({b, e, smallest_around(w, b, e), w, Candidate::kSubtree});
  }
  int steps = 0;
  for (int w = input_->words[word_].head; w >= 0 && steps < n; w = input_->words[w].head, ++steps) {
    add_parts_of(w, v_begin, v_end);
  }
}

// A word with some of its nearest dependents on either side.
void FeatureMaker::add_parts_of(int word, int v_begin, int v_end) {
  constexpr std::size_t kMost = 6;  // cuts on a side
  lefts_.assign(1, word);
  rights_.assign(1, word + 1);
  for (int c = word - 1; c >= 0 && lefts_.size() < kMost; --c) {
    if (input_->words[c].head == word && input_->words[c].kind != '.' && subtree_end_[c] <= word) {
      lefts_.push_back(subtree_begin_[c]);
    }
  }
  for (int c = word + 1; c < input_->size() && rights_.size() < kMost; ++c) {
    if (input_->words[c].head == word && input_->words[c].kind != '.' && subtree_begin_[c] > word) {
      rights_.push_back(subtree_end_[c]);
    }
  }
  for (int b : lefts_) {
    for (int e : rights_) {
      int begin = b, end = e;
      trim(begin, end);
      if (end > v_begin && begin < v_end) continue;
      add_candidate({begin, end, smallest_around(word, begin, end), word, Candidate::kPart});
    }
  }
}

void FeatureMaker::set_predicate(const Input& input, int word, int v_begin, int v_end) {
  input_ = &input;
  word_ = word;
  find_candidates(v_begin, v_end);
  prepare_predicate();
}

}  // namespace entente::roles
