#include "corpus/layers/constituency/brackets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/text.h"
#include "corpus/gzip.h"

namespace entente {

namespace {

constexpr std::array<std::pair<char, std::string_view>, 6> kEscapes{{{'(', "-LRB-"},
                                                                     {')', "-RRB-"},
                                                                     {'[', "-LSB-"},
                                                                     {']', "-RSB-"},
                                                                     {'{', "-LCB-"},
                                                                     {'}', "-RCB-"}}};
constexpr int kDeepest = 4000;  // brackets open at once: more is a broken file

// NP-SBJ-1 -> NP, NP=2 -> NP; -LRB- and -NONE- stay.
std::string without_function(const std::string& label) {
  if (label.empty() || label[0] == '-') return label;
  return label.substr(0, label.find_first_of("-=|", 1));
}

}  // namespace

std::string escape_brackets(std::string_view word) {
  std::string out;
  for (const char c : word) {
    const auto* found =
        std::find_if(kEscapes.begin(), kEscapes.end(), [&](const auto& e) { return e.first == c; });
    if (found == kEscapes.end()) {
      out += c;
    } else {
      out += found->second;
    }
  }
  return out;
}

std::string unescape_brackets(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size();) {
    const auto* found = std::find_if(kEscapes.begin(), kEscapes.end(), [&](const auto& e) {
      return word.substr(i).starts_with(e.second);
    });
    if (found == kEscapes.end()) {
      out += word[i++];
    } else {
      out += found->first;
      i += found->second.size();
    }
  }
  return out;
}

BracketReader::Token BracketReader::next() {
  while (true) {
    while (at_ < line_.size() && std::isspace(static_cast<unsigned char>(line_[at_]))) ++at_;
    if (at_ < line_.size()) break;
    at_ = 0;
    if (!source_.read_line(line_)) {
      line_.clear();  // it may still hold the last line
      return {Kind::kEnd, "", source_.place(1)};
    }
  }
  Token token;
  token.place = source_.place(static_cast<int>(at_) + 1);
  const char c = line_[at_];
  if (c == '(' || c == ')') {
    token.kind = c == '(' ? Kind::kOpen : Kind::kClose;
    ++at_;
    return token;
  }
  token.kind = Kind::kWord;
  while (at_ < line_.size() && line_[at_] != '(' && line_[at_] != ')' &&
         !std::isspace(static_cast<unsigned char>(line_[at_]))) {
    token.text += line_[at_++];
  }
  return token;
}

void BracketReader::open(const Token& at, PhraseTree& tree) {
  if (static_cast<int>(stack_.size()) >= kDeepest) {
    throw Error("brackets are nested more than " + std::to_string(kDeepest) + " deep", at.place);
  }
  if (!stack_.empty()) {
    Open& above = stack_.back();
    if (above.has_word) throw Error("expected ')' after a word", at.place);
    if (!above.has_children) {
      above.has_children = true;
      above.phrase = static_cast<int>(tree.phrases.size());
      const int parent = stack_.size() > 1 ? stack_[stack_.size() - 2].phrase : -1;
      tree.phrases.push_back({above.label, tree.size(), tree.size(), parent});
    }
  }
  Open added;
  added.begin = tree.size();
  stack_.push_back(added);
}

void BracketReader::close(const Token& at, PhraseTree& tree) {
  if (stack_.empty()) throw Error("')' without '('", at.place);
  const Open done = std::move(stack_.back());
  stack_.pop_back();
  if (done.has_children) {
    if (tree.size() > done.begin) {
      tree.phrases[done.phrase].end = tree.size();
    } else {  // it held traces only; nothing was opened after it that is still there
      tree.phrases.resize(done.phrase);
    }
  } else if (done.has_word) {
    if (done.label == "-NONE-" && !options_.keep_traces) return;
    // Escaped first: "-LRB[" would be written "-LRB-LSB-", which is "(LSB-", so that is what it is.
    tree.words.push_back(unescape_brackets(escape_brackets(done.word)));
    tree.tags.push_back(options_.keep_functions ? done.label : without_function(done.label));
  } else {
    throw Error(done.label.empty() ? "empty brackets" : "expected a word or a phrase before ')'",
                at.place);
  }
}

void BracketReader::finish(PhraseTree& tree) const {
  if (!options_.keep_functions) {
    for (Phrase& p : tree.phrases) p.label = without_function(p.label);
  }
  const bool named = !tree.phrases.empty() && tree.phrases[0].begin == 0 &&
                     tree.phrases[0].end == tree.size() && tree.phrases[0].parent < 0;
  const std::string root = named ? tree.phrases[0].label : "?";
  if (root.empty() || root == "ROOT" || root == "TOP" || root == "S1") {
    tree.phrases[0].label = "TOP";
    return;
  }
  for (Phrase& p : tree.phrases) ++p.parent;
  tree.phrases.insert(tree.phrases.begin(), {"TOP", 0, tree.size(), -1});
}

bool BracketReader::read(PhraseTree& tree) {
  tree = PhraseTree();
  stack_.clear();
  while (true) {
    Token token = next();
    if (token.kind == Kind::kEnd) {
      if (stack_.empty()) return false;
      throw Error("the file ends within a tree: expected ')'", token.place);
    }
    if (token.kind == Kind::kOpen) {
      open(token, tree);
    } else if (token.kind == Kind::kClose) {
      close(token, tree);
      if (!stack_.empty()) continue;
      if (tree.words.empty()) throw Error("a tree without words", token.place);
      finish(tree);
      return true;
    } else {
      if (stack_.empty())
        throw Error("expected '(', found " + quoted(token.text), token.place);
      Open& top = stack_.back();
      if (top.has_children) throw Error("a word beside phrases needs a tag", token.place);
      if (top.label.empty() && !top.has_word) {
        top.label = token.text;
      } else if (!top.has_word) {
        top.word = token.text;
        top.has_word = true;
      } else {
        throw Error("expected ')' after a word", token.place);
      }
    }
  }
}

std::vector<PhraseTree> read_trees(const std::string& path, const BracketOptions& options) {
  CorpusFile file(path);
  BracketReader reader(file, options);
  std::vector<PhraseTree> out;
  for (PhraseTree tree; reader.read(tree);) out.push_back(std::move(tree));
  return out;
}

namespace {

void write(const PhraseTree& tree, bool indented, std::string& out) {
  std::vector<int> open;
  std::size_t next = 0;
  const auto start = [&](bool first) {
    if (first) return;
    out += indented ? "\n" + std::string(2 * open.size(), ' ') : " ";
  };
  for (int i = 0; i < tree.size(); ++i) {
    while (next < tree.phrases.size() && tree.phrases[next].begin == i) {
      start(out.empty());
      out += "(" + tree.phrases[next].label;
      open.push_back(static_cast<int>(next++));
    }
    out += " (" + tree.tags[i] + " " + escape_brackets(tree.words[i]) + ")";
    while (!open.empty() && tree.phrases[open.back()].end == i + 1) {
      out += ")";
      open.pop_back();
    }
  }
}

}  // namespace

std::string to_brackets(const PhraseTree& tree) {
  std::string out;
  write(tree, false, out);
  return out;
}

std::string to_indented_brackets(const PhraseTree& tree) {
  std::string out;
  write(tree, true, out);
  return out;
}

}  // namespace entente
