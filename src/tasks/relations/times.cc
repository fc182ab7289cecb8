#include "tasks/relations/times.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "lp/lp.h"
#include "tasks/relations/decode.h"

namespace entente::relations {

namespace {

struct Run {
  std::vector<double> seconds, values;  // one a problem
};

Run run_method(std::span<const JointScores> scores, const LabelSet& labels, const RuleSet& rules,
               const Options& options, int repeats) {
  Decoder decoder(labels);
  Run out;
  for (const JointScores& s : scores) {
    // Asking the clock costs a good part of what a quick method needs: several at a time.
    const int at_once = repeats > 1 ? 10 : 1;
    double best = kInfinity;
    for (int k = 0; k < repeats; ++k) {
      const double start = processor_seconds();
      for (int i = 0; i < at_once; ++i) decoder.decode(s, rules, options);
      best = std::min(best, (processor_seconds() - start) / at_once);
    }
    out.seconds.push_back(best);
    out.values.push_back(decoder.solution().value);
  }
  return out;
}

RelationMethodTime summary(std::string name, const Run& run, const Run& exact) {
  RelationMethodTime out;
  out.name = std::move(name);
  out.problems = static_cast<int>(run.seconds.size());
  for (double s : run.seconds) out.total += s;
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    const double scale = std::max(1.0, std::abs(exact.values[i]));
    out.same_value += std::abs(run.values[i] - exact.values[i]) <= 1e-6 * scale;
  }
  std::vector<double> sorted = run.seconds;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty()) {
    out.median = sorted[sorted.size() / 2];
    out.most = sorted.back();
  }
  return out;
}

}  // namespace

RelationTimes time_relation_decoders(std::span<const JointScores> scores, const LabelSet& labels,
                                     const RuleSet& rules) {
  RelationTimes out;
  out.problems = static_cast<int>(scores.size());
  const Run exact = run_method(scores, labels, rules, {}, 5);
  out.methods.push_back(summary("exact", exact, exact));
  for (std::string_view backend : lp::backend_names()) {
    Options options;
    options.method = Method::ilp;
    options.presolve = false;  // the solver's own time, not what our presolve leaves of it
    options.backend = backend;
    const Run run = run_method(scores, labels, rules, options, 1);
    out.methods.push_back(summary(std::string(backend) + " ilp", run, exact));
  }
  if (lp::backend_names().empty()) return out;
  Options relaxed;
  relaxed.method = Method::lp;
  relaxed.presolve = false;
  relaxed.backend = lp::backend_names().front();
  Decoder decoder(labels);
  out.integral = 0;
  for (const JointScores& s : scores) {
    decoder.decode(s, rules, relaxed);
    out.integral += decoder.solution().relaxation_tight;
  }
  return out;
}

}  // namespace entente::relations
