// A picture of time against the length of a sentence.
//
//   write_whole_file("times.svg", plot_lengths({{10, 0.4}, {20, 1.1}}));
#pragma once

#include <span>
#include <string>

namespace entente::bench {

struct LengthTime {
  int length = 0;
  double milliseconds = 0;
};

std::string plot_lengths(std::span<const LengthTime> times);

}  // namespace entente::bench
