#include "tasks/roles/network.h"

#include <algorithm>
#include <cmath>

#include "learn/adagrad.h"
#include "learn/weights.h"

namespace entente::roles {

namespace {

constexpr float kDamping = 1e-3f;  // of AdaGrad
constexpr float kSure = 0.998f;    // nothing is learned from what is as likely as this

}  // namespace

RoleNetwork::RoleNetwork(int bits, int hidden, int labels, std::uint64_t seed)
    : bits_(bits),
      hidden_(hidden),
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
  for (std::size_t i = 0; i < static_cast<std::size_t>(hidden) * static_cast<std::size_t>(labels);
       ++i) {
    output_[i] = static_cast<float>(random.uniform(-wide, wide));
  }
}

namespace {

// out = the last row of `output` + sum over units of unit * its row; most units are 0.
void weigh(std::span<const float> output, std::span<const float> units, std::span<float> out) {
  const std::size_t labels = out.size();
  std::copy_n(output.data() + units.size() * labels, labels, out.data());
  for (std::size_t h = 0; h < units.size(); ++h) {
    if (units[h] == 0) continue;
    const float* w = output.data() + h * labels;
    for (std::size_t l = 0; l < labels; ++l) out[l] += units[h] * w[l];
  }
}

}  // namespace

void RoleNetwork::scores(std::span<const std::uint32_t> rows, std::span<float> out) const {
  std::vector<float> units = bias_;
  const std::size_t n = units.size();
  for (const std::uint32_t row : rows) {
    for (std::size_t h = 0; h < n; ++h) units[h] += table_[row * n + h];
  }
  for (float& u : units) u = std::max(u, 0.0f);
  weigh(output_, units, out);
}

void RoleNetwork::update(std::span<float> values, std::span<float> squares,
                         std::span<const float> gradient, float rate) const {
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    values[i] += adagrad_step(squares[i], gradient[i], -rate, kDamping);
  }
}

// Hidden units of what is kept of the rows, and probabilities in errors_.
void RoleNetwork::look(std::span<const std::uint32_t> rows, const Step& step, Random& random) {
  const std::size_t n = static_cast<std::size_t>(hidden_);
  const auto drops = [&](float p) {
    return static_cast<float>(random.next() >> 40) * 0x1.0p-24f < p;
  };
  kept_.clear();
  for (const std::uint32_t row : rows) {
    if (!drops(step.drop_rows)) kept_.push_back(row);
  }
  std::fill(units_.begin(), units_.end(), 0.0f);
  for (const std::uint32_t row : kept_) {
    const float* from = table_.data() + row * n;
    for (std::size_t h = 0; h < n; ++h) units_[h] += from[h];
  }
  // What is kept is as loud as all would be.
  const float louder = 1 / (1 - step.drop_rows), loud = 1 / (1 - step.drop_hidden);
  for (std::size_t h = 0; h < n; ++h) {
    const float in = units_[h] * louder + bias_[h];
    units_[h] = in > 0 && !drops(step.drop_hidden) ? in * loud : 0;
  }
  weigh(output_, units_, errors_);
  const float most = *std::max_element(errors_.begin(), errors_.end());
  float sum = 0;
  for (float& e : errors_) sum += e = std::exp(e - most);
  for (float& e : errors_) e /= sum;
}

void RoleNetwork::prefetch(std::span<const std::uint32_t> rows) const {
  const std::size_t n = static_cast<std::size_t>(hidden_);
  for (const std::uint32_t row : rows) {
    for (std::size_t h = 0; h < n; h += 16) {
      __builtin_prefetch(&table_[row * n + h]);
      __builtin_prefetch(&table_squares_[row * n + h]);
    }
  }
}

float RoleNetwork::learn(std::span<const std::uint32_t> rows, int right, const Step& step,
                         Random& random) {
  const std::size_t n = static_cast<std::size_t>(hidden_), labels = errors_.size();
  look(rows, step, random);
  const float before = errors_[right];
  if (before > kSure) return before;
  errors_[right] -= 1;
  const float louder = 1 / (1 - step.drop_rows), loud = 1 / (1 - step.drop_hidden);
  for (std::size_t h = 0; h < n; ++h) {
    back_[h] = 0;
    if (units_[h] == 0) continue;
    float* const w = output_.data() + h * labels;
    float* const squares = output_squares_.data() + h * labels;
    float sum = 0;
    for (std::size_t l = 0; l < labels; ++l) sum += errors_[l] * w[l];
    for (std::size_t l = 0; l < labels; ++l) {
      w[l] += adagrad_step(squares[l], errors_[l] * units_[h], -step.rate, kDamping);
    }
    back_[h] = sum * loud;
  }
  update(std::span(output_).subspan(n * labels), std::span(output_squares_).subspan(n * labels),
         errors_, step.rate);
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
  work.own.resize(static_cast<std::size_t>(labels_));
  weigh(output_, work.units, work.own);
  for (int l = 0; l < labels_; ++l) scores[l] += weight * (work.own[l] - work.own[0]);
}

}  // namespace entente::roles
