#include "schema/candidates.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace entente::schema {

double log_odds(double p) {
  p = std::clamp(p, kLeastProbability, 1 - kLeastProbability);
  return std::log(p) - std::log1p(-p);
}

double weight_of(double p, double threshold) { return log_odds(p) - log_odds(threshold); }

int Candidates::find(int relation, int head, int tail) const {
  const auto key = std::tuple(relation, head, tail);
  const auto at = std::lower_bound(pairs.begin(), pairs.end(), key, [](const Pair& p, auto k) {
    return std::tuple(p.relation, p.head, p.tail) < k;
  });
  const bool there = at != pairs.end() && std::tuple(at->relation, at->head, at->tail) == key;
  return there ? static_cast<int>(at - pairs.begin()) : -1;
}

int Candidates::find_fact(int name, int a, int b) const {
  const auto key = std::tuple(name, a, b);
  const auto at = std::lower_bound(facts.begin(), facts.end(), key, [](const Fact& f, auto k) {
    return std::tuple(f.name, f.a, f.b) < k;
  });
  const bool there = at != facts.end() && std::tuple(at->name, at->a, at->b) == key;
  return there ? static_cast<int>(at - facts.begin()) : -1;
}

void Candidates::clear() {
  document.clear();
  sentences.clear();
  spans.clear();
  types.clear();
  pairs.clear();
  facts.clear();
  origin.clear();
}

CandidateReader::CandidateReader(const Schema& schema, std::optional<Scale> scale)
    : schema_(schema), given_(scale) {
  for (const EntityType& t : schema.types) types_.add(t.name);
  for (const Relation& r : schema.relations) relations_.add(r.name);
  for (const std::string& f : schema.facts) facts_.add(f);
}

void CandidateReader::clear() {
  c_.clear();
  unresolved_.clear();
  next_base_ = 0;
}

// ---------------------------------------------------------------- sentences and spans

void CandidateReader::add_sentence(Sentence sentence) {
  first_span_ = static_cast<int>(c_.spans.size());
  characters_ = -1;
  byte_of_.clear();
  ids_.clear();
  if (sentence.has_text) {
    const std::string& text = sentence.text;
    characters_ = static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
    if (characters_ != static_cast<int>(text.size())) {
      for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80)
          byte_of_.push_back(static_cast<int>(i));
      }
      byte_of_.push_back(static_cast<int>(text.size()));
    }
  }
  if (!sentence.placed) sentence.base = next_base_;
  next_base_ = std::max(next_base_, sentence.base + std::max(0, characters_) + 1);
  c_.sentences.push_back(std::move(sentence));
}

std::string_view CandidateReader::slice(int start, int end) const {
  const std::string_view text = c_.sentences.back().text;
  if (byte_of_.empty()) return text.substr(start, end - start);
  return text.substr(byte_of_[start], byte_of_[end] - byte_of_[start]);
}

// Is it the same text? A line break or tab may stand as a space (brat writes it so).
static bool same_words(std::string_view a, std::string_view b) {
  auto plain = [](char c) { return c == '\n' || c == '\r' || c == '\t' ? ' ' : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return plain(x) == plain(y); });
}

int CandidateReader::add_span(int start, int end, std::string_view id, std::string_view text,
                              const Place& place) {
  const Sentence& s = c_.sentences.back();
  if (start < 0 || end <= start) {
    throw Error("expected a span of one character or more, found " + std::to_string(start) +
                    " to " + std::to_string(end),
                place);
  }
  if (characters_ >= 0 && end > characters_)
    throw Error("this span ends at character " + std::to_string(end) + " of a text of " +
                    std::to_string(characters_),
                place);
  if (end > kMostCharacters - s.base) throw Error("this text is too long", place);
  if (!id.empty() && !ids_.emplace(id, static_cast<int>(c_.spans.size())).second)
    throw Error("two spans have the id " + quoted(id), place);
  if (characters_ >= 0 && !text.empty() && !same_words(slice(start, end), text))
    throw Error("at characters " + std::to_string(start) + " to " + std::to_string(end) +
                    " the text has " + quoted(slice(start, end)) + ", not " + quoted(text),
                place);
  Span& span = c_.spans.emplace_back();
  span.id = id;
  span.text = characters_ >= 0 ? slice(start, end) : text;
  span.sentence = static_cast<int>(c_.sentences.size()) - 1;
  span.begin = s.base + start;
  span.finish = s.base + end;
  span.start = s.placed ? span.begin : start;
  span.end = s.placed ? span.finish : end;
  next_base_ = std::max(next_base_, span.finish + 1);
  return static_cast<int>(c_.spans.size()) - 1 - first_span_;
}

void CandidateReader::add_type(int span, int type, double probability) {
  const EntityType& t = schema_.types[type];
  const bool weak = probability < t.candidate_threshold;
  if (probability <= 0 || (weak && !schema_.as_nodes())) return;
  c_.types.push_back(
      {first_span_ + span, type, weight_of(probability, t.threshold), probability, weak});
}

void CandidateReader::add_pair(int head, int tail, int relation, double probability) {
  const Relation& r = schema_.relations[relation];
  if (probability <= 0 || probability < r.candidate_threshold) return;
  add_scored_pair(first_span_ + head, first_span_ + tail, relation,
                  {weight_of(probability, r.threshold), probability});
}

void CandidateReader::add_scored_pair(int head, int tail, int relation, Score s) {
  c_.pairs.push_back({.relation = relation,
                      .head = head,
                      .tail = tail,
                      .sentence = static_cast<int>(c_.sentences.size()) - 1,
                      .weight = s.weight,
                      .confidence = s.confidence});
}

// ---------------------------------------------------------------- merging

