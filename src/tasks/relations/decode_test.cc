#include "tasks/relations/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "entente/error.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "tasks/relations/test_kit.h"

namespace entente::relations {
namespace {

// What types and states are worth; states as in scores.h.
double value_of(const JointScores& scores, const std::vector<int>& types,
                const std::vector<int>& states) {
  double sum = 0;
  for (int m = 0; m < scores.mentions(); ++m) sum += scores.entity(m)[types[m]];
  for (int i = 0; i < pair_count(scores.mentions()); ++i) sum += scores.states(i)[states[i]];
  return sum;
}

// Counts up through all labellings of `sizes`; false after the last.
bool next(std::vector<int>& digits, const std::vector<int>& sizes) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (++digits[i] < sizes[i]) return true;
    digits[i] = 0;
  }
  return false;
}

// Each state holds its own types, so that this is written without looking at constraints.cc.
bool allowed(const std::vector<int>& types, const std::vector<int>& states, const LabelSet& labels,
             const RuleSet& rules) {
  const int n = static_cast<int>(types.size());
  for (int h = 0; h < n; ++h) {
    for (int t = 0; t < n; ++t) {
      if (h == t || states[pair_index(h, t, n)] == 0) continue;
      const Signature& s = labels.signatures[states[pair_index(h, t, n)] - 1];
      if (types[h] == rules.no_mention || types[t] == rules.no_mention) return false;
      if (rules.head_type && s.head != types[h]) return false;
      if (rules.tail_type && s.tail != types[t]) return false;
      if (rules.one_way && states[pair_index(t, h, n)] != 0) return false;
    }
  }
  for (int r : rules.required) {
    const bool there = std::any_of(states.begin(), states.end(), [&](int state) {
      return state != 0 && labels.signatures[state - 1].relation == r;
    });
    if (!there) return false;
  }
  for (int r : rules.once) {
    const auto pairs = std::count_if(states.begin(), states.end(), [&](int state) {
      return state != 0 && labels.signatures[state - 1].relation == r;
    });
    if (pairs != 1) return false;
  }
  return true;
}

double best_by_enumeration(const JointScores& scores, const LabelSet& labels,
                           const RuleSet& rules) {
  const int n = scores.mentions();
  std::vector<int> sizes(n, labels.entity_count());
  sizes.resize(n + pair_count(n), static_cast<int>(labels.signatures.size()) + 1);
  std::vector<int> digits(sizes.size());
  double best = -kInfinity;
  do {
    const std::vector<int> types(digits.begin(), digits.begin() + n);
    const std::vector<int> states(digits.begin() + n, digits.end());
    if (allowed(types, states, labels, rules)) {
      best = std::max(best, value_of(scores, types, states));
    }
  } while (next(digits, sizes));
  return best;
}

LabelSet random_labels(Random& r) {
  LabelSet out;
  for (int e = r.between(1, 3); e > 0; --e) out.entities.push_back("E" + std::to_string(e));
  out.relations = {"none"};
  for (int k = r.between(1, 3); k > 0; --k) {
    const int relation = out.relation_count();
    out.relations.push_back("R" + std::to_string(relation));
    for (int h = 0; h < out.entity_count(); ++h) {
      for (int t = 0; t < out.entity_count(); ++t) {
        if (r.chance(0.2)) out.signatures.push_back({relation, h, t});
      }
    }
    if (!out.signatures.empty() && out.signatures.back().relation == relation) continue;
    out.signatures.push_back({relation, 0, out.entity_count() - 1});
  }
  return out;
}

TEST(RelationDecode, IsTheBestOfAllLabellingsThatObeyTheRules) {
  Random r(17);
  for (int round = 0; round < random_cases(3000); ++round) {
    const LabelSet labels = round % 3 == 0 ? paper_labels() : random_labels(r);
    const bool small = labels.signatures.size() < 3 && labels.entity_count() < 3;
    const int mentions = r.between(0, small ? 3 : 2);
    const JointScores scores = random_scores(r, mentions, labels, 2);
    RuleSet rules;
    rules.head_type = r.chance(0.8);
    rules.tail_type = r.chance(0.8);
    rules.one_way = r.chance(0.5);
    if (r.chance(0.4)) rules.required.push_back(r.between(1, labels.relation_count() - 1));
    if (r.chance(0.3)) rules.once.push_back(r.between(1, labels.relation_count() - 1));
    const double best = best_by_enumeration(scores, labels, rules);
    Decoder decoder(labels);
    const Labelling found = decoder.decode(scores, rules);
    if (best == -kInfinity) {
      EXPECT_EQ(decoder.solution().status, Status::infeasible);
      continue;
    }
    ASSERT_EQ(decoder.solution().status, Status::optimal);
    EXPECT_TRUE(obeys(found.entities, found.relations, labels, rules));
    EXPECT_NEAR(decoder.solution().value, best, 1e-9);
  }
}

