#include "corpus/layers/ccg/category.h"

#include <utility>

#include "entente/error.h"

namespace entente::ccg {

namespace {

constexpr std::string_view kConjoined = "[conj]";

bool is_slash(char c) { return c == '/' || c == '\\' || c == '|'; }

// Recursive descent; depth is bounded so that hostile text cannot exhaust the stack.
class Reader {
 public:
  Reader(CategoryTable& table, std::string_view text) : table_(table), text_(text) {}

  CategoryId read() {
    const CategoryId out = category(0);
    if (at_ < text_.size()) fail("a slash or the end of the category");
    return out;
  }

 private:
  static constexpr int kDepth = 64;

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error("category \"" + std::string(text_) + "\": expected " + expected,
                {.file = {}, .line = 0, .column = static_cast<int>(at_) + 1});
  }

  CategoryId category(int depth) {
    if (depth > kDepth) fail("fewer brackets inside each other");
    CategoryId out = part(depth);
    int length = 0;
    while (at_ < text_.size() && is_slash(text_[at_])) {
      if (++length > kDepth) fail("fewer arguments");
      const char slash = text_[at_++];
      out = table_.function(out, slash, part(depth));
    }
    return out;
  }

  CategoryId part(int depth) {
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      const CategoryId out = category(depth + 1);
      if (at_ >= text_.size() || text_[at_] != ')') fail("')'");
      ++at_;
      return out;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_slash(text_[at_]) && text_[at_] != '(' && text_[at_] != ')' &&
           text_[at_] != '[' && text_[at_] != ']' && text_[at_] != ' ')
      ++at_;
    if (at_ == begin) fail("an atom such as NP");
    const std::string_view name = text_.substr(begin, at_ - begin);
    std::string_view feature;
    if (at_ < text_.size() && text_[at_] == '[') {
      const std::size_t close = text_.find(']', at_);
      if (close == std::string_view::npos || close == at_ + 1) fail("a feature such as [dcl]");
      feature = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
    }
    return table_.atom(name, feature);
  }

  CategoryTable& table_;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string bracketed(const std::string& text, bool function) {
  return function ? "(" + text + ")" : text;
}

std::int32_t intern(std::unordered_map<std::string, std::int32_t>& ids,
                    std::vector<std::string>& texts, std::string_view text) {
  const auto [at, is_new] =
      ids.try_emplace(std::string(text), static_cast<std::int32_t>(texts.size()));
  if (is_new) texts.emplace_back(text);
  return at->second;
}

}  // namespace

CategoryTable::CategoryTable() {
  intern(features_, feature_texts_, "");
  intern(features_, feature_texts_, "X");
}

CategoryId CategoryTable::add(Node node) {
  const auto [at, is_new] = by_text_.try_emplace(node.text, size());
  if (!is_new) return at->second;
  const CategoryId id = size();
  if (node.base == kNoCategory) node.base = id;
  nodes_.push_back(std::move(node));
  return id;
}

CategoryId CategoryTable::atom(std::string_view name, std::string_view feature) {
  Node node;
  node.name = intern(names_, name_texts_, name);
  node.feature = intern(features_, feature_texts_, feature);
  node.text = std::string(name);
  if (!feature.empty()) node.text += "[" + std::string(feature) + "]";
  const CategoryId bare = feature.empty() ? kNoCategory : atom(name);
  const CategoryId id = add(std::move(node));
  if (nodes_[id].bare == kNoCategory) nodes_[id].bare = bare == kNoCategory ? id : bare;
  return id;
}

CategoryId CategoryTable::function(CategoryId result, char slash, CategoryId argument) {
  Node node;
  node.slash = slash;
  node.result = result;
  node.argument = argument;
  node.tree_size = 1 + tree_size(result) + tree_size(argument);
  node.text = bracketed(text(result), is_function(result)) + slash +
              bracketed(text(argument), is_function(argument));
  const CategoryId bare_result = bare(result), bare_argument = bare(argument);
  const bool is_bare = bare_result == result && bare_argument == argument;
  const CategoryId bare = is_bare ? kNoCategory : function(bare_result, slash, bare_argument);
  const CategoryId id = add(std::move(node));
  if (nodes_[id].bare == kNoCategory) nodes_[id].bare = is_bare ? id : bare;
  return id;
}

CategoryId CategoryTable::with_feature(CategoryId category, std::int32_t feature) {
  const std::string name = name_texts_[nodes_[category].name];
  return atom(name, std::string(feature_texts_[feature]));
}

CategoryId CategoryTable::conjoined(CategoryId category) {
  if (is_conjoined(category)) return category;
  Node node = nodes_[category];
  node.base = category;
  node.text += kConjoined;
  return add(std::move(node));
}

CategoryId CategoryTable::parse(std::string_view text) {
  if (const auto at = by_text_.find(std::string(text)); at != by_text_.end()) return at->second;
  // "S[dcl]\NP[conj]" is a verb phrase half coordinated, not one that wants an NP[conj].
  const bool half = text.ends_with(kConjoined);
  if (half) text.remove_suffix(kConjoined.size());
  const CategoryId out = Reader(*this, text).read();
  return half ? conjoined(out) : out;
}

bool CategoryTable::is_named(CategoryId c, std::string_view name) const {
  const auto at = names_.find(std::string(name));
  return !is_function(c) && at != names_.end() && at->second == nodes_[c].name;
}

bool matches(const CategoryTable& table, CategoryId a, CategoryId b, FeatureBinding& binding) {
  if (a == b) return true;
  if (table.is_conjoined(a) || table.is_conjoined(b)) return false;
  if (table.is_function(a) != table.is_function(b)) return false;
  if (table.is_function(a)) {
    const char s = table.slash(a), t = table.slash(b);
    if (s != t && s != '|' && t != '|') return false;
    return matches(table, table.result(a), table.result(b), binding) &&
           matches(table, table.argument(a), table.argument(b), binding);
  }
  if (table.name(a) != table.name(b)) return false;
  const std::int32_t f = table.feature(a), g = table.feature(b);
  if (f == g) return true;
  const bool open_a = f <= kVariableFeature, open_b = g <= kVariableFeature;
  if (!open_a && !open_b) return false;
  const std::int32_t value = open_a ? g : f;
  if (table.is_named(a, "S") && value > kVariableFeature) binding.value = value;
  return true;
}

CategoryId bind(CategoryTable& table, CategoryId category, const FeatureBinding& binding) {
  if (binding.value == kNoFeature) return category;
  if (table.is_function(category)) {
    const CategoryId result = bind(table, table.result(category), binding);
    const CategoryId argument = bind(table, table.argument(category), binding);
    if (result == table.result(category) && argument == table.argument(category)) return category;
    return table.function(result, table.slash(category), argument);
  }
  if (table.feature(category) > kVariableFeature || !table.is_named(category, "S")) return category;
  return table.with_feature(category, binding.value);
}

}  // namespace entente::ccg
