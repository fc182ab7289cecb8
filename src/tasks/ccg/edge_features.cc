#include "tasks/ccg/edge_features.h"

#include <algorithm>
#include <cstdlib>

#include "learn/hash.h"

namespace entente::ccg {

namespace {

constexpr std::uint64_t kBorderWord = 11, kBorderTag = 12, kNoHead = 13;

bool is_mark(const std::string& word) {
  return std::none_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c & 0x80) != 0;
  });
}

}  // namespace

void EdgeFeatures::begin(const TaggedWords& text, const CategoryTable& table) {
  if (table_ != &table) categories_.clear();
  table_ = &table;
  words_.assign(1, kBorderWord);
  tags_.assign(1, kBorderTag);
  marks_.assign(1, 0);
  for (std::size_t i = 0; i < text.words.size(); ++i) {
    words_.push_back(hash_of(text.words[i]));
    tags_.push_back(hash_of(text.tags[i]));
    marks_.push_back(marks_.back() + (is_mark(text.words[i]) ? 1 : 0));
  }
  words_.push_back(kBorderWord);
  tags_.push_back(kBorderTag);
}

void EdgeFeatures::add(std::vector<std::uint32_t>& out, std::uint64_t kind, std::uint64_t a,
                       std::uint64_t b, std::uint64_t c) const {
  out.push_back(static_cast<std::uint32_t>(spread(mix(mix(mix(kind, a), b), c)) >> (64 - bits_)));
}

std::uint64_t EdgeFeatures::category(CategoryId c) {
  if (c < 0) return 17;
  while (c >= static_cast<CategoryId>(categories_.size()))
    categories_.push_back(hash_of(table_->text(static_cast<CategoryId>(categories_.size()))));
  return categories_[c];
}

// How far, and across how many marks.
std::uint64_t EdgeFeatures::distance(int from, int to) const {
  const int left = std::min(from, to), right = std::max(from, to);
  const int far = right - left, marks = marks_[right] - marks_[left + 1];
  const int bucket = far <= 4 ? far : far <= 8 ? 5 : far <= 16 ? 6 : 7;
  return static_cast<std::uint64_t>(bucket * 3 + std::min(marks, 2));
}

void EdgeFeatures::find(const Chart& chart, int e, std::vector<std::uint32_t>& out) {
  const Chart::Edge& edge = chart.edge(e);
  if (set_ != FeatureSet::dependency) add_derivation(chart, edge, out);
  if (set_ != FeatureSet::normal_form) {
    for (const Dependency& d : chart.dependencies(e)) add_dependency(d, out);
  }
}

void EdgeFeatures::add_derivation(const Chart& chart, const Chart::Edge& edge,
                                  std::vector<std::uint32_t>& out) {
  if (edge.rule.rule == Rule::lexical) {
    const std::uint64_t c = category(edge.rule.result);
    add(out, 1, c);
    add(out, 2, c, word(edge.word));
    add(out, 3, c, tag(edge.word));
    return;
  }
  const Chart::Node& left = chart.node(edge.left);
  const auto head_word = [&](const Chart::Node& n) { return n.head < 0 ? kNoHead : word(n.head); };
  const auto head_tag = [&](const Chart::Node& n) { return n.head < 0 ? kNoHead : tag(n.head); };
  if (edge.rule.result == kNoCategory) {
    const std::uint64_t c = category(left.category);
    add(out, 4, c);
    add(out, 5, c, head_word(left));
    add(out, 6, c, head_tag(left));
    return;
  }
  const Chart::Node& node = chart.node(edge.node);
  if (edge.right < 0) {
    const std::uint64_t rule = mix(category(left.category), category(edge.rule.result));
    add(out, 7, rule);
    add(out, 8, rule, head_word(left));
    add(out, 9, rule, head_tag(left));
    add_surface(node, rule, out);
    return;
  }
  const Chart::Node& right = chart.node(edge.right);
  const std::uint64_t rule =
      mix(mix(category(left.category), category(right.category)), category(edge.rule.result));
  add(out, 10, rule);
  add(out, 11, rule, head_word(node));
  add(out, 12, rule, head_tag(node));
  add(out, 13, rule, head_tag(left), head_tag(right));
  add(out, 14, rule, head_word(left), head_tag(right));
  add(out, 15, rule, head_tag(left), head_word(right));
  add(out, 16, category(edge.rule.result), head_word(left), head_word(right));
  if (left.head >= 0 && right.head >= 0) add(out, 17, rule, distance(left.head, right.head));
  // The words on both sides of where the two meet.
  add(out, 18, rule, word(left.end - 1));
  add(out, 19, rule, word(right.begin));
  add(out, 20, rule, tag(left.end - 1), tag(right.begin));
  add_surface(node, rule, out);
}

void EdgeFeatures::add_surface(const Chart::Node& node, std::uint64_t rule,
                               std::vector<std::uint32_t>& out) {
  const std::uint64_t c = category(node.category);
  const int length = node.end - node.begin;
  const int bucket = length <= 5 ? length : length <= 10 ? 6 : length <= 20 ? 7 : 8;
  add(out, 21, rule, static_cast<std::uint64_t>(bucket));
  add(out, 22, c, word(node.begin - 1));
  add(out, 23, c, word(node.end));
  add(out, 24, c, word(node.begin));
  add(out, 25, c, word(node.end - 1));
  add(out, 26, c, tag(node.begin - 1), tag(node.end));
  add(out, 27, rule, tag(node.begin), tag(node.end - 1));
}

void EdgeFeatures::add_dependency(const Dependency& d, std::vector<std::uint32_t>& out) {
  const std::uint64_t slot = mix(category(d.category), static_cast<std::uint64_t>(d.slot));
  add(out, 30, slot, tag(d.dependent));
  add(out, 31, slot, tag(d.head), tag(d.dependent));
  add(out, 32, slot, word(d.head), tag(d.dependent));
  add(out, 33, slot, tag(d.head), word(d.dependent));
  add(out, 34, slot, word(d.head), word(d.dependent));
  add(out, 35, slot, distance(d.head, d.dependent), d.head < d.dependent ? 1 : 0);
  add(out, 36, mix(tag(d.head), tag(d.dependent)), distance(d.head, d.dependent),
      d.head < d.dependent ? 1 : 0);
}

}  // namespace entente::ccg
