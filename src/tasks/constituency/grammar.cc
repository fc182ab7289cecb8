#include "tasks/constituency/grammar.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/check.h"
#include "tasks/constituency/heads.h"

namespace entente::constituency {

namespace {

constexpr std::size_t kDense = 300;  // symbols up to which all pairs are a table

// The names of a binarised tree's symbols, before they are numbers.
struct NamedNode {
  std::string top, bottom;
  std::vector<std::string> chain;
  BinaryNode shape;
};

struct Child {
  std::string label;
  int node;  // in the output
};

class Binariser {
 public:
  Binariser(const PhraseTree& tree, const GrammarOptions& options, std::vector<NamedNode>& out)
      : tree_(tree), options_(options), out_(out) {
    children_.resize(tree.phrases.size());
    std::vector<int> deepest(tree.size(), -1);
    for (int p = 0; p < static_cast<int>(tree.phrases.size()); ++p) {
      for (int i = tree.phrases[p].begin; i < tree.phrases[p].end; ++i) deepest[i] = p;
      if (tree.phrases[p].parent >= 0) children_[tree.phrases[p].parent].push_back(p);
    }
    tags_of_.resize(tree.phrases.size());
    for (int i = 0; i < tree.size(); ++i) tags_of_[deepest[i]].push_back(i);
  }

  void run() { phrase(0, ""); }

 private:
  std::string annotated(const std::string& label, const std::string& above) const {
    return options_.vertical > 1 && !above.empty() ? label + "^" + above : label;
  }

  // Children of a phrase from left to right: phrases by number, words as -1 - i.
  std::vector<int> parts(int p) const {
    std::vector<int> out;
    auto tag = tags_of_[p].begin();
    for (const int child : children_[p]) {
      while (tag != tags_of_[p].end() && *tag < tree_.phrases[child].begin)
        out.push_back(-1 - *tag++);
      out.push_back(child);
    }
    while (tag != tags_of_[p].end()) out.push_back(-1 - *tag++);
    return out;
  }

  int leaf(int word, std::vector<std::string> chain, const std::string& top_above,
           const std::string& above) {
    NamedNode node;
    node.bottom = annotated(tree_.tags[word], above);
    node.top = chain.empty() ? node.bottom : annotated(chain[0], top_above);
    node.chain = std::move(chain);
    node.shape.begin = word;
    node.shape.end = word + 1;
    out_.push_back(std::move(node));
    return static_cast<int>(out_.size()) - 1;
  }

  int phrase(int p, const std::string& top_above) {
    std::vector<std::string> chain;
    std::string above = top_above;
    std::vector<int> inner = parts(p);
    while (inner.size() == 1) {
      chain.push_back(tree_.phrases[p].label);
      above = tree_.phrases[p].label;
      if (inner[0] < 0) return leaf(-1 - inner[0], chain, top_above, above);
      p = inner[0];
      inner = parts(p);
    }
    const std::string& label = tree_.phrases[p].label;
    std::vector<std::string> labels;
    for (const int x : inner) labels.push_back(x < 0 ? tree_.tags[-1 - x] : tree_.phrases[x].label);
    std::vector<Child> made;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      made.push_back({labels[i], inner[i] < 0 ? leaf(-1 - inner[i], {}, label, label)
                                              : phrase(inner[i], label)});
    }
    const int done = attach(label, above, made, head_child(label, labels));
    out_[done].chain = chain;
    out_[done].bottom = annotated(label, above);
    out_[done].top = chain.empty() ? out_[done].bottom : annotated(chain[0], top_above);
    return done;
  }

  // Right children first, then left ones.
  int attach(const std::string& label, const std::string& above, const std::vector<Child>& made,
             int head) {
    int current = made[head].node;
    const auto join = [&](int left, int right, bool head_left, const Child& last) {
      NamedNode node;
      node.shape.left = left;
      node.shape.right = right;
      node.shape.begin = out_[left].shape.begin;
      node.shape.end = out_[right].shape.end;
      node.shape.head_left = head_left;
      node.bottom = annotated("@" + label, above);
      if (options_.horizontal > 0) node.bottom += "|" + last.label + (head_left ? ">" : "<");
      node.top = node.bottom;
      out_.push_back(std::move(node));
      current = static_cast<int>(out_.size()) - 1;
    };
    for (std::size_t i = head + 1; i < made.size(); ++i) join(current, made[i].node, true, made[i]);
    for (int i = head - 1; i >= 0; --i) join(made[i].node, current, false, made[i]);
    return current;
  }

