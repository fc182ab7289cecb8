#include "tasks/constituency/agree_story.h"

#include <cmath>

#include "base/json.h"

namespace entente::constituency {

Story::Story(const TaskRequest& request) {
  const std::string& path = request.settings.text("trace");
  if (!path.empty()) trace_ = std::make_unique<OutputFile>(path);
  plot_path_ = request.settings.text("plot");
}

std::function<void(const AgreementRound&)> Story::of(int problem) {
  return [this, problem](const AgreementRound& r) {
    plot_.add(problem, r);
    if (!trace_) return;
    JsonWriter w;
    w.begin_object().key("problem").integer(problem + 1).key("round").integer(r.round);
    w.key("dual").number(r.dual).key("best_dual").number(r.best_dual);
    if (std::isfinite(r.primal)) w.key("primal").number(r.primal);
    if (std::isfinite(r.best_primal)) w.key("best_primal").number(r.best_primal);
    w.key("step").number(r.step).key("disagreements").integer(r.disagreements).end_object();
    trace_->write(w.take() + "\n");
  };
}

void Story::finish_trace() {
  if (trace_) trace_->commit();
}

void Story::finish() {
  finish_trace();
  if (!plot_path_.empty()) write_whole_file(plot_path_, plot_.svg());
}

ParseOptions agree_parsing(ParseOptions out, const Settings& s) {
  out.threshold = s.number("threshold");
  if (s.given("temperature")) out.temperature = s.number("temperature");
  if (s.given("bracket_cost")) out.bracket_cost = s.number("bracket_cost");
  return out;
}

Proofs::Proofs(const TaskRequest& request) {
  const std::string& path = request.settings.text("certificate");
  if (!path.empty()) file_ = std::make_unique<ProofFile>(path);
}

void Proofs::flush() {
  if (file_) file_->add(lines_);
}

int Proofs::finish() { return file_ ? file_->finish(false) : 0; }

AgreementOptions agree_options(const TaskRequest& request) {
  const Settings& s = request.settings;
  AgreementOptions out;
  out.stop = [monitor = request.monitor] { return monitor->stopped(); };
  const std::string& rule = s.text("step");
  out.rule = rule == "harmonic"   ? StepRule::kHarmonic
             : rule == "root"     ? StepRule::kRoot
             : rule == "constant" ? StepRule::kConstant
             : rule == "polyak"   ? StepRule::kPolyak
                                  : StepRule::kRises;
  out.rate = s.number("step_rate");
  out.max_rounds = s.integer("max_rounds");
  if (s.flag("tighten")) out.branches = 400;
  return out;
}

}  // namespace entente::constituency
