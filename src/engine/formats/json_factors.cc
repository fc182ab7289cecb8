// Factors of the native format, kind by kind.
#include "engine/formats/json_factors.h"

#include <array>
#include <bit>
#include <limits>
#include <vector>

#include "engine/formats/json_keys.h"
#include "engine/formats/names.h"
#include "engine/graph_arrays.h"

namespace entente {

namespace {

enum Key : int {
  kKind,
  kRule,
  kCost,
  kLiterals,
  kOutput,
  kLower,
  kUpper,
  kCoefficients,
  kAxes,
  kScores,
  kIntervals,
  kLength,
  kLabels,
  kTransitions,
  kNodes,
  kArcs,
  kSingleRoot,
  kLeft,
  kRight,
  kUppers,
  kPairs,
  kGrand,
  kKeyCount
};
constexpr std::array<std::string_view, kKeyCount> kKeyNames = {
    "kind",   "rule",         "cost",  "literals", "output",      "lower",
    "upper",  "coefficients", "axes",  "scores",   "intervals",   "length",
    "labels", "transitions",  "nodes", "arcs",     "single_root", "left",
    "right",  "uppers",       "pairs", "grand"};
// Names are looked up in advance in lists up to this long: more would not stay in the cache.
constexpr std::size_t kPrefetched = 64;

constexpr unsigned bit(int key) { return 1u << key; }

struct KindRow {
  std::string_view name;
  Kind kind;
  unsigned required, optional;  // keys beside kind, rule and cost
};
constexpr KindRow kKinds[] = {
    {"exactly_one", Kind::exactly_one, bit(kLiterals), 0},
    {"exactly_one_output", Kind::exactly_one_output, bit(kLiterals) | bit(kOutput), 0},
    {"at_most_one", Kind::at_most_one, bit(kLiterals), 0},
    {"at_least_one", Kind::at_least_one, bit(kLiterals), 0},
    {"or_output", Kind::or_output, bit(kLiterals) | bit(kOutput), 0},
    {"and_output", Kind::and_output, bit(kLiterals) | bit(kOutput), 0},
    {"implies", Kind::implies, bit(kLiterals), 0},
    {"equal", Kind::equal, bit(kLiterals), 0},
    {"not_both", Kind::not_both, bit(kLiterals), 0},
    {"count", Kind::count, bit(kLiterals), bit(kLower) | bit(kUpper)},
    {"linear", Kind::linear, bit(kLiterals) | bit(kCoefficients), bit(kLower) | bit(kUpper)},
    {"table", Kind::table, bit(kAxes) | bit(kScores), 0},
    {"disjoint", Kind::disjoint, bit(kLiterals) | bit(kIntervals), 0},
    {"sequence", Kind::structured, bit(kLiterals) | bit(kLength) | bit(kLabels) | bit(kTransitions),
     0},
    {"arborescence", Kind::structured, bit(kLiterals) | bit(kNodes) | bit(kArcs), bit(kSingleRoot)},
    {"projective_tree", Kind::structured, bit(kLiterals) | bit(kNodes) | bit(kArcs),
     bit(kSingleRoot)},
    {"head_automaton", Kind::structured,
     bit(kLiterals) | bit(kLeft) | bit(kRight) | bit(kUppers) | bit(kPairs), bit(kGrand)},
};

class FactorReader {
 public:
  FactorReader(Json& json, const JsonVariables& variables, Graph& graph)
      : json_(json), variables_(variables), graph_(graph) {}

  void run(JsonValue value) {
    value.expect(JsonType::array, "an array of factors");
    for (JsonValue factor : value.elements()) read_factor(factor);
  }

