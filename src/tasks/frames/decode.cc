#include "tasks/frames/decode.h"

#include <algorithm>

#include "base/text.h"
#include "entente/error.h"
#include "tasks/frames/row_max.h"

namespace entente::frames {

namespace {

struct NamedKind {
  std::string_view name;
  DecoderKind kind;
};
constexpr NamedKind kKinds[] = {
    {"local", DecoderKind::kLocal}, {"beam", DecoderKind::kBeam},
    {"lp", DecoderKind::kLp},       {"ilp", DecoderKind::kIlp},
    {"ad3", DecoderKind::kAd3},     {"ad3_exact", DecoderKind::kAd3Exact},
    {"exact", DecoderKind::kExact},
};
constexpr std::string_view kBeamPrefix = "beam_";
constexpr int kMaxWidth = 10'000'000;

void decode_locally(const ArgumentProblem& problem, ArgumentDecision& out) {
  const std::size_t roles = problem.roles.size(), spans = problem.spans.size();
  out.span_of.resize(roles);
  out.value = 0;
  const float* row = problem.scores.data();
  for (std::size_t r = 0; r < roles; ++r, row += spans) {
    const float best = row_max(row, spans);
    out.span_of[r] = best > 0 ? row_find(row, best) : -1;
    if (best > 0) out.value += best;
  }
  out.bound = out.value;
}

// The problem goes to every solver as it is: presolving would compare presolve with itself.
Options engine_options(DecoderKind kind) {
  Options o;
  o.presolve = false;
  switch (kind) {
    case DecoderKind::kLp:
      o.method = Method::lp;
      break;
    case DecoderKind::kIlp:
      o.method = Method::ilp;
      break;
    case DecoderKind::kAd3:
      o.method = Method::ad3;
      break;
    case DecoderKind::kAd3Exact:
      o.method = Method::branch_and_bound;
      break;
    default:
      o.method = Method::exact;
  }
  return o;
}

// For each role the span with the largest value in the relaxation, else in the assignment.
bool read_solution(const ArgumentProblem& problem, const Solution& s, bool relaxed,
                   ArgumentDecision& out) {
  const std::size_t states = problem.spans.size() + 1, roles = problem.roles.size();
  if (relaxed ? s.relaxed.size() < roles * states : s.assignment.size() < roles * states)
    return false;
  out.span_of.resize(roles);
  out.value = 0;
  for (std::size_t r = 0; r < roles; ++r) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < states; ++i) {
      const std::size_t v = r * states + i, b = r * states + best;
      if (relaxed ? s.relaxed[v] > s.relaxed[b] : s.assignment[v] > s.assignment[b]) best = i;
    }
    out.span_of[r] = static_cast<int>(best) - 1;
    if (best > 0) out.value += problem.score(r, best - 1);
  }
  return true;
}

}  // namespace

std::string DecoderSpec::name() const {
  for (const NamedKind& k : kKinds) {
    if (k.kind != kind) continue;
    std::string out(k.name);
    return kind == DecoderKind::kBeam ? out + "_" + std::to_string(width) : out;
  }
  return {};
}

DecoderSpec parse_decoder(std::string_view name) {
  for (const NamedKind& k : kKinds) {
    if (k.name == name) return {.kind = k.kind};
  }
  if (name.starts_with(kBeamPrefix)) {
    const auto width = parse_integer(name.substr(kBeamPrefix.size()));
    if (width && *width >= 1 && *width <= kMaxWidth)
      return {.kind = DecoderKind::kBeam, .width = static_cast<int>(*width)};
    throw Error("expected a width from 1 to 10000000 after beam_, not " +
                quoted(name.substr(kBeamPrefix.size())));
  }
  Nearest nearest(name);
  for (const NamedKind& k : kKinds) nearest.consider(k.name);
  throw Error("no decoder " + quoted(name) + nearest.suggestion() +
              "; there are local, beam_N, lp, ilp, ad3, ad3_exact and exact");
}

std::vector<DecoderSpec> all_decoders() {
  std::vector<DecoderSpec> out;
  for (const char* name :
       {"local", "beam_2", "beam_100", "beam_10000", "lp", "ilp", "ad3", "ad3_exact", "exact"})
    out.push_back(parse_decoder(name));
  return out;
}

bool cbc_is_available() {
  Graph g;
  g.add_variable(1.0);
  try {
    solve(g, engine_options(DecoderKind::kLp));
  } catch (const Error&) {
    return false;
  }
  return true;
}

void Decoder::decode(const framenet::Frame& frame, const ArgumentProblem& problem,
                     const RuleSet& rules, ArgumentDecision& out) {
  out.proven = false;
  out.relaxation_tight = out.feasible = true;
  switch (spec_.kind) {
    case DecoderKind::kLocal:
      return decode_locally(problem, out);
    case DecoderKind::kBeam:
      return beam_.solve(problem, spec_.width, rules.overlap, out);
    case DecoderKind::kExact:
      return decode_exactly(frame, problem, rules, out);
    default:
      return decode_by_engine(frame, problem, rules, engine_options(spec_.kind), out);
  }
}

void Decoder::decode_exactly(const framenet::Frame& frame, const ArgumentProblem& problem,
                             const RuleSet& rules, ArgumentDecision& out) {
  ExactSearch::End end = search_.solve(frame, problem, rules, true, out);
  if (end == ExactSearch::End::kInfeasible) {
    out.feasible = false;
    end = search_.solve(frame, problem, rules, false, out);
  }
  out.proven = out.feasible && end == ExactSearch::End::kOptimal;
  if (end != ExactSearch::End::kGaveUp) return;
  decode_by_engine(frame, problem, rules, engine_options(DecoderKind::kExact), out);
}

void Decoder::decode_by_engine(const framenet::Frame& frame, const ArgumentProblem& problem,
                               const RuleSet& rules, const Options& options,
                               ArgumentDecision& out) {
  for (const bool with_required : {true, false}) {
    if (with_required && !out.feasible) continue;  // known already
    builder_.build(frame, problem, rules, Names::kNone, graph_, with_required);
    solve(graph_, options, workspace_, solution_);
    out.feasible = with_required;
    if (solution_.status != Status::infeasible &&
        read_solution(problem, solution_, spec_.relaxes(), out))
      break;
  }
  out.relaxation_tight = solution_.relaxation_tight || !spec_.relaxes();
  out.bound = solution_.bound;
  out.proven = out.feasible && solution_.status == Status::optimal &&
               (!spec_.relaxes() || solution_.relaxation_tight);
  // Soft rules may have taken something off.
  if (out.proven || !spec_.relaxes()) out.value = solution_.value;
}

}  // namespace entente::frames
