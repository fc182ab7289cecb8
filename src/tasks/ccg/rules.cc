#include "tasks/ccg/rules.h"

#include <array>

namespace entente::ccg {

namespace {

constexpr std::array<std::string_view, 13> kRuleNames = {
    "lex", "fa", "ba", "fc", "bc", "conj", "coord", "lp", "rp", "list", "bank", "raise", "change"};

bool forward(char slash) { return slash != '\\'; }
bool backward(char slash) { return slash != '/'; }

// X|Y with Y|Z1..|Zn, n from 0: the result X|Z1..|Zn for the first n at which Y fits.
void compose(CategoryTable& table, CategoryId functor, CategoryId other, bool is_forward,
             std::vector<Combination>& out) {
  std::array<CategoryId, kLargestDegree> arguments{};
  std::array<char, kLargestDegree> slashes{};
  const CategoryId wanted = table.argument(functor);
  CategoryId inner = other;
  for (int n = 0; n <= kLargestDegree; ++n) {
    FeatureBinding binding;
    if (matches(table, wanted, inner, binding)) {
      CategoryId result = bind(table, table.result(functor), binding);
      for (int i = n - 1; i >= 0; --i)
        result = table.function(result, slashes[i], bind(table, arguments[i], binding));
      Combination c;
      c.rule = n == 0 ? (is_forward ? Rule::forward_application : Rule::backward_application)
                      : (is_forward ? Rule::forward_composition : Rule::backward_composition);
      c.degree = static_cast<std::uint8_t>(n);
      c.crossed = n > 0 && (is_forward ? !forward(slashes[n - 1]) : !backward(slashes[n - 1]));
      c.result = result;
      out.push_back(c);
    }
    if (n == kLargestDegree || !table.is_function(inner) || table.is_conjoined(inner)) return;
    slashes[n] = table.slash(inner);
    arguments[n] = table.argument(inner);
    inner = table.result(inner);
  }
}

Combination made(Rule rule, CategoryId result, bool loose = false) {
  Combination c;
  c.rule = rule;
  c.result = result;
  c.loose = loose;
  return c;
}

void absorbed(CategoryTable& table, CategoryId left, CategoryId right,
              std::vector<Combination>& out) {
  const bool left_mark = is_punctuation(table, left), right_mark = is_punctuation(table, right);
  if ((is_conjunction(table, left) || left_mark) && !right_mark && !is_conjunction(table, right) &&
      !table.is_conjoined(right))
    out.push_back(made(Rule::conjunction, table.conjoined(right)));
  if (right_mark && !left_mark) out.push_back(made(Rule::right_punctuation, left));
  if (left_mark && !right_mark) out.push_back(made(Rule::left_punctuation, right));
  FeatureBinding binding;
  if (table.is_conjoined(right) && matches(table, left, table.base(right), binding))
    out.push_back(made(Rule::coordination, left));
}

}  // namespace

std::string_view rule_name(Rule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

bool is_conjunction(const CategoryTable& table, CategoryId category) {
  return table.is_named(category, "conj");
}

bool is_punctuation(const CategoryTable& table, CategoryId category) {
  static constexpr std::array<std::string_view, 12> kMarks = {".", ",",   ":",   ";",  "?",  "!",
                                                              "-", "lrb", "rrb", "--", "``", "''"};
  if (table.is_function(category)) return false;
  const std::string& text = table.text(category);
  for (const std::string_view mark : kMarks) {
    if (text == mark) return true;
  }
  return text == "LRB" || text == "RRB" || text == "LQU" || text == "RQU";
}

bool same_shape(const CategoryTable& table, CategoryId a, CategoryId b) {
  if (table.bare(a) == table.bare(b)) return true;
  if (table.tree_size(a) != table.tree_size(b)) return false;
  if (table.is_function(a) != table.is_function(b)) return false;
  if (!table.is_function(a)) return table.name(a) == table.name(b);
  return same_shape(table, table.result(a), table.result(b)) &&
         same_shape(table, table.argument(a), table.argument(b));
}

void combinations(CategoryTable& table, CategoryId left, CategoryId right, bool absorb,
                  std::vector<Combination>& out) {
  if (absorb) absorbed(table, left, right, out);
  if (table.is_conjoined(left) || table.is_conjoined(right)) return;
  if (table.is_function(left) && forward(table.slash(left))) compose(table, left, right, true, out);
  if (table.is_function(right) && backward(table.slash(right)))
    compose(table, right, left, false, out);
}

Combination classify(CategoryTable& table, CategoryId left, CategoryId right, CategoryId parent) {
  std::vector<Combination> found;
  combinations(table, left, right, true, found);
  for (Combination c : found) {
    if (c.result == parent) return c;
  }
  // Treebanks write S where a feature is known, and the other way round.
  for (Combination c : found) {
    if (table.bare(c.result) == table.bare(parent) &&
        table.is_conjoined(c.result) == table.is_conjoined(parent)) {
      c.result = parent;
      return c;
    }
  }
  if (table.bare(left) == table.bare(right) && table.bare(left) == table.bare(parent))
    return made(Rule::juxtaposition, parent);
  if (table.is_function(left) && same_shape(table, table.argument(left), right) &&
      same_shape(table, table.result(left), parent))
    return made(Rule::forward_application, parent, true);
  if (table.is_function(right) && same_shape(table, table.argument(right), left) &&
      same_shape(table, table.result(right), parent))
    return made(Rule::backward_application, parent, true);
  if (is_conjunction(table, left) && table.bare(right) == table.bare(parent))
    return made(Rule::left_punctuation, parent);
  if (is_conjunction(table, right) && table.bare(left) == table.bare(parent))
    return made(Rule::right_punctuation, parent);
  return made(Rule::treebank, parent);
}

Combination classify(CategoryTable& table, CategoryId child, CategoryId parent) {
  if (table.is_function(parent) && table.is_function(table.argument(parent))) {
    const CategoryId inner = table.argument(parent);
    if (table.bare(table.result(inner)) == table.bare(table.result(parent)) &&
        table.bare(table.argument(inner)) == table.bare(child) &&
        table.slash(inner) != table.slash(parent))
      return made(Rule::type_raising, parent);
  }
  return made(Rule::type_change, parent);
}

}  // namespace entente::ccg
