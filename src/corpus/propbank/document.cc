#include "corpus/propbank/document.h"

#include <algorithm>
#include <cmath>

#include "entente/error.h"

namespace entente::propbank {

namespace {

constexpr std::string_view kTree = "Tree=";

// Of the attributes of a misc column, the one that holds a piece of the tree.
std::string_view tree_piece(std::string_view misc) {
  while (!misc.empty()) {
    const std::size_t end = std::min(misc.find('|'), misc.size());
    if (misc.starts_with(kTree)) return misc.substr(kTree.size(), end - kTree.size());
    misc.remove_prefix(std::min(end + 1, misc.size()));
  }
  return {};
}

// The pieces of a tree of the constituency layer.
std::vector<std::string> bits_of(const entente::PhraseTree& tree, std::size_t words) {
  std::vector<std::string> out(words, "*");
  for (std::size_t i = tree.phrases.size(); i-- > 0;) {
    const Phrase& phrase = tree.phrases[i];
    if (phrase.begin >= phrase.end) continue;
    out[phrase.begin].insert(0, "(" + phrase.label);
    out[phrase.end - 1] += ')';
  }
  return out;
}

// Phrases without words have no node.
void add_probabilities(const entente::PhraseTree& tree, PropSentence& out) {
  std::size_t node = 0;
  for (const Phrase& phrase : tree.phrases) {
    if (phrase.begin >= phrase.end) continue;
    while (node < out.tree.nodes.size() && out.tree.nodes[node].is_tag) ++node;
    if (node == out.tree.nodes.size()) break;
    out.tree.nodes[node++].confidence = static_cast<float>(phrase.confidence);
  }
  for (const Phrase& phrase : tree.likely) {
    out.likely.push_back(
        {phrase.label, phrase.begin, phrase.end, static_cast<float>(phrase.confidence)});
  }
}

// What a parser thinks of the tree goes along as the comments that columns have.
void append_probabilities(const PropSentence& from, std::vector<std::string>& comments) {
  std::string lines;
  ProbabilityLines::append(lines, from);
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    comments.push_back(lines.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

bool is_roleset(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot != name.npos && dot > 0 && dot + 1 < name.size();
}

FrameInstance to_layer(const Proposition& p) {
  FrameInstance out;
  out.frame = p.roleset;
  out.lexical_unit = p.lemma;
  for (const RoleSpan& r : p.roles) {
    if (bare_role(r.label) == "V") {
      for (int w = r.begin; w < r.end; ++w) out.target.push_back(w);
      continue;
    }
    FrameArgument argument;
    argument.role = r.label;
    argument.words = {r.begin, r.end};
    argument.core = is_numbered(bare_role(r.label));
    out.arguments.push_back(argument);
  }
  if (out.target.empty()) out.target.push_back(p.predicate);
  return out;
}

Proposition from_layer(const FrameInstance& predicate) {
  Proposition out;
  out.roleset = predicate.frame;
  out.lemma = predicate.lexical_unit;
  out.predicate = predicate.target.empty() ? 0 : predicate.target.front();
  // Runs of the target's words: the first is V, others continue it.
  for (std::size_t i = 0; i < predicate.target.size();) {
    std::size_t end = i + 1;
    while (end < predicate.target.size() &&
           predicate.target[end] == predicate.target[end - 1] + 1) {
      ++end;
    }
    out.roles.push_back({i == 0 ? "V" : "C-V", predicate.target[i], predicate.target[end - 1] + 1});
    i = end;
  }
  for (const FrameArgument& a : predicate.arguments) {
    out.roles.push_back({a.role, a.words.begin, a.words.end});
  }
  std::stable_sort(out.roles.begin(), out.roles.end(),
                   [](const RoleSpan& a, const RoleSpan& b) { return a.begin < b.begin; });
  return out;
}

void to_document(const PropSentence& from, Sentence& to) {
  to = {};
  to.comments = from.comments;
  for (int i = 0; i < from.size(); ++i) {
    Word word;
    word.form = from.words[i];
    word.lemma = from.lemmas[i];
    word.xpos = from.tags[i];
    word.head = from.heads[i] == kNoHead ? -1 : from.heads[i] + 1;
    word.deprel = from.relations[i];
    to.words.push_back(std::move(word));
    to.tokens.push_back({.first = i, .last = i});
  }
  const std::vector<std::string> bits = from.tree.bits();
  // A label with a bar cannot stand in that column: then the tree stays behind.
  const bool fits = std::none_of(bits.begin(), bits.end(), [](const std::string& b) {
    return b.find('|') != std::string::npos;
  });
  if (fits) append_probabilities(from, to.comments);
  for (std::size_t i = 0; fits && i < bits.size(); ++i) {
    to.words[i].misc = std::string(kTree) + bits[i];
  }
  for (const Proposition& p : from.propositions) to.frames.push_back(to_layer(p));
}

PropSentence from_document(const Sentence& from) {
  PropSentence out;
  ProbabilityLines probabilities;
  for (const std::string& comment : from.comments) {
    if (!probabilities.read(comment, {})) out.comments.push_back(comment);
  }
  for (const Word& word : from.words) {
    out.words.push_back(word.form);
    out.tags.push_back(word.xpos);
    out.lemmas.push_back(word.lemma);
    out.relations.push_back(word.deprel);
    out.heads.push_back(word.head < 0 ? kNoHead : word.head - 1);
  }
  std::vector<std::string> bits;
  for (const Word& word : from.words) {
    const std::string_view piece = tree_piece(word.misc);
    if (!piece.empty()) bits.emplace_back(piece);
  }
  if (!bits.empty() && bits.size() == from.words.size()) {
    out.tree = PhraseTree::from_bits(bits, out.tags);
    probabilities.move_to(out);
  }
  if (out.tree.empty() && !from.trees.empty() && from.trees[0].size() == from.size()) {
    out.tree = PhraseTree::from_bits(bits_of(from.trees[0], from.words.size()), out.tags);
    add_probabilities(from.trees[0], out);
    for (const entente::PhraseTree& t : from.trees[0].drawn) {
      out.others.push_back({PhraseTree::from_bits(bits_of(t, from.words.size()), out.tags),
                            static_cast<float>(std::exp(t.score))});
    }
  }
  for (const FrameInstance& p : from.frames) {
    if (is_roleset(p.frame)) out.propositions.push_back(from_layer(p));
  }
  std::stable_sort(
      out.propositions.begin(), out.propositions.end(),
      [](const Proposition& a, const Proposition& b) { return a.predicate < b.predicate; });
  return out;
}

}  // namespace entente::propbank
