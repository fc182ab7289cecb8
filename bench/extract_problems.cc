#include "bench/extract_problems.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"

namespace entente::bench {

using schema::Candidates;
using schema::Choice;
using schema::Pair;
using schema::Schema;
using schema::Span;

Schema stress_schema(bool document) {
  std::string text = R"({"scale": "log_odds",
    "entities": ["person", "firm", "place", "event"],
    "relations": {
      "works_for": {"head": "person", "tail": "firm", "max_per_head": 1},
      "lives_in": {"head": "person", "tail": "place"},
      "based_in": {"head": "firm", "tail": "place", "max_per_head": 1},
      "knows": {"head": "person", "tail": "person"},
      "part_of": {"head": "place", "tail": "place"},
      "takes_part": {"head": ["person", "firm"], "tail": "event"}},
    "constraints": [)";
  if (document) {
    text += R"(
      {"type": "AcyclicRelation", "relation": "part_of"},
      {"type": "Count", "of": "event", "per": "document", "at_most": 60},
      {"type": "Count", "of": "based_in", "per": "document", "at_most": 12},
      {"type": "Count", "of": "knows", "per": "document", "at_least": 40, "at_most": 70},
      {"type": "Count", "of": "works_for", "per": "document", "exactly": 30})";
  }
  return schema::read_schema(text + "]}", "stress.json");
}

