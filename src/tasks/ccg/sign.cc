#include "tasks/ccg/sign.h"

#include <algorithm>
#include <cstring>

namespace entente::ccg {

namespace {

// A sign lies in the pool as: category, origin, conjunction, number of variables, the variable of
// each node, then for each variable the number of heads, the heads, the number of waiting slots,
// and these as word, category, slot. Variables are numbered in the order of the nodes they are
// first seen at, so that equal signs are equal sequences.
constexpr int kHeader = 4;

// Two numbers at a time.
std::uint64_t hash_of(std::span<const std::int32_t> numbers) {
  std::uint64_t h = numbers.size();
  std::size_t i = 0;
  const auto take = [&](std::uint64_t pair) {
    h = (h ^ pair) * 0xFF51AFD7ED558CCDull;
    h ^= h >> 29;
  };
  for (; i + 2 <= numbers.size(); i += 2) {
    std::uint64_t pair;
    std::memcpy(&pair, numbers.data() + i, sizeof pair);
    take(pair);
  }
  if (i < numbers.size()) take(static_cast<std::uint32_t>(numbers[i]));
  return h;
}

// Slots wait in the order of their words, so that signs do not differ by how they were made.
void sort_slots(std::vector<std::int32_t>& slots) {
  for (std::size_t i = 3; i < slots.size(); i += 3) {
    for (std::size_t j = i;
         j >= 3 && std::lexicographical_compare(slots.begin() + static_cast<std::ptrdiff_t>(j),
                                                slots.begin() + static_cast<std::ptrdiff_t>(j) + 3,
                                                slots.begin() + static_cast<std::ptrdiff_t>(j) - 3,
                                                slots.begin() + static_cast<std::ptrdiff_t>(j));
         j -= 3)
      std::swap_ranges(slots.begin() + static_cast<std::ptrdiff_t>(j) - 3,
                       slots.begin() + static_cast<std::ptrdiff_t>(j),
                       slots.begin() + static_cast<std::ptrdiff_t>(j));
  }
}

}  // namespace

void SignPool::clear() {
  // A table that one long sentence made large is not swept for every short one.
  if (places_.size() * 8 < table_.size()) {
    for (const std::uint32_t at : places_) table_[at] = -1;
  } else {
    std::fill(table_.begin(), table_.end(), -1);
  }
  data_.clear();
  begin_.clear();
  hashes_.clear();
  places_.clear();
}

SignPool::View SignPool::view(SignId s) const {
  const std::int32_t* at = data_.data() + begin_[s];
  const std::int32_t nodes = at[kHeader];
  return {at[0],
          at[2],
          at[3],
          {at + kHeader + 1, static_cast<std::size_t>(nodes)},
          at + kHeader + 1 + nodes};
}

std::span<const std::int32_t> SignPool::heads(SignId s) const {
  const View v = view(s);
  const std::int32_t* at = v.rest;
  for (std::int32_t i = 0; i < v.nodes[0]; ++i) {
    at += at[0] + 1;
    at += 3 * at[0] + 1;
  }
  return {at + 1, static_cast<std::size_t>(at[0])};
}

std::int32_t SignPool::head(SignId s) const {
  const std::span<const std::int32_t> all = heads(s);
  return all.empty() ? -1 : all.front();
}

void SignPool::begin_merge() {
  Merge& m = merge_;
  m.parent.clear();
  m.root_heads.clear();
  m.root_waits.clear();
  m.heads.clear();
  m.waits.clear();
  m.head_begin.clear();
  m.head_end.clear();
  m.wait_begin.clear();
  m.wait_end.clear();
}

int SignPool::load(const View& v, Merge& m) const {
  const int first = static_cast<int>(m.parent.size());
  const std::int32_t* at = v.rest;
  for (std::int32_t i = 0; i < v.variables; ++i) {
    const std::int32_t variable = fresh(m);
    m.heads.insert(m.heads.end(), at + 1, at + 1 + at[0]);
    at += at[0] + 1;
    m.waits.insert(m.waits.end(), at + 1, at + 1 + 3 * at[0]);
    at += 3 * at[0] + 1;
    m.head_end[variable] = static_cast<std::int32_t>(m.heads.size());
    m.wait_end[variable] = static_cast<std::int32_t>(m.waits.size());
  }
  return first;
}

std::int32_t SignPool::fresh(Merge& m) {
  const auto v = static_cast<std::int32_t>(m.parent.size());
  m.parent.push_back(v);
  m.head_begin.push_back(static_cast<std::int32_t>(m.heads.size()));
  m.head_end.push_back(static_cast<std::int32_t>(m.heads.size()));
  m.wait_begin.push_back(static_cast<std::int32_t>(m.waits.size()));
  m.wait_end.push_back(static_cast<std::int32_t>(m.waits.size()));
  return v;
}

std::int32_t SignPool::root(Merge& m, std::int32_t v) {
  while (m.parent[v] != v) v = m.parent[v];
  return v;
}

// Both variables become one. Slots that waited for either are filled by the heads of the other;
// coordinated parts keep all their heads, and each fills only what comes later.
void SignPool::unify(std::int32_t a, std::int32_t b, bool coordinate,
                     std::vector<Dependency>& made) {
  Merge& m = merge_;
  a = root(m, a);
  b = root(m, b);
  if (a == b) return;
  const auto heads = [&](std::int32_t v) {
    return std::span(m.heads).subspan(m.head_begin[v], m.head_end[v] - m.head_begin[v]);
  };
  const auto waits = [&](std::int32_t v) {
    return std::span(m.waits).subspan(m.wait_begin[v], m.wait_end[v] - m.wait_begin[v]);
  };
  const auto fill = [&](std::int32_t from, std::int32_t by) {
    if (heads(by).empty()) return;
    const auto w = waits(from);
    for (std::size_t i = 0; i < w.size(); i += 3) {
      for (const std::int32_t h : heads(by)) made.push_back({w[i], w[i + 1], w[i + 2], h});
    }
    m.wait_end[from] = m.wait_begin[from];
  };
  fill(a, b);
  fill(b, a);
  m.root_heads.assign(heads(a).begin(), heads(a).end());
  // Two heads meet only where a treebank's rule is odd: the first stays. Coordination wants both.
  if (coordinate || m.root_heads.empty())
    m.root_heads.insert(m.root_heads.end(), heads(b).begin(), heads(b).end());
  std::sort(m.root_heads.begin(), m.root_heads.end());
  m.root_heads.erase(std::unique(m.root_heads.begin(), m.root_heads.end()), m.root_heads.end());
  m.root_waits.assign(waits(a).begin(), waits(a).end());
  m.root_waits.insert(m.root_waits.end(), waits(b).begin(), waits(b).end());
  sort_slots(m.root_waits);
  m.parent[b] = a;
  m.head_begin[a] = static_cast<std::int32_t>(m.heads.size());
  m.heads.insert(m.heads.end(), m.root_heads.begin(), m.root_heads.end());
  m.head_end[a] = static_cast<std::int32_t>(m.heads.size());
  m.wait_begin[a] = static_cast<std::int32_t>(m.waits.size());
  m.waits.insert(m.waits.end(), m.root_waits.begin(), m.root_waits.end());
  m.wait_end[a] = static_cast<std::int32_t>(m.waits.size());
}

SignId SignPool::finish(CategoryId category, std::int32_t origin, std::int32_t conjunction,
                        std::span<const std::int32_t> nodes) {
  Merge& m = merge_;
  // Nothing of it can be longer than all that was loaded and made.
  m.encoded.resize(kHeader + 1 + 3 * nodes.size() + m.heads.size() + m.waits.size());
  m.order.clear();
  std::int32_t* to = m.encoded.data() + kHeader + 1;
  for (const std::int32_t node : nodes) {
    const std::int32_t v = root(m, node);
    std::size_t at = 0;
    while (at < m.order.size() && m.order[at] != v) ++at;
    *to++ = static_cast<std::int32_t>(at);
    if (at == m.order.size()) m.order.push_back(v);
  }
  for (const std::int32_t v : m.order) {
    *to++ = m.head_end[v] - m.head_begin[v];
    to = std::copy(m.heads.begin() + m.head_begin[v], m.heads.begin() + m.head_end[v], to);
    *to++ = (m.wait_end[v] - m.wait_begin[v]) / 3;
    to = std::copy(m.waits.begin() + m.wait_begin[v], m.waits.begin() + m.wait_end[v], to);
  }
  const std::int32_t header[kHeader + 1] = {category, origin, conjunction,
                                            static_cast<std::int32_t>(m.order.size()),
                                            static_cast<std::int32_t>(nodes.size())};
  std::copy(header, header + kHeader + 1, m.encoded.begin());
  m.encoded.resize(to - m.encoded.data());
  return intern();
}

void SignPool::grow() {
  table_.assign(std::max<std::size_t>(64, 2 * table_.size()), -1);
  places_.clear();
  const std::size_t mask = table_.size() - 1;
  for (SignId s = 0; s < size(); ++s) {
    std::size_t at = hashes_[s] & mask;
    while (table_[at] >= 0) at = (at + 1) & mask;
    table_[at] = s;
    places_.push_back(static_cast<std::uint32_t>(at));
  }
}

SignId SignPool::intern() {
  if (table_.size() < 2 * begin_.size() + 16) grow();
  const std::vector<std::int32_t>& code = merge_.encoded;
  const std::size_t mask = table_.size() - 1;
  const std::uint64_t hash = hash_of(code);
  std::size_t at = hash & mask;
  for (; table_[at] >= 0; at = (at + 1) & mask) {
    const SignId s = table_[at];
    if (hashes_[s] != hash) continue;
    const std::size_t end = s + 1 < size() ? static_cast<std::size_t>(begin_[s + 1]) : data_.size();
    if (end - begin_[s] == code.size() &&
        std::equal(code.begin(), code.end(), data_.begin() + begin_[s]))
      return s;
  }
  table_[at] = size();
  places_.push_back(static_cast<std::uint32_t>(at));
  hashes_.push_back(hash);
  begin_.push_back(static_cast<std::int32_t>(data_.size()));
  data_.insert(data_.end(), code.begin(), code.end());
  return size() - 1;
}

SignId SignPool::lexical(const Markup& markup, CategoryId category, std::int32_t word) {
  begin_merge();
  Merge& m = merge_;
  for (int v = 0; v < markup.count; ++v) {
    const std::int32_t variable = fresh(m);
    if (v == 0) m.heads.push_back(word);
    m.head_end[variable] = static_cast<std::int32_t>(m.heads.size());
    for (const Markup::Slot& s : markup.slots) {
      if (s.variable == v) m.waits.insert(m.waits.end(), {word, category, s.number});
    }
    m.wait_end[variable] = static_cast<std::int32_t>(m.waits.size());
  }
  return finish(category, 0, -1, markup.variables);
}

SignId SignPool::combine(const CategoryTable& table, SignId left, SignId right,
                         const Combination& rule, std::int32_t origin,
                         std::vector<Dependency>& made) {
  begin_merge();
  const View l = view(left), r = view(right);
  const int l0 = load(l, merge_), r0 = load(r, merge_);
  nodes_.clear();
  const auto keep = [&](const View& v, int first, int begin, int count) {
    for (int i = 0; i < count; ++i) nodes_.push_back(first + v.nodes[begin + i]);
  };
  const int size = table.tree_size(rule.result);
  std::int32_t conjunction = -1;
  switch (rule.rule) {
    case Rule::forward_application:
    case Rule::backward_application:
    case Rule::forward_composition:
    case Rule::backward_composition: {
      const bool is_forward =
          rule.rule == Rule::forward_application || rule.rule == Rule::forward_composition;
      const View &f = is_forward ? l : r, &o = is_forward ? r : l;
      const int f0 = is_forward ? l0 : r0, o0 = is_forward ? r0 : l0;
      const int result_size = table.tree_size(table.result(f.category));
      const int wanted = table.tree_size(table.argument(f.category));
      // The part of the other that fits stands `degree` results down; the arguments outside it
      // stay, and the head of the whole is the head of the functor's result.
      const int inner = rule.degree;
      for (int i = 0; i < wanted; ++i)
        unify(f0 + f.nodes[1 + result_size + i], o0 + o.nodes[inner + i], false, made);
      for (int i = 0; i < inner; ++i) nodes_.push_back(f0 + f.nodes[1]);
      keep(f, f0, 1, result_size);
      keep(o, o0, inner + wanted, static_cast<int>(o.nodes.size()) - inner - wanted);
      break;
    }
    case Rule::conjunction:
      keep(r, r0, 0, size);
      conjunction = heads(left).front();
      break;
    case Rule::coordination: {
      const std::int32_t word = r.conjunction;
      if (word >= 0) {
        for (const SignId s : {left, right}) {
          for (const std::int32_t h : heads(s)) made.push_back({word, kConjunctionSlot, 1, h});
        }
      }
      for (std::size_t i = 0; i < l.nodes.size(); ++i)
        unify(l0 + l.nodes[i], r0 + r.nodes[i], true, made);
      keep(l, l0, 0, size);
      break;
    }
    case Rule::left_punctuation:
      keep(r, r0, 0, size);
      conjunction = r.conjunction;
      break;
    case Rule::right_punctuation:
    case Rule::juxtaposition:
      keep(l, l0, 0, size);
      conjunction = l.conjunction;
      break;
    default: {
      // A rule of the treebank alone: the child of the parent's shape goes on; else only a head.
      const bool from_left =
          table.tree_size(l.category) == size && same_shape(table, l.category, rule.result);
      const bool from_right =
          table.tree_size(r.category) == size && same_shape(table, r.category, rule.result);
      if (from_left || from_right) {
        keep(from_left ? l : r, from_left ? l0 : r0, 0, size);
      } else {
        change(table,
               is_punctuation(table, l.category) || is_conjunction(table, l.category) ? r : l,
               is_punctuation(table, l.category) || is_conjunction(table, l.category) ? r0 : l0,
               rule, made);
      }
    }
  }
  return finish(rule.result, origin, conjunction, nodes_);
}

// The nodes of a category that a child's category is changed into.
void SignPool::change(const CategoryTable& table, const View& child, int first,
                      const Combination& rule, std::vector<Dependency>& made) {
  const CategoryId to = rule.result;
  const int size = table.tree_size(to);
  nodes_.clear();
  if (same_shape(table, child.category, to)) {
    for (const std::int32_t v : child.nodes) nodes_.push_back(first + v);
    return;
  }
  for (int i = 0; i < size; ++i) nodes_.push_back(-1);
  const std::int32_t head = first + child.nodes[0];
  if (rule.rule == Rule::type_raising) {
    // T/(T\X): both T have the same heads, X those of the child.
    const int t = table.tree_size(table.result(to));
    for (int i = 0; i < t; ++i) nodes_[1 + i] = nodes_[2 + t + i] = fresh(merge_);
    nodes_[0] = nodes_[1 + t] = nodes_[1];
    for (std::size_t i = 0; i < child.nodes.size(); ++i)
      nodes_[2 + 2 * t + static_cast<int>(i)] = first + child.nodes[i];
    return;
  }
  if (is_modifier(table, to)) {
    const int t = table.tree_size(table.result(to));
    for (int i = 0; i < t; ++i) nodes_[1 + i] = nodes_[1 + t + i] = fresh(merge_);
    nodes_[0] = head;
    // "a man eating": what is modified is what the verb phrase still wants.
    const int wanted = subject_node(table, child.category);
    const int subject = subject_node(table, table.result(to));
    if (wanted >= 0)
      unify(nodes_[1 + std::max(subject, 0)], first + child.nodes[wanted], false, made);
    return;
  }
  // The head stays that of the child down to the last result; the rest is new.
  int node = 0;
  for (CategoryId c = to;; c = table.result(c)) {
    nodes_[node++] = head;
    if (!table.is_function(c)) break;
  }
  for (int i = node; i < size; ++i) nodes_[i] = fresh(merge_);
}

SignId SignPool::unary(const CategoryTable& table, SignId child, const Combination& rule,
                       std::int32_t origin, std::vector<Dependency>& made) {
  begin_merge();
  const View v = view(child);
  const int first = load(v, merge_);
  change(table, v, first, rule, made);
  return finish(rule.result, origin, v.conjunction, nodes_);
}

}  // namespace entente::ccg
