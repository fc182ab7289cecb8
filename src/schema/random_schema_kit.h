// Random schemas, and texts for them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/random.h"
#include "schema/schema.h"

namespace entente::schema::kit {

inline constexpr const char* kTypes[] = {"person", "place", "firm"};
inline constexpr const char* kRelations[] = {"likes", "in", "owns"};

class RandomSchema {
 public:
  explicit RandomSchema(Random& r) : r_(r) {}

  // With facts its rules may speak of them; what GLiNER2 reads otherwise is more often there for its mode.
  std::string text(bool facts = false, bool gliner2 = false) {
    facts_ = facts;
    gliner2_ = gliner2;
    w_.begin_object().key("scale").string("log_odds");
    if (facts) w_.key("facts").begin_array().string("same_as").string("known").end_array();
    if (r_.chance(0.15)) w_.key("multi_label").boolean(true);
    w_.key("entities").begin_object();
    for (const char* t : kTypes) entity(t);
    w_.end_object().key("relations").begin_object();
    for (const char* t : kRelations) relation(t);
    w_.end_object().key("constraints").begin_array();
    for (int n = r_.between(0, 3); n > 0; --n) constraint();
    w_.end_array().key("rules").begin_array();
    for (int n = r_.between(0, 2); n > 0; --n) {
      w_.begin_object().key("name").string("rule " + std::to_string(n));
      w_.key("rule").string(formula());
      cost();
      w_.end_object();
    }
    return w_.end_array().end_object().take();
  }

 private:
  const char* type() { return kTypes[r_.below(3)]; }
  const char* a_relation() { return kRelations[r_.below(3)]; }
  void cost() {
    if (r_.chance(0.4)) w_.key("cost").number(r_.uniform(0.1, 3));
  }
  void types(const char* key) {
    w_.key(key).begin_array();
    const int mask = r_.between(1, 7);
    for (int t = 0; t < 3; ++t) {
      if (mask >> t & 1) w_.string(kTypes[t]);
    }
    w_.end_array();
  }
  void bounds() {
    switch (r_.below(4)) {
      case 0:
        w_.key("at_least").integer(r_.between(1, 2));
        break;
      case 1:
        w_.key("at_most").integer(r_.between(0, 2));
        break;
      case 2:
        w_.key("exactly").integer(r_.between(0, 2));
        break;
      default:
        w_.key("at_least").integer(1).key("at_most").integer(2);
    }
  }
  void entity(const char* name) {
    w_.key(name).begin_object();
    if (r_.chance(gliner2_ ? 0.05 : 0.3)) {
      static constexpr const char* kPolicies[] = {"allow", "nested", "disallow"};
      w_.key("overlap").string(kPolicies[r_.below(3)]);
    }
    if (r_.chance(0.3)) w_.key("threshold").number(r_.uniform(0.2, 0.8));
    if (gliner2_ && r_.chance(0.7)) w_.key("allow_nested").boolean(true);
    if (r_.chance(0.08)) bounds();
    w_.end_object();
  }
  void relation(const char* name) {
    w_.key(name).begin_object();
    const bool symmetric = r_.chance(0.15);
    if (!symmetric && r_.chance(0.6)) types("head");
    if (!symmetric && r_.chance(0.6)) types("tail");
    if (symmetric) w_.key("symmetric").boolean(true);
    if (r_.chance(0.1)) w_.key("directed").boolean(false);
    if (gliner2_ && !symmetric && r_.chance(0.4)) w_.key("inverse").string(a_relation());
    if (r_.chance(0.2)) w_.key("allow_self").boolean(true);
    if (r_.chance(0.3)) w_.key("max_per_head").integer(r_.between(0, 2));
    if (r_.chance(0.2)) w_.key("max_per_tail").integer(r_.between(1, 2));
    if (r_.chance(0.1)) w_.key("min_per_head").integer(r_.between(1, 2));
    if (r_.chance(0.1)) w_.key("min_per_tail").integer(1);
    if (r_.chance(0.15)) w_.key("acyclic").boolean(true);
    if (r_.chance(0.05)) bounds();
    w_.end_object();
  }
  void constraint() {
    static constexpr const char* kKinds[] = {
        "TypedEndpoints",      "NoSelfLoops",         "UniqueRelationPair",
        "UniqueRelationSlot",  "EntityOverlapPolicy", "MaxRelationsPerHead",
        "MaxRelationsPerTail", "MinRelationsPerHead", "MinRelationsPerTail",
        "SymmetricRelation",   "InverseRelation",     "AcyclicRelation",
        "ExclusiveRelations",  "ImpliedRelation",     "Count"};
    const int kind = r_.below(15);
    w_.begin_object().key("type").string(kKinds[kind]);
    cost();
    const bool some = r_.chance(0.7);
    switch (kind) {
      case 0:
        if (some) w_.key("relation").string(a_relation());
        types("head_types");
        if (r_.chance(0.5)) types("tail_types");
        break;
      case 1:
        if (some) w_.key("relation").string(a_relation());
        break;
      case 2:
        if (some) w_.key("relation").string(a_relation());
        w_.key("directed").boolean(false);
        break;
      case 3:
        w_.key("relation").string(a_relation());
        w_.key("slot").string(r_.chance(0.5) ? "head" : "tail");
        break;
      case 4:
        w_.key("policy").string(r_.chance(0.5) ? "nested" : "disallow");
        if (some) types("types");
        break;
      case 5:
      case 6:
        if (some) w_.key("relation").string(a_relation());
        w_.key("limit").integer(r_.between(0, 2));
        break;
      case 7:
      case 8:
        w_.key("relation").string(a_relation());
        w_.key("limit").integer(r_.between(1, 2));
        break;
      case 10:
        w_.key("inverse").string(a_relation());
        [[fallthrough]];
      case 9:
      case 11:
        w_.key("relation").string(a_relation());
        if (kind != 11 && r_.chance(0.3)) w_.key("add_missing").boolean(false);
        break;
      case 12:
        w_.key("relations").begin_array().string("likes").string("owns");
        if (some) w_.string("in");
        w_.end_array().key("directed").boolean(r_.chance(0.5));
        break;
      case 13:
        w_.key("relation").string("likes").key("implies").string("in");
        if (r_.chance(0.3)) w_.key("add_missing").boolean(false);
        break;
      default:
        w_.key("of").begin_array().string(type());
        if (r_.chance(0.5)) w_.string(a_relation());
        w_.end_array();
        if (r_.chance(0.5)) w_.key("per").string("document");
        bounds();
    }
    w_.end_object();
  }