  const PhraseTree& tree_;
  const GrammarOptions& options_;
  std::vector<NamedNode>& out_;
  std::vector<std::vector<int>> children_, tags_of_;
};

std::string joined(const std::vector<std::string>& labels) {
  std::string out;
  for (const std::string& l : labels) out += l + " ";
  return out;
}

// "@VP^S|PP>" -> "VP"
std::string bare(const std::string& name) {
  const std::size_t begin = name.size() > 1 && name[0] == '@' ? 1 : 0;
  const std::size_t end = name.find_first_of("^|", 1);
  return name.substr(begin, end == std::string::npos ? end : end - begin);
}

}  // namespace

class Grammar::Counter {
 public:
  explicit Counter(Grammar& g) : g_(g) {}

  int symbol(const std::string& name, Kind kind) {
    const auto [at, fresh] = g_.ids_.emplace(name, static_cast<int>(g_.names_.size()));
    if (fresh) {
      g_.names_.push_back(name);
      g_.kinds_.push_back(kind);
    }
    return at->second;
  }

  void add(const std::vector<NamedNode>& nodes) {
    std::vector<int> tops(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const NamedNode& n = nodes[i];
      const bool half = n.bottom.size() > 1 && n.bottom[0] == '@';
      const int bottom = symbol(n.bottom, n.shape.left < 0 ? kTag : half ? kIntermediate : kLabel);
      int top = bottom;
      if (!n.chain.empty()) top = symbol(n.top, kLabel);
      tops[i] = top;
      if (n.shape.left >= 0) {
        ++binary_[{tops[n.shape.left], tops[n.shape.right], bottom}];
        ++bottoms_[bottom];
      }
      if (half) continue;
      const auto [chain, fresh] =
          g_.chain_ids_.emplace(joined(n.chain), static_cast<int>(g_.chains_.size()));
      if (fresh) g_.chains_.push_back(n.chain);
      ++chains_[{bottom, top, chain->second}];
      ++tops_[top];
    }
  }

  void finish() {
    for (const auto& [key, n] : binary_) {
      const auto [left, right, parent] = key;
      g_.binary_.push_back(
          {parent, left, right, static_cast<float>(std::log(n / bottoms_[parent]))});
    }
    for (const auto& [key, n] : chains_) {
      const auto [bottom, top, chain] = key;
      g_.chain_rules_.push_back({top, chain, bottom, static_cast<float>(std::log(n / tops_[top]))});
    }
  }

 private:
  Grammar& g_;
  std::map<std::tuple<int, int, int>, double> binary_, chains_;
  std::map<int, double> bottoms_, tops_;
};

Grammar Grammar::count(std::span<const PhraseTree> trees, const GrammarOptions& options) {
  Grammar g;
  g.options_ = options;
  g.chain_ids_.emplace("", 0);
  g.chains_.emplace_back();
  Counter counter(g);
  std::vector<NamedNode> nodes;
  for (const PhraseTree& tree : trees) {
    nodes.clear();
    Binariser(tree, options, nodes).run();
    counter.add(nodes);
  }
  counter.finish();
  g.index();
  return g;
}

void Grammar::index() {
  const int n = symbols();
  labels_.clear();
  for (const std::string& name : names_) labels_.push_back(bare(name));
  first_chain_.assign(n + 1, 0);
  for (const ChainRule& r : chain_rules_) ++first_chain_[r.bottom + 1];
  for (int s = 0; s < n; ++s) first_chain_[s + 1] += first_chain_[s];
  const bool dense = names_.size() <= kDense;
  if (dense) dense_.assign(names_.size() * names_.size(), Range{});
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(binary_.size());) {
    std::int32_t j = i;
    while (j < static_cast<std::int32_t>(binary_.size()) && binary_[j].left == binary_[i].left &&
           binary_[j].right == binary_[i].right) {
      ++j;
    }
    if (dense) {
      dense_[static_cast<std::size_t>(binary_[i].left) * n + binary_[i].right] = {i, j};
    } else {
      pairs_[static_cast<std::uint64_t>(binary_[i].left) << 32 | binary_[i].right] = {i, j};
    }
    i = j;
  }
  root_ = find("TOP");
}

int Grammar::find(std::string_view name) const {
  const auto at = ids_.find(std::string(name));
  return at == ids_.end() ? -1 : at->second;
}

