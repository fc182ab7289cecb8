// The native format, read. docs/problem.schema.json says what it looks like; json_graph_write.cc
// writes it.
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "base/json.h"
#include "engine/formats/names.h"
#include "engine/formats/readers.h"

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

// ==, but most words that differ are told apart without a call.
bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || (a.front() == b.front() && a == b));
}

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

// Fails at a key that is not among the known ones, naming the nearest.
template <class Names>
[[noreturn]] void unknown_key(JsonValue key, const Names& known) {
  Nearest nearest(key.string());
  for (std::string_view name : known) nearest.consider(name);
  key.fail("unknown key " + quoted(key.string()) + nearest.suggestion());
}

class GraphReader {
 public:
  GraphReader(Json& json, Graph& graph) : json_(json), graph_(graph) {}

  void run() {
    static constexpr std::array<std::string_view, 6> kTop = {"name",   "description", "variables",
                                                             "groups", "fixed",       "factors"};
    std::array<std::optional<JsonValue>, 6> parts;
    const JsonValue root = json_.root();
    root.expect(JsonType::object, "an object with \"variables\" and \"factors\"");
    for (auto [key, value] : root.members()) {
      std::size_t k = 0;
      while (k < kTop.size() && kTop[k] != key.string()) ++k;
      if (k == kTop.size()) unknown_key(key, kTop);
      if (parts[k]) key.fail("the key " + quoted(kTop[k]) + " occurs twice");
      parts[k] = value;
      if (k < 2) value.string();
      // Variables are numbered in the order of the file, whichever part they stand in.
      if (k == 2) read_variables(value);
      if (k == 3) read_groups(value);
    }
    if (const int v = names_.clash(); v >= 0) {
      JsonValue(&json_, name_at_[v])
          .fail("this is also the default name of a variable without a name");
    }
    if (parts[4]) read_fixed(*parts[4]);
    if (parts[5]) read_factors(*parts[5]);
  }

 private:
  // ---- variables

  void read_variables(JsonValue value) {
    if (value.is(JsonType::object)) {
      for (auto [name, score] : value.members()) add_variable(score, &name);
      return;
    }
    value.expect(JsonType::array, "an array or an object of variables");
    names_.reserve(value.size());
    for (JsonValue entry : value.elements()) {
      if (entry.is(JsonType::number)) {
        add_variable(entry, nullptr);
      } else {
        read_entry(entry, false);
      }
    }
  }

  void read_groups(JsonValue value) {
    if (value.is(JsonType::object)) {
      for (auto [name, states] : value.members()) add_group(&name, states);
      return;
    }
    value.expect(JsonType::array, "an array or an object of groups");
    for (JsonValue entry : value.elements()) read_entry(entry, true);
  }

  // {"name", "score"} or {"group" (or "name"), "states"}.
  void read_entry(JsonValue entry, bool group_only) {
    static constexpr std::array<std::string_view, 4> kKeys = {"name", "score", "group", "states"};
    std::array<std::optional<JsonValue>, 4> parts;
    entry.expect(JsonType::object, group_only ? "a group" : "a number, a variable or a group");
    for (auto [key, value] : entry.members()) {
      std::size_t k = 0;
      const std::string_view text = key.string();
      while (k < kKeys.size() && !same(kKeys[k], text)) ++k;
      if (k == kKeys.size()) unknown_key(key, kKeys);
      if (parts[k]) key.fail("the key " + quoted(kKeys[k]) + " occurs twice");
      parts[k] = value;
    }
    const auto& [name, score, group, states] = parts;
    if (states || group || group_only) {
      if (!states) entry.fail("a group needs \"states\"");
      if (score) score->fail("a group has no \"score\": its states have");
      if (name && group) name->fail("a group has one name: \"name\" or \"group\"");
      return add_group(name ? &*name : group ? &*group : nullptr, *states);
    }
    if (!score && !name) entry.fail("a variable needs \"name\" or \"score\"");
    if (score) return add_variable(*score, name ? &*name : nullptr);
    add_named(0, &*name);
  }

  // The name of a variable or group: what literals can speak of.
  std::string_view checked_name(JsonValue value) {
    const std::string_view name = value.string("a name");
    if (name.empty()) value.fail("a name must not be empty");
    if (name.front() == '!')
      value.fail("a name must not begin with \"!\", which negates a literal");
    return name;
  }

  void add_variable(JsonValue score, const JsonValue* name) {
    add_named(score.number("a score"), name);
  }

  void add_named(double score, const JsonValue* value) {
    std::string_view name = value ? checked_name(*value) : std::string_view();
    add_name(name, value ? *value : json_.root());
    // A default name need not be kept.
    if (!name.empty() && name.front() == 'x' &&
        name == "x" + std::to_string(graph_.variable_count()))
      name = {};
    graph_.add_variable(score, name);
  }

  // `name` must outlive the reader; `place` is where it was given. Empty: the default name.
  void add_name(std::string_view name, JsonValue place) {
    if (!names_.add(name)) place.fail("the variable " + quoted(name) + " exists already");
    if (name.empty()) return;
    name_at_.resize(names_.size(), 0);
    name_at_.back() = place.index();
  }

