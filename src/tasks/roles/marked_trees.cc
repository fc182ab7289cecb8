#include "tasks/roles/marked_trees.h"

#include <algorithm>
#include <limits>

#include "base/random.h"
#include "entente/error.h"

namespace entente::roles {

int TreeLabels::find(const std::string& name, bool grow) {
  const auto at = numbers_.find(name);
  if (at != numbers_.end()) return at->second;
  if (!grow) return -1;
  numbers_.emplace(name, size());
  names_.push_back(name);
  return size() - 1;
}

void TreeLabels::forget(int size) {
  for (; static_cast<int>(names_.size()) > size; names_.pop_back()) numbers_.erase(names_.back());
}

namespace {

std::string downcased(const std::string& word) {
  std::string out = "w:" + word;
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace

KernelTree kernel_tree(const propbank::PropSentence& s, TreeLabels& names, bool grow) {
  if (s.tree.empty()) {
    throw Error("the sentence at line " + std::to_string(s.line) +
                " has no tree; kernels need one");
  }
  KernelTree out;
  out.node_of.assign(s.tree.nodes.size(), -1);
  // Post-order: a node once all below it are there. Nodes are in pre-order, so the open ones are a
  // stack.
  std::vector<std::vector<int>> below(1);
  std::vector<int> open;
  const auto close = [&] {
    const int n = open.back();
    const propbank::PhraseTree::Node& node = s.tree.nodes[n];
    if (node.is_tag) {
      below.back().push_back(out.tree.add(names.find(downcased(s.words[node.begin]), grow), {}));
      out.phrase_of.push_back(-1);
    }
    const int made = out.tree.add(names.find(node.label, grow), below.back());
    out.node_of[n] = made;
    out.phrase_of.push_back(n);
    below.pop_back();
    below.back().push_back(made);
    open.pop_back();
  };
  for (int n = 0; n < static_cast<int>(s.tree.nodes.size()); ++n) {
    while (!open.empty() && s.tree.nodes[open.back()].next <= n) close();
    open.push_back(n);
    below.emplace_back();
  }
  while (!open.empty()) close();
  out.tree.finish();
  for (int n = 0; n < static_cast<int>(s.tree.nodes.size()); ++n) {
    if (!s.tree.is_top(n)) out.candidates.push_back(out.node_of[n]);
  }
  std::sort(out.candidates.begin(), out.candidates.end());
  return out;
}

RecognitionData recognition_examples(std::span<const propbank::PropSentence> sentences,
                                     std::span<const KernelTree> trees, int share,
                                     std::uint64_t seed) {
  RecognitionData out;
  Random random(seed);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const propbank::PropSentence& s = sentences[i];
    for (std::size_t p = 0; p < s.propositions.size(); ++p) {
      std::vector<char> positive(trees[i].tree.size(), 0);
      const int v = trees[i].node_of[s.tree.leaf(s.propositions[p].predicate)];
      for (const propbank::RoleSpan& r : s.propositions[p].roles) {
        if (propbank::bare_role(r.label) == "V") continue;
        ++out.arguments;
        const int node = s.tree.node_over(r.begin, r.end);
        if (node < 0 || trees[i].node_of[node] == v) {
          ++out.without_node;
        } else {
          positive[trees[i].node_of[node]] = 1;
        }
      }
      for (int k : trees[i].candidates) {
        if (k == v || (!positive[k] && share > 1 && random.below(share) != 0)) continue;
        out.examples.push_back(
            {static_cast<int>(i), static_cast<int>(p), v, k, positive[k] ? 1 : -1});
      }
    }
  }
  return out;
}

void best_disjoint_nodes(const LabelledTree& tree, std::span<const double> log_odds,
                         std::vector<char>& chosen) {
  // best[n]: of the subtree of n. Choosing n gives up everything below it.
  const std::size_t n = tree.size();
  std::vector<double> best(n, 0.0);
  chosen.assign(n, 0);
  for (int a = 0; a < tree.size(); ++a) {
    double below = 0;
    for (int c : tree.children(a)) below += best[c];
    chosen[a] = log_odds[a] > below && log_odds[a] > 0;
    best[a] = chosen[a] ? log_odds[a] : below;
  }
  // From the root downwards: below a chosen node nothing is.
  for (int a = tree.size() - 1; a >= 0; --a) {
    const int parent = tree.parent(a);
    if (parent < 0 || chosen[parent] == 0) continue;
    chosen[a] = 2;  // covered
  }
  for (char& c : chosen) c = c == 1;
}

}  // namespace entente::roles
