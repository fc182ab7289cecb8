// Entente from C++: a small problem built, solved, proved, asked about and changed.
//
//   cmake_minimum_required(VERSION 3.22)
//   project(quickstart CXX)
//   find_package(entente REQUIRED)
//   add_executable(quickstart quickstart.cc)
//   target_link_libraries(quickstart entente::entente)
#include <cstdio>
#include <string>
#include <vector>

#include "entente/entente.h"

int main() {
  using namespace entente;

  // Two words and what each may be; scores are logarithms of a model's probabilities.
  Graph g;
  const std::vector<std::string> tags = {"noun", "verb", "particle"};
  Group time = g.add_group(std::vector<double>{-0.2, -1.9, -4.0}, "time", tags);
  Group flies = g.add_group(std::vector<double>{-0.5, -0.9, -4.0}, "flies", tags);
  Var question = g.add_variable(0.1, "question");

  // Rules: hard unless they have a cost.
  g.add_at_least_one({time[1], flies[1]}, g.rule("a sentence has a verb"));
  g.add_not_both(time[1], flies[1], g.rule("one verb is enough"));
  g.add_implies(question, time[1], g.rule("questions begin with the verb", 0.3));

  // Solve exactly, and keep the proof.
  Options options;
  options.certificate = true;
  options.explain = true;
  Workspace workspace;
  Solution best = solve(g, options, workspace);
  std::printf("%s: value %.4g, bound %.4g\n", std::string(status_name(best.status)).c_str(),
              best.value, best.bound);
  for (int v = 0; v < g.variable_count(); ++v) {
    if (best.assignment[v]) std::printf("  %s\n", g.variable_name(Var{v}).c_str());
  }
  for (int f : best.active) std::printf("  active: %s\n", g.factor_name(f).c_str());

  // Anyone can check the proof, without a solver.
  Verdict verdict = verify(g, best.certificate);
  std::printf("proof %s\n", verdict.optimal ? "accepted" : verdict.reason.c_str());

  // The runners-up.
  for (const Solution& s : k_best(g, 3, {}, workspace)) std::printf("worth %.4g\n", s.value);

  // A session answers again after a change, at the price of the change.
  Session session(g);
  session.solve();
  session.clamp(time[1], true);
  std::printf("if time is a verb: %.4g\n", session.solve().value);
  session.switch_rule("one verb is enough", false);
  std::printf("and two verbs are allowed: %.4g\n", session.solve().value);
  return best.status == Status::optimal && verdict.optimal ? 0 : 1;
}