Schema limited_schema(int most) {
  const std::string limit = std::to_string(most);
  const std::string head = R"(, "max_per_head": )" + limit, tail = R"(, "max_per_tail": )" + limit;
  return schema::read_schema(R"({"scale": "log_odds",
    "entities": ["person", "firm", "place", "event"],
    "relations": {
      "works_for": {"head": "person", "tail": "firm")" +
                                 head + R"(},
      "lives_in": {"head": "person", "tail": "place")" +
                                 head + R"(},
      "based_in": {"head": "firm", "tail": "place")" +
                                 tail + R"(},
      "knows": {"head": "person", "tail": "person")" +
                                 head + tail + R"(},
      "part_of": {"head": "place", "tail": "place")" +
                                 head + R"(},
      "takes_part": {"head": ["person", "firm"], "tail": "event")" +
                                 tail + R"(}}})",
                             "limited.json");
}

void make_uniform(std::uint64_t seed, Candidates& c) {
  Random r(seed * 1000 + 7);
  for (auto& t : c.types) t.weight = r.uniform(-1, 1);
  for (auto& p : c.pairs) p.weight = r.uniform(-1, 1);
}

namespace {

constexpr int kTypes = 4;
constexpr double kSpread = 1.8;  // of scores around their means, which are 1.5 and -1.5 or -2

struct Truth {
  std::vector<int> type;  // of each span, -1: none
};

bool fits(const Schema& schema, int relation, int head_type, int tail_type) {
  auto in = [](const std::vector<int>& list, int x) {
    return std::find(list.begin(), list.end(), x) != list.end();
  };
  return in(schema.relations[relation].head, head_type) &&
         in(schema.relations[relation].tail, tail_type);
}

// Spans of one sentence, about half of which overlap others.
void add_spans(Random& r, int spans, Candidates& c, Truth& truth) {
  const int sentence = static_cast<int>(c.sentences.size());
  c.sentences.emplace_back();
  int base = 0;  // after the last character of the sentences before
  for (const Span& s : c.spans) base = std::max(base, s.finish + 1);
  std::vector<std::pair<int, int>> places;
  std::set<std::pair<int, int>> seen;
  while (static_cast<int>(places.size()) < spans) {
    const int begin = r.below(2 * spans), end = begin + r.between(1, 4);
    if (seen.insert({begin, end}).second) places.emplace_back(begin, end);
  }
  std::sort(places.begin(), places.end());
  int taken = -1;
  for (auto [begin, end] : places) {
    Span& span = c.spans.emplace_back();
    const int index = static_cast<int>(c.spans.size()) - 1;
    span.sentence = sentence;
    span.start = begin;
    span.end = end;
    span.begin = base + begin;
    span.finish = base + end;
    int two[2] = {r.below(kTypes), 0};
    two[1] = (two[0] + 1 + r.below(kTypes - 1)) % kTypes;
    truth.type.push_back(-1);
    if (begin >= taken && r.chance(0.8)) {
      truth.type.back() = two[r.below(2)];
      taken = end;
    }
    std::sort(std::begin(two), std::end(two));
    span.first = static_cast<int>(c.types.size());
    for (int t : two) {
      const double w = r.normal(t == truth.type.back() ? 1.5 : -1.5, kSpread);
      c.types.push_back({index, t, w, 0.5});
    }
    span.last = static_cast<int>(c.types.size());
  }
}

void add_pair(Random& r, const Schema& schema, int head, int tail, Candidates& c,
              const Truth& truth, std::set<std::tuple<int, int, int>>& seen,
              std::set<std::pair<int, int>>& used) {
  const int relations = static_cast<int>(schema.relations.size());
  const int a = truth.type[head], b = truth.type[tail];
  int relation = r.below(relations);
  // A model proposes what fits more often than not.
  for (int k = 0; k < relations && r.chance(0.7); ++k) {
    if (a >= 0 && b >= 0 && fits(schema, k, a, b)) relation = k;
  }
  if (!seen.insert({relation, head, tail}).second) return;
  bool real = a >= 0 && b >= 0 && fits(schema, relation, a, b) && r.chance(0.3);
  if (real && schema.relations[relation].name != "knows")
    real = used.insert({relation, head}).second;
  c.pairs.push_back({.relation = relation,
                     .head = head,
                     .tail = tail,
                     .sentence = c.spans[head].sentence,
                     .weight = r.normal(real ? 1.5 : -2, kSpread),
                     .confidence = 0.5});
}

void sort_pairs(Candidates& c) {
  std::sort(c.pairs.begin(), c.pairs.end(), [](const Pair& x, const Pair& y) {
    return std::tuple(x.relation, x.head, x.tail) < std::tuple(y.relation, y.head, y.tail);
  });
}

}  // namespace

Candidates make_stress(const Schema& schema, int spans, int pairs, std::uint64_t seed) {
  Random r(seed * 1000 + static_cast<std::uint64_t>(spans));
  Candidates c;
  Truth truth;
  add_spans(r, spans, c, truth);
  std::set<std::tuple<int, int, int>> seen;
  std::set<std::pair<int, int>> used;
  while (static_cast<int>(c.pairs.size()) < pairs) {
    const int head = r.below(spans), tail = r.below(spans);
    if (head != tail) add_pair(r, schema, head, tail, c, truth, seen, used);
  }
  sort_pairs(c);
  return c;
}

Candidates make_document(const Schema& schema, int spans, int pairs, std::uint64_t seed) {
  constexpr int kSentence = 12;
  Random r(seed * 1000 + static_cast<std::uint64_t>(spans));
  Candidates c;
  c.document = "stress";
  Truth truth;
  while (static_cast<int>(c.spans.size()) < spans)
    add_spans(r, std::min(kSentence, spans - static_cast<int>(c.spans.size())), c, truth);
  std::set<std::tuple<int, int, int>> seen;
  std::set<std::pair<int, int>> used;
  while (static_cast<int>(c.pairs.size()) < pairs) {
    const int head = r.below(spans);
    const int reach = r.chance(0.8) ? kSentence : spans;
    const int tail = std::clamp(head + r.between(-reach, reach), 0, spans - 1);
    if (head != tail) add_pair(r, schema, head, tail, c, truth, seen, used);
  }
  sort_pairs(c);
  return c;
}

// ---------------------------------------------------------------- what people write

namespace {

// The stress schema's rules, checked one candidate at a time.
class Rules {
 public:
  Rules(const Schema& schema, const Candidates& c) : c_(c) {
    const std::size_t types = schema.types.size();
    head_.assign(schema.relations.size() * types, 0);
    tail_ = head_;
    single_.assign(schema.relations.size(), 0);
    for (std::size_t r = 0; r < schema.relations.size(); ++r) {
      for (int t : schema.relations[r].head) head_[r * types + t] = 1;
      for (int t : schema.relations[r].tail) tail_[r * types + t] = 1;
    }
    for (const auto& rule : schema.rules) {
      if (rule.kind == schema::RuleKind::per_head && rule.upper == 1)
        single_[rule.relations[0]] = 1;
    }
    types_ = static_cast<int>(types);
    overlapping_.resize(c.spans.size());
    std::vector<int> order(c.spans.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return c.spans[a].begin < c.spans[b].begin; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        if (c.spans[order[j]].begin >= c.spans[order[i]].finish) break;
        overlapping_[order[i]].push_back(order[j]);
        overlapping_[order[j]].push_back(order[i]);
      }
    }
  }

  bool span_allowed(int span, const std::vector<std::int8_t>& type) const {
    if (type[span] >= 0) return false;
    return std::none_of(overlapping_[span].begin(), overlapping_[span].end(),
                        [&](int o) { return type[o] >= 0; });
  }
  // used: relation x span, 1 where a relation with one tail a head has it.
  bool pair_allowed(const Pair& p, const std::vector<std::int8_t>& type,
                    const std::vector<std::uint8_t>& used) const {
    const int h = type[p.head], t = type[p.tail];
    if (h < 0 || t < 0) return false;
    if (!head_[p.relation * types_ + h] || !tail_[p.relation * types_ + t]) return false;
    return !single_[p.relation] || !used[slot(p)];
  }
  std::size_t slot(const Pair& p) const { return p.relation * c_.spans.size() + p.head; }

 private:
  const Candidates& c_;
  int types_ = 0;
  std::vector<std::uint8_t> head_, tail_, single_;
  std::vector<std::vector<int>> overlapping_;
};

// Candidates above 0 by falling weight: with these rules nothing else is ever worth taking.
template <typename Items>
std::vector<int> by_weight(const Items& items) {
  std::vector<int> out;
  for (int i = 0; i < static_cast<int>(items.size()); ++i) {
    if (items[i].weight > 0) out.push_back(i);
  }
  std::sort(out.begin(), out.end(), [&](int a, int b) {
    return std::pair(-items[a].weight, a) < std::pair(-items[b].weight, b);
  });
  return out;
}

}  // namespace

