#include "tasks/ccg/markup.h"

#include <algorithm>

namespace entente::ccg {

namespace {

class Builder {
 public:
  Builder(const CategoryTable& table, Markup& out) : table_(table), out_(out) {}

  void build(CategoryId category) {
    out_.variables.assign(table_.tree_size(category), 0);
    out_.count = 1;
    spine(category, 0, 0);
    for (std::size_t i = 0; i < complements_.size(); ++i) control(i);
    std::reverse(out_.slots.begin(), out_.slots.end());
    for (std::size_t i = 0; i < out_.slots.size(); ++i)
      out_.slots[i].number = static_cast<std::int32_t>(i) + 1;
  }

 private:
  struct Complement {
    CategoryId category = kNoCategory;
    int node = 0;
  };

  // The word's own category at `node`, head `head`; arguments come outermost first.
  void spine(CategoryId c, int node, std::int32_t head) {
    out_.variables[node] = head;
    if (!table_.is_function(c)) return;
    const CategoryId result = table_.result(c), argument = table_.argument(c);
    const int result_node = node + 1, argument_node = node + 1 + table_.tree_size(result);
    const std::int32_t filler = out_.count++;
    fresh(argument, argument_node, filler);
    out_.slots.push_back({filler, 0});
    if (is_modifier(table_, c)) {
      std::copy_n(out_.variables.begin() + argument_node, table_.tree_size(argument),
                  out_.variables.begin() + result_node);
      const int subject = subject_node(table_, argument);
      modified_ = subject < 0 ? filler : out_.variables[argument_node + subject];
      return;
    }
    complements_.push_back({argument, argument_node});
    // NP/N, NP/(N/PP): the noun is the head.
    CategoryId target = argument;
    while (table_.is_function(target)) target = table_.result(target);
    if (table_.is_named(result, "NP") && table_.is_named(target, "N")) {
      out_.variables[result_node] = filler;
      return;
    }
    spine(result, result_node, head);
  }

  // An argument, of which nothing is known but its shape.
  void fresh(CategoryId c, int node, std::int32_t head) {
    out_.variables[node] = head;
    if (!table_.is_function(c)) return;
    const CategoryId result = table_.result(c), argument = table_.argument(c);
    const int result_node = node + 1, argument_node = node + 1 + table_.tree_size(result);
    fresh(argument, argument_node, out_.count++);
    if (is_modifier(table_, c)) {
      std::copy_n(out_.variables.begin() + argument_node, table_.tree_size(argument),
                  out_.variables.begin() + result_node);
    } else {
      fresh(result, result_node, head);
    }
  }

  // The subject of the verb phrase that is complement i.
  void control(std::size_t i) {
    const Complement& c = complements_[i];
    if (!table_.is_function(c.category)) return;
    const int subject = subject_node(table_, c.category);
    if (subject < 0) return;
    const std::int32_t own = out_.variables[c.node + subject];
    std::int32_t other = -1;
    for (std::size_t j = i; other < 0 && j-- > 0;) other = noun_phrase(complements_[j]);
    for (std::size_t j = i + 1; other < 0 && j < complements_.size(); ++j)
      other = noun_phrase(complements_[j]);
    if (other < 0) other = modified_;
    if (other < 0) return;
    std::replace(out_.variables.begin(), out_.variables.end(), own, other);
  }

  std::int32_t noun_phrase(const Complement& c) const {
    return table_.is_named(c.category, "NP") ? out_.variables[c.node] : -1;
  }

  const CategoryTable& table_;
  Markup& out_;
  std::vector<Complement> complements_;  // outermost first
  std::int32_t modified_ = -1;
};

}  // namespace

bool is_modifier(const CategoryTable& table, CategoryId category) {
  return table.is_function(category) && table.result(category) == table.argument(category);
}

int subject_node(const CategoryTable& table, CategoryId category) {
  int node = 0;
  while (table.is_function(category)) {
    const CategoryId result = table.result(category);
    if (table.is_named(result, "S"))
      return table.is_named(table.argument(category), "NP") ? node + 2 : -1;
    category = result;
    ++node;
  }
  return -1;
}

Markup mark_up(const CategoryTable& table, CategoryId category) {
  Markup out;
  Builder(table, out).build(category);
  return out;
}

}  // namespace entente::ccg
