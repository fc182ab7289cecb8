// Candidates and a schema in, the best entities and relations that keep every rule out.
//
//   Extractor extractor(schema);
//   Extraction e;
//   extractor.run(candidates, {}, e);
//   for (int i : e.chosen.types) use(candidates.types[i]);
//
// value is the sum of the weights of what was chosen minus the costs of soft rules that are broken;
// no choice that keeps the hard rules is worth more than bound. An Extractor keeps its memory, and
// serves one thread at a time.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "entente/solve.h"
#include "schema/candidates.h"
#include "schema/lazy.h"
#include "schema/model.h"
#include "schema/schema.h"

namespace entente::schema {

// Indices into the candidates' types and pairs, rising.
struct Choice {
  std::vector<int> types, pairs;
  double value = 0;
  friend bool operator==(const Choice& a, const Choice& b) {
    return a.types == b.types && a.pairs == b.pairs;
  }
};

struct ExtractOptions {
  Options engine;
  ModelOptions model;
  bool rules = true;     // say which rules were active or paid for, and all that follows
  bool conflict = true;  // infeasible: say which rules cannot all hold
  bool margins = false;  // what each choice is worth
  bool reasons = false;  // of every candidate, why it was chosen or not
  bool proof = false;    // prove() is to follow: leaves it time
  int k_best = 0;
};

// Why a candidate was chosen, or not.
struct Reason {
  // Chosen: what the answer is worth more than the best without it (infinite: it must be there). Not chosen: what the
  // best with it is worth less than the answer (infinite: it cannot be there). NaN: time ran out.
  double margin = 0;
  // "score" where its own weight speaks for what happened to it, "one type" where its span was chosen as another, and
  // the rules that break if in the answer as it stands it alone is changed.
  std::vector<std::string> because;
};

struct Extraction {
  Status status = Status::unknown;
  double value = 0, bound = 0;
  Choice chosen;                          // empty if there is no answer
  Choice unconstrained;                   // what would be chosen if there were no rules
  std::vector<std::string> active_rules;  // forbid a single change that would score more
  std::vector<std::string> paid_rules;    // soft, and broken
  std::vector<std::string> conflict;      // infeasible: cannot all hold
  // Of what was chosen: lost without it. Infinite: it must be there; NaN: time ran out.
  std::vector<double> type_margins, pair_margins;
  std::vector<Choice> k_best;
  std::vector<Reason> type_reasons, pair_reasons;  // of every candidate
  int rounds = 0, cuts = 0;                        // of the lazy rules
};

class Extractor {
 public:
  explicit Extractor(const Schema& schema) : schema_(schema) {}

  // Adds to the candidates the pairs that rules need (model.h).
  void run(Candidates& candidates, const ExtractOptions& options, Extraction& out);
  // Of the last run: the problem with all rules that were needed, and the proof of its optimum. The
  // graph is the extractor's own, until the next run.
  const Graph& prove(const ExtractOptions& options, Certificate& out);

 private:
  Choice choice(const Model& model, std::span<const std::uint8_t> z) const;
  void explain(const Candidates& c, const ExtractOptions& options, Extraction& out);
  bool say_plainly(const Candidates& c, const ExtractOptions& options, const Extraction& out);
  void find_reasons(const ExtractOptions& options, Extraction& out);
  void force(Literal l, const ExtractOptions& options);
  double margin(Literal l, const ExtractOptions& options, Extraction& out);
  void explain_conflict(const ExtractOptions& options, Extraction& out);
  void find_margins(const ExtractOptions& options, Extraction& out);
  void find_k_best(const ExtractOptions& options, Extraction& out);
  void add_names(std::span<const std::int32_t> factors, std::vector<std::string>& out) const;
  void write_rows(bool keep_all);
  void prove_nothing();
  double left(const ExtractOptions& options) const;
  bool stopped(const ExtractOptions& options) const;

  const Schema& schema_;
  Model model_, plain_;
  LazySolver lazy_;
  Workspace workspace_;
  Solution solution_, other_;
  std::chrono::steady_clock::time_point start_;
};

// What would be chosen if there were no rules.
Choice unconstrained_choice(const Schema& schema, const Candidates& candidates);

// What `out` is worth more than the best of another kind; infinite where there is none, NaN where that is not known. If
// the other is worth more, `out` was not the best: then it is said to be feasible only.
double margin_of(const Solution& other, double tolerance, Extraction& out);

// Can any text satisfy the schema? Tries texts of few spans for which everything is proposed; the
// names of rules that cannot all hold, or nothing if there is such a text or it cannot be told.
std::vector<std::string> never_satisfied(const Schema& schema);

}  // namespace entente::schema