// Spans are candidates: the last type says "no mention", and no relation has such an argument, whatever rules are off,
// even where what is required cannot be.
TEST(RelationDecode, ArgumentsAreMentions) {
  Random r(91);
  int infeasible = 0;
  for (int round = 0; round < random_cases(1500); ++round) {
    LabelSet labels = random_labels(r);
    labels.entities.emplace_back("none");
    if (labels.signatures.size() > 3) continue;
    const int mentions = r.between(1, labels.signatures.size() < 3 ? 3 : 2);
    const JointScores scores = random_scores(r, mentions, labels, 2);
    RuleSet rules;
    rules.head_type = r.chance(0.5);
    rules.tail_type = r.chance(0.5);
    rules.one_way = r.chance(0.5);
    rules.no_mention = labels.entity_count() - 1;
    rules.no_overlap = false;
    for (int k = r.between(0, 2); k > 0; --k)
      rules.required.push_back(r.between(1, labels.relation_count() - 1));
    const double best = best_by_enumeration(scores, labels, rules);
    Decoder decoder(labels);
    const Labelling found = decoder.decode(scores, rules);
    for (int i = 0; i < pair_count(mentions); ++i) {
      if (found.relations[i] == kNone) continue;
      const auto [h, t] = pair_at(i, mentions);
      EXPECT_NE(found.entities[h], rules.no_mention);
      EXPECT_NE(found.entities[t], rules.no_mention);
    }
    infeasible += best == -kInfinity;
    if (best == -kInfinity) {
      EXPECT_EQ(decoder.solution().status, Status::infeasible);
    } else {
      EXPECT_NEAR(decoder.solution().value, best, 1e-9);
    }
  }
  EXPECT_GT(infeasible, 20);
}

// "J. V. Oswald was murdered at JFK after his assassin, R. U. KFJ ...": the classifiers take JFK
// for a person and see no relation; knowing that there is a kill, and that who kills and is killed
// are people, mends both.
TEST(RelationDecode, OswaldWasMurderedAtJfk) {
  const LabelSet labels = paper_labels();
  const int loc = 0, person = 3, kill = 1;
  LocalScores scores(3, labels);
  const auto set = [](std::span<double> all, std::initializer_list<std::pair<int, double>> some) {
    double rest = 1;
    for (const auto& [label, p] : some) rest -= p;
    for (double& s : all) {
      s = std::log(rest / static_cast<double>(all.size() - some.size()));
    }
    for (const auto& [label, p] : some) all[label] = std::log(p);
  };
  set(scores.entity(0), {{person, 0.6}, {loc, 0.3}});   // Oswald
  set(scores.entity(1), {{person, 0.45}, {loc, 0.5}});  // JFK
  set(scores.entity(2), {{person, 0.4}, {loc, 0.45}});  // KFJ
  for (int i = 0; i < 6; ++i) set(scores.pair_at(i), {{kNone, 0.95}});
  set(scores.pair(2, 0), {{kNone, 0.4}, {kill, 0.55}});
  const Labelling alone = choose_locally(scores);
  EXPECT_EQ(alone.entities, (std::vector<int>{person, loc, loc}));
  EXPECT_FALSE(obeys(alone.entities, alone.relations, labels, {}));
  Decoder decoder(labels);
  const Labelling together = decoder.decode(independent(scores, labels), {});
  EXPECT_EQ(together.entities, (std::vector<int>{person, loc, person}));
  EXPECT_EQ(together.relations[pair_index(2, 0, 3)], kill);
  EXPECT_EQ(std::count(together.relations.begin(), together.relations.end(), kNone), 5);
}

TEST(RelationDecode, ARequiredRelationOccursAndIsTheLikeliest) {
  const LabelSet labels = paper_labels();
  Random r(23);
  for (int round = 0; round < 200; ++round) {
    JointScores scores = random_scores(r, 4, labels, 1);
    for (int i = 0; i < 12; ++i) scores.states(i)[0] = 12;
    Decoder decoder(labels);
    const Labelling free = decoder.decode(scores, {});
    EXPECT_EQ(std::count(free.relations.begin(), free.relations.end(), kNone), 12);
    RuleSet rules;
    rules.required = {1};
    const Labelling forced = decoder.decode(scores, rules);
    EXPECT_EQ(std::count(forced.relations.begin(), forced.relations.end(), 1), 1);
    EXPECT_TRUE(obeys(forced.entities, forced.relations, labels, rules));
  }
}

TEST(RelationDecode, TheProofIsAccepted) {
  const LabelSet labels = paper_labels();
  Random r(29);
  for (int round = 0; round < 50; ++round) {
    const JointScores scores = random_scores(r, 4, labels, 2);
    Decoder decoder(labels);
    Options options;
    options.certificate = true;
    decoder.decode(scores, {}, options);
    EXPECT_TRUE(verify(decoder.graph(), decoder.solution().certificate).optimal);
  }
}

TEST(RelationRules, AreSwitchedOffByName) {
  RuleSet rules;
  for (const std::string& name : rule_names()) switch_off(rules, name);
  EXPECT_FALSE(rules.head_type || rules.tail_type || rules.one_way || rules.no_overlap);
  EXPECT_THROW(switch_off(rules, "head_types"), Error);
  EXPECT_EQ(find_relation(paper_labels(), "live in"), 2);
  EXPECT_EQ(find_relation(paper_labels(), "KILL"), 1);
  EXPECT_THROW(find_relation(paper_labels(), "none"), Error);
}

}  // namespace
}  // namespace entente::relations
