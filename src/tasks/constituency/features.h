// What the log-linear model looks at: the words and tags at the edges of a span, around its split,
// its length and shape (Hall, Durrett and Klein, "Less grammar, more features", 2014).
//
//   SpanContext context;
//   context.set(words, tags, lexicon);              // tags: the tagger's best
//   context.span_features(begin, end, out);         // hashes; to be mixed with a symbol or chain
//   context.split_features(begin, split, end, out); // to be mixed with a rule, or its parent
//
// A feature is a hash of a template and what it saw. A word that was seen once or never is what it
// looks like. Cost: some 30 hashes a span. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tasks/constituency/lexicon.h"

namespace entente::constituency {

class SpanContext {
 public:
  void set(std::span<const std::string> words, std::span<const std::int32_t> tags,
           const Lexicon& lexicon);
  void span_features(int begin, int end, std::vector<std::uint64_t>& out) const;
  // The first kOfRule go with the rule, the others with its parent.
  static constexpr int kOfRule = 12;
  void split_features(int begin, int split, int end, std::vector<std::uint64_t>& out) const;
  // Of a word: itself, its tag, its class (what it looks like where it has none); i may be up to
  // two places outside.
  std::uint64_t word(int i) const { return words_[i + kPad]; }
  std::uint64_t tag(int i) const { return tags_[i + kPad]; }
  std::uint64_t word_class(int i) const { return classes_[i + kPad]; }
  bool has_classes() const { return has_classes_; }
  int size() const { return n_; }
  // The first kPlain span features are words and tags at the edges: those that go with contexts.
  static constexpr int kPlain = 11;

 private:
  static constexpr int kPad = 2;  // places outside on either side

  int n_ = 0;
  bool has_classes_ = false;
  std::vector<std::uint64_t> words_, tags_, classes_;
  std::vector<std::int32_t> verbs_, commas_, conjunctions_, quotes_, opens_, closes_;  // before i
};

}  // namespace entente::constituency
