#include "tasks/frames/gold_facts.h"

#include <fmt/format.h>

#include <vector>

#include "tasks/frames/constraints.h"

namespace entente::frames {

void GoldFacts::add(std::span<const FrameInstance> frames, const framenet::Lexicon& lexicon) {
  std::vector<Filled> arguments;
  std::vector<int> times;
  for (const FrameInstance& instance : frames) {
    const int number = lexicon.find(instance.frame);
    if (number < 0) continue;
    const framenet::Frame& frame = lexicon.frames[number];
    arguments.clear();
    times.assign(frame.roles.size(), 0);
    bool twice = false;
    for (const FrameArgument& a : instance.arguments) {
      const int role = frame.find_role(a.role);
      if (role < 0) continue;
      twice = ++times[role] > 1 || twice;
      arguments.push_back({role, a.words});
    }
    const Violations broken = count_violations(frame, arguments);
    ++predicates;
    without_arguments += arguments.empty();
    filled_twice += twice;
    overlaps += broken.overlap > 0;
    with_requires += !frame.requires_.empty();
    with_excludes += !frame.excludes.empty();
    requires_broken += broken.requires_ > 0;
    excludes_broken += broken.excludes > 0;
  }
}

std::string GoldFacts::text() const {
  const auto line = [](const char* what, std::int64_t count, std::int64_t of) {
    const double share = of > 0 ? 100.0 * static_cast<double>(count) / static_cast<double>(of) : 0;
    return fmt::format("  {:<46}{:>7} of {:>6} ({:.2f}%)\n", what, count, of, share);
  };
  return "Predicates in gold\n" + line("without any argument", without_arguments, predicates) +
         line("that fill a role more than once", filled_twice, predicates) +
         line("two of whose arguments share a word", overlaps, predicates) +
         line("that break `requires`, of those that have it", requires_broken, with_requires) +
         line("that break `excludes`, of those that have it", excludes_broken, with_excludes) +
         "\n";
}

}  // namespace entente::frames
