#include "learn/online.h"

#include <algorithm>

#include "base/check.h"
#include "learn/adagrad.h"

namespace entente {

OnlineWeights::OnlineWeights(int bits)
    : shift_(64 - bits),
      values_(std::size_t{1} << bits),
      gradient_(std::size_t{1} << bits),
      history_(std::size_t{1} << bits) {
  ENTENTE_CHECK(bits >= 1 && bits <= 30);
}

void OnlineWeights::adagrad_step(float rate, float damping) {
  for (std::uint32_t i : touched_) {
    const float g = gradient_[i];
    if (g == 0) continue;  // cancelled, or listed twice
    gradient_[i] = 0;
    move(i, entente::adagrad_step(history_[i].squares, g, -rate, damping));
  }
  touched_.clear();
  ++time_;
}

void OnlineWeights::passive_aggressive_step(float loss, float most) {
  double norm = 0;
  steps_.clear();
  for (std::uint32_t i : touched_) {
    const float g = gradient_[i];
    if (g == 0) continue;
    gradient_[i] = 0;
    norm += static_cast<double>(g) * g;
    steps_.emplace_back(i, g);
  }
  const float step =
      norm > 0 ? std::min(most, static_cast<float>(static_cast<double>(loss) / norm)) : 0;
  if (step > 0) {
    for (const auto& [i, g] : steps_) move(i, -step * g);
  }
  touched_.clear();
  ++time_;
}

void OnlineWeights::restart_average() {
  for (History& h : history_) h.late = 0;
  time_ = 1;
}

std::vector<float> OnlineWeights::run_average() const {
  std::vector<float> out(values_.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = values_[i] - history_[i].late / static_cast<float>(time_);
  }
  return out;
}

std::vector<float> OnlineWeights::averaged() const {
  std::vector<float> out = run_average();
  if (runs_ == 0) return out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = (sums_[i] + out[i]) / static_cast<float>(runs_ + 1);
  }
  return out;
}

void OnlineWeights::start_run() {
  const std::vector<float> mean = run_average();
  sums_.resize(mean.size());
  for (std::size_t i = 0; i < mean.size(); ++i) sums_[i] += mean[i];
  ++runs_;
  std::fill(values_.begin(), values_.end(), 0.0f);
  std::fill(history_.begin(), history_.end(), History());
  time_ = 1;
}

void OnlineWeights::save(ModelWriter& writer, const std::string& name) const {
  writer.add_number(name + "/time", static_cast<double>(time_));
  writer.add<float>(name + "/values", values_);
  writer.add<History>(name + "/history", history_);
  writer.add_number(name + "/runs", runs_);
  if (runs_ > 0) writer.add<float>(name + "/sums", sums_);
}

void OnlineWeights::load(const ModelFile& file, const std::string& name) {
  const auto values = file.array<float>(name + "/values");
  const auto history = file.array<History>(name + "/history");
  if (values.size() != values_.size() || history.size() != history_.size()) {
    file.fail("section \"" + name + "\" has another size");
  }
  time_ = static_cast<std::int64_t>(file.number(name + "/time"));
  std::copy(values.begin(), values.end(), values_.begin());
  std::copy(history.begin(), history.end(), history_.begin());
  runs_ = file.has(name + "/runs") ? static_cast<int>(file.number(name + "/runs")) : 0;
  sums_.clear();
  if (runs_ == 0) return;
  const auto sums = file.array<float>(name + "/sums");
  if (sums.size() != values_.size()) file.fail("section \"" + name + "\" has another size");
  sums_.assign(sums.begin(), sums.end());
}

}  // namespace entente
