#include "tasks/roles/input.h"

#include <algorithm>

#include "learn/hash.h"

namespace entente::roles {

namespace {

std::string lower(const std::string& text) {
  std::string out = text;
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

char kind_of(const std::string& tag) {
  if (tag.starts_with("VB") || tag == "MD") return 'V';
  if (tag.starts_with("NN")) return 'N';
  if (tag.starts_with("JJ")) return 'J';
  if (tag == "IN" || tag == "TO") return 'P';
  if (tag == "," || tag == "." || tag == ":" || tag == "``" || tag == "''" || tag == "-LRB-" ||
      tag == "-RRB-" || tag == "HYPH" || tag == "NFP") {
    return '.';
  }
  return 'o';
}

std::string phrase_label(const propbank::PropSentence& s, int word,
                         const std::vector<std::vector<int>>& children) {
  bool has_case = false, has_subject = false, has_mark = false;
  for (int c : children[word]) {
    has_case |= s.relations[c] == "case";
    has_mark |= s.relations[c] == "mark";
    has_subject |= s.relations[c].find("subj") != std::string::npos;
  }
  if (has_mark) return "SBAR";
  if (has_case) return "PP";
  switch (kind_of(s.tags[word])) {
    case 'V':
      return has_subject ? "S" : "VP";
    case 'N':
      return "NP";
    case 'J':
      return "ADJP";
    default:
      return s.tags[word].starts_with("RB") ? "ADVP" : has_subject ? "S" : "XP";
  }
}

// Subtrees that are not unbroken runs of words are cut to the run around their head.
struct Builder {
  const propbank::PropSentence& s;
  std::vector<std::vector<int>> children;
  std::vector<int> begin, end;
  propbank::PhraseTree tree;

  void measure(int word) {
    begin[word] = word;
    end[word] = word + 1;
    for (int c : children[word]) measure(c);
    for (std::size_t i = children[word].size(); i-- > 0;) {
      const int c = children[word][i];
      if (c < word && end[c] == begin[word]) begin[word] = begin[c];
    }
    for (int c : children[word]) {
      if (c > word && begin[c] == end[word]) end[word] = end[c];
    }
  }
  void write(int word) {
    const bool phrase = end[word] - begin[word] > 1;
    if (phrase) tree.open(phrase_label(s, word, children), begin[word]);
    int at = begin[word];
    for (int c : children[word]) {
      if (c > word && at <= word) {
        tree.add_word(s.tags[word]);
        ++at;
      }
      if (begin[c] == at && end[c] <= end[word]) {
        write(c);
        at = end[c];
      }
    }
    if (at <= word) tree.add_word(s.tags[word]);
    if (phrase) tree.close();
  }
};

}  // namespace

propbank::PhraseTree tree_of_dependencies(const propbank::PropSentence& s) {
  const int n = s.size();
  Builder b{s, std::vector<std::vector<int>>(n), std::vector<int>(n), std::vector<int>(n), {}};
  std::vector<int> roots;
  for (int i = 0; i < n; ++i) {
    // A cycle is no tree: whoever wrote it, its words hang from the root.
    int top = s.heads[i], steps = 0;
    while (top >= 0 && steps <= n) {
      top = s.heads[top];
      ++steps;
    }
    if (s.heads[i] >= 0 && steps <= n) {
      b.children[s.heads[i]].push_back(i);
    } else {
      roots.push_back(i);
    }
  }
  for (int r : roots) b.measure(r);
  b.tree.open("TOP", 0);
  // What a non-projective arc cut off stands beside the rest.
  int at = 0;
  while (at < n) {
    int best = at;
    for (int w = 0; w < n; ++w) {
      if (b.begin[w] == at && b.end[w] > b.end[best]) best = w;
    }
    if (b.begin[best] == at) {
      b.write(best);
      at = b.end[best];
    } else {
      b.tree.add_word(s.tags[at]);
      ++at;
    }
  }
  b.tree.close();
  return std::move(b.tree);
}

void Input::assign(const propbank::PropSentence& s) {
  words.resize(s.words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    InputWord& w = words[i];
    w.form = hash_of(lower(s.words[i]));
    w.lemma = hash_of(lower(s.lemmas[i]));
    w.tag = hash_of(s.tags[i]);
    w.relation = hash_of(s.relations[i]);
    w.head = s.heads[i];
    w.kind = kind_of(s.tags[i]);
    w.fine = w.middle = w.topic = 0;
    if (meanings_ != nullptr && !meanings_->empty()) {
      find_meaning(lower(s.words[i]), lower(s.lemmas[i]), w);
    }
  }
  from_dependencies = s.tree.empty();
  add_tree(from_dependencies ? tree_of_dependencies(s) : s.tree);
  likely.clear();
  for (const propbank::LikelyPhrase& p : s.likely) {
    likely.push_back({hash_of(p.label), p.begin, p.end, head_of(p.begin, p.end), p.probability});
  }
  find_heads();
}

// Pronouns, names and numbers are topics of their own: WordNet knows few of them.
void Input::find_meaning(const std::string& form, const std::string& lemma, InputWord& w) const {
  static const std::uint64_t kProper = hash_of("NNP"), kPropers = hash_of("NNPS"),
                             kNumber = hash_of("CD"), kPronoun = hash_of("PRP");
  const WordMeaning seen = meanings_->find(word_meaning_hash(form));
  const WordMeaning base = meanings_->find(word_meaning_hash(lemma));
  w.fine = seen.fine;
  w.middle = seen.middle;
  w.topic = w.kind == 'V' ? base.verbs[0] : base.nouns[0];
  if (w.tag == kPronoun) {
    w.topic = w.lemma;
  } else if (w.tag == kProper || w.tag == kPropers || w.tag == kNumber || w.kind == 'J') {
    w.topic = mix(w.tag, w.topic);
  } else if (w.topic == 0) {
    w.topic = w.tag;
  }
}

void Input::assign_other(const propbank::PropSentence& s, std::size_t other) {
  // What the parser said of phrases holds for all its trees; those it did not keep are unlikely.
  constexpr float kUnlikely = 0.015f;
  known_.clear();
  for (const propbank::PhraseTree::Node& n : s.tree.nodes) {
    if (!n.is_tag && n.parent >= 0)
      known_.push_back({hash_of(n.label), n.begin, n.end, 0, n.confidence});
  }
  for (const propbank::LikelyPhrase& p : s.likely) {
    known_.push_back({hash_of(p.label), p.begin, p.end, 0, p.probability});
  }
  add_tree(s.others[other].tree);
  const auto same = [](const auto& a, const auto& b) {
    return a.begin == b.begin && a.end == b.end && a.label == b.label;
  };
  for (InputNode& n : nodes) {
    if (n.is_tag) continue;
    const auto at = std::find_if(known_.begin(), known_.end(),
                                 [&](const InputPhrase& p) { return same(n, p); });
    n.confidence = n.parent < 0 ? 1 : at == known_.end() ? kUnlikely : at->confidence;
  }
  likely.clear();
  for (const InputPhrase& p : known_) {
    if (std::any_of(nodes.begin(), nodes.end(), [&](const InputNode& n) { return same(n, p); })) {
      continue;
    }
    likely.push_back({p.label, p.begin, p.end, head_of(p.begin, p.end), p.confidence});
  }
  find_heads();
}

void Input::add_tree(const propbank::PhraseTree& tree) {
  nodes.resize(tree.nodes.size());
  children.resize(nodes.size());
  for (auto& c : children) c.clear();
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const propbank::PhraseTree::Node& from = tree.nodes[n];
    InputNode& to = nodes[n];
    to = {
        .label = hash_of(from.label), .parent = from.parent, .begin = from.begin, .end = from.end};
    to.is_tag = from.is_tag;
    to.confidence = from.confidence;
    to.top = tree.is_top(static_cast<int>(n));
    if (from.parent < 0) continue;
    std::vector<int>& siblings = children[from.parent];
    to.depth = nodes[from.parent].depth + 1;
    to.index = static_cast<int>(siblings.size());
    if (!siblings.empty()) {
      to.left = siblings.back();
      nodes[siblings.back()].right = static_cast<int>(n);
    }
    siblings.push_back(static_cast<int>(n));
  }
  for (std::size_t i = 0; i < words.size(); ++i) words[i].leaf = tree.leaves[i];
}

int Input::head_of(int begin, int end) const {
  for (int w = begin; w < end; ++w) {
    const int h = words[w].head;
    if ((h < begin || h >= end) && words[w].kind != '.') return w;
  }
  return end - 1;
}

void Input::find_heads() {
  for (InputNode& node : nodes) node.head = head_of(node.begin, node.end);
}

bool Input::passive(int word) const {
  static const std::uint64_t kVbn = hash_of("VBN"), kPassive = hash_of("aux:pass"),
                             kBe = hash_of("be"), kGet = hash_of("get"), kHave = hash_of("have");
  if (words[word].tag != kVbn) return false;
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (words[w].head == word && words[w].relation == kPassive) return true;
  }
  // A participle without an auxiliary (a reduced relative) is passive too.
  for (int w = word - 1; w >= 0 && w >= word - 5; --w) {
    if (words[w].lemma == kHave) return false;
    if (words[w].lemma == kBe || words[w].lemma == kGet) return true;
  }
  return true;
}

}  // namespace entente::roles
