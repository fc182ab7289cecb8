#include "oracle/hypergraph/hypergraph.h"

#include <type_traits>

namespace entente {

void Hypergraph::clear() {
  nodes_ = 0;
  goal_ = -1;
  sorted_ = true;
  head_.clear();
  first_tail_.assign(1, 0);
  tails_.clear();
  first_edge_.clear();
  order_.clear();
  score.clear();
}

int Hypergraph::add_edge(int head, std::span<const std::int32_t> tails, double edge_score) {
  ENTENTE_CHECK(head >= 0 && head < nodes_);
  if (!head_.empty() && head < head_.back()) sorted_ = false;
  head_.push_back(head);
  for (const std::int32_t tail : tails) {
    ENTENTE_CHECK(tail >= 0 && tail < head);
    tails_.push_back(tail);
  }
  first_tail_.push_back(static_cast<std::int32_t>(tails_.size()));
  score.push_back(edge_score);
  return edges() - 1;
}

void Hypergraph::finish(int goal) {
  ENTENTE_CHECK(goal >= 0 && goal < nodes_);
  goal_ = goal;
  first_edge_.assign(nodes_ + 1, 0);
  for (const std::int32_t head : head_) ++first_edge_[head + 1];
  for (int v = 0; v < nodes_; ++v) first_edge_[v + 1] += first_edge_[v];
  order_.clear();
  if (!sorted_) sort_edges();
}

void Hypergraph::shrink() {
  const auto give_back = [](auto& array) {
    std::remove_reference_t<decltype(array)>().swap(array);
  };
  give_back(order_);
  give_back(spare_);
  give_back(spare_score_);
  for (auto* array : {&head_, &first_tail_, &tails_, &first_edge_}) array->shrink_to_fit();
  score.shrink_to_fit();
}

void Hypergraph::sort_edges() {
  const int count = edges();
  order_.resize(count);
  for (int e = 0; e < count; ++e) order_[first_edge_[head_[e]]++] = e;
  for (int v = nodes_; v > 0; --v) first_edge_[v] = first_edge_[v - 1];
  first_edge_[0] = 0;
  spare_.clear();
  spare_score_.clear();
  for (const std::int32_t from : order_) {
    for (const std::int32_t tail : tails(from)) spare_.push_back(tail);
    spare_score_.push_back(score[from]);
  }
  tails_.swap(spare_);
  score.swap(spare_score_);
  spare_.resize(count + 1);
  spare_[0] = 0;
  for (int e = 0; e < count; ++e) {
    spare_[e + 1] = spare_[e] + first_tail_[order_[e] + 1] - first_tail_[order_[e]];
  }
  first_tail_.swap(spare_);
  for (int v = 0; v < nodes_; ++v) {
    for (int e = first_edge_[v]; e < first_edge_[v + 1]; ++e) head_[e] = v;
  }
  sorted_ = true;
}

}  // namespace entente
