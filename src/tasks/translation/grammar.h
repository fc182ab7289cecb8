// Synchronous grammars as Hiero writes them, and a trie over their source
// sides.
//
//   Grammar g = read_grammar(file);        // [X] ||| [X,1] of [X,2] ||| [X,2]
//   's [X,1] ||| 0.5 1.2 -3 g.rule(r).target                       // symbols:
//   words, or places of nonterminals const Grammar::Node* n = g.step(g.root(),
//   word);
//
// Rules have up to two nonterminals and any labels; features are numbers by
// position, or `name=value`. Reading is linear; anything malformed is an Error
// with its place. Immutable then: thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/line_source.h"
#include "base/text.h"

namespace entente::translation {

// A symbol of a source or target side: a word (its number, from 0) or,
// negative, nonterminal number 1 or 2 (-1 - (number - 1)).
using Symbol = std::int32_t;
inline bool is_nonterminal(Symbol s) { return s < 0; }
inline int nonterminal_index(Symbol s) { return -1 - s; }

class Grammar {
 public:
  struct Rule {
    std::int32_t label = 0;
    std::int32_t labels[2] = {-1, -1};          // of nonterminals 1 and 2; -1: none
    std::uint32_t target = 0, target_size = 0;  // in targets_
    std::uint32_t features = 0;                 // in features_: as many as feature_count()
  };
  struct Node {
    std::unordered_map<std::int64_t, std::int32_t> next;  // by word, or by label and number
    std::vector<std::int32_t> rules;
  };

  std::size_t size() const { return rules_.size(); }
  const Rule& rule(int r) const { return rules_[r]; }
  std::span<const Symbol> target(const Rule& rule) const {
    return {targets_.data() + rule.target, rule.target_size};
  }
  std::span<const float> features(const Rule& rule) const {
    return {features_.data() + static_cast<std::size_t>(rule.features) * feature_names_.size(),
            feature_names_.size()};
  }
  const std::vector<std::string>& feature_names() const { return feature_names_; }
  int source_word(std::string_view text) const { return source_.find(text); }  // -1: in no rule
  std::string_view target_word(int word) const { return target_.name(word); }
  int target_words() const { return target_.size(); }
  int labels() const { return labels_.size(); }
  std::string_view label(int index) const { return labels_.name(index); }

  const Node& node(int index) const { return nodes_[index]; }
  // -1: nothing goes on with it.
  int after_word(int node, int word) const { return find(node, word); }
  int after_label(int node, int label, int number) const {
    return find(node, label_key(label, number));
  }

 private:
  friend class GrammarReader;
  static std::int64_t label_key(int label, int number) {
    return -1 - (static_cast<std::int64_t>(label) * 2 + number);
  }
  int find(int node, std::int64_t key) const {
    const auto at = nodes_[node].next.find(key);
    return at == nodes_[node].next.end() ? -1 : at->second;
  }

  NameTable source_, target_, labels_;
  std::vector<Rule> rules_;
  std::vector<Symbol> targets_;
  std::vector<float> features_;
  std::vector<std::string> feature_names_;
  std::vector<Node> nodes_{1};
};

Grammar read_grammar(LineSource& file);

}  // namespace entente::translation
