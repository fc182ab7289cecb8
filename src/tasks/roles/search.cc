#include "tasks/roles/search.h"

#include <algorithm>
#include <tuple>

namespace entente::roles {

namespace {
std::uint64_t bit(int label) { return std::uint64_t{1} << label; }
}  // namespace

void RoleSearch::make_spans() {
  std::sort(options_.begin(), options_.end(), [](const Option& a, const Option& b) {
    return std::tuple(a.begin, a.end, a.candidate, -a.score, a.label) <
           std::tuple(b.begin, b.end, b.candidate, -b.score, b.label);
  });
  spans_.clear();
  const int n = static_cast<int>(options_.size());
  for (int i = 0; i < n;) {
    const int first = i;
    while (i < n && options_[i].candidate == options_[first].candidate) ++i;
    spans_.push_back({first, i, 0});
  }
  const int count = static_cast<int>(spans_.size());
  bound_.assign(static_cast<std::size_t>(count) + 1, 0.0);
  for (int s = count - 1; s >= 0; --s) {
    const Option& best = options_[spans_[s].first];
    int next = s + 1;
    while (next < count && options_[spans_[next].first].begin < best.end) ++next;
    spans_[s].next = next;
    bound_[s] = std::max(bound_[s + 1], best.score + bound_[next]);
  }
}

// Spans from `span` on are open; `present` has the labels chosen before it.
void RoleSearch::visit(int span, double value, std::uint64_t present) {
  if (++nodes_ > kMostNodes || (found_ && value + bound_[span] <= best_)) return;
  if (span == static_cast<int>(spans_.size())) {
    if ((present & wished_) != wished_) return;
    if (refers_) {
      for (const auto& [candidate, label] : now_) {
        const int to = labels_->referred[label];
        if (to >= 0 && !(present & bit(to))) return;
      }
    }
    found_ = true;
    best_ = value;
    best_choice_ = now_;
    return;
  }
  const Span s = spans_[span];
  for (int o = s.first; o < s.last; ++o) {
    const Option& option = options_[o];
    if (once_ && labels_->numbered[option.label] && (present & bit(option.label))) continue;
    const int before = labels_->continued[option.label];
    if (continues_ && before >= 0 && !(present & bit(before))) continue;
    now_.push_back({option.candidate, option.label});
    visit(s.next, value + option.score, present | bit(option.label));
    now_.pop_back();
  }
  visit(span + 1, value, present);
}

RoleSearch::End RoleSearch::run(const RoleLabels& labels, bool once, bool continues, bool refers,
                                std::uint64_t wished) {
  labels_ = &labels;
  once_ = once;
  continues_ = continues;
  refers_ = refers;
  wished_ = wished;
  make_spans();
  nodes_ = 0;
  found_ = false;
  best_ = 0;
  now_.clear();
  best_choice_.clear();
  visit(0, 0, 0);
  if (nodes_ > kMostNodes) return End::kGaveUp;
  return found_ ? End::kBest : End::kInfeasible;
}

}  // namespace entente::roles
