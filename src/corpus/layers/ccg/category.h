// Categories of CCG: atoms with features (NP, S[dcl]) and functions (S[dcl]\NP)/NP, each kept once.
//
//   CategoryTable table;
//   const CategoryId verb = table.parse("(S[dcl]\\NP)/NP");     // Error with its column if broken
//   table.slash(verb);                                           // '/'
//   table.text(table.result(verb));                              // "S[dcl]\NP"
//
// Equal categories have equal ids, so comparing is comparing numbers. The nodes of a category are
// counted in preorder: itself, the nodes of its result, those of its argument. A category that
// coordination has half built ("NP[conj]") is a category of its own with the same nodes.
//
// parse: linear in the text. Reading is thread-safe as long as nobody adds; a thread that must add
// categories works on a copy, in which the old ids mean the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace entente::ccg {

using CategoryId = std::int32_t;
inline constexpr CategoryId kNoCategory = -1;

// A feature that takes the value of whatever it meets: "X" in S[X], and nothing in plain S.
inline constexpr std::int32_t kNoFeature = 0;
inline constexpr std::int32_t kVariableFeature = 1;

class CategoryTable {
 public:
  CategoryTable();

  // The category that the text writes. Error with the column in the text if it writes none.
  CategoryId parse(std::string_view text);
  CategoryId atom(std::string_view name, std::string_view feature = {});
  CategoryId function(CategoryId result, char slash, CategoryId argument);
  // The atom with another feature, by its number.
  CategoryId with_feature(CategoryId atom, std::int32_t feature);
  // "NP" -> "NP[conj]".
  CategoryId conjoined(CategoryId category);

  int size() const { return static_cast<int>(nodes_.size()); }
  bool is_function(CategoryId c) const { return nodes_[c].slash != 0; }
  bool is_conjoined(CategoryId c) const { return nodes_[c].base != c; }
  CategoryId base(CategoryId c) const { return nodes_[c].base; }  // without "[conj]"
  char slash(CategoryId c) const { return nodes_[c].slash; }
  CategoryId result(CategoryId c) const { return nodes_[c].result; }
  CategoryId argument(CategoryId c) const { return nodes_[c].argument; }
  std::int32_t name(CategoryId c) const { return nodes_[c].name; }  // of an atom
  std::int32_t feature(CategoryId c) const { return nodes_[c].feature; }
  int tree_size(CategoryId c) const { return nodes_[c].tree_size; }  // nodes in preorder
  // The same category with every feature taken off: what is compared where features may differ.
  CategoryId bare(CategoryId c) const { return nodes_[c].bare; }
  bool is_named(CategoryId c, std::string_view name) const;
  const std::string& text(CategoryId c) const { return nodes_[c].text; }

 private:
  struct Node {
    std::int32_t name = -1, feature = kNoFeature;
    char slash = 0;
    CategoryId result = kNoCategory, argument = kNoCategory, base = kNoCategory, bare = kNoCategory;
    std::int32_t tree_size = 1;
    std::string text;
  };

  CategoryId add(Node node);

  std::vector<Node> nodes_;
  std::unordered_map<std::string, CategoryId> by_text_;
  std::unordered_map<std::string, std::int32_t> names_, features_;
  std::vector<std::string> name_texts_, feature_texts_;
};

// What a feature variable was bound to while two categories were matched.
struct FeatureBinding {
  std::int32_t value = kNoFeature;  // of S
};

// Do the categories match, where a feature that is missing or "X" matches any other? Slashes "|"
// match both directions. Remembers what missing features of S met.
bool matches(const CategoryTable& table, CategoryId a, CategoryId b, FeatureBinding& binding);

// The category with the missing features of S filled in.
CategoryId bind(CategoryTable& table, CategoryId category, const FeatureBinding& binding);

}  // namespace entente::ccg
