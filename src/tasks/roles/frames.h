// What the training data know of predicates: which rolesets a lemma has, and which numbered roles a
// roleset.
//
//   Rolesets sets = Rolesets::of(sentences, labels);
//   for (int r : sets.of_lemma(hash_of("kill"), 'V')) sets[r].name ...      // "kill.01"
//   sets.allowed(r, labels, out);              // one entry a label; empty: too little is known
//
// Immutable once made. Lookups are O(1) expected.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "learn/model_file.h"
#include "tasks/roles/labels.h"

namespace entente::roles {

struct Roleset {
  std::string name, lemma;  // "bust_up.04", "bust"
  std::uint64_t hash = 0;   // of the name
  int count = 0;            // in the training data
  std::vector<char> seen;   // by label: was it there with this roleset
};

class Rolesets {
 public:
  static Rolesets of(std::span<const propbank::PropSentence> sentences, const RoleLabels& labels);
  Rolesets() = default;
  Rolesets(const ModelFile& file, const RoleLabels& labels);
  void write(ModelWriter& writer) const;

  int size() const { return static_cast<int>(sets_.size()); }
  const Roleset& operator[](int i) const { return sets_[i]; }
  int find(const std::string& name) const;  // -1: unknown
  // By lemma of the word and kind of its tag (V, N, J).
  std::span<const int> of_lemma(std::uint64_t lemma, char kind) const;
  // Numbered roles that the roleset never had are not allowed, once it was seen often enough.
  void allowed(int roleset, const RoleLabels& labels, std::vector<char>& out) const;

  static constexpr int kEnough = 6;  // times seen

 private:
  struct Use {
    std::uint64_t key;
    std::int64_t roleset;  // as wide as the key: no padding in the model file
  };
  void index();
  static std::uint64_t key_of(std::uint64_t lemma, char kind);

  std::vector<Roleset> sets_;
  std::vector<Use> uses_;  // sorted by key, then by how often
  std::vector<int> use_sets_;
  std::unordered_map<std::uint64_t, std::pair<int, int>> places_;
  std::unordered_map<std::string, int> names_;
};

}  // namespace entente::roles
