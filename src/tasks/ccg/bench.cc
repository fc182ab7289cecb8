#include "tasks/ccg/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "entente/error.h"
#include "tasks/ccg/bench_cost.h"
#include "tasks/ccg/bench_tables.h"

namespace entente::ccg {

namespace {

constexpr const char* kSections[] = {"cost",   "figure4", "figure5", "figure6", "table3",
                                     "table4", "table5",  "table6",  "table7",  "reverse"};

std::set<std::string> sections_of(const Settings& settings) {
  std::set<std::string> out;
  for (const std::string& s : pieces_of(settings.text("sections"))) {
    if (std::find(std::begin(kSections), std::end(kSections), s) == std::end(kSections))
      throw Error("unknown section " + quoted(s) +
                  "; there are cost, figure4 to figure6, table3 to table7 and reverse");
    out.insert(s);
  }
  if (out.empty()) out.insert(std::begin(kSections), std::end(kSections));
  return out;
}

void print_costs(BenchLab& lab, bool figure_4, bool figure_5) {
  const TrainingCharts& charts =
      lab.with_charts(lab.restricted(lab.settings().integer("cost_chart"))).charts();
  WeightsOptions w = lab.weights("cll", 0);
  w.iterations = 15;
  const std::vector<double> weights = train_weights(charts.sentences, w, lab.monitor());
  const int most = lab.settings().integer("cost_sentences");
  std::span<const PackedSentence> some(charts.sentences);
  some = some.subspan(0, std::min<std::size_t>(some.size(), most));
  if (lab.monitor().stopped()) return;
  // Weights that say nothing yet are the dearest: every edge matters.
  lab.say("\nWith all weights 0, as training begins:");
  lab.say(cost_report(some, std::vector<double>(weights.size(), 0), 1.0, false, false));
  lab.say("\nAfter 15 iterations of likelihood:");
  lab.say(cost_report(some, weights, 1.0, figure_4, figure_5));
}

}  // namespace

std::vector<Setting> bench_settings() {
  return {
      setting::text("corpus", "../shared/data/ccg", "the folder with ewt-*.auto.gz, pmb3-*.auto.gz")
          .in(kBench),
      setting::choice("scheme", {"ewt", "pmb3"}, "ewt", "which of the two schemes").in(kBench),
      setting::text("sections", "",
                    "cost, figure4 to figure6, table3 to table7, reverse (rows of Tables 5 and 6), "
                    "with commas; none: all")
          .in(kBench),
      setting::text("keep", "", "a folder that keeps finished rows; what is there is not run again")
          .in(kBench),
      setting::integer("sentences", 0, 0, 1000000, "of train; 0: all").in(kBench),
      setting::integer("dev_sentences", 0, 0, 1000000, "of dev; 0: all").in(kBench),
      setting::integer("choose", 1500, 0, 1000000,
                       "sentences of train to choose l2 and tau on, a fifth held out")
          .in(kBench),
      setting::text("l2s", "0.03,0.1,0.3", "to choose from; one: that").in(kBench),
      setting::text("taus", "0.25,0.5,1,2", "to choose from; one: that").in(kBench),
      setting::text("exact_taus", "1,2,4,8", "the same for exact losses").in(kBench),
      setting::text("figure_taus", "1,2,4,8", "of Figure 6").in(kBench),
      setting::choice("figure_targets", {"treebank", "max_f", "both"}, "treebank",
                      "what the parsers of Figure 6 are drawn to")
          .in(kBench),
      setting::integer("cost_sentences", 200, 1, 1000000, "charts to measure costs on").in(kBench),
      setting::integer("cost_chart", 100000, 100, 10000000, "their edges at the most").in(kBench),
      setting::integer("large_chart", 300000, 100, 10000000,
                       "edges of a training chart of Tables 3 and 5 to 7 at the most")
          .in(kBench),
      setting::integer("exact_chart", 100000, 100, 10000000,
                       "edges of a training chart of Table 4 at the most")
          .in(kBench),
      setting::integer("bench_iterations", 80, 1, 10000, "of L-BFGS at the most").in(kBench),
      setting::integer("bench_supertag_epochs", 8, 1, 1000, "of supertaggers").in(kBench),
      setting::integer("bench_jackknife", 4, 1, 100, "parts for training supertags").in(kBench),
      setting::number("hamming_tau", 1, 0, 100, "of the supertagger of Table 6").in(kBench),
  };
}

int run_bench(const TaskRequest& request) {
  const std::set<std::string> wanted = sections_of(request.settings);
  BenchLab lab(request);
  const auto wants = [&](std::initializer_list<const char*> any) {
    return !lab.monitor().stopped() &&
           std::any_of(any.begin(), any.end(), [&](const char* s) { return wanted.count(s) > 0; });
  };
  if (!lab.read()) return 1;
  lab.choose();
  if (wants({"cost", "figure4", "figure5"}))
    print_costs(lab, wants({"figure4"}), wants({"figure5"}));
  if (wants({"figure6"})) print_figure_6(lab);
  if (wants({"table4"})) print_table_4(lab);
  if (wants({"table3"})) print_table_3(lab);
  if (wants({"table5", "table6"}))
    print_tables_5_and_6(lab, {.table_5 = wants({"table5"}),
                               .table_6 = wants({"table6"}),
                               .reverse = wants({"reverse"})});
  if (wants({"table7"})) print_table_7(lab);
  return lab.monitor().stopped() ? 1 : 0;
}

}  // namespace entente::ccg
