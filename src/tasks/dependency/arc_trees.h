// The second-order parser as one side of an agreement: its best tree when arcs have prices.
//
//   ArcTrees trees;                                        // one a thread: keeps its memory
//   trees.start(parts, scores, options, 0.5);              // scores count half
//   trees.maximize(prices, on);                            // prices of parts.arcs
//
// Cost: a decoding each time. Everything given must outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/arc_agreement.h"
#include "tasks/dependency/decode.h"

namespace entente::dependency {

class ArcTrees : public ArcModel {
 public:
  void start(const Parts& parts, const PartScores& scores, const DecodeOptions& options,
             double weight);
  std::span<const trees::Arc> arcs() const override { return parts_->arcs; }
  int words() const override { return parts_->words; }
  int size() const override { return static_cast<int>(parts_->arcs.size()); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;
  void build_problem(Graph& out) const override;
  // heads[m - 1] of the arcs that are on; false if a word has none.
  bool heads_of(std::span<const std::uint8_t> on, std::vector<std::int32_t>& heads) const;

 private:
  const Parts* parts_ = nullptr;
  DecodeOptions options_;
  PartScores own_;
  std::vector<double> arcs_;  // own scores of arcs, without prices
  std::vector<std::int32_t> heads_, reached_;
  Decoder decoder_;
};

}  // namespace entente::dependency
