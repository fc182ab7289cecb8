#include "tasks/constituency/tutorial.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/files.h"
#include "entente/agreement.h"
#include "tasks/constituency/tutorial_models.h"
#include "tasks/constituency/tutorial_show.h"

namespace entente::constituency {

namespace {

const Words kUnited = {"United", "flies", "some", "large", "jet"};

ToyGrammar grammar() {
  return {{{"NP", "N", "", 0},
           {"NP", "A", "N", 1, false},
           {"NP", "D", "NB", 1, false},
           {"NB", "A", "N", 1, false},
           {"QP", "D", "A", 1, false},
           {"VP", "V", "NP", 1},
           {"VP", "QP", "V", 1, false},
           {"S", "NP", "VP", 1, false}},
          {{"United", "N", 1},
           {"United", "A", 2},
           {"flies", "V", 1},
           {"flies", "N", 2},
           {"some", "D", 1},
           {"large", "A", 1},
           {"jet", "N", 2},
           {"jet", "V", 2}}};
}

ToyChain chain() {
  return {
      {{"*", "N", 1}, {"N", "V", 2}, {"V", "D", 1}, {"D", "A", 1}, {"A", "N", 1.5}, {"N", "*", 1}},
      {{"United", "N", 1},
       {"United", "A", 1.5},
       {"flies", "V", 1},
       {"flies", "N", 1.5},
       {"some", "D", 1},
       {"large", "A", 1},
       {"jet", "N", 1},
       {"jet", "V", 0.5}}};
}

// Section 1, and section 4's progress: what is known when the run is cut short.
void tags(Narrator& n) {
  n.heading("1. A parser and a tagger, y(i,t) = z(i,t)");
  IndicatorTable table;
  table.columns = kUnited;
  const ToyGrammar g = grammar();
  for (std::size_t i = 0; i < kUnited.size(); ++i) {
    for (const ToyTag& t : g.tags) {
      if (t.word == kUnited[i]) table.add(static_cast<int>(i), t.tag);
    }
  }
  ForestModel parser = toy_parser(g, kUnited, table);
  ForestModel tagger = toy_tagger(chain(), kUnited, table);
  const AgreementResult r = n.run(parser, tagger, table, {"parser", "tagger"},
                                  "Section 1: a parser and a tagger", n.options);
  std::vector<std::uint8_t> on(r.prices.size());
  parser.maximize(r.prices, on);
  n.draw(parser.text(), "Section 1: the tree that both agree on");

  ForestModel both = toy_intersection(g, chain(), kUnited);
  const double same = both.maximize({}, {});
  n.text += fmt::format(
      "\n  The same by one dynamic program over S(N,N) -> NP(N,V) VP(V,N): {:.2f}, with {} nodes "
      "where\n  the parser has {} and the tagger {}.\n  {}\n",
      same, both.nodes(), parser.nodes(), tagger.nodes(), both.text());

  AgreementOptions one = n.options;
  one.max_rounds = 1;
  const AgreementResult cut = Agreement(parser, tagger).run(one);
  n.text += fmt::format(
      "\n  Cut short after one round (section 4): the best pair so far is worth {:.2f}, no pair is "
      "worth more\n  than {:.2f}; so it is at most {:.2f} from the optimum.\n",
      cut.value, cut.bound, cut.bound - cut.value);
}

// All dependency trees of the words without crossing arcs, one root.
ListModel dependency_list(const IndicatorTable& table, const Words& words,
                          const std::function<double(std::span<const int>)>& score) {
  const int n = static_cast<int>(words.size());
  std::vector<double> scores;
  std::vector<std::vector<std::uint8_t>> rows;
  std::vector<int> head(n, -1);  // -1: the root
  const auto whole = [&] {
    if (std::count(head.begin(), head.end(), -1) != 1) return false;
    for (int m = 0; m < n; ++m) {
      int at = m;
      for (int k = 0; k <= n && at >= 0; ++k) at = head[at];
      if (at >= 0) return false;
      for (int k = 0; k < n; ++k) {
        const int low = std::min(m, head[m]), high = std::max(m, head[m]);
        if (k > low && k < high && (head[k] < low || head[k] > high)) return false;
      }
    }
    return true;
  };
  const auto fill = [&](const auto& self, int m) -> void {
    if (m == n) {
      if (!whole()) return;
      std::vector<std::uint8_t>& row = rows.emplace_back(table.entries.size(), 0);
      for (int k = 0; k < n; ++k) row[table.find(k, head[k] < 0 ? "root" : words[head[k]])] = 1;
      scores.push_back(score(head));
      return;
    }
    for (head[m] = -1; head[m] < n; ++head[m]) {
      if (head[m] != m) self(self, m + 1);
    }
  };
  fill(fill, 0);
  return {std::move(scores), std::move(rows)};
}

// Section 3: a lexicalised grammar and a second-order dependency parser.
void dependencies(Narrator& n) {
  n.heading(
      "2. Phrases with heads and a dependency parser, y(i,j) = z(i,j): word i hangs from word j");
  IndicatorTable table;
  table.columns = kUnited;
  for (int m = 0; m < static_cast<int>(kUnited.size()); ++m) {
    table.add(m, "root");
    for (int h = 0; h < static_cast<int>(kUnited.size()); ++h) {
      if (h != m) table.add(m, kUnited[h]);
    }
  }
  ForestModel phrases = toy_lexical(grammar(), kUnited, table);
  ListModel heads = dependency_list(table, kUnited, [](std::span<const int> head) {
    double sum = 0;
    if (head[1] == -1) sum += 2;  // flies is the root
    if (head[4] == -1) sum += 1;
    if (head[0] == 1) sum += 2;    // United <- flies
    if (head[4] == 1) sum += 1;    // flies -> jet
    if (head[2] == 4) sum += 1;    // some <- jet
    if (head[2] == 3) sum += 1.5;  // some <- large
    if (head[3] == 4) sum += 1;    // large <- jet
    if (head[3] == 1) sum += 0.5;
    if (head[2] == 4 && head[3] == 4) sum += 1;  // neighbouring modifiers
    return sum;
  });
  n.run(phrases, heads, table, {"phrases", "heads"},
        "Section 3: a lexicalised grammar and a dependency parser", n.options);
  n.draw(phrases.text(), "Section 3: the tree that both agree on");
}

// Section 5: three trees and three taggings of two words, whose linear program is fractional at 2.
void fractional(Narrator& n) {
  n.heading(
      "5. A linear program that is fractional: He is, y1 (a a), y2 (b b), y3 (c c), f = 1 1 2;\n"
      "   z1 (a b), z2 (b a), z3 (c c), g = 1 1 -2");
  IndicatorTable table;
  table.columns = {"He", "is"};
  for (int w = 0; w < 2; ++w) {
    for (const char* tag : {"a", "b", "c"}) table.add(w, tag);
  }
  ListModel trees({1, 1, 2}, {{1, 0, 0, 1, 0, 0}, {0, 1, 0, 0, 1, 0}, {0, 0, 1, 0, 0, 1}});
  ListModel tags({1, 1, -2}, {{1, 0, 0, 0, 1, 0}, {0, 1, 0, 1, 0, 0}, {0, 0, 1, 0, 0, 1}});
  n.text +=
      "  y3 and z3 agree and are worth 2 - 2 = 0. Half of y1 and y2 against half of z1 and z2 "
      "agrees on\n"
      "  average and is worth 2: the optimum of the linear program.\n\n";
  AgreementOptions options = n.options;
  if (!n.step_given) options.rule = StepRule::kHarmonic;
  const auto few = [](const AgreementRound& r) {
    return r.round <= 6 || r.round % 50 == 0 || r.disagreements == 0;
  };
  const AgreementResult loose = n.run(trees, tags, table, {"trees", "tags"},
                                      "Section 5: a fractional linear program", options, few);
  n.text += "  the mean of what was chosen:";
  for (std::size_t i = 0; i < loose.average.size(); ++i) {
    n.text += fmt::format(" {} {} {:.2f}{}", table.columns[table.entries[i].column],
                          table.entries[i].label, loose.average[i],
                          i + 1 < loose.average.size() ? "," : "\n");
  }
  n.text += "\n  Tightened: the pair \"a then b\" is shared as well, y(1,a,b) = z(1,a,b).\n\n";
  trees.add_pair(0, 4);
  tags.add_pair(0, 4);
  table.columns.push_back("He is");
  table.add(2, "a b");
  options.rate *= 2;
  options.tolerance = 0.01;
  options.max_rounds = std::max(options.max_rounds, 400);
  n.run(trees, tags, table, {"trees", "tags"}, "Section 5: tightened by a pair of tags", options,
        few);
}

}  // namespace

int run_tutorial(const TaskRequest& request) {
  Narrator n(request);
  tags(n);
  dependencies(n);
  tutorial_corpus(n);
  tutorial_alignments(n);
  fractional(n);
  n.finish(request);
  return 0;
}

}  // namespace entente::constituency