std::vector<std::int32_t> Grammar::project(const Grammar& base) const {
  std::vector<std::int32_t> out;
  for (int s = 0; s < symbols(); ++s) {
    out.push_back(base.find(kinds_[s] == kIntermediate ? "@" + labels_[s] : labels_[s]));
  }
  return out;
}

int Grammar::find_binary(int parent, int left, int right) const {
  if (parent < 0 || left < 0 || right < 0) return -1;
  const Range range = binary_over(left, right);
  for (int r = range.begin; r < range.end; ++r) {
    if (binary_[r].parent == parent) return r;
  }
  return -1;
}

int Grammar::find_chain(int top, int chain, int bottom) const {
  if (top < 0 || chain < 0 || bottom < 0) return -1;
  for (int r = first_chain_[bottom]; r < first_chain_[bottom + 1]; ++r) {
    if (chain_rules_[r].top == top && chain_rules_[r].chain == chain) return r;
  }
  return -1;
}

void Grammar::binarise(const PhraseTree& tree, std::vector<BinaryNode>& nodes) const {
  std::vector<NamedNode> named;
  Binariser(tree, options_, named).run();
  nodes.clear();
  for (const NamedNode& n : named) {
    BinaryNode node = n.shape;
    node.bottom = find(n.bottom);
    node.top = n.chain.empty() ? node.bottom : find(n.top);
    const auto chain = chain_ids_.find(joined(n.chain));
    node.chain = chain == chain_ids_.end() ? -1 : chain->second;
    nodes.push_back(node);
  }
}

void Grammar::write(ModelWriter& writer, const std::string& prefix) const {
  std::vector<std::string> chains;
  for (const auto& labels : chains_) chains.push_back(joined(labels));
  const std::int32_t shape[2] = {options_.vertical, options_.horizontal};
  writer.add<std::int32_t>(prefix + "/shape", shape);
  writer.add_strings(prefix + "/symbols", names_);
  writer.add<Kind>(prefix + "/kinds", kinds_);
  writer.add_strings(prefix + "/chains", chains);
  writer.add<BinaryRule>(prefix + "/binary", binary_);
  writer.add<ChainRule>(prefix + "/unary", chain_rules_);
}

Grammar Grammar::read(const ModelFile& file, const std::string& prefix) {
  Grammar g;
  const auto shape = file.array<std::int32_t>(prefix + "/shape");
  const auto kinds = file.array<Kind>(prefix + "/kinds");
  const auto binary = file.array<BinaryRule>(prefix + "/binary");
  const auto unary = file.array<ChainRule>(prefix + "/unary");
  g.names_ = file.strings(prefix + "/symbols");
  g.kinds_.assign(kinds.begin(), kinds.end());
  for (const std::string& text : file.strings(prefix + "/chains")) {
    g.chain_ids_.emplace(text, static_cast<int>(g.chains_.size()));
    std::vector<std::string>& labels = g.chains_.emplace_back();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      labels.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  const auto bad = [&](const char* what) {
    file.fail("section \"" + prefix + "/" + what + "\" is damaged");
  };
  if (shape.size() != 2) bad("shape");
  g.options_ = {shape[0], shape[1]};
  const int n = g.symbols();
  if (static_cast<int>(kinds.size()) != n) bad("kinds");
  const auto outside = [&](int s) { return s < 0 || s >= n; };
  for (int i = 0; i < n; ++i) {
    if (kinds[i] > kIntermediate || g.names_[i].empty()) bad("kinds");
    if (!g.ids_.emplace(g.names_[i], i).second) bad("symbols");
  }
  for (std::size_t i = 0; i < binary.size(); ++i) {
    const BinaryRule& r = binary[i];
    if (outside(r.parent) || outside(r.left) || outside(r.right)) bad("binary");
    if (i > 0 && std::tie(binary[i - 1].left, binary[i - 1].right) > std::tie(r.left, r.right)) {
      bad("binary");
    }
  }
  for (std::size_t i = 0; i < unary.size(); ++i) {
    const ChainRule& r = unary[i];
    if (outside(r.top) || outside(r.bottom) || r.chain < 0 || r.chain >= g.chain_count() ||
        (i > 0 && unary[i - 1].bottom > r.bottom)) {
      bad("unary");
    }
  }
  g.binary_.assign(binary.begin(), binary.end());
  g.chain_rules_.assign(unary.begin(), unary.end());
  g.index();
  if (g.root_ < 0) bad("symbols");
  return g;
}

}  // namespace entente::constituency
