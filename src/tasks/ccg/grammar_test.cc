// Categories, combinators, markup and dependencies by hand-made cases.
#include "tasks/ccg/grammar.h"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "entente/error.h"
#include "kit/cases.h"
#include "tasks/ccg/analysis.h"

namespace entente::ccg {
namespace {

TEST(Category, PrintsWhatItReads) {
  CategoryTable table;
  for (const char* text : {"NP", "S[dcl]", "S[dcl]\\NP", "(S[dcl]\\NP)/NP", "NP[conj]", ".",
                           "(S\\NP)\\(S\\NP)", "S[X]/(S[X]\\NP)", "NP/(N/PP)", "S|NP"}) {
    EXPECT_EQ(table.text(table.parse(text)), text);
  }
  EXPECT_EQ(table.parse("((S\\NP))/NP"), table.parse("(S\\NP)/NP"));
  EXPECT_EQ(table.tree_size(table.parse("(S[dcl]\\NP)/NP")), 5);
  EXPECT_EQ(table.base(table.parse("S[dcl]\\NP[conj]")), table.parse("S[dcl]\\NP"));
  EXPECT_EQ(table.bare(table.parse("(S[dcl]\\NP)/S[em]")), table.parse("(S\\NP)/S"));
}

TEST(Category, RefusesWhatIsBroken) {
  CategoryTable table;
  for (const char* text : {"", "(", "NP/", "/NP", "(S\\NP", "S\\NP)", "S[dcl", "S[]", "NP NP"}) {
    EXPECT_THROW(table.parse(text), Error) << text;
  }
  EXPECT_THROW(table.parse(std::string(500, '(')), Error);
  try {
    table.parse("(S\\NP]/NP");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.place().column, 6);
  }
}

// What the combinators make of two categories, as "rule result".
std::set<std::string> made(const char* left, const char* right) {
  CategoryTable table;
  std::vector<Combination> found;
  combinations(table, table.parse(left), table.parse(right), true, found);
  std::set<std::string> out;
  for (const Combination& c : found)
    out.insert(std::string(rule_name(c.rule)) + (c.crossed ? "x " : " ") + table.text(c.result));
  return out;
}

TEST(Rules, Combinators) {
  using Set = std::set<std::string>;
  EXPECT_EQ(made("NP/N", "N"), Set{"fa NP"});
  EXPECT_EQ(made("NP", "S[dcl]\\NP"), Set{"ba S[dcl]"});
  EXPECT_EQ(made("S/(S\\NP)", "(S[dcl]\\NP)/NP"), Set{"fc S[dcl]/NP"});
  EXPECT_EQ(made("(S[dcl]\\NP)/NP", "(S\\NP)\\(S\\NP)"), Set{"bcx (S[dcl]\\NP)/NP"});
  EXPECT_EQ(made("(S\\NP)/(S\\NP)", "((S[b]\\NP)/NP)/NP"), Set{"fc ((S[b]\\NP)/NP)/NP"});
  EXPECT_EQ(made("conj", "NP"), Set{"conj NP[conj]"});
  EXPECT_EQ(made("NP", "NP[conj]"), Set{"coord NP"});
  EXPECT_EQ(made("S[dcl]", "."), Set{"rp S[dcl]"});
  EXPECT_EQ(made("N", "NP"), Set{});
  EXPECT_EQ(made("NP/N", "NP"), Set{});
  EXPECT_EQ(made("S[dcl]\\NP", "NP"), Set{});
  // A feature that is missing takes that of what it meets; two that differ do not fit.
  EXPECT_EQ(made("S/S", "S[dcl]"), Set{"fa S[dcl]"});
  EXPECT_EQ(made("(S[dcl]\\NP)/(S[b]\\NP)", "S[ng]\\NP"), Set{});
}

// The dependencies of a derivation as "head category slot dependent".
std::set<std::string> dependencies(const std::string& line) {
  CategoryTable table;
  Derivation derivation;
  read_derivation(line, table, derivation);
  Markups markups;
  SignPool pool;
  Analysis analysis;
  analyse(derivation, table, markups, pool, analysis);
  EXPECT_TRUE(analysis.by_combinators);
  std::set<std::string> out;
  for (const Dependency& d : analysis.dependencies) {
    const std::string category = d.category < 0 ? "conj" : table.text(d.category);
    out.insert(derivation.words[d.head] + " " + category + " " + std::to_string(d.slot) + " " +
               derivation.words[d.dependent]);
  }
  return out;
}

std::string leaf(const std::string& category, const std::string& word) {
  return "(<L " + category + " X X " + word + " " + category + ">)";
}
std::string node(const std::string& category, const std::string& left,
                 const std::string& right = {}) {
  return "(<T " + category + " 0 " + (right.empty() ? "1> " + left : "2> " + left + " " + right) +
         " )";
}

TEST(Dependencies, LikesApplesAndPears) {
  const std::string pears = node("NP[conj]", leaf("conj", "and"), leaf("NP", "pears"));
  const std::string fruit = node("NP", leaf("NP", "apples"), pears);
  const std::string all = node("S[dcl]\\NP", leaf("(S[dcl]\\NP)/NP", "likes"), fruit);
  EXPECT_EQ(dependencies(all), (std::set<std::string>{"likes (S[dcl]\\NP)/NP 2 apples",
                                                      "likes (S[dcl]\\NP)/NP 2 pears",
                                                      "and conj 1 apples", "and conj 1 pears"}));
  // Both dependencies of the conjunction are made by the later step.
  EXPECT_TRUE(dependencies(pears).empty());
}

TEST(Dependencies, Control) {
  const std::string go = leaf("S[b]\\NP", "go");
  const std::string to_go = node("S[to]\\NP", leaf("(S[to]\\NP)/(S[b]\\NP)", "to"), go);
  const std::string want = node("S[dcl]\\NP", leaf("(S[dcl]\\NP)/(S[to]\\NP)", "want"), to_go);
  const auto subject = dependencies(node("S[dcl]", leaf("NP", "we"), want));
  EXPECT_TRUE(subject.count("go S[b]\\NP 1 we"));
  EXPECT_TRUE(subject.count("want (S[dcl]\\NP)/(S[to]\\NP) 1 we"));
  EXPECT_TRUE(subject.count("want (S[dcl]\\NP)/(S[to]\\NP) 2 to"));

  const std::string persuade =
      node("(S[dcl]\\NP)/(S[to]\\NP)", leaf("((S[dcl]\\NP)/(S[to]\\NP))/NP", "persuade"),
           leaf("NP", "them"));
  const auto object =
      dependencies(node("S[dcl]", leaf("NP", "we"), node("S[dcl]\\NP", persuade, to_go)));
  EXPECT_TRUE(object.count("go S[b]\\NP 1 them"));
  EXPECT_FALSE(object.count("go S[b]\\NP 1 we"));
}

TEST(Dependencies, RelativeClauses) {
  const std::string subject_clause =
      node("NP\\NP", leaf("(NP\\NP)/(S[dcl]\\NP)", "who"), leaf("S[dcl]\\NP", "sleeps"));
  const auto subject = dependencies(node("NP", leaf("NP", "someone"), subject_clause));
  EXPECT_TRUE(subject.count("sleeps S[dcl]\\NP 1 someone"));
  EXPECT_TRUE(subject.count("who (NP\\NP)/(S[dcl]\\NP) 1 someone"));

  // "someone whom we see": the object is filled across type raising and composition.
  const std::string raised = node("S[X]/(S[X]\\NP)", leaf("NP", "we"));
  const std::string we_see = node("S[dcl]/NP", raised, leaf("(S[dcl]\\NP)/NP", "see"));
  const auto object = dependencies(node(
      "NP", leaf("NP", "someone"), node("NP\\NP", leaf("(NP\\NP)/(S[dcl]/NP)", "whom"), we_see)));
  EXPECT_TRUE(object.count("see (S[dcl]\\NP)/NP 1 we"));
  EXPECT_TRUE(object.count("see (S[dcl]\\NP)/NP 2 someone"));

  // "someone sleeping": a reduced relative by a change of type.
  const auto reduced = dependencies(
      node("NP", leaf("NP", "someone"), node("NP\\NP", leaf("S[ng]\\NP", "sleeping"))));
  EXPECT_TRUE(reduced.count("sleeping S[ng]\\NP 1 someone"));
}

TEST(Dependencies, CoordinatedVerbsShareTheirSubject) {
  const std::string and_dance =
      node("S[dcl]\\NP[conj]", leaf("conj", "and"), leaf("S[dcl]\\NP", "dance"));
  const auto found = dependencies(node("S[dcl]", leaf("NP", "they"),
                                       node("S[dcl]\\NP", leaf("S[dcl]\\NP", "sing"), and_dance)));
  EXPECT_EQ(found, (std::set<std::string>{"sing S[dcl]\\NP 1 they", "dance S[dcl]\\NP 1 they",
                                          "and conj 1 sing", "and conj 1 dance"}));
}

TEST(Dependencies, ModifiersPointAtWhatTheyModify) {
  const std::string adverb = leaf("(S\\NP)\\(S\\NP)", "loudly");
  const auto found = dependencies(
      node("S[dcl]", leaf("NP", "they"), node("S[dcl]\\NP", leaf("S[dcl]\\NP", "sing"), adverb)));
  EXPECT_EQ(found,
            (std::set<std::string>{"sing S[dcl]\\NP 1 they", "loudly (S\\NP)\\(S\\NP) 1 sing"}));
}

TEST(Derivations, ConvertedTreebanksGetBothStepsOfCoordination) {
  CategoryTable table;
  Derivation d;
  const std::string line =
      node("NP", leaf("NP", "tea"),
           node("NP", leaf(",", ","), node("NP", leaf("conj", "and"), leaf("NP", "milk"))));
  read_derivation(line, table, d);
  mark_conjuncts(d, table);
  EXPECT_EQ(write_derivation(d, table, true), line);
  Markups markups;
  SignPool pool;
  Analysis a;
  analyse(d, table, markups, pool, a);
  EXPECT_EQ(a.rules.back().rule, Rule::coordination);
  EXPECT_EQ(a.dependencies.size(), 2u);
}

Combination of(Rule rule, int degree) {
  Combination c;
  c.rule = rule;
  c.degree = static_cast<std::uint8_t>(degree);
  return c;
}

TEST(NormalForms, ForbidWhatTheySay) {
  const auto eisner = NormalForm::eisner, degrees = NormalForm::hockenmaier_bisk;
  const Combination apply = of(Rule::forward_application, 0),
                    back = of(Rule::backward_application, 0);
  const Combination one = of(Rule::forward_composition, 1), two = of(Rule::forward_composition, 2);
  const Combination three = of(Rule::forward_composition, 3);
  const std::int32_t by_two = kByHigherDegree, by_two_back = kByHigherDegree + 1;
  for (const NormalForm form : {eisner, degrees}) {
    EXPECT_TRUE(in_normal_form(form, apply, kByOther, kByForwardComposition));
    EXPECT_FALSE(in_normal_form(form, apply, kByForwardComposition, kByOther));
    EXPECT_FALSE(in_normal_form(form, one, kByForwardComposition, kByOther));
    EXPECT_FALSE(in_normal_form(form, apply, kRaisedForward, kByOther));
    EXPECT_TRUE(in_normal_form(form, one, kRaisedForward, kByOther));
    EXPECT_FALSE(in_normal_form(form, back, kByOther, kRaisedBackward));
    EXPECT_FALSE(in_normal_form(form, back, kByOther, kByBackwardComposition));
    EXPECT_TRUE(in_normal_form(form, back, kByForwardComposition, kByForwardComposition));
  }
  EXPECT_TRUE(in_normal_form(NormalForm::none, apply, kRaisedForward, kByOther));
  // By degrees: two after two is allowed, two inside three is not.
  EXPECT_TRUE(in_normal_form(degrees, two, by_two, kByOther));
  EXPECT_FALSE(in_normal_form(degrees, one, by_two, kByOther));
  EXPECT_FALSE(in_normal_form(degrees, three, kByOther, by_two));
  EXPECT_TRUE(in_normal_form(degrees, two, kByOther, by_two));
  EXPECT_TRUE(in_normal_form(degrees, one, kRaisedForward, by_two_back));
  EXPECT_TRUE(in_normal_form(degrees, two, kRaisedForward, by_two_back));
}

// All derivations of a few words by every combinator and type raising, under a normal form.
class Derived {
 public:
  using Reading = std::pair<std::string, std::set<Dependency>>;  // root, its dependencies

