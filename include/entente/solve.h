// Solving: one call, any method.
//
//   Workspace ws;                       // keep it: the second solve allocates nothing
//   Solution s = solve(graph, {}, ws);  // exact
//   if (s.status == Status::optimal) use(s.assignment);
//
// Deterministic: the same graph and options give the same solution, bit for bit (time limits
// aside). A Workspace serves one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "entente/graph.h"
#include "entente/options.h"
#include "entente/solution.h"

namespace entente {

struct WorkspaceParts;  // the solvers' scratch memory (src/engine/workspace.h)

class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  WorkspaceParts& parts() { return *parts_; }

 private:
  std::unique_ptr<WorkspaceParts> parts_;
};

// Throws Error if the method or backend is not available in this build.
void solve(const Graph& graph, const Options& options, Workspace& workspace, Solution& out);
Solution solve(const Graph& graph, const Options& options, Workspace& workspace);
Solution solve(const Graph& graph, const Options& options = {});

// Many problems over `threads` threads: out[i] belongs to graphs[i], the same whatever the threads.
void solve_batch(std::span<const Graph> graphs, const Options& options, int threads,
                 std::vector<Solution>& out);

// The k best assignments, best first, fewer if there are not as many. Each is exact under `options`
// limits: a Solution's status says so. Ties in no particular but a repeatable order.
std::vector<Solution> k_best(const Graph& graph, int k, const Options& options,
                             Workspace& workspace);

// For each variable: how much the total would lose if it had the other value (>= 0; infinity where
// the flip is impossible). solution must be optimal.
std::vector<double> margins(const Graph& graph, const Solution& solution, const Options& options,
                            Workspace& workspace);

}  // namespace entente
