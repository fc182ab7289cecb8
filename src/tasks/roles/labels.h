// The roles that a model knows, as numbers; 0 is "no argument".
//
//   RoleLabels labels = RoleLabels::of(sentences, 5);      // those seen at least five times
//   labels.find("ARGM-TMP")                                // -1: not among them
//   labels.continued[l], labels.referred[l]                // of C-X and R-X the number of X, or -1
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/propbank/propbank.h"

namespace entente::roles {

struct RoleLabels {
  std::vector<std::string> names;
  std::vector<int> continued, referred;  // X of C-X, X of R-X; -1: another kind of label
  std::vector<char> numbered;            // ARG0 to ARG5, without prefix

  static RoleLabels of(std::span<const propbank::PropSentence> sentences, int least);
  static RoleLabels from_names(std::vector<std::string> names);
  int size() const { return static_cast<int>(names.size()); }
  int find(std::string_view name) const;
};

}  // namespace entente::roles
