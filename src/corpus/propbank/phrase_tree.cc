#include "corpus/propbank/phrase_tree.h"

#include "base/text.h"
#include "entente/error.h"

namespace entente::propbank {

int PhraseTree::open(std::string label, int begin) {
  const int node = static_cast<int>(nodes.size());
  nodes.push_back({.label = std::move(label),
                   .parent = open_.empty() ? -1 : open_.back(),
                   .begin = begin,
                   .end = begin});
  open_.push_back(node);
  return node;
}

void PhraseTree::close() {
  Node& node = nodes[open_.back()];
  node.end = static_cast<int>(leaves.size());
  node.next = static_cast<int>(nodes.size());
  open_.pop_back();
}

void PhraseTree::add_word(std::string tag) {
  const int word = static_cast<int>(leaves.size());
  const int node = open(std::move(tag), word);
  nodes[node].is_tag = true;
  leaves.push_back(node);
  close();
}

bool PhraseTree::is_top(int node) const {
  const std::string& label = nodes[node].label;
  return nodes[node].parent < 0 && (label == "TOP" || label == "ROOT" || label.empty());
}

int PhraseTree::node_over(int begin, int end) const {
  int node = leaves[begin];
  int best = -1;
  for (; node >= 0 && nodes[node].begin >= begin && nodes[node].end <= end;
       node = nodes[node].parent) {
    if (nodes[node].begin == begin && nodes[node].end == end && !is_top(node)) best = node;
  }
  return best;
}

PhraseTree PhraseTree::from_bits(std::span<const std::string> bits,
                                 std::span<const std::string> tags) {
  PhraseTree tree;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const auto fail = [&](const std::string& message) {
      throw Error(message, {.file = {}, .line = static_cast<int>(i) + 1, .column = 0});
    };
    const std::string_view text = bits[i];
    const std::size_t star = text.find('*');
    if (star == text.npos) fail("expected a piece of a tree with a *, found " + quoted(text));
    std::size_t at = 0;
    while (at < star) {
      if (text[at] != '(') fail("expected ( or * in the piece of a tree " + quoted(text));
      const std::size_t end = text.find_first_of("(*", at + 1);
      tree.open(std::string(text.substr(at + 1, end - at - 1)), static_cast<int>(i));
      at = end;
    }
    if (i > 0 && tree.open_.empty()) fail("the tree ends before this word");
    tree.add_word(tags[i]);
    for (at = star + 1; at < text.size(); ++at) {
      if (text[at] != ')') fail("expected ) after the * in the piece of a tree " + quoted(text));
      if (tree.open_.empty()) fail("a ) closes nothing in the piece of a tree " + quoted(text));
      tree.close();
    }
  }
  if (!tree.open_.empty()) {
    throw Error("the tree is not closed at the end of the sentence",
                {.file = {}, .line = static_cast<int>(bits.size()), .column = 0});
  }
  return tree;
}

PhraseTree PhraseTree::from_brackets(std::string_view text, std::vector<std::string>& words) {
  PhraseTree tree;
  words.clear();
  const Source source{.text = text, .file = {}, .first_line = 1};
  std::size_t at = 0;
  const auto skip = [&] {
    while (at < text.size() && text[at] == ' ') ++at;
  };
  const auto token = [&] {
    const std::size_t begin = at;
    while (at < text.size() && text[at] != ' ' && text[at] != '(' && text[at] != ')') ++at;
    return std::string(text.substr(begin, at - begin));
  };
  bool closed = false;
  for (skip(); at < text.size(); skip()) {
    if (closed) source.fail(at, "expected the end of the line after the tree");
    if (text[at] == ')') {
      if (tree.open_.empty()) source.fail(at, "a ) closes nothing");
      if (tree.nodes[tree.open_.back()].begin == static_cast<int>(words.size())) {
        source.fail(at, "expected a word before )");
      }
      tree.close();
      ++at;
      closed = tree.open_.empty();
      continue;
    }
    if (text[at] != '(') source.fail(at, "expected ( or )");
    ++at;
    std::string label = token();
    skip();
    if (at < text.size() && text[at] != '(' && text[at] != ')') {
      words.push_back(token());
      tree.add_word(std::move(label));
      skip();
      if (at >= text.size() || text[at] != ')') source.fail(at, "expected ) after a word");
      ++at;
      closed = tree.open_.empty();
    } else {
      tree.open(std::move(label), static_cast<int>(words.size()));
    }
  }
  if (!closed) source.fail(text.size(), "expected ): the tree is not closed");
  return tree;
}

std::vector<std::string> PhraseTree::bits() const {
  std::vector<std::string> out(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) out[i] = "*";
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (nodes[n].is_tag) continue;
    out[nodes[n].begin].insert(0, "(" + nodes[n].label);
    out[nodes[n].end - 1] += ')';
  }
  return out;
}

}  // namespace entente::propbank
