#include "cli/examples.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "base/check.h"

namespace entente::cli {

namespace {

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

}  // namespace

std::string ArgumentExample::text(Interval span) const {
  std::string out;
  for (int w = span.begin; w < span.end; ++w) {
    if (!out.empty() && words[w] != ",") out += ' ';
    out += words[w];
  }
  return out;
}

Graph ArgumentExample::graph() const {
  Graph g;
  std::vector<Literal> fillers;
  std::vector<Interval> intervals;
  std::vector<Group> groups;
  for (const RoleCandidates& role : roles) {
    std::vector<double> scores = {0.0};
    std::vector<std::string> states = {"none"};
    for (const Candidate& c : role.candidates) {
      scores.push_back(c.score);
      states.push_back(text(c.words));
    }
    groups.push_back(g.add_group(scores, role.name, states));
    for (std::size_t i = 0; i < role.candidates.size(); ++i) {
      fillers.push_back(groups.back()[static_cast<int>(i) + 1]);
      intervals.push_back(role.candidates[i].words);
    }
  }
  g.add_disjoint(fillers, intervals, g.rule("overlap"));
  auto none = [&](const std::string& role) {
    auto it = std::find_if(roles.begin(), roles.end(),
                           [&](const RoleCandidates& r) { return r.name == role; });
    ENTENTE_CHECK(it != roles.end());
    return groups[static_cast<std::size_t>(it - roles.begin())][0];
  };
  for (const auto& [a, b] : excludes) {
    const Literal either_empty[] = {none(a), none(b)};
    g.add_at_least_one(either_empty, g.rule(a + " excludes " + b));
  }
  // If one is filled so is the other: both are empty or neither is.
  for (const auto& [a, b] : requires_) g.add_equal(none(a), none(b), g.rule(a + " requires " + b));
  return g;
}

ArgumentExample collaboration_example() {
  ArgumentExample e;
  e.frame = "COLLABORATION";
  e.target = "partners";
  e.words = split(
      "Austria , once expected to waltz smoothly into the European Union , is elbowing its "
      "partners .");
  // Places in the sentence, each a constituent.
  const Interval austria{0, 1}, smoothly{6, 7}, into_union{7, 11}, union_{8, 11}, waltz{5, 11},
      its{14, 15}, partners{15, 16}, its_partners{14, 16}, elbowing{13, 16};
  e.roles = {
      {"Partners", {{its_partners, 2.9}, {partners, 1.6}, {union_, -1.3}, {austria, -0.7}}},
      {"Partner_1", {{austria, 3.4}, {its, 3.2}, {union_, -0.4}}},
      {"Partner_2",
       {{its_partners, -0.4}, {partners, -0.1}, {its, -0.4}, {union_, -1.8}, {austria, -0.6}}},
      {"Undertaking", {{waltz, 0.1}, {elbowing, 0.6}, {into_union, -1.2}}},
      {"Manner", {{smoothly, 0.2}, {waltz, -1.5}}},
  };
  e.excludes = {{"Partners", "Partner_1"}, {"Partners", "Partner_2"}};
  e.requires_ = {{"Partner_1", "Partner_2"}};
  return e;
}

ArgumentExample resemble_example() {
  ArgumentExample e;
  e.frame = "SIMILARITY";
  e.target = "resembles";
  e.words = split("A blackberry resembles a loganberry in colour .");
  const Interval first{0, 2}, second{3, 5}, second_long{3, 7}, colour{5, 7};
  e.roles = {
      {"Entities", {{first, 1.6}, {second, 0.4}}},
      {"Entity_1", {{first, 1.3}}},
      {"Entity_2", {{second, 0.9}, {second_long, 1.0}}},
      {"Dimension", {{colour, 0.7}}},
  };
  e.excludes = {{"Entities", "Entity_1"}, {"Entities", "Entity_2"}};
  e.requires_ = {{"Entity_1", "Entity_2"}};
  return e;
}

Graph kill_example() {
  Graph g;
  auto logs = [](std::vector<double> probabilities) {
    for (double& p : probabilities) p = std::round(1e4 * std::log(p)) / 1e4;
    return probabilities;
  };
  const std::vector<std::string> kinds = {"other", "person", "location", "organisation"};
  // Each classifier on its own: Oswald is surely a person, KFJ looks like the airport, and
  // "assassin" says kill. The three cannot all be right.
  Group kfj = g.add_group(logs({0.10, 0.35, 0.45, 0.10}), "KFJ", kinds);
  Group oswald = g.add_group(logs({0.05, 0.85, 0.06, 0.04}), "Oswald", kinds);
  const std::vector<std::string> relations = {"none",     "kill",       "live_in",
                                              "work_for", "located_in", "org_based_in"};
  Group relation = g.add_group(logs({0.15, 0.60, 0.10, 0.05, 0.05, 0.05}), "relation", relations);
  struct Signature {
    int relation, first, second;
  };
  const int person = 1, location = 2, organisation = 3;
  for (const Signature& s : {Signature{1, person, person}, Signature{2, person, location},
                             Signature{3, person, organisation}, Signature{4, location, location},
                             Signature{5, organisation, location}}) {
    const Rule rule =
        g.rule(relations[s.relation] + "(" + kinds[s.first] + ", " + kinds[s.second] + ")");
    g.add_implies(relation[s.relation], kfj[s.first], rule);
    g.add_implies(relation[s.relation], oswald[s.second], rule);
  }
  return g;
}

}  // namespace entente::cli