  void add_group(const JsonValue* name, JsonValue states) {
    const std::string_view group = name ? checked_name(*name) : std::string_view();
    if (name && !group_names_.add(group).fresh)
      name->fail("the group " + quoted(group) + " exists already");
    if (name) group_of_name_.push_back(static_cast<int>(graph_.groups().size()));
    group_scores_.clear();
    state_names_.clear();
    if (states.is(JsonType::object)) {
      for (auto [state, score] : states.members())
        add_state(&state, score.number("a score"), state, name);
    } else {
      states.expect(JsonType::array, "an array or an object of states");
      for (JsonValue entry : states.elements()) read_state(entry, name);
    }
    if (group_scores_.empty()) states.fail("a group needs at least one state");
    graph_.add_group(group_scores_, group, state_names_);
  }

  void read_state(JsonValue entry, const JsonValue* group) {
    static constexpr std::array<std::string_view, 2> kKeys = {"name", "score"};
    if (entry.is(JsonType::number)) return add_state(nullptr, entry.number(), entry, group);
    entry.expect(JsonType::object, "a score or a state with \"name\" and \"score\"");
    std::optional<JsonValue> name, score;
    for (auto [key, value] : entry.members()) {
      if (key.string() != kKeys[0] && key.string() != kKeys[1]) unknown_key(key, kKeys);
      auto& part = key.string() == kKeys[0] ? name : score;
      if (part) key.fail("the key " + quoted(key.string()) + " occurs twice");
      part = value;
    }
    add_state(name ? &*name : nullptr, score ? score->number("a score") : 0.0, entry, group);
  }

  void add_state(const JsonValue* name, double score, JsonValue place, const JsonValue* group) {
    if (name && !group) name->fail("a group whose states have names needs a name");
    group_scores_.push_back(score);
    if (!group) return add_name({}, place);
    std::string state =
        name ? std::string(name->string("a name")) : std::to_string(group_scores_.size() - 1);
    add_name(names_.keep(std::string(group->string()) + "=" + state), place);
    state_names_.push_back(std::move(state));
  }

  int variable(JsonValue value, std::string_view name) {
    const int v = names_.find(name);
    if (v < 0) value.fail("unknown variable " + quoted(name) + names_.suggestion(name));
    return v;
  }

  void read_fixed(JsonValue value) {
    value.expect(JsonType::object, "an object of variables and 0 or 1");
    for (auto [key, entry] : value.members()) {
      const Var v{variable(key, key.string())};
      if (!graph_.fixed().empty() && graph_.fixed()[v.index] >= 0)
        key.fail("the variable " + quoted(key.string()) + " is fixed twice");
      if (entry.is(JsonType::boolean)) {
        graph_.fix(v, entry.boolean());
        continue;
      }
      const double x = entry.number("0 or 1");
      if (x != 0 && x != 1) entry.fail("expected 0 or 1");
      graph_.fix(v, x == 1);
    }
  }

  // ---- factors

  void read_factors(JsonValue value) {
    value.expect(JsonType::array, "an array of factors");
    for (JsonValue factor : value.elements()) read_factor(factor);
  }

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
    }
    if (has(kRule)) {
      const auto [id, fresh] = rules_.add(get(kRule).string("the name of a rule"));
      if (fresh) graph_.new_rule(rules_.name(id));
      rule.id = id;
    }
    return rule;
  }

  Literal literal(JsonValue value) {
    std::string_view name = value.string("a literal: \"name\" or \"!name\"");
    const bool negated = name.starts_with('!');
    if (negated) name.remove_prefix(1);
    return Literal(Var{variable(value, name)}, negated);
  }

  void read_literals(JsonValue value) {
    value.expect(JsonType::array, "an array of literals");
    literals_.clear();
    if (value.size() <= kPrefetched) {
      for (JsonValue l : value.elements()) {
        std::string_view name = l.raw_string();
        if (name.starts_with('!')) name.remove_prefix(1);
        names_.prefetch(name);
      }
    }
    for (JsonValue l : value.elements()) literals_.push_back(literal(l));
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
      const int v = literal(l).var();
      if (seen[v]) return l.place();
      seen[v] = true;
    }
    if (has(kOutput) && seen[literal(get(kOutput)).var()]) return get(kOutput).place();
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
        return graph_.add_exactly_one_output(literals_, literal(get(kOutput)), rule);
      case Kind::or_output:
        return graph_.add_or_output(literals_, literal(get(kOutput)), rule);
      case Kind::and_output:
        return graph_.add_and_output(literals_, literal(get(kOutput)), rule);
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
      const int group = axis.is(JsonType::string) ? group_names_.find(axis.string()) : -1;
      const std::size_t size =
          group >= 0 ? graph_.groups()[group_of_name_[group]].size
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
      const Group g = graph_.groups()[group_of_name_[group]];
      for (int s = 0; s < g.size; ++s) literals_.push_back(g[s]);
    } else if (axis.is(JsonType::string)) {
      literals_.push_back(literal(axis));
    } else {
      for (JsonValue l : axis.elements()) literals_.push_back(literal(l));
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
  Graph& graph_;
  VariableNames names_;
  NameTable group_names_, rules_;
  std::vector<int> group_of_name_;      // index in graph_.groups() of each of group_names_
  std::vector<std::uint32_t> name_at_;  // JSON node of each variable's name
  std::array<std::uint32_t, kKeyCount> key_at_{};  // JSON node of each key of the factor at hand
  unsigned given_ = 0;                             // keys of the factor at hand
  std::vector<double> group_scores_, numbers_;
  std::vector<std::string> state_names_;
  std::vector<Literal> literals_;
  std::vector<std::int32_t> axes_;
  std::vector<Interval> intervals_;
};

}  // namespace

void read_json_graph(const Source& source, Graph& out) {
  Json json;
  json.parse(source);
  GraphReader(json, out).run();
}

}  // namespace entente
