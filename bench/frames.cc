#include "bench/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "bench/families.h"
#include "tasks/frames/decoder_table.h"

namespace entente::bench {

namespace {

using frames::ArgumentProblem;
using frames::ScoredPredicate;

framenet::Frame make_frame(const ArgumentsProblem& raw, int number) {
  framenet::Frame out;
  out.name = "Frame_" + std::to_string(number);
  for (int r = 0; r < raw.roles; ++r) {
    framenet::Role role;
    role.name = "Role_" + std::to_string(r);
    role.core = r < (raw.roles + 1) / 2 ? framenet::Core::kCore : framenet::Core::kPeripheral;
    out.roles.push_back(std::move(role));
  }
  out.excludes = raw.excludes;
  out.requires_ = raw.requires_both;
  for (auto* pairs : {&out.excludes, &out.requires_}) {
    std::sort(pairs->begin(), pairs->end());
    pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
  }
  out.requires_one_way = out.requires_;
  return out;
}

ArgumentProblem make_problem(const ArgumentsProblem& raw, int frame) {
  ArgumentProblem out;
  out.frame = frame;
  for (int r = 0; r < raw.roles; ++r) out.roles.push_back(r);
  for (std::size_t s = 1; s < raw.spans.size(); ++s)  // the null span is first there
    out.spans.push_back({raw.spans[s].begin, raw.spans[s].end});
  for (int r = 0; r < raw.roles; ++r) {
    for (std::size_t s = 1; s < raw.spans.size(); ++s)
      out.scores.push_back(static_cast<float>(raw.row(r)[s]));
  }
  return out;
}

// A span with the odds that its score says, -1: none.
int draw_span(const ArgumentProblem& problem, std::size_t role, Random& r) {
  double sum = 1;
  for (std::size_t s = 0; s < problem.spans.size(); ++s) sum += std::exp(problem.score(role, s));
  double left = r.uniform() * sum;
  for (std::size_t s = 0; s < problem.spans.size(); ++s) {
    left -= std::exp(problem.score(role, s));
    if (left < 0) return static_cast<int>(s);
  }
  return -1;
}

void draw_gold(const framenet::Frame& frame, ScoredPredicate& p, Random& r) {
  std::vector<int> span_of(p.problem.roles.size(), -1);
  for (std::size_t role = 0; role < span_of.size(); ++role) {
    span_of[role] = draw_span(p.problem, role, r);
    const frames::Violations v = frames::count_violations(frame, p.problem, span_of);
    if (v.overlap + v.excludes > 0) span_of[role] = -1;
  }
  for (auto [a, b] : frame.requires_) {
    if (span_of[a] < 0 || span_of[b] < 0) span_of[a] = span_of[b] = -1;
  }
  for (std::size_t role = 0; role < span_of.size(); ++role) {
    if (span_of[role] >= 0)
      p.gold.emplace_back(frame.roles[role].name, p.problem.spans[span_of[role]]);
  }
}

}  // namespace

FrameProblems make_frame_problems(int count, std::uint64_t seed, bool hard) {
  FrameProblems out;
  const Family family = make_family(hard ? "arguments-hard" : "arguments", seed);
  Random r(seed + 77);
  for (int i = 0; i < count && i < static_cast<int>(family.problems.size()); ++i) {
    const auto& raw = std::get<ArgumentsProblem>(family.problems[i]);
    out.frames.push_back(make_frame(raw, i));
    ScoredPredicate& p = out.predicates.emplace_back();
    p.problem = make_problem(raw, i);
    draw_gold(out.frames.back(), p, r);
  }
  return out;
}

int run_bench_frames(const FrameBenchOptions& options, std::FILE* out) {
  std::vector<frames::DecoderSpec> decoders;
  for (const std::string& name : options.decoders) decoders.push_back(frames::parse_decoder(name));
  if (decoders.empty()) decoders = frames::all_decoders();
  const FrameProblems p = make_frame_problems(options.predicates, options.seed, options.hard);
  const frames::DecoderTable table =
      frames::compare_decoders(p.frames, p.predicates, {}, decoders, options.runs);
  fmt::print(out, "{}", frames::render(table));
  int code = 0;
  double least = 0, most = 0;
  bool first = true;
  for (const frames::DecoderRow& row : table.rows) {
    if (!frames::parse_decoder(row.name).proves()) continue;
    least = first ? row.total_value : std::min(least, row.total_value);
    most = first ? row.total_value : std::max(most, row.total_value);
    first = false;
    if (row.violations.total() > 0 || row.proven != table.predicates) code = 1;
  }
  if (most - least > 1e-6 * std::max(1.0, std::abs(most))) code = 1;
  if (code != 0)
    fmt::print(out, "exact decoders disagree, break rules or leave problems unproved\n");
  return code;
}

}  // namespace entente::bench
