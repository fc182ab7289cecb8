// Two models of your own made to agree: a chain of 0s and 1s whose neighbours like to be equal, and a
// budget for the 1s. c++ -std=c++20 agreement.cc -lentente
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include "entente/agreement.h"

struct Chain : entente::AgreementModel {
  std::vector<double> s;  // of each word being 1; equal neighbours earn 1
  explicit Chain(std::vector<double> scores) : s(std::move(scores)) {}
  int size() const override { return static_cast<int>(s.size()); }
  double maximize(std::span<const double> price, std::span<std::uint8_t> on) override {
    std::vector<double> best(2 * s.size());  // Viterbi
    for (int i = 0; i < 2 * size(); ++i) {
      best[i] = (i & 1) * (s[i / 2] + price[i / 2]);
      if (i > 1) best[i] += std::max(best[i - 2] + 1, best[(i - 2) ^ 1]);
    }
    int at = static_cast<int>(std::max_element(best.end() - 2, best.end()) - best.begin());
    const double value = best[at];
    for (on[at / 2] = at & 1; at > 1; on[at / 2] = at & 1) {
      at = best[at - 2] + 1 >= best[(at - 2) ^ 1] ? at - 2 : (at - 2) ^ 1;
    }
    return value;
  }
  double score(std::span<const std::uint8_t> on) override {
    double sum = 0;
    for (int i = 0; i < size(); ++i) sum += on[i] * s[i] + (i > 0 && on[i] == on[i - 1]);
    return sum;
  }
};

struct Budget : entente::AgreementModel {
  int n, most;
  Budget(int words, int limit) : n(words), most(limit) {}
  int size() const override { return n; }
  double maximize(std::span<const double> price, std::span<std::uint8_t> on) override {
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return price[a] > price[b]; });
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += (on[order[k]] = k < most && price[order[k]] > 0) * price[order[k]];
    return sum;
  }
  double score(std::span<const std::uint8_t> on) override {
    return std::count(on.begin(), on.end(), 1) <= most ? 0 : -INFINITY;
  }
};

int main() {
  Chain chain({1.5, -0.2, 1.1, -2, 0.9, 0.8});
  Budget budget(6, 3);
  const auto r = entente::Agreement(chain, budget).run({.branches = 100});
  for (const int on : r.on) std::printf("%d ", on);
  std::printf(" value %.2f, bound %.2f\n", r.value, r.bound);
}
