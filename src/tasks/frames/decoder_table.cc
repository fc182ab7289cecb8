#include "tasks/frames/decoder_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"

namespace entente::frames {

namespace {

constexpr double kLongPass = 1.0;  // seconds; such a pass needs no warming up

double one_pass(std::span<const framenet::Frame> frames,
                std::span<const ScoredPredicate> predicates, const RuleSet& rules, Decoder& decoder,
                std::vector<ArgumentDecision>& out) {
  const double start = processor_seconds();
  for (std::size_t i = 0; i < predicates.size(); ++i) {
    const ArgumentProblem& problem = predicates[i].problem;
    decoder.decode(frames[problem.frame], problem, rules, out[i]);
  }
  return processor_seconds() - start;
}

struct Timed {
  Decoder decoder;
  std::vector<double> seconds;
};

void set_times(const std::vector<double>& seconds, DecoderRow& row) {
  const double n = static_cast<double>(seconds.size());
  for (double s : seconds) row.seconds += s / n;
  double squares = 0;
  for (double s : seconds) squares += (s - row.seconds) * (s - row.seconds);
  if (n > 1) row.deviation = std::sqrt(squares / (n - 1));
}

void judge(std::span<const framenet::Frame> frames, std::span<const ScoredPredicate> predicates,
           const std::vector<ArgumentDecision>& decisions, DecoderRow& row) {
  long tight = 0;
  for (std::size_t i = 0; i < predicates.size(); ++i) {
    const ArgumentDecision& d = decisions[i];
    const framenet::Frame& frame = frames[predicates[i].problem.frame];
    row.score += score_decision(frame, predicates[i], d.span_of);
    row.violations += count_violations(frame, predicates[i].problem, d.span_of);
    row.proven += d.proven ? 1 : 0;
    row.infeasible += d.feasible ? 0 : 1;
    row.total_value += d.value;
    tight += d.relaxation_tight ? 1 : 0;
  }
  if (!predicates.empty())
    row.tight = static_cast<double>(tight) / static_cast<double>(predicates.size());
}

}  // namespace

const DecoderRow* DecoderTable::find(std::string_view name) const {
  const auto at =
      std::find_if(rows.begin(), rows.end(), [&](const DecoderRow& r) { return r.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

DecoderTable compare_decoders(std::span<const framenet::Frame> frames,
                              std::span<const ScoredPredicate> predicates, const RuleSet& rules,
                              std::span<const DecoderSpec> decoders, int runs,
                              const std::function<void(const std::string&)>& progress) {
  DecoderTable out;
  out.predicates = static_cast<long>(predicates.size());
  out.runs = std::max(1, runs);
  for (const ScoredPredicate& p : predicates) out.coverage.add(p);
  const bool has_cbc = cbc_is_available();
  std::vector<ArgumentDecision> decisions(predicates.size());
  std::vector<Timed> timed;
  for (const DecoderSpec& spec : decoders) {
    if (spec.needs_cbc() && !has_cbc) {
      out.left_out.push_back(spec.name());
      continue;
    }
    if (progress) progress(spec.name());
    Timed& t = timed.emplace_back(Timed{Decoder(spec), {}});
    const double first = one_pass(frames, predicates, rules, t.decoder, decisions);
    if (first > kLongPass) t.seconds.push_back(first);
    DecoderRow& row = out.rows.emplace_back();
    row.name = spec.name();
    row.relaxes = spec.relaxes();
    judge(frames, predicates, decisions, row);
  }
  for (int run = 0; run < out.runs; ++run) {
    for (Timed& t : timed) {
      if (static_cast<int>(t.seconds.size()) < out.runs)
        t.seconds.push_back(one_pass(frames, predicates, rules, t.decoder, decisions));
    }
  }
  for (std::size_t i = 0; i < timed.size(); ++i) set_times(timed[i].seconds, out.rows[i]);
  if (const DecoderRow* exact = out.find(DecoderSpec{}.name()); exact && exact->seconds > 0) {
    const double seconds = exact->seconds;
    for (DecoderRow& row : out.rows) row.times_exact = row.seconds / seconds;
  }
  return out;
}

std::string render(const DecoderTable& table) {
  std::string out = fmt::format(
      "{} predicates, {:.1f} candidate spans each, oracle recall {:.2f}%; decoding time: mean of "
      "{} run{}\n\n",
      table.predicates, table.coverage.spans_a_predicate(), table.coverage.recall(), table.runs,
      table.runs == 1 ? "" : "s");
  out += fmt::format("{:<30}{:^21}{:^21}{:^29}{:>19}{:>9}{:>8}{:>8}\n", "", "plain", "SemEval-2007",
                     "violations", "decoding", "x exact", "tight", "proven");
  out += fmt::format("{:<30}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>9}{:>10}{:>10}{:>19}\n", "decoder",
                     "P", "R", "F1", "P", "R", "F1", "overlap", "requires", "excludes", "ms");
  for (const DecoderRow& r : table.rows) {
    const Counts &p = r.score.plain, &w = r.score.weighted;
    out += fmt::format(
        "{:<30}{:>7.2f}{:>7.2f}{:>7.2f}{:>7.2f}{:>7.2f}{:>7.2f}{:>9}{:>10}{:>10}{:>19}{:>9}{:>8}"
        "{:>8}\n",
        r.name, p.precision(), p.recall(), p.f1(), w.precision(), w.recall(), w.f1(),
        r.violations.overlap, r.violations.requires_, r.violations.excludes,
        fmt::format("{:.2f} ± {:.2f}", r.seconds * 1e3, r.deviation * 1e3),
        r.times_exact > 0 ? fmt::format("{:.2f}", r.times_exact) : "-",
        r.relaxes ? fmt::format("{:.1f}%", 100 * r.tight) : "-",
        r.proven > 0 && table.predicates > 0
            ? fmt::format("{:.1f}%", 100.0 * static_cast<double>(r.proven) /
                                         static_cast<double>(table.predicates))
            : "-");
  }
  for (const std::string& name : table.left_out)
    out += fmt::format("{:<30}left out: this build has no CBC\n", name);
  return out;
}

}  // namespace entente::frames