  std::string atom() {
    auto v = [&] { return std::string(1, "xy"[r_.below(2)]); };
    if (facts_ && r_.chance(0.4))
      return r_.chance(0.6) ? "same_as(" + v() + ", " + v() + ")" : "known(" + v() + ")";
    switch (r_.below(8)) {
      case 0:
      case 1:
        return std::string(type()) + "(" + v() + ")";
      case 2:
        return "entity(" + v() + ")";
      case 3: {
        static constexpr const char* kText[] = {"before", "overlaps", "inside", "same_text",
                                                "same_sentence"};
        return std::string(kText[r_.below(5)]) + "(" + v() + ", " + v() + ")";
      }
      case 4:
        return v() + (r_.chance(0.5) ? " = " : " != ") + v();
      default:
        return std::string(a_relation()) + "(" + v() + ", " + v() + ")";
    }
  }
  std::string expression(int depth) {
    if (depth == 0 || r_.chance(0.25)) return atom();
    static constexpr const char* kJoins[] = {" and ", " or ", " implies ", " iff "};
    switch (r_.below(6)) {
      case 0:
        return "not (" + expression(depth - 1) + ")";
      case 1:
        return "(exists z: " + std::string(a_relation()) + "(" + "xyz"[r_.below(3)] + ", z) and " +
               "z != x)";
      default:
        return "(" + expression(depth - 1) + kJoins[r_.below(4)] + expression(depth - 1) + ")";
    }
  }
  std::string formula() {
    const double kind = r_.uniform();
    if (kind < 0.5)
      return "forall x, y: " + std::string(a_relation()) + "(x, y) implies " + expression(2);
    if (kind < 0.85) return "forall x, y: " + expression(2);
    return "forall x: exists y: " + expression(2);
  }

  Random& r_;
  JsonWriter w_;
  bool facts_ = false, gliner2_ = false;
};

// Lines of one document: few spans and pairs, so that all choices can be looked at.
inline std::vector<std::string> random_lines(Random& r, int most_spans, int most_pairs,
                                             bool facts = false) {
  std::vector<std::string> out;
  const int lines = r.chance(0.25) ? 2 : 1;
  const int spans = r.between(1, most_spans);
  int pairs = r.between(0, most_pairs);
  int first = 0;
  for (int l = 0; l < lines; ++l) {
    JsonWriter w;
    w.begin_object().key("document").string("d").key("text").string("aa bb aa cc bb dd");
    w.key("spans").begin_array();
    const int here = l + 1 == lines ? spans - first : (spans + 1) / 2;
    for (int s = 0; s < here; ++s) {
      const int start = r.between(0, 10);
      w.begin_object().key("id").string("s" + std::to_string(first + s));
      w.key("start").integer(start).key("end").integer(start + r.between(1, 6)).key("scores");
      w.begin_object();
      const int mask = r.between(1, 7);
      for (int t = 0; t < 3; ++t) {
        if ((mask >> t & 1) && mask != 7) w.key(kTypes[t]).number(r.normal(0.3, 2));
      }
      w.end_object().end_object();
    }
    w.end_array().key("pairs").begin_array();
    const int seen = first + here;
    for (int p = l + 1 == lines ? pairs : pairs / 2; p > 0 && seen > 0; --p, --pairs) {
      w.begin_object().key("head").string("s" + std::to_string(r.below(seen)));
      w.key("tail").string("s" + std::to_string(r.below(seen))).key("scores").begin_object();
      w.key(kRelations[r.below(3)]).number(r.normal(0.5, 2)).end_object().end_object();
    }
    w.end_array();
    if (facts) {
      w.key("facts").begin_array();
      auto span = [&] { return "s" + std::to_string(r.below(seen)); };
      for (int k = seen > 0 ? r.between(0, 3) : 0; k > 0; --k) {
        const bool two = r.chance(0.6);
        w.begin_object().key("name").string(two ? "same_as" : "known").key("args").begin_array();
        w.string(span());
        if (two) w.string(span());
        w.end_array();
        if (r.chance(0.6)) w.key("score").number(r.uniform(0.1, 3));
        w.end_object();
      }
      w.end_array();
    }
    out.push_back(w.end_object().take());
    first = seen;
  }
  return out;
}

}  // namespace entente::schema::kit
