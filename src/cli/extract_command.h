// `entente extract`: candidates in, the best entities and relations under a schema out, in order.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace entente::cli {

struct ExtractArguments {
  std::vector<std::string> paths;
  std::string schema, scale, mode, from, to, output = "-", certificate;
  std::vector<std::string> without;
  int k_best = 0, threads = 0;
  double time_limit = -1, default_score = 0.9;  // time limit: seconds a text, below 0: none
  bool document = false, explain = false, brief = false;
  bool json = false, table = false, keep_going = false, quiet = false;
};
void add_extract(CLI::App& parent, ExtractArguments& arguments);
int run_extract(const ExtractArguments& arguments);

}  // namespace entente::cli
