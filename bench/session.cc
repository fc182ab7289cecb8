#include "bench/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/random.h"
#include "bench/families.h"
#include "entente/session.h"

namespace entente::bench {

namespace {

enum Change { kClamp, kUndo, kScore, kChanges };
constexpr const char* kNames[] = {"clamp", "undo", "score"};

struct Tally {
  double log_ratio = 0, fresh = 0, warm = 0;
  int count = 0;
};

// What a look at the clock itself takes: as much as a session that has its answer ready.
double clock_cost() {
  double least = 1;
  for (int i = 0; i < 1000; ++i) {
    const double start = processor_seconds();
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

double seconds_since(double start) {
  static const double cost = clock_cost();
  return std::max(1e-8, processor_seconds() - start - cost);
}

class SessionBench {
 public:
  SessionBench(const Graph& g, std::uint64_t seed) : session_(g), changed_(g), r_(seed) {
    session_.solve();
  }

  // One change and both solves; false if they differ.
  bool step(Tally (&tally)[kChanges]) {
    // A clamp, its undoing and a score in every three changes; the score stands anywhere.
    if (place_ == 0) score_at_ = r_.below(kChanges);
    const Change what = place_ == score_at_ ? kScore : clamped_.empty() ? kClamp : kUndo;
    place_ = (place_ + 1) % kChanges;
    change(what);
    // In turns, so that neither always finds the problem in the processor's caches.
    double warm_value = 0, warm = 0, fresh = 0;
    auto solve_warm = [&] {
      const double start = processor_seconds();
      warm_value = session_.solve().value;
      warm = seconds_since(start);
    };
    auto solve_fresh = [&] {
      const double start = processor_seconds();
      entente::solve(changed_, {}, workspace_, solution_);
      fresh = seconds_since(start);
    };
    turn_ = !turn_;
    if (turn_) solve_warm();
    solve_fresh();
    if (!turn_) solve_warm();
    Tally& t = tally[what];
    t.log_ratio += std::log(fresh / warm);
    t.fresh += fresh;
    t.warm += warm;
    ++t.count;
    return warm_value == solution_.value ||
           std::abs(warm_value - solution_.value) <= 1e-6 * std::max(1.0, std::abs(warm_value));
  }

 private:
  void change(Change what) {
    const int n = changed_.variable_count();
    if (what == kScore) {
      const Var v{r_.below(n)};
      const double score = changed_.score(v) + r_.normal(0, 0.5);
      session_.set_score(v, score);
      changed_.set_score(v, score);
    } else if (what == kUndo) {
      const Var v = clamped_.back();
      clamped_.pop_back();
      session_.unclamp(v);
      changed_.free(v);
    } else {
      std::vector<int> on;
      const auto& z =
          solution_.assignment.empty() ? session_.solve().assignment : solution_.assignment;
      for (int v = 0; v < n; ++v) {
        if (z[v] && !is_clamped(v)) on.push_back(v);
      }
      if (on.empty()) return change(kScore);
      const Var v{on[r_.below(static_cast<int>(on.size()))]};
      clamped_.push_back(v);
      session_.clamp(v, false);
      changed_.fix(v, false);
    }
  }
  bool is_clamped(int v) const {
    for (Var c : clamped_) {
      if (c.index == v) return true;
    }
    return false;
  }

  Session session_;
  Graph changed_;
  Workspace workspace_;
  Solution solution_;
  std::vector<Var> clamped_;
  Random r_;
  bool turn_ = false;
  int place_ = 0, score_at_ = 0;
};

}  // namespace

int run_bench_session(const SessionBenchOptions& o, std::FILE* out) {
  int differ = 0;
  for (const std::string& name : o.families) {
    Tally tally[kChanges];
    Graph g;
    int done = 0;
    const Family family = make_family(name, o.seed, 0.1);
    for (std::size_t p = 0; done < o.changes; ++p) {
      build(family.problems[p % family.problems.size()], g);
      SessionBench bench(g, o.seed * 1000 + p);
      for (int k = 0; k < o.each && done < o.changes; ++k, ++done) differ += !bench.step(tally);
    }
    fmt::print(out, "\n{}: {} changes\n{:<10}{:>9}{:>14}{:>14}{:>16}\n", name, done, "change",
               "times", "fresh us", "session us", "geometric mean");
    Tally all;
    for (int c = 0; c < kChanges; ++c) {
      const Tally& t = tally[c];
      const double n = std::max(1, t.count);
      fmt::print(out, "{:<10}{:>9}{:>14.2f}{:>14.2f}{:>16.2f}\n", kNames[c], t.count,
                 1e6 * t.fresh / n, 1e6 * t.warm / n, std::exp(t.log_ratio / n));
      all.log_ratio += t.log_ratio;
      all.count += t.count;
    }
    const double mean = std::exp(all.log_ratio / std::max(1, all.count));
    fmt::print(out, "required: sessions on {} are 5 times as fast as fresh solves: {:.4g}  {}\n",
               name, mean, mean >= 5 ? "ok" : "MISSED");
  }
  fmt::print(out, "required: sessions differ from fresh solves: {}  {}\n", differ,
             differ == 0 ? "ok" : "MISSED");
  return differ == 0 ? 0 : 1;
}

}  // namespace entente::bench
