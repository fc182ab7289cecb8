#include <algorithm>

#include "tasks/roles/features.h"

namespace entente::roles {

void FeatureMaker::add_candidate(int begin, int end, int node, int head, Candidate::Kind kind) {
  const std::uint64_t key = static_cast<std::uint64_t>(begin) << 32 | static_cast<unsigned>(end);
  if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
  seen_.push_back(key);
  candidates_.push_back({begin, end, node, head, kind});
}

// Punctuation at the ends.
void FeatureMaker::trim(int& begin, int& end) const {
  while (end - begin > 1 && input_->words[end - 1].kind == '.') --end;
  while (end - begin > 1 && input_->words[begin].kind == '.') ++begin;
}

void FeatureMaker::find_candidates(int v_begin, int v_end) {
  candidates_.clear();
  seen_.clear();
  const std::vector<InputNode>& nodes = input_->nodes;
  const auto clear_of_predicate = [&](int b, int e) { return e <= v_begin || b >= v_end; };
  // Pre-order: the highest of several phrases over the same words comes first.
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const InputNode& node = nodes[n];
    if (node.top || !clear_of_predicate(node.begin, node.end)) continue;
    if (node.is_tag && input_->words[node.begin].kind == '.') continue;
    add_candidate(node.begin, node.end, static_cast<int>(n), node.head, Candidate::kPhrase);
  }
  const std::size_t phrases = candidates_.size();
  for (std::size_t i = 0; i < phrases; ++i) {
    const Candidate c = candidates_[i];
    int b = c.begin, e = c.end;
    trim(b, e);
    if (b != c.begin || e != c.end) add_candidate(b, e, c.node, c.head, Candidate::kTrimmed);
  }
  add_subtrees_of_words(v_begin, v_end);
}

// Words with all that depends on them, where the phrases disagree.
void FeatureMaker::add_subtrees_of_words(int v_begin, int v_end) {
  const int n = input_->size();
  const std::vector<InputNode>& nodes = input_->nodes;
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
  for (int w = 0; w < n; ++w) {
    int b = subtree_begin_[w], e = subtree_end_[w];
    if (e - b < 2 || (e > v_begin && b < v_end)) continue;
    trim(b, e);
    int node = input_->words[w].leaf;
    while (nodes[node].parent >= 0 && (nodes[node].begin > b || nodes[node].end < e)) {
      node = nodes[node].parent;
    }
    add_candidate(b, e, node, w, Candidate::kSubtree);
  }
  int steps = 0;
  for (int w = input_->words[word_].head; w >= 0 && steps < n; w = input_->words[w].head, ++steps) {
    add_parts_of(w, v_begin, v_end);
  }
}

// A word with some of its nearest dependents on either side.
void FeatureMaker::add_parts_of(int word, int v_begin, int v_end) {
  constexpr std::size_t kMost = 6;  // cuts on a side
  const std::vector<InputNode>& nodes = input_->nodes;
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
      int node = input_->words[word].leaf;
      while (nodes[node].parent >= 0 && (nodes[node].begin > begin || nodes[node].end < end)) {
        node = nodes[node].parent;
      }
      add_candidate(begin, end, node, word, Candidate::kPart);
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
