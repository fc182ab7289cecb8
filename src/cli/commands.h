// What the command line was parsed into, and the commands that take it. Each returns an exit code
// (see cli.h) and throws Error for bad input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "entente/options.h"

namespace entente::cli {

struct SolveArguments {
  std::vector<std::string> paths;
  std::string format;  // empty: by ending
  std::string method = "exact";
  Options options;
  std::vector<std::string> fix;
  int k_best = 0;
  bool margins = false;
  std::optional<bool> explain;  // unset: yes, except for JSON Lines
  bool json = false, table = false, timing = false, quiet = false, keep_going = false;
  int threads = 0;  // 0: as many as there are cores
  std::string output = "-", certificate, trace, plot;
};
int run_solve(SolveArguments arguments);

struct VerifyArguments {
  std::string problem, certificate, format;
  double tolerance = 1e-6;
  std::vector<std::string> fix;
  bool json = false, quiet = false;
};
int run_verify(const VerifyArguments& arguments);

struct ConvertArguments {
  std::string from_path, to_path, from, to;
};
int run_convert(const ConvertArguments& arguments);

struct DemoArguments {
  std::string what = "decoders";  // or "agree"
  std::string directory = "build/demo";
  std::string write_examples;  // a directory; empty: do not
};
int run_demo(const DemoArguments& arguments);

}  // namespace entente::cli
