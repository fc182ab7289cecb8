// How runs of agreement went, as a picture: the gap that is left and the share of problems that are
// done, by round.
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
  std::string svg() const;

 private:
  struct Run {
    std::vector<double> dual, primal;  // best so far
    bool agreed = false;
  };
  std::map<int, Run> runs_;
};

}  // namespace entente::constituency
