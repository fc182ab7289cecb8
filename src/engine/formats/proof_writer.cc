#include <cmath>

#include "engine/formats/proof_json.h"

namespace entente {

namespace {

class ProofWriter {
 public:
  ProofWriter(const Graph& graph, const Proof& proof, JsonWriter& out)
      : proof_(proof), out_(out), numbering_(graph) {}

  void run() {
    out_.line(2).key("choices").begin_array();
    for (int f : proof_.choices) out_.number(numbering_.to_file[f]);
    out_.end_array().line(2).key("steps").begin_array();
    while (at_ < proof_.words.size()) {
      const auto step = static_cast<ProofStep>(next());
      out_.line(4).begin_array().string(kStepNames[static_cast<std::size_t>(step)]);
      write(step);
      out_.end_array();
    }
    if (!proof_.words.empty()) out_.line(2);
    out_.end_array();
  }

 private:
  std::int32_t next() { return proof_.words.at(at_++); }
  double number() {
    const double x = proof_.numbers.at(number_++);
    if (!std::isfinite(x)) throw Error("a price of a certificate is not finite");
    return x;
  }
  void states(int count) {
    for (int i = 0; i < count; ++i) out_.number(numbering_.state(next(), numbering_.to_file));
  }
  // An array of as many states as the next word says.
  std::span<const std::int32_t> listed() {
    const std::int32_t count = next();
    const std::size_t first = at_;
    out_.begin_array();
    states(count);
    out_.end_array();
    return std::span(proof_.words).subspan(first, static_cast<std::size_t>(count));
  }
  void write(ProofStep step) {
    switch (step) {
      case ProofStep::close:
      case ProofStep::cut:
      case ProofStep::suppose:
      case ProofStep::part:
        return states(next());
      case ProofStep::dominated:
        states(1);
        return states(next());
      case ProofStep::strike:
        out_.number(next());
        return states(next());
      case ProofStep::line:
        for (int i = next(); i > 0; --i) {
          out_.begin_array();
          states(1);
          const std::int32_t begin = next();
          out_.number(begin).number(next()).end_array();
        }
        return;
      case ProofStep::pairs:
        sizes_.begin_pairs();
        for (int i = next(); i > 0; --i) sizes_.add_node(listed());
        return;
      case ProofStep::region:
        sizes_.begin_region();
        for (int i = next(); i > 0; --i) sizes_.add_to_region(listed());
        return;
      case ProofStep::eliminate:
      case ProofStep::bound:
        out_.number(next());
        return;
      case ProofStep::alike:
        for (int i = next(); i > 0; --i) listed();
        return;
      case ProofStep::grid:
        out_.number(number());
        return;
      case ProofStep::empty: {
        const std::int32_t s = next();
        out_.number(s < 0 ? s : numbering_.state(s, numbering_.to_file));
        return;
      }
      case ProofStep::price:
        return write_price();
      case ProofStep::joint:
        out_.number(numbering_.factor(next(), numbering_.to_file));
        for (int i = next(); i > 0; --i) {
          out_.begin_array();
          states(next());
          out_.end_array();
        }
        return;
      case ProofStep::derive:
        out_.number(numbering_.factor(next(), numbering_.to_file));
        for (int i = 0; i < 3; ++i) out_.number(next());
        return states(next());
      case ProofStep::round:
        out_.begin_array();
        for (int rows = next(); rows > 0; --rows) {
          out_.begin_array().number(numbering_.factor(next(), numbering_.to_file));
          const std::int32_t part = next(), side = next();
          out_.number(part).number(side).number(number()).end_array();
        }
        out_.end_array();
        return states(next());
    }
  }
  // [disjoint, rows, nodes, shares, pairs]: lists of [factor, part, price], [state, price],
  // [factor, numbers...], [node, node, numbers...].
  void write_price() {
    out_.number(numbering_.factor(next(), numbering_.to_file));
    const std::int32_t rows = next(), nodes = next(), shares = next(), pairs = next();
    const std::int32_t like = next();
    out_.begin_array();
    for (int i = 0; i < rows; ++i) {
      const std::int32_t factor = numbering_.factor(next(), numbering_.to_file);
      const std::int32_t part = next();
      out_.begin_array().number(factor).number(part).number(number()).end_array();
    }
    out_.end_array().begin_array();
    for (int i = 0; i < nodes; ++i) {
      out_.begin_array();
      states(1);
      out_.number(number()).end_array();
    }
    out_.end_array().begin_array();
    for (int i = 0; i < shares; ++i) {
      out_.begin_array().number(numbering_.factor(next(), numbering_.to_file));
      for (int l = next(); l > 0; --l) out_.number(number());
      out_.end_array();
    }
    out_.end_array().begin_array();
    write_pairs(pairs);
    out_.end_array();
    if (like != Proof::kNone) out_.number(like);
  }
  void write_pairs(int count) {
    std::vector<std::pair<std::int32_t, std::int32_t>> nodes(count);
    for (auto& [a, b] : nodes) {
      a = next();
      b = next();
    }
    for (const auto& [a, b] : nodes) {
      out_.begin_array().number(a).number(b);
      for (std::int64_t l = sizes_.numbers(a, b); l > 0; --l) out_.number(number());
      out_.end_array();
    }
  }

  const Proof& proof_;
  JsonWriter& out_;
  const Numbering numbering_;
  std::size_t at_ = 0, number_ = 0;
  PairSizes sizes_;  // of the last `pairs`
};

}  // namespace

void write_proof(const Graph& graph, const Proof& proof, JsonWriter& out) {
  ProofWriter(graph, proof, out).run();
}

}  // namespace entente
