// What `entente bench roles` counts and times: see bench.h.
#pragma once

#include <string>
#include <vector>

#include "corpus/propbank/evaluation.h"
#include "tasks/roles/kernel_recognition.h"

namespace entente::roles {

struct Recognition {
  propbank::RoleScore pieces, whole;  // C-X on its own, and as CoNLL-2005 joins it
};

// Counts spans that were found for one proposition.
void count_spans(const propbank::Proposition& gold, std::vector<std::pair<int, int>> found,
                 Recognition& out);

struct Held {
  std::vector<propbank::PropSentence> sentences;
  std::vector<KernelTree> trees;
};

// With and without the rule against overlap. Without it, nodes over the same words (NP over PRP) may
// both be taken: as one argument (`free`), or each as one (`nodes`).
struct TwoWays {
  Recognition disjoint, free, nodes;
  std::int64_t predicates = 0, overlapping = 0;  // of these, with spans that overlap
};
TwoWays recognise(const KernelRecognizer& recognizer, const Held& held, Recognise way);

double processor_seconds();

// One way of scoring, on some of the sentences: seconds and cells a sentence, and all scores.
struct Timing {
  double seconds = 0, cells = 0;
  std::vector<double> scores;
};
Timing time_way(const KernelRecognizer& recognizer, const Held& held, std::size_t sentences,
                Recognise way);
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

// Lines of F1 over a logarithmic axis, as SVG.
struct PlotLine {
  std::string name;
  std::vector<std::pair<double, double>> points;
};
std::string f1_plot(const std::string& title, const std::string& axis,
                    const std::vector<PlotLine>& lines);

}  // namespace entente::roles
