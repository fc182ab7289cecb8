#include "tasks/frames/decode.h"

#include <fmt/format.h>

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
constexpr std::string_view kBeamPrefix = "beam_", kUncached = "_uncached", kEta = "_eta_";
constexpr std::string_view kPositions = "ad3_positions";
constexpr int kMaxWidth = 10'000'000;
constexpr double kMostEta = 1000;

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
Options engine_options(const DecoderSpec& spec) {
  Options o;
  o.presolve = false;
  o.cache = spec.cache;
  if (spec.eta > 0) {
    o.eta = spec.eta;
    o.adapt_eta = false;
  }
  switch (spec.kind) {
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
    if (positions) out.insert(3, "_positions");
    if (!cache) out += kUncached;
    if (eta > 0) out += fmt::format("{}{:g}", kEta, eta);
    return kind == DecoderKind::kBeam ? out + "_" + std::to_string(width) : out;
  }
  return {};
}

DecoderSpec parse_decoder(std::string_view name) {
  for (const NamedKind& k : kKinds) {
    if (k.name == name) return {.kind = k.kind};
  }
  std::string_view rest = name;
  double eta = 0;
  if (const auto at = rest.find(kEta); at != rest.npos && rest.starts_with("ad3")) {
    const auto number = parse_number(rest.substr(at + kEta.size()));
    if (!number || !(*number > 0) || *number > kMostEta) {
      throw Error("expected a penalty above 0 and at most 1000 after _eta_, not " +
                  quoted(rest.substr(at + kEta.size())));
    }
    eta = *number;
    rest = rest.substr(0, at);
  }
  const bool cache = !rest.ends_with(kUncached);
  if (!cache) rest.remove_suffix(kUncached.size());
  const bool positions = rest.starts_with(kPositions);
  if (rest == kPositions || rest == "ad3")
    return {.kind = DecoderKind::kAd3, .positions = positions, .cache = cache, .eta = eta};
  if (rest == std::string(kPositions) + "_exact" || rest == "ad3_exact")
    return {.kind = DecoderKind::kAd3Exact, .positions = positions, .cache = cache, .eta = eta};
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
              "; there are local, beam_N, lp, ilp, ad3, ad3_exact, ad3_positions, "
              "ad3_positions_exact and exact");
}

std::vector<DecoderSpec> all_decoders() {
  std::vector<DecoderSpec> out;
  for (const char* name : {"local", "beam_2", "beam_100", "beam_10000", "lp", "ilp", "ad3",
                           "ad3_exact", "ad3_positions", "ad3_positions_exact",
                           "ad3_positions_uncached", "ad3_positions_exact_uncached", "exact"})
    out.push_back(parse_decoder(name));
  return out;
}

std::vector<DecoderSpec> penalties() {
  std::vector<DecoderSpec> out;
  for (const char* eta : {"0.01", "0.03", "0.1", "0.3", "1", "3"}) {
    out.push_back(parse_decoder(fmt::format("{}{}{}", kPositions, kEta, eta)));
  }
  out.push_back(parse_decoder(kPositions));
  out.push_back(parse_decoder("exact"));
  return out;
}

bool cbc_is_available() {
  Graph g;
  g.add_variable(1.0);
  try {
    solve(g, engine_options({.kind = DecoderKind::kLp}));
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
      return decode_by_engine(frame, problem, rules, engine_options(spec_), out);
  }
}

void Decoder::decode_exactly(const framenet::Frame& frame, const ArgumentProblem& problem,
                             const RuleSet& rules, ArgumentDecision& out) {
  for (const bool with_required : {true, false}) {
    out.feasible = with_required;
    const EarlyCheck::End end = check_.settle(frame, problem, rules, with_required, out);
    if (end == EarlyCheck::End::kInfeasible) continue;
    out.proven = end == EarlyCheck::End::kOptimal;
    if (!out.proven && !decide_rest(frame, rules, with_required, out)) continue;
    out.proven &= out.feasible;
    return;
  }
}

// What the early check left open, by the engine; false if no choice keeps the rules.
bool Decoder::decide_rest(const framenet::Frame& frame, const RuleSet& rules, bool with_required,
                          ArgumentDecision& out) {
  const ArgumentProblem& rest = check_.rest();
  builder_.build(frame, rest, rules, Names::kNone, graph_, with_required);
  solve(graph_, {}, workspace_, solution_);
  if (solution_.status == Status::infeasible || !read_solution(rest, solution_, false, rest_))
    return false;
  std::fill(out.span_of.begin(), out.span_of.end(), -1);
  for (std::size_t i = 0; i < rest.roles.size(); ++i) {
    if (rest_.span_of[i] >= 0) out.span_of[check_.role(i)] = check_.span(rest_.span_of[i]);
  }
  out.value = solution_.value;
  out.bound = solution_.bound;
  out.proven = solution_.status == Status::optimal;
  return true;
}

void Decoder::decode_by_engine(const framenet::Frame& frame, const ArgumentProblem& problem,
                               const RuleSet& rules, const Options& options,
                               ArgumentDecision& out) {
  for (const bool with_required : {true, false}) {
    if (with_required && !out.feasible) continue;  // known already
    builder_.build(frame, problem, rules, Names::kNone, graph_, with_required,
                   spec_.positions ? Overlap::kPositions : Overlap::kIntervals);
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
