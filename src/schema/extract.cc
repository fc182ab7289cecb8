#include "schema/extract.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/explain.h"
#include "engine/proof/checker.h"
#include "engine/proof/recorder.h"
#include "schema/gliner2.h"
#include "schema/quick_answer.h"

namespace entente::schema {

Choice unconstrained_choice(const Schema& schema, const Candidates& c) {
  Choice out;
  for (const Span& span : c.spans) {
    int best = -1;
    for (int i = span.first; i < span.last; ++i) {
      if (c.types[i].weight <= 0) continue;
      if (schema.multi_label) out.types.push_back(i);
      if (best < 0 || c.types[i].weight > c.types[best].weight) best = i;
    }
    if (!schema.multi_label && best >= 0) out.types.push_back(best);
  }
  for (int p = 0; p < static_cast<int>(c.pairs.size()); ++p) {
    if (c.pairs[p].weight > 0) out.pairs.push_back(p);
  }
  for (int i : out.types) out.value += c.types[i].weight;
  for (int p : out.pairs) out.value += c.pairs[p].weight;
  return out;
}

Choice Extractor::choice(const Model& model, std::span<const std::uint8_t> z) const {
  Choice out;
  if (z.empty()) return out;
  const Candidates& c = model.candidates();
  for (int i = 0; i < static_cast<int>(c.types.size()); ++i) {
    if (model.chosen(model.type_literal(i), z)) out.types.push_back(i);
  }
  for (int p = 0; p < static_cast<int>(c.pairs.size()); ++p) {
    if (model.chosen(model.pair_literal(p), z)) out.pairs.push_back(p);
  }
  return out;
}

void Extractor::add_names(std::span<const std::int32_t> factors,
                          std::vector<std::string>& out) const {
  for (std::int32_t f : factors) {
    const std::string name = plain_.graph().factor_name(f);
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
}

// The plain model under the choice; what is left open there (auxiliary variables) is solved for. Into other_.
bool Extractor::say_plainly(const Candidates& c, const ExtractOptions& options,
                            const Extraction& out) {
  plain_.build(schema_, c, {.plain = true});
  for (const Cut& cut : lazy_.cuts()) add_cut(cut, plain_);
  Graph& g = plain_.graph();
  other_.assignment.assign(g.variable_count(), 0);
  std::vector<std::uint8_t> type_on(c.types.size()), pair_on(c.pairs.size());
  for (int i : out.chosen.types) type_on[i] = 1;
  for (int p : out.chosen.pairs) pair_on[p] = 1;
  std::vector<std::pair<Literal, bool>> fixed;
  for (std::size_t i = 0; i < c.types.size(); ++i)
    fixed.emplace_back(plain_.type_literal(static_cast<int>(i)), type_on[i]);
  for (std::size_t p = 0; p < c.pairs.size(); ++p)
    fixed.emplace_back(plain_.pair_literal(static_cast<int>(p)), pair_on[p]);
  for (const auto& [literal, on] : fixed) g.fix(Var{literal.var()}, on);
  Options quick = options.engine;
  quick.explain = quick.certificate = quick.trace = false;
  quick.time_limit = left(options);
  solve(g, quick, workspace_, other_);
  for (const auto& [literal, on] : fixed) g.free(Var{literal.var()});
  return other_.status == Status::optimal || other_.status == Status::feasible;
}

void Extractor::explain(const Candidates& c, const ExtractOptions& options, Extraction& out) {
  if (!say_plainly(c, options, out)) return;
  Options quick = options.engine;
  quick.explain = quick.certificate = quick.trace = false;
  quick.time_limit = left(options);
  const Graph& g = plain_.graph();
  entente::explain(g, quick, workspace_, other_);
  add_names(other_.active, out.active_rules);
  std::vector<std::int32_t> paid;
  for (int f = 0; f < g.factor_count(); ++f) {
    if (!g.factor(f).hard() && !g.holds(f, other_.assignment)) paid.push_back(f);
  }
  add_names(paid, out.paid_rules);
}

void Extractor::explain_conflict(const ExtractOptions& options, Extraction& out) {
  plain_.build(schema_, model_.candidates(), {.plain = true});
  for (const Cut& cut : lazy_.cuts()) add_cut(cut, plain_);
  other_.status = Status::infeasible;
  other_.conflict.clear();
  entente::explain(plain_.graph(), options.engine, workspace_, other_);
  add_names(other_.conflict, out.conflict);
}

// Rows that were priced, written down after all: what asks again and again needs them in the graph.
void Extractor::write_rows(bool keep_all) {
  const ModelOptions& now = model_.options();
  if (model_.wide_rows().empty() && (!keep_all || now.keep_all)) return;
  const Candidates& c = model_.candidates();
  ModelOptions all = now;
  all.keep_all |= keep_all;
  all.priced_from = std::numeric_limits<int>::max();
  model_.build(schema_, c, all);
  for (const Cut& cut : lazy_.cuts()) add_cut(cut, model_);
}

// The best with the literal true. Into other_.
void Extractor::force(Literal l, const ExtractOptions& options) {
  Options engine = options.engine;
  engine.explain = engine.certificate = engine.trace = false;
  engine.time_limit = left(options);
  Graph& g = model_.graph();
  g.fix(Var{l.var()}, !l.negated());
  lazy_.solve(model_, engine, workspace_, other_);
  g.free(Var{l.var()});
}

double margin_of(const Solution& other, double tolerance, Extraction& out) {
  if (other.status == Status::infeasible) return kInfinity;
  if (other.status != Status::optimal) return std::numeric_limits<double>::quiet_NaN();
  const double lost = out.value - other.value;
  if (lost < -4 * tolerance * std::max(1.0, std::abs(out.value))) {
    out.status = Status::feasible;
    out.bound = std::max(out.bound, other.value);
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::max(0.0, lost);
}

double Extractor::margin(Literal l, const ExtractOptions& options, Extraction& out) {
  if (stopped(options)) return std::numeric_limits<double>::quiet_NaN();
  force(l, options);
  return margin_of(other_, options.engine.tolerance, out);
}

void Extractor::find_margins(const ExtractOptions& options, Extraction& out) {
  write_rows(false);
  for (int i : out.chosen.types)
    out.type_margins.push_back(margin(!model_.type_literal(i), options, out));
  for (int p : out.chosen.pairs)
    out.pair_margins.push_back(margin(!model_.pair_literal(p), options, out));
}

void Extractor::find_k_best(const ExtractOptions& options, Extraction& out) {
  write_rows(true);
  Options quick = options.engine;
  quick.explain = quick.certificate = quick.trace = false;
  quick.time_limit = left(options);
  // Answers that differ in auxiliary variables only are one answer: ask for more until there are
  // enough, or no more.
  for (int wanted = options.k_best;;) {
    const std::vector<Solution> best = entente::k_best(model_.graph(), wanted, quick, workspace_);
    bool broken = false;
    for (const Solution& s : best) broken |= lazy_.add_broken(model_, s.assignment);
    quick.time_limit = left(options);
    const bool ended = stopped(options);
    if (broken && !ended) continue;
    out.k_best.clear();
    for (const Solution& s : best) {
      Choice c = choice(model_, s.assignment);
      c.value = s.value;
      const bool known = std::find(out.k_best.begin(), out.k_best.end(), c) != out.k_best.end();
      if (!known && static_cast<int>(out.k_best.size()) < options.k_best)
        out.k_best.push_back(std::move(c));
    }
    const bool all = static_cast<int>(best.size()) < wanted;
    if (all || ended || static_cast<int>(out.k_best.size()) == options.k_best) return;
    wanted *= 2;
  }
}

// What is left of the time that one text may take.
double Extractor::left(const ExtractOptions& options) const {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  return std::max(1e-3, options.engine.time_limit - spent.count());
}

bool Extractor::stopped(const ExtractOptions& options) const {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  return spent.count() >= options.engine.time_limit ||
         (options.engine.stop && options.engine.stop->load());
}

void Extractor::run(Candidates& c, const ExtractOptions& options, Extraction& out) {
  start_ = std::chrono::steady_clock::now();
  out = Extraction{};
  if (schema_.as_nodes()) {
    as_nodes(schema_, c);
  } else {
    add_missing_pairs(schema_, c);
  }
  lazy_.clear();
  model_.build(schema_, c, options.model);
  Options engine = options.engine;
  engine.explain = engine.certificate = engine.trace = false;
  const bool large = model_.graph().variable_count() >= options.model.priced_from;
  // Of a large text half of the time is for its proof, if there is to be one.
  engine.time_limit *= large && options.proof ? 0.5 : 1.0;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  engine.time_limit -= spent.count();  // a small text is solved sooner than the clock is asked
  if (!large) engine.time_limit = std::max(1e-3, engine.time_limit);
  lazy_.solve(model_, engine, workspace_, solution_);
  out.status = solution_.status;
  out.value = solution_.value;
  out.bound = solution_.bound;
  out.rounds = lazy_.rounds();
  out.unconstrained = unconstrained_choice(schema_, c);
  const bool has_answer = out.status == Status::optimal || out.status == Status::feasible;
  if (has_answer) {
    out.chosen = choice(model_, solution_.assignment);
    out.chosen.value = out.value;
  }
  // Where the choice without rules stands and costs nothing, no rule has anything to say.
  const bool free = out.chosen == out.unconstrained && out.value > out.unconstrained.value - 1e-9;
  if (options.rules && has_answer && !free && !stopped(options)) explain(c, options, out);
  if (options.conflict && out.status == Status::infeasible) explain_conflict(options, out);
  if (options.k_best > 0 && has_answer) find_k_best(options, out);
  if (options.margins && out.status == Status::optimal) find_margins(options, out);
  if (options.reasons && out.status == Status::optimal) find_reasons(options, out);
  out.cuts = static_cast<int>(lazy_.cuts().size());
}

// The proof that needs no search: what every node is worth at most.
void Extractor::prove_nothing() {
  const Graph& g = model_.graph();
  Certificate& c = other_.certificate;
  c.proof.clear();
  Recorder(c.proof, 2 * (g.variable_count() + g.factor_count())).bound();
  c.proof.complete = true;
  ProofChecker checker(g, c.proof);
  checker.run();
  c.bound = checker.bound();
  c.value = -kInfinity;
  c.assignment.clear();
}

const Graph& Extractor::prove(const ExtractOptions& options, Certificate& out) {
  constexpr double kSeconds = 10;  // what one decision may take (docs/certificates.md)
  const bool priced = !model_.wide_rows().empty();
  const bool large = model_.graph().variable_count() >= options.model.priced_from;
  const Choice chosen = choice(model_, solution_.assignment);
  write_rows(false);
  if (large && stopped(options)) {
    prove_nothing();
  } else {
    Options engine = options.engine;
    engine.explain = engine.trace = false;
    engine.certificate = true;
    // What prices did not close is far from closed: a bound that comes soon, and asks the clock often.
    if (priced && solution_.status != Status::optimal) engine.method = Method::subgradient;
    engine.time_limit = std::min(kSeconds, left(options));  // one limit is for all of a text
    solve(model_.graph(), engine, workspace_, other_);
  }
  out = other_.certificate;
  // Cut short, it may know a worse answer than the one that was given.
  if (solution_.status != Status::unknown && solution_.status != Status::infeasible &&
      out.value < solution_.value && QuickAnswer(model_, lazy_).complete(chosen, other_)) {
    out.assignment.assign(other_.assignment.begin(), other_.assignment.end());
    out.value = other_.value;
    // A proof of less than an answer is worth proves nothing.
    if (out.bound < out.value - 1e-6 * std::max(1.0, std::abs(out.value)))
      out.proof.complete = false;
  }
  return model_.graph();
}

// ---------------------------------------------------------------- schemas that nothing satisfies

namespace {

// A text of so many spans apart from each other, for which everything is proposed.
Candidates everything(const Schema& schema, int spans) {
  Candidates c;
  c.sentences.resize(1);
  for (int s = 0; s < spans; ++s) {
    Span& span = c.spans.emplace_back();
    span.start = span.begin = 2 * s;
    span.end = span.finish = 2 * s + 1;
    span.first = static_cast<int>(c.types.size());
    for (int t = 0; t < static_cast<int>(schema.types.size()); ++t)
      c.types.push_back({s, t, 0, 0.5});
    span.last = static_cast<int>(c.types.size());
  }
  for (int r = 0; r < schema.relation_count(); ++r) {
    for (int h = 0; h < spans; ++h) {
      for (int t = 0; t < spans; ++t) c.pairs.push_back({.relation = r, .head = h, .tail = t});
    }
  }
  return c;
}

}  // namespace

std::vector<std::string> never_satisfied(const Schema& schema) {
  constexpr int kMostSpans = 8;
  int needed = 1;
  for (const SchemaRule& rule : schema.rules) {
    if (!rule.hard()) continue;
    if (rule.kind == RuleKind::formula && rule.formula.uses_text()) return {};
    if (rule.kind == RuleKind::formula)
      needed += static_cast<int>(rule.formula.variables.size());
    else if (rule.lower > 0)
      needed += rule.relations.empty() ? rule.lower : rule.lower + 1;
  }
  if (needed > kMostSpans) return {};
  Extractor extractor(schema);
  std::vector<std::string> conflict;
  Extraction e;
  ExtractOptions options;
  options.engine.time_limit = 1;
  for (int spans = 0; spans <= needed; ++spans) {
    Candidates c = everything(schema, spans);
    options.rules = options.conflict = spans == needed;
    extractor.run(c, options, e);
    if (e.status != Status::infeasible) return {};
  }
  return e.conflict;
}

}  // namespace entente::schema
