// Tokens that are several words: "don't" is do + n't, Portuguese "do" is de + o.
//
//   MultiwordRules rules = MultiwordRules::learn(paragraphs);
//   rules.candidates(characters, begin, end, found);       // rule numbers, often none
//   rules.apply(found[0], text, words);
//
// A rule says how the words come from the token's own letters: cut it in places, or replace its
// last n characters. A token seen in training brings the rules it was split by; another the rules
// of the longest ending that split several different tokens. Which candidate, if any, is right
// where the token stands is for a linear model (features()) to say. A lookup is a few binary
// searches.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/model_file.h"
#include "tasks/tokens/characters.h"
#include "tasks/tokens/lexicon.h"
#include "tasks/tokens/templates.h"
#include "tasks/tokens/treebank_text.h"

namespace entente::tokens {

class MultiwordRules {
 public:
  static MultiwordRules learn(std::span<const Paragraph> paragraphs);
  static MultiwordRules read(const ModelFile& file, const std::string& name);
  void write(ModelWriter& writer, const std::string& name) const;

  bool empty() const { return rules_.empty(); }
  // Rules that may split the token of characters [begin, end).
  void candidates(const Characters& c, int begin, int end, std::vector<int>& found) const;
  // A rule that splits the token whatever stands around it (gonna, he'd've); -1: none.
  int sure(const Characters& c, int begin, int end) const;
  // Whether a candidate is worth a thought: in English, letters alone are split behind a pronoun or
  // an auxiliary (youve, arent), not because a noun ends like one ("doctors", "trent", "sincere").
  bool may_split(const Characters& c, int begin, int end, int rule,
                 const LexiconView& lexicon) const;
  void apply(int rule, std::string_view token, std::vector<std::string>& words) const;
  int size() const { return static_cast<int>(rules_.size()); }

  // Features of splitting token i by a rule. Tokens are [ends[i - 1], ends[i]).
  void features(const Characters& c, std::span<const int> ends, int i, int rule,
                const LexiconView& lexicon, Features& out) const;

 private:
  // The token's last `cut` characters go. If `literal` is empty they become words of `lengths`
  // characters; otherwise the first of `literal` is added to what is left and the others are words.
  struct Rule {
    int cut = 0;
    std::vector<int> lengths;
    std::vector<std::string> literal;
    std::string text() const;
    static Rule of_text(std::string_view text);
    static Rule of(std::string_view token, std::span<const std::string> words);
  };
  struct Key {
    std::uint64_t hash;
    std::uint32_t rule;
    std::uint32_t padding = 0;
    auto operator<=>(const Key&) const = default;
  };
  static void find(const std::vector<Key>& keys, std::uint64_t hash, std::vector<int>& found);

  void add_english();

  std::vector<Rule> rules_;
  std::vector<Key> tokens_, endings_;     // sorted
  std::vector<Key> sure_, sure_endings_;  // sorted
  std::uint32_t ending_lengths_ = 0;      // a bit a length
};

}  // namespace entente::tokens