 private:
  void read_factor(JsonValue factor) {
    factor.expect(JsonType::object, "a factor");
    unsigned given = 0;
    for (auto [key, value] : factor.members()) {
      const std::string_view name = key.string();
      int k = 0;
      while (k < kKeyCount && !same(kKeyNames[k], name)) ++k;
      if (k == kKeyCount) unknown_key(key, kKeyNames);
      if (given & bit(k)) key.fail("the key " + quoted(name) + " occurs twice");
      given |= bit(k);
      key_at_[k] = key.index();
    }
    if (!(given & bit(kKind))) factor.fail("a factor needs \"kind\"");
    const KindRow& kind = kind_row(get(kKind));
    const unsigned known = kind.required | kind.optional | bit(kKind) | bit(kRule) | bit(kCost);
    if (given & ~known) {
      const int k = std::countr_zero(given & ~known);
      JsonValue(&json_, key_at_[k])
          .fail("a factor of kind " + quoted(kind.name) + " has no " + quoted(kKeyNames[k]));
    }
    if (kind.required & ~given) {
      const int k = std::countr_zero(kind.required & ~given);
      factor.fail("a factor of kind " + quoted(kind.name) + " needs " + quoted(kKeyNames[k]));
    }
    given_ = given;
    const Rule rule = read_rule();
    if (given & bit(kLiterals)) read_literals(get(kLiterals));
    add_factor(factor, kind.kind, rule);
  }

  bool has(int key) const { return given_ & bit(key); }
  JsonValue get(int key) { return {&json_, key_at_[key] + 1}; }

  static const KindRow& kind_row(JsonValue value) {
    const std::string_view name = value.string("the kind of a factor");
    for (const KindRow& row : kKinds) {
      if (same(row.name, name)) return row;
    }
    Nearest nearest(name);
    for (const KindRow& row : kKinds) nearest.consider(row.name);
    value.fail("unknown kind of factor " + quoted(name) + nearest.suggestion());
  }

  Rule read_rule() {
    Rule rule;
    if (has(kCost)) {
      rule.cost = get(kCost).number("the cost of breaking the rule");
      if (rule.cost < 0) get(kCost).fail("a cost must be 0 or more");
      if (rule.cost > kLargest) get(kCost).fail("a cost must be at most 1e100, or left out");
    }
    if (has(kRule)) {
      const auto [id, fresh] = rules_.add(get(kRule).string("the name of a rule"));
      if (fresh) graph_.new_rule(rules_.name(id));
      rule.id = id;
    }
    return rule;
  }

  void read_literals(JsonValue value) {
    value.expect(JsonType::array, "an array of literals");
    literals_.clear();
    if (value.size() <= kPrefetched) {
      for (JsonValue l : value.elements()) {
        std::string_view name = l.raw_string();
        if (name.starts_with('!')) name.remove_prefix(1);
        variables_.prefetch(name);
      }
    }
    for (JsonValue l : value.elements()) literals_.push_back(variables_.literal(l));
  }

  void expect_size(int key, std::size_t size) {
    JsonValue value = get(key);
    value.expect(JsonType::array, "an array");
    if (value.size() == size) return;
    value.fail(quoted(kKeyNames[key]) + " has " + std::to_string(value.size()) + " entries, " +
               std::to_string(size) + " are needed");
  }

  void read_numbers(int key, bool null_allowed) {
    JsonValue value = get(key);
    value.expect(JsonType::array, "an array of numbers");
    numbers_.clear();
    numbers_.reserve(value.size());
    for (JsonValue x : value.elements()) {
      if (null_allowed && x.is(JsonType::null)) {
        numbers_.push_back(-kInfinity);
      } else {
        numbers_.push_back(
            x.number(null_allowed ? "a number or null (which forbids)" : "a number"));
      }
    }
  }

  int small_integer(JsonValue value, std::string_view what) {
    const std::int64_t x = value.integer(what);
    if (x < std::numeric_limits<int>::min() || x > std::numeric_limits<int>::max())
      value.fail("this number is too large");
    return static_cast<int>(x);
  }

  void add_factor(JsonValue factor, Kind kind, Rule rule) {
    try {
      add_checked(kind, rule);
    } catch (const Error& error) {
      if (error.place().line > 0) throw;
      throw error.at(twice_at(factor));
    }
  }

