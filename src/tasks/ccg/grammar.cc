#include "tasks/ccg/grammar.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tasks/ccg/analysis.h"

namespace entente::ccg {

namespace {

constexpr const char* kCategories = "ccg/categories";
constexpr const char* kBinaries = "ccg/binaries";
constexpr const char* kUnaries = "ccg/unaries";
constexpr const char* kRoots = "ccg/roots";
constexpr const char* kPlain = "ccg/plain_conjuncts";
constexpr const char* kCounts = "ccg/counts";

// A rule instance as it lies in a file.
struct Packed {
  std::int32_t left, right, result;
  std::uint8_t rule, degree, crossed, loose;
  float log_probability;
};

Packed pack(CategoryId left, CategoryId right, const Combination& c) {
  Packed out{};
  out.left = left;
  out.right = right;
  out.result = c.result;
  out.rule = static_cast<std::uint8_t>(c.rule);
  out.degree = c.degree;
  out.crossed = c.crossed ? 1 : 0;
  out.loose = c.loose ? 1 : 0;
  out.log_probability = c.log_probability;
  return out;
}

Combination unpack(const Packed& p) {
  Combination c;
  c.rule = static_cast<Rule>(p.rule);
  c.degree = p.degree;
  c.crossed = p.crossed != 0;
  c.loose = p.loose != 0;
  c.result = p.result;
  c.log_probability = p.log_probability;
  return c;
}

bool fits(const CategoryTable& table, const Packed& p, bool binary) {
  const auto known = [&](CategoryId c) { return c >= 0 && c < table.size(); };
  return known(p.left) && (!binary || known(p.right)) && known(p.result) &&
         p.rule <= static_cast<std::uint8_t>(Rule::type_change) && p.degree <= kLargestDegree;
}

}  // namespace

Grammar learn_grammar(std::vector<Derivation>& derivations, CategoryTable table,
                      const GrammarOptions& options) {
  Grammar out;
  out.table = std::move(table);
  out.plain_conjuncts =
      std::none_of(derivations.begin(), derivations.end(),
                   [&](const Derivation& d) { return has_conjoined(d, out.table); });
  std::map<std::tuple<CategoryId, CategoryId, CategoryId>, std::pair<int, Combination>> binaries;
  std::map<std::pair<CategoryId, CategoryId>, std::pair<int, Combination>> unaries;
  std::set<CategoryId> roots;
  std::map<CategoryId, int> counts;
  for (Derivation& d : derivations) {
    if (out.plain_conjuncts) mark_conjuncts(d, out.table);
    roots.insert(d.root().category);
    for (const DerivationNode& n : d.nodes) {
      ++counts[n.category];
      if (n.word >= 0) continue;
      const CategoryId left = d.nodes[n.left].category;
      if (n.right < 0) {
        auto& entry = unaries[{left, n.category}];
        if (entry.first++ == 0) entry.second = classify(out.table, left, n.category);
      } else {
        const CategoryId right = d.nodes[n.right].category;
        auto& entry = binaries[{left, right, n.category}];
        if (entry.first++ == 0) entry.second = classify(out.table, left, right, n.category);
      }
    }
  }
  const auto with_frequency = [&](const std::pair<int, Combination>& entry) {
    Combination c = entry.second;
    c.log_probability = static_cast<float>(std::log(entry.first) - std::log(counts[c.result]));
    return c;
  };
  for (const auto& [key, entry] : binaries) {
    if (entry.first >= options.least_count)
      out.binaries.push_back({std::get<0>(key), std::get<1>(key), with_frequency(entry)});
  }
  for (const auto& [key, entry] : unaries) {
    if (entry.first >= options.least_count && key.first != key.second)
      out.unaries.push_back({key.first, with_frequency(entry)});
  }
  out.roots.assign(roots.begin(), roots.end());
  out.log_counts.assign(out.table.size(), 0);
  for (const auto& [category, count] : counts)
    out.log_counts[category] = static_cast<float>(std::log(count));
  return out;
}

void Grammar::save(ModelWriter& writer) const {
  std::vector<std::string> names;
  for (CategoryId c = 0; c < table.size(); ++c) names.push_back(table.text(c));
  writer.add_strings(kCategories, names);
  std::vector<Packed> packed;
  for (const Binary& b : binaries) packed.push_back(pack(b.left, b.right, b.rule));
  writer.add<Packed>(kBinaries, packed);
  packed.clear();
  for (const Unary& u : unaries) packed.push_back(pack(u.child, kNoCategory, u.rule));
  writer.add<Packed>(kUnaries, packed);
  writer.add<CategoryId>(kRoots, roots);
  writer.add<float>(kCounts, log_counts);
  writer.add_number(kPlain, plain_conjuncts ? 1 : 0);
}

Grammar Grammar::load(const ModelFile& file) {
  Grammar out;
  for (const std::string& name : file.strings(kCategories)) out.table.parse(name);
  for (const Packed& p : file.array<Packed>(kBinaries)) {
    if (!fits(out.table, p, true)) file.fail("has a broken rule of CCG");
    out.binaries.push_back({p.left, p.right, unpack(p)});
  }
  for (const Packed& p : file.array<Packed>(kUnaries)) {
    if (!fits(out.table, p, false)) file.fail("has a broken change of type of CCG");
    out.unaries.push_back({p.left, unpack(p)});
  }
  for (const CategoryId c : file.array<CategoryId>(kRoots)) {
    if (c < 0 || c >= out.table.size()) file.fail("has a broken root of CCG");
    out.roots.push_back(c);
  }
  const std::span<const float> counts = file.array<float>(kCounts);
  out.log_counts.assign(counts.begin(), counts.end());
  out.log_counts.resize(out.table.size(), 0);
  out.plain_conjuncts = file.number(kPlain) != 0;
  return out;
}

namespace {

// The degree of the composition in this direction that made a sign; 0: it was none.
int degree_of(std::int32_t origin, bool forward) {
  if (origin == (forward ? kByForwardComposition : kByBackwardComposition)) return 1;
  const std::int32_t higher = origin - kByHigherDegree;
  return higher >= 0 && higher % 2 == (forward ? 0 : 1) ? 2 + higher / 2 : 0;
}

// One: the functor whose argument is filled; other: what fills it. Their fourth constraint, on raised
// types that compose with a composition of the other direction, is left out: it wants T/(T\X) for
// every T, and treebanks raise to a few.
bool in_hockenmaier_bisk(int degree, bool forward, std::int32_t one, std::int32_t other) {
  const int made_one = degree_of(one, forward), made_other = degree_of(other, forward);
  if (degree <= 1 && made_one >= 1) return false;
  if (degree >= 1 && made_one == 1) return false;
  if (made_other > 1 && degree > made_other) return false;
  return degree > 0 || one != (forward ? kRaisedForward : kRaisedBackward);
}

}  // namespace

bool in_normal_form(NormalForm form, const Combination& rule, std::int32_t left_origin,
                    std::int32_t right_origin) {
  const bool forward =
      rule.rule == Rule::forward_application || rule.rule == Rule::forward_composition;
  const bool applies =
      rule.rule == Rule::forward_application || rule.rule == Rule::backward_application;
  const bool composes =
      rule.rule == Rule::forward_composition || rule.rule == Rule::backward_composition;
  if (form == NormalForm::none || (!applies && !composes)) return true;
  const std::int32_t one = forward ? left_origin : right_origin;
  const std::int32_t other = forward ? right_origin : left_origin;
  if (form == NormalForm::hockenmaier_bisk)
    return in_hockenmaier_bisk(applies ? 0 : rule.degree, forward, one, other);
  const bool composed = one == (forward ? kByForwardComposition : kByBackwardComposition);
  return !composed && (composes || one != (forward ? kRaisedForward : kRaisedBackward));
}

RuleCache::RuleCache(const Grammar& grammar, bool all)
    : grammar_(grammar), all_(all), table_(grammar.table) {
  unary_ranges_.resize(table_.size());
  for (std::size_t i = 0; i < grammar.unaries.size(); ++i) {
    Range& r = unary_ranges_[grammar.unaries[i].child];
    if (r.count++ == 0) r.begin = static_cast<std::uint32_t>(i);
    unaries_.push_back(grammar.unaries[i].rule);
    unary_probability_.push_back(std::exp(unaries_.back().log_probability));
  }
  partner_words_ = (static_cast<std::size_t>(table_.size()) + 63) / 64;
  partners_.assign(partner_words_ * table_.size(), all ? ~std::uint64_t{0} : 0);
  if (all) {  // whatever is asked for is worked out then
    ranges_.resize(table_.size());
    return;
  }
  for (const Grammar::Binary& b : grammar.binaries) {
    std::uint64_t& bits = partners_[b.left * partner_words_ + b.right / 64];
    const std::uint64_t bit = std::uint64_t{1} << (b.right % 64);
    if ((bits & bit) == 0) first_rule_.push_back(static_cast<std::uint32_t>(found_.size()));
    bits |= bit;
    found_.push_back(b.rule);
    found_probability_.push_back(std::exp(b.rule.log_probability));
  }
  first_rule_.push_back(static_cast<std::uint32_t>(found_.size()));
  std::uint32_t before = 0;
  for (const std::uint64_t bits : partners_) {
    pairs_before_.push_back(before);
    before += static_cast<std::uint32_t>(count_bits(bits));
  }
}

std::span<const std::uint64_t> RuleCache::partners(CategoryId left) const {
  if (left * partner_words_ >= partners_.size()) return {};
  return std::span(partners_).subspan(left * partner_words_, partner_words_);
}

std::span<const Combination> RuleCache::unary(CategoryId child) const {
  if (child >= static_cast<CategoryId>(unary_ranges_.size())) return {};
  const Range r = unary_ranges_[child];
  return std::span(unaries_).subspan(r.begin, r.count);
}

std::span<const Combination> RuleCache::any(CategoryId left, CategoryId right) {
  // Most pairs make nothing: that is known of them by a bit once they were asked for.
  if (left >= grammar_.table.size() || right >= grammar_.table.size()) return {};
  std::uint64_t& bits = partners_[left * partner_words_ + right / 64];
  const std::uint64_t bit = std::uint64_t{1} << (right % 64);
  if ((bits & bit) == 0) return {};
  std::vector<Range>& row = ranges_[left];
  if (row.empty()) row.assign(grammar_.table.size(), {kNotAsked, 0});
  Range& range = row[right];
  if (range.begin == kNotAsked) range = find_binary(left, right);
  if (range.count == 0) bits &= ~bit;
  return std::span(found_).subspan(range.begin, range.count);
}

RuleCache::Range RuleCache::find_binary(CategoryId left, CategoryId right) {
  const auto begin = static_cast<std::uint32_t>(found_.size());
  const auto key = std::pair(left, right);
  const auto at = std::lower_bound(
      grammar_.binaries.begin(), grammar_.binaries.end(), key,
      [](const Grammar::Binary& b, const auto& k) { return std::pair(b.left, b.right) < k; });
  for (auto b = at; b != grammar_.binaries.end() && std::pair(b->left, b->right) == key; ++b)
    found_.push_back(b->rule);
  made_.clear();
  combinations(table_, left, right, true, made_);
  for (const Combination& c : made_) {
    // Categories that the treebank does not have would grow without end.
    if (c.result >= grammar_.table.size()) continue;
    const auto known = [&](const Combination& k) {
      return k.rule == c.rule && k.result == c.result && k.degree == c.degree;
    };
    if (std::none_of(found_.begin() + begin, found_.end(), known)) found_.push_back(c);
  }
  for (std::size_t i = begin; i < found_.size(); ++i)
    found_probability_.push_back(std::exp(found_[i].log_probability));
  return {begin, static_cast<std::uint32_t>(found_.size()) - begin};
}

}  // namespace entente::ccg
