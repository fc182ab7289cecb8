// The command `entente`: parses the command line and calls one of the commands.
//
//   return entente::cli::run(argc, argv);
//
// Every way to fail ends here as one line on standard error and an exit code:
//   0  every problem got an answer (optimal, feasible within a limit, or proved infeasible);
//   1  something could not be answered, or a certificate was refused;
//   2  bad input or a bad command line;
//   128 + n  ended by signal n (130: Ctrl-C).
#pragma once

namespace entente::cli {

inline constexpr int kAnswered = 0;
inline constexpr int kNotAnswered = 1;
inline constexpr int kBadInput = 2;

int run(int argc, char** argv);

}  // namespace entente::cli