  Derived(CategoryTable& table, std::span<const CategoryId> words, NormalForm form)
      : table_(table), form_(form), n_(static_cast<int>(words.size())), cells_(n_ * (n_ + 1)) {
    for (int i = 0; i < n_; ++i)
      add(i, i + 1, {pool_.lexical(markups_.of(table_, words[i]), words[i], i), {}});
    for (int length = 2; length <= n_; ++length) {
      for (int begin = 0; begin + length <= n_; ++begin) {
        for (int middle = begin + 1; middle < begin + length; ++middle)
          join(begin, middle, begin + length);
      }
    }
    for (const auto& [sign, made] : cell(0, n_))
      readings.emplace(table_.text(pool_.category(sign)), made);
  }
  std::set<Reading> readings;
  int derivations = 0;  // parts that were put together

 private:
  using Item = std::pair<SignId, std::set<Dependency>>;
  std::set<Item>& cell(int begin, int end) { return cells_[begin * (n_ + 1) + end]; }
  void add(int begin, int end, const Item& item) {
    if (!cell(begin, end).insert(item).second) return;
    const CategoryId category = pool_.category(item.first);
    if (table_.text(category) != "NP") return;
    for (const char* to : {"S/(S\\NP)", "S\\(S/NP)"}) {
      const Combination rule = classify(table_, category, table_.parse(to));
      Item raised = item;
      std::vector<Dependency> made;
      raised.first = pool_.unary(table_, item.first, rule, origin_of(table_, rule, form_), made);
      raised.second.insert(made.begin(), made.end());
      cell(begin, end).insert(raised);
    }
  }
  void join(int begin, int middle, int end) {
    for (const Item& l : cell(begin, middle)) {
      for (const Item& r : cell(middle, end)) {
        std::vector<Combination> found;
        combinations(table_, pool_.category(l.first), pool_.category(r.first), false, found);
        for (const Combination& rule : found) {
          if (!in_normal_form(form_, rule, pool_.origin(l.first), pool_.origin(r.first))) continue;
          std::vector<Dependency> made;
          Item both;
          both.first =
              pool_.combine(table_, l.first, r.first, rule, origin_of(table_, rule, form_), made);
          both.second = l.second;
          both.second.insert(r.second.begin(), r.second.end());
          both.second.insert(made.begin(), made.end());
          ++derivations;
          add(begin, end, both);
        }
      }
    }
  }

