// What a choice of arguments breaks. Written from the lexicon alone and without a look at any
// decoder, so that it can judge all of them.
#include <vector>

#include "tasks/frames/constraints.h"

namespace entente::frames {

Violations& Violations::operator+=(const Violations& o) {
  overlap += o.overlap;
  requires_ += o.requires_;
  excludes += o.excludes;
  return *this;
}

Violations count_violations(const framenet::Frame& frame, std::span<const Filled> arguments) {
  Violations out;
  std::vector<bool> overt(frame.roles.size(), false);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    overt[arguments[i].role] = true;
    for (std::size_t j = 0; j < i; ++j)
      out.overlap += arguments[i].span.overlaps(arguments[j].span) ? 1 : 0;
  }
  for (auto [a, b] : frame.requires_) out.requires_ += overt[a] != overt[b] ? 1 : 0;
  for (auto [a, b] : frame.excludes) out.excludes += overt[a] && overt[b] ? 1 : 0;
  return out;
}

Violations count_violations(const framenet::Frame& frame, const ArgumentProblem& problem,
                            std::span<const int> span_of) {
  std::vector<Filled> arguments;
  for (std::size_t i = 0; i < span_of.size(); ++i) {
    if (span_of[i] >= 0) arguments.push_back({problem.roles[i], problem.spans[span_of[i]]});
  }
  return count_violations(frame, arguments);
}

}  // namespace entente::frames