void CandidateReader::resolve() {
  if (unresolved_.empty()) return;
  NameTable ids;
  std::vector<int> span_of;
  for (int s = 0; s < static_cast<int>(c_.spans.size()); ++s) {
    if (!c_.spans[s].id.empty() && ids.add(c_.spans[s].id).fresh) span_of.push_back(s);
  }
  for (const Unresolved& u : unresolved_) {
    const int found = ids.find(u.id);
    if (found < 0) {
      Nearest nearest(u.id);
      for (int i = 0; i < std::min(ids.size(), 1000); ++i) nearest.consider(ids.name(i));
      throw Error("no span has the id " + quoted(u.id) + nearest.suggestion(), u.place);
    }
    switch (u.end) {
      case End::head:
        c_.pairs[u.index].head = span_of[found];
        break;
      case End::tail:
        c_.pairs[u.index].tail = span_of[found];
        break;
      case End::first:
        c_.facts[u.index].a = span_of[found];
        break;
      case End::second:
        c_.facts[u.index].b = span_of[found];
        break;
    }
  }
}

// Equal offsets in the document are one span.
void CandidateReader::merge_spans() {
  const int n = static_cast<int>(c_.spans.size());
  order_.resize(n);
  for (int i = 0; i < n; ++i) order_[i] = i;
  auto key = [&](int i) { return std::pair(c_.spans[i].begin, c_.spans[i].finish); };
  std::sort(order_.begin(), order_.end(),
            [&](int a, int b) { return std::tuple(key(a), a) < std::tuple(key(b), b); });
  map_.resize(n);
  bool merged = false;
  for (int i = 0; i < n; ++i) {
    const bool twin = i > 0 && key(order_[i]) == key(order_[i - 1]);
    map_[order_[i]] = twin ? map_[order_[i - 1]] : order_[i];
    merged |= twin;
  }
  if (!merged) return;
  std::vector<int> renumbered(n, -1);
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    if (map_[i] != i) continue;
    renumbered[i] = kept;
    if (kept != i) c_.spans[kept] = std::move(c_.spans[i]);
    ++kept;
  }
  c_.spans.resize(kept);
  auto now = [&](int span) { return renumbered[map_[span]]; };
  for (TypeScore& t : c_.types) t.span = now(t.span);
  for (Pair& p : c_.pairs) {
    p.head = now(p.head);
    p.tail = now(p.tail);
  }
  for (Fact& f : c_.facts) {
    f.a = now(f.a);
    if (f.b >= 0) f.b = now(f.b);
  }
}

namespace {

void merge_types(std::vector<TypeScore>& t) {
  auto key = [](const TypeScore& x) { return std::tuple(x.span, x.type, -x.weight); };
  auto before = [&](const TypeScore& a, const TypeScore& b) { return key(a) < key(b); };
  if (!std::is_sorted(t.begin(), t.end(), before)) std::stable_sort(t.begin(), t.end(), before);
  auto same = [](const TypeScore& a, const TypeScore& b) {
    return a.span == b.span && a.type == b.type;
  };
  t.erase(std::unique(t.begin(), t.end(), same), t.end());
}

void limit_types(const Schema& schema, std::vector<TypeScore>& t) {
  std::vector<int> order;
  for (int type = 0; type < static_cast<int>(schema.types.size()); ++type) {
    const int most = schema.types[type].max_candidates;
    if (most < 0) continue;
    order.clear();
    for (int i = 0; i < static_cast<int>(t.size()); ++i) {
      if (t[i].type == type) order.push_back(i);
    }
    if (static_cast<int>(order.size()) <= most) continue;
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return t[a].weight > t[b].weight; });
    for (std::size_t k = most; k < order.size(); ++k) {
      t[order[k]].weak = true;
      if (!schema.as_nodes()) t[order[k]].type = -1;
    }
    std::erase_if(t, [](const TypeScore& x) { return x.type < 0; });
  }
}

void merge_pairs(std::vector<Pair>& p) {
  auto key = [](const Pair& x) { return std::tuple(x.relation, x.head, x.tail, -x.weight); };
  auto before = [&](const Pair& a, const Pair& b) { return key(a) < key(b); };
  if (!std::is_sorted(p.begin(), p.end(), before)) std::stable_sort(p.begin(), p.end(), before);
  auto same = [](const Pair& a, const Pair& b) {
    return std::tuple(a.relation, a.head, a.tail) == std::tuple(b.relation, b.head, b.tail);
  };
  p.erase(std::unique(p.begin(), p.end(), same), p.end());
}

// Said twice: what cannot be given up, or costs more, counts.
void merge_facts(std::vector<Fact>& f) {
  auto key = [](const Fact& x) { return std::tuple(x.name, x.a, x.b, -x.score); };
  std::sort(f.begin(), f.end(), [&](const Fact& x, const Fact& y) { return key(x) < key(y); });
  f.erase(std::unique(f.begin(), f.end(),
                      [](const Fact& x, const Fact& y) {
                        return std::tuple(x.name, x.a, x.b) == std::tuple(y.name, y.a, y.b);
                      }),
          f.end());
}

}  // namespace

void put_in_order(const Schema& schema, Candidates& c) {
  merge_types(c.types);
  limit_types(schema, c.types);
  merge_pairs(c.pairs);
  merge_facts(c.facts);
  std::size_t t = 0;
  for (int s = 0; s < static_cast<int>(c.spans.size()); ++s) {
    c.spans[s].first = static_cast<int>(t);
    while (t < c.types.size() && c.types[t].span == s) ++t;
    c.spans[s].last = static_cast<int>(t);
  }
}

void CandidateReader::finish(Candidates& out) {
  resolve();
  merge_spans();
  put_in_order(schema_, c_);
  std::swap(out, c_);
  clear();
}

}  // namespace entente::schema