  CategoryTable& table_;
  NormalForm form_;
  Markups markups_;
  SignPool pool_;
  int n_;
  std::vector<std::set<Item>> cells_;
};

TEST(NormalForms, ByDegreesLosesNoReading) {
  Random random(61);
  std::size_t all = 0, left = 0;
  for (int round = 0; round < random_cases(300); ++round) {
    CategoryTable table;
    std::vector<CategoryId> pool, words;
    for (const char* text :
         {"NP", "S\\NP", "(S\\NP)/NP", "S/S", "S\\S", "(S\\NP)/(S\\NP)", "(S\\NP)\\(S\\NP)",
          "((S\\NP)/NP)/PP", "PP/NP", "PP/PP", "NP/PP", "(NP/PP)/NP", "S/PP", "(S/PP)/NP"})
      pool.push_back(table.parse(text));
    const int n = random.between(3, 5);
    for (int i = 0; i < n; ++i) words.push_back(pool[random.below(static_cast<int>(pool.size()))]);
    Derived none(table, words, NormalForm::none);
    Derived form(table, words, NormalForm::hockenmaier_bisk);
    std::string sentence;
    for (const CategoryId c : words) sentence += table.text(c) + " ";
    EXPECT_EQ(form.readings, none.readings) << sentence;
    all += none.derivations;
    left += form.derivations;
  }
  EXPECT_LT(left, all);
}

TEST(Derivations, ErrorsSayWhere) {
  const auto column = [](const std::string& line) {
    CategoryTable table;
    Derivation d;
    try {
      read_derivation(line, table, d);
    } catch (const Error& e) {
      return e.place().column;
    }
    return -1;
  };
  EXPECT_EQ(column(leaf("NP", "a")), -1);
  EXPECT_EQ(column("(<L NP/ X X a NP/>)"), 8);
  EXPECT_EQ(column("NP"), 1);
  EXPECT_EQ(column("(<L NP X X a NP>) x"), 19);
  EXPECT_EQ(column("(<T NP 0 3> (<L NP X X a NP>) )"), 10);
  EXPECT_EQ(column("(<T NP 0 2> (<L NP X X a NP>) )"), 31);
  EXPECT_GT(column("(<L NP X X a"), 0);
  // A word that is a bracket or an angle is a word like others.
  EXPECT_EQ(column("(<L NP X X > NP>)"), -1);
}

}  // namespace
}  // namespace entente::ccg