Choice greedy(const Schema& schema, const Candidates& c) {
  const Rules rules(schema, c);
  std::vector<std::int8_t> type(c.spans.size(), -1);
  std::vector<std::uint8_t> used(c.spans.size() * schema.relations.size(), 0);
  Choice out;
  for (int i : by_weight(c.types)) {
    if (!rules.span_allowed(c.types[i].span, type)) continue;
    type[c.types[i].span] = static_cast<std::int8_t>(c.types[i].type);
    out.types.push_back(i);
    out.value += c.types[i].weight;
  }
  for (int i : by_weight(c.pairs)) {
    if (!rules.pair_allowed(c.pairs[i], type, used)) continue;
    used[rules.slot(c.pairs[i])] = 1;
    out.pairs.push_back(i);
    out.value += c.pairs[i].weight;
  }
  return out;
}

namespace {

struct Partial {
  double value = 0;
  std::vector<std::int8_t> type;
  std::vector<std::uint8_t> used;
  int last = -1;  // into the trail
};

struct Trail {  // what was taken, and after what
  int candidate, before;
};

// One candidate: left by all, taken by those that may; the best stay.
template <typename Allowed, typename Take>
void advance(std::vector<Partial>& states, std::vector<Partial>& next, std::size_t width,
             std::vector<Trail>& trail, int candidate, double weight, Allowed allowed, Take take) {
  struct Option {
    double value;
    int state;
    bool taken;
  };
  std::vector<Option> options;
  for (int s = 0; s < static_cast<int>(states.size()); ++s) {
    if (allowed(states[s])) options.push_back({states[s].value + weight, s, true});
    options.push_back({states[s].value, s, false});
  }
  const std::size_t keep = std::min(width, options.size());
  std::partial_sort(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(keep),
                    options.end(), [](const Option& a, const Option& b) {
                      return std::tuple(-a.value, a.state, a.taken) <
                             std::tuple(-b.value, b.state, b.taken);
                    });
  next.resize(keep);
  for (std::size_t k = 0; k < keep; ++k) {
    next[k] = states[options[k].state];
    if (!options[k].taken) continue;
    next[k].value = options[k].value;
    trail.push_back({candidate, next[k].last});
    next[k].last = static_cast<int>(trail.size()) - 1;
    take(next[k]);
  }
  std::swap(states, next);
}

}  // namespace

Choice beam(const Schema& schema, const Candidates& c, int width) {
  const Rules rules(schema, c);
  Partial empty;
  empty.type.assign(c.spans.size(), -1);
  empty.used.assign(c.spans.size() * schema.relations.size(), 0);
  std::vector<Partial> states = {empty}, next;
  std::vector<Trail> trail;
  const auto w = static_cast<std::size_t>(width);
  for (int i : by_weight(c.types)) {
    const int span = c.types[i].span;
    advance(
        states, next, w, trail, i, c.types[i].weight,
        [&](const Partial& p) { return rules.span_allowed(span, p.type); },
        [&](Partial& p) { p.type[span] = static_cast<std::int8_t>(c.types[i].type); });
  }
  const int types_end = static_cast<int>(trail.size());
  for (int i : by_weight(c.pairs)) {
    advance(
        states, next, w, trail, i, c.pairs[i].weight,
        [&](const Partial& p) { return rules.pair_allowed(c.pairs[i], p.type, p.used); },
        [&](Partial& p) { p.used[rules.slot(c.pairs[i])] = 1; });
  }
  Choice out;
  out.value = states[0].value;
  for (int t = states[0].last; t >= 0; t = trail[t].before)
    (t < types_end ? out.types : out.pairs).push_back(trail[t].candidate);
  std::sort(out.types.begin(), out.types.end());
  std::sort(out.pairs.begin(), out.pairs.end());
  return out;
}

}  // namespace entente::bench
