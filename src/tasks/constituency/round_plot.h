// How runs of agreement went, as a picture: the gap that is left and the share of problems that are
// done, by round; what they cost, by the length of the sentence.
//
//   RoundPlot plot;  plot.add(problem, round);  write_whole_file("t.svg", plot.svg());
#pragma once

#include <map>
#include <string>
#include <vector>

#include "entente/agreement.h"

namespace entente::constituency {

class RoundPlot {
 public:
  void add(int problem, const AgreementRound& round);
  void add_cost(int words, double seconds);
  std::string svg() const;

 private:
  struct Run {
    std::vector<double> dual, primal;  // best so far
    bool agreed = false;
  };
  std::string costs(double top) const;

  std::map<int, Run> runs_;
  struct Cost {
    double seconds = 0;
    int sentences = 0;
  };
  std::map<int, Cost> costs_;  // by fives of words
};

}  // namespace entente::constituency