  // Where a variable occurs for the second time in a factor, or else the factor.
  Place twice_at(JsonValue factor) {
    if (!has(kLiterals)) return factor.place();
    std::vector<bool> seen(graph_.variable_count());
    for (JsonValue l : get(kLiterals).elements()) {
      const int v = variables_.literal(l).var();
      if (seen[v]) return l.place();
      seen[v] = true;
    }
    if (has(kOutput) && seen[variables_.literal(get(kOutput)).var()]) return get(kOutput).place();
    return factor.place();
  }

  void add_checked(Kind kind, Rule rule) {
    switch (kind) {
      case Kind::exactly_one:
        return graph_.add_exactly_one(literals_, rule);
      case Kind::at_most_one:
        return graph_.add_at_most_one(literals_, rule);
      case Kind::at_least_one:
        return graph_.add_at_least_one(literals_, rule);
      case Kind::exactly_one_output:
        return graph_.add_exactly_one_output(literals_, variables_.literal(get(kOutput)), rule);
      case Kind::or_output:
        return graph_.add_or_output(literals_, variables_.literal(get(kOutput)), rule);
      case Kind::and_output:
        return graph_.add_and_output(literals_, variables_.literal(get(kOutput)), rule);
      case Kind::implies:
      case Kind::equal:
      case Kind::not_both:
        expect_size(kLiterals, 2);
        if (kind == Kind::implies) return graph_.add_implies(literals_[0], literals_[1], rule);
        if (kind == Kind::equal) return graph_.add_equal(literals_[0], literals_[1], rule);
        return graph_.add_not_both(literals_[0], literals_[1], rule);
      case Kind::count: {
        const int size = static_cast<int>(literals_.size());
        const int lower = has(kLower) ? small_integer(get(kLower), "an integer") : 0;
        const int upper = has(kUpper) ? small_integer(get(kUpper), "an integer") : size;
        return graph_.add_count(literals_, lower, upper, rule);
      }
      case Kind::linear: {
        expect_size(kCoefficients, literals_.size());
        read_numbers(kCoefficients, false);
        const double lower = has(kLower) ? get(kLower).number() : -kInfinity;
        const double upper = has(kUpper) ? get(kUpper).number() : kInfinity;
        return graph_.add_linear(literals_, numbers_, lower, upper, rule);
      }
      case Kind::table:
        return add_table(rule);
      case Kind::disjoint:
        return add_disjoint(rule);
      case Kind::structured:
        return has(kTransitions) ? add_sequence(rule)
               : has(kPairs)     ? add_head_automaton(rule)
                                 : add_tree(rule);
    }
  }

  void add_table(Rule rule) {
    JsonValue axes = get(kAxes);
    axes.expect(JsonType::array, "an array of axes");
    JsonValue scores = get(kScores);
    const std::size_t available = scores.expect(JsonType::array, "an array of scores").size();
    axes_.clear();
    literals_.clear();
    std::size_t entries = 1;
    for (JsonValue axis : axes.elements()) {
      const int group = axis.is(JsonType::string) ? variables_.group(axis.string()) : -1;
      const std::size_t size =
          group >= 0 ? graph_.groups()[group].size
          : axis.is(JsonType::string)
              ? 1
              : axis.expect(JsonType::array, "a group or an array of literals").size();
      if (size == 0) axis.fail("an axis needs at least one literal");
      // Before anything of that size is made: a group's name is short, its table is not.
      if (size > available || entries > available / (size == 1 ? 2 : size))
        scores.fail("the axes need more than these " + std::to_string(available) + " scores");
      entries *= size == 1 ? 2 : size;
      axes_.push_back(static_cast<std::int32_t>(size));
      add_axis(axis, group);
    }
    expect_size(kScores, entries);
    read_numbers(kScores, true);
    graph_.add_table(literals_, axes_, numbers_, rule);
  }

  void add_axis(JsonValue axis, int group) {
    if (group >= 0) {
      const Group g = graph_.groups()[group];
      for (int s = 0; s < g.size; ++s) literals_.push_back(g[s]);
    } else if (axis.is(JsonType::string)) {
      literals_.push_back(variables_.literal(axis));
    } else {
      for (JsonValue l : axis.elements()) literals_.push_back(variables_.literal(l));
    }
  }

