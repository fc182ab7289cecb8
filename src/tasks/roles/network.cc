#include "tasks/roles/network.h"

#include <algorithm>
#include <cmath>

#include "learn/adagrad.h"
#include "learn/weights.h"

namespace entente::roles {

RoleNetwork::RoleNetwork(int bits, int hidden, int labels, std::uint64_t seed)
    : bits_(bits),
      hidden_(hidden),
      labels_(labels),
      table_((std::size_t{1} << bits) * static_cast<std::size_t>(hidden)),
      table_squares_(table_.size()),
      output_(static_cast<std::size_t>(labels) * static_cast<std::size_t>(hidden + 1)),
      output_squares_(output_.size()),
      bias_(hidden, 0.1f),
      bias_squares_(hidden),
      units_(hidden),
      back_(hidden),
      errors_(labels) {
  Random random(seed);
  for (float& v : table_) v = static_cast<float>(random.uniform(-0.05, 0.05));
  const double wide = std::sqrt(3.0 / hidden);
  for (int l = 0; l < labels; ++l) {
    for (int h = 0; h < hidden; ++h) {
      output_[l * (hidden + 1) + h] = static_cast<float>(random.uniform(-wide, wide));
    }
  }
}

void RoleNetwork::weigh(std::span<const float> units, std::span<float> out) const {
  const std::size_t n = units.size();
  for (std::size_t l = 0; l < out.size(); ++l) {
    const float* w = output_.data() + l * (n + 1);
    float s = w[n];
    for (std::size_t h = 0; h < n; ++h) s += w[h] * units[h];
    out[l] = s;
  }
}

void RoleNetwork::scores(std::span<const std::uint32_t> rows, std::span<float> out) const {
  std::vector<float> units = bias_;
  const std::size_t n = units.size();
  for (const std::uint32_t row : rows) {
    for (std::size_t h = 0; h < n; ++h) units[h] += table_[row * n + h];
  }
  for (float& u : units) u = std::max(u, 0.0f);
  weigh(units, out);
}

void RoleNetwork::update(std::span<float> values, std::span<float> squares,
                         std::span<const float> gradient, float rate) const {
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    values[i] += adagrad_step(squares[i], gradient[i], -rate, 1e-3f);
  }
}

float RoleNetwork::learn(std::span<const std::uint32_t> rows, int right, const Step& step,
                         Random& random) {
  const std::size_t n = static_cast<std::size_t>(hidden_);
  kept_.clear();
  const auto drops = [&](float p) {
    return static_cast<float>(random.next() >> 40) * 0x1.0p-24f < p;
  };
  for (const std::uint32_t row : rows) {
    if (!drops(step.drop_rows)) kept_.push_back(row);
  }
  const float louder = 1 / (1 - step.drop_rows), loud = 1 / (1 - step.drop_hidden);
  std::fill(units_.begin(), units_.end(), 0.0f);
  for (const std::uint32_t row : kept_) {
    const float* from = table_.data() + row * n;
    for (std::size_t h = 0; h < n; ++h) units_[h] += from[h];
  }
  for (std::size_t h = 0; h < n; ++h) {
    const float in = units_[h] * louder + bias_[h];
    units_[h] = in > 0 && !drops(step.drop_hidden) ? in * loud : 0;
  }
  weigh(units_, errors_);
  const float most = *std::max_element(errors_.begin(), errors_.end());
  float sum = 0;
  for (float& e : errors_) sum += e = std::exp(e - most);
  for (float& e : errors_) e /= sum;
  const float before = errors_[right];
  errors_[right] -= 1;
  std::fill(back_.begin(), back_.end(), 0.0f);
  for (int l = 0; l < labels_; ++l) {
    const float e = errors_[l];
    if (std::abs(e) < 1e-4f) continue;
    float* const w = output_.data() + static_cast<std::size_t>(l) * (n + 1);
    float* const squares = output_squares_.data() + static_cast<std::size_t>(l) * (n + 1);
    for (std::size_t h = 0; h < n; ++h) {
      back_[h] += e * w[h];
      w[h] += adagrad_step(squares[h], e * units_[h], -step.rate, 1e-3f);
    }
    w[n] += adagrad_step(squares[n], e, -step.rate, 1e-3f);
  }
  for (std::size_t h = 0; h < n; ++h) back_[h] = units_[h] > 0 ? back_[h] * loud : 0;
  update(bias_, bias_squares_, back_, step.rate);
  for (float& b : back_) b *= louder;
  for (const std::uint32_t row : kept_) {
    update(std::span(table_).subspan(row * n, n), std::span(table_squares_).subspan(row * n, n),
           back_, step.rate);
  }
  return before;
}

void RoleNetwork::write(ModelWriter& writer, const std::string& name) const {
  const PackedWeights packed = PackedWeights::of(table_);
  writer.add_number(name + "/bits", bits_);
  writer.add_number(name + "/hidden", hidden_);
  writer.add_number(name + "/scale", packed.scale);
  writer.add<std::int8_t>(name, packed.values);
  writer.add<float>(name + "/output", output_);
  writer.add<float>(name + "/bias", bias_);
}

NetworkView::NetworkView(const ModelFile& file, const std::string& name, int labels)
    : table_(file.array<std::int8_t>(name)),
      output_(file.array<float>(name + "/output")),
      bias_(file.array<float>(name + "/bias")),
      bits_(static_cast<int>(file.number(name + "/bits"))),
      hidden_(static_cast<int>(file.number(name + "/hidden"))),
      labels_(labels),
      scale_(static_cast<float>(file.number(name + "/scale"))) {
  const std::size_t n = static_cast<std::size_t>(std::max(hidden_, 0));
  if (bits_ < 1 || bits_ > 30 || hidden_ < 1 || table_.size() != (n << bits_) ||
      output_.size() != (n + 1) * static_cast<std::size_t>(labels) || bias_.size() != n) {
    file.fail("section \"" + name + "\" is damaged");
  }
}

void NetworkView::add_scores(std::span<const std::uint64_t> properties, float weight, Work& work,
                             std::span<float> scores) const {
  const std::size_t n = static_cast<std::size_t>(hidden_);
  work.sums.assign(n, 0);
  work.units.resize(n);
  for (const std::uint64_t p : properties) {
    __builtin_prefetch(table_.data() + network_row(p, bits_) * n);
  }
  for (const std::uint64_t p : properties) {
    const std::int8_t* row = table_.data() + network_row(p, bits_) * n;
    for (std::size_t h = 0; h < n; ++h) work.sums[h] += row[h];
  }
  for (std::size_t h = 0; h < n; ++h) {
    work.units[h] = std::max(0.0f, scale_ * static_cast<float>(work.sums[h]) + bias_[h]);
  }
  float none = 0;
  for (int l = 0; l < labels_; ++l) {
    const float* w = output_.data() + static_cast<std::size_t>(l) * (n + 1);
    float s = w[n];
    for (std::size_t h = 0; h < n; ++h) s += w[h] * work.units[h];
    if (l == 0) none = s;
    scores[l] += weight * (s - none);
  }
}

}  // namespace entente::roles