  void add_disjoint(Rule rule) {
    expect_size(kIntervals, literals_.size());
    intervals_.clear();
    for (JsonValue interval : get(kIntervals).elements()) {
      interval.expect(JsonType::array, "an interval [begin, end]");
      if (interval.size() != 2) interval.fail("an interval is [begin, end], end not included");
      int ends[2], i = 0;
      for (JsonValue x : interval.elements()) ends[i++] = small_integer(x, "an integer");
      intervals_.push_back({ends[0], ends[1]});
    }
    graph_.add_disjoint(literals_, intervals_, rule);
  }

  void add_sequence(Rule rule) {
    const std::int64_t length = small_integer(get(kLength), "an integer");
    const std::int64_t labels = small_integer(get(kLabels), "an integer");
    if (length < 1) get(kLength).fail("a sequence has at least one position");
    if (labels < 1) get(kLabels).fail("a sequence has at least one label");
    expect_size(kLiterals, static_cast<std::size_t>(length * labels));
    const JsonValue transitions = get(kTransitions);
    const std::int64_t size = transitions.expect(JsonType::array, "an array of scores").size();
    // labels^2 fits: labels <= literals.
    const std::int64_t step = labels * labels;
    if (size != step && (size % step != 0 || size / step != length - 1))
      transitions.fail("\"transitions\" has " + std::to_string(size) +
                       " entries, labels * labels or (length - 1) times as many are needed");
    read_numbers(kTransitions, true);
    graph_.add_structured(
        literals_, make_sequence(static_cast<int>(length), static_cast<int>(labels), numbers_),
        rule);
  }

  void add_tree(Rule rule) {
    const int nodes = small_integer(get(kNodes), "an integer");
    expect_size(kLiterals, get(kArcs).expect(JsonType::array, "an array of arcs").size());
    std::vector<TreeArc> arcs;
    for (JsonValue arc : get(kArcs).elements()) {
      arc.expect(JsonType::array, "an arc [from, to]");
      if (arc.size() != 2) arc.fail("an arc is [from, to]");
      int ends[2], i = 0;
      for (JsonValue x : arc.elements()) ends[i++] = small_integer(x, "an integer");
      arcs.push_back({ends[0], ends[1]});
    }
    const bool single_root = has(kSingleRoot) && get(kSingleRoot).boolean();
    auto make = get(kKind).string() == "arborescence" ? make_arborescence : make_projective_tree;
    graph_.add_structured(literals_, make(nodes, std::move(arcs), single_root), rule);
  }

  void add_head_automaton(Rule rule) {
    int sizes[3];
    std::size_t total = 0;
    for (int i = 0; i < 3; ++i) {
      const JsonValue value = get(kLeft + i);
      sizes[i] = small_integer(value, "an integer");
      if (sizes[i] < 0) value.fail("a number of arcs is 0 or more");
      total += sizes[i];
    }
    expect_size(kLiterals, total);
    read_numbers(kPairs, true);
    std::vector<double> pairs = numbers_;
    numbers_.clear();
    if (has(kGrand)) read_numbers(kGrand, true);
    graph_.add_structured(
        literals_, make_head_automaton(sizes[0], sizes[1], sizes[2], std::move(pairs), numbers_),
        rule);
  }

  Json& json_;
  const JsonVariables& variables_;
  Graph& graph_;
  NameTable rules_;
  std::array<std::uint32_t, kKeyCount> key_at_{};  // JSON node of each key of the factor at hand
  unsigned given_ = 0;                             // keys of the factor at hand
  std::vector<double> numbers_;
  std::vector<Literal> literals_;
  std::vector<std::int32_t> axes_;
  std::vector<Interval> intervals_;
};

}  // namespace

void read_json_factors(Json& json, JsonValue factors, const JsonVariables& variables, Graph& out) {
  FactorReader(json, variables, out).run(factors);
}

}  // namespace entente
