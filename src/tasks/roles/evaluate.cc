// `entente evaluate roles` and `entente retree`.
#include <fmt/format.h>

#include <ctime>

#include "corpus/propbank/evaluation.h"
#include "entente/error.h"
#include "tasks/roles/argument_trainer.h"
#include "tasks/roles/task.h"

namespace entente::roles {

namespace {

using propbank::PropSentence;
using Problem = RoleLabeller::Work::Problem;

// Of gold arguments: those that are no phrase of the trees, those that are no candidate.
struct Coverage {
  std::int64_t arguments = 0, no_phrase = 0, no_candidate = 0;

  void add(const PropSentence& gold, const PropSentence& system, Input& input,
           FeatureMaker& maker) {
    input.assign(system);
    for (const propbank::Proposition& p : gold.propositions) {
      const auto [begin, end] = predicate_words(p);
      maker.set_predicate(input, p.predicate, begin, end);
      for (const propbank::RoleSpan& r : p.roles) {
        if (propbank::bare_role(r.label) == "V") continue;
        ++arguments;
        no_phrase += system.tree.empty() || system.tree.node_over(r.begin, r.end) < 0;
        bool found = false;
        for (const Candidate& c : maker.candidates()) {
          found |= c.begin == r.begin && c.end == r.end;
        }
        no_candidate += !found;
      }
    }
  }
  std::string line() const {
    const double all = 0.01 * static_cast<double>(std::max<std::int64_t>(arguments, 1));
    return fmt::format("arguments that are no phrase {:.2f}%, no candidate {:.2f}%\n",
                       static_cast<double>(no_phrase) / all,
                       static_cast<double>(no_candidate) / all);
  }
};

template <typename Run>
double microseconds(const std::vector<Problem>& problems, int rounds, Run&& run) {
  const std::clock_t start = std::clock();
  for (int r = 0; r < rounds; ++r) {
    for (const Problem& p : problems) run(p);
  }
  return 1e6 * static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC) /
         (static_cast<double>(problems.size()) * rounds);
}

// What choosing the roles of a predicate costs, on one thread, in processor time.
std::string decoder_table(const std::vector<Problem>& problems, const RoleLabels& labels,
                          const RoleRules& rules) {
  if (problems.empty()) return "";
  RoleDecoder decoder(labels);
  RoleDecision d;
  std::int64_t searched = 0, proven = 0;
  std::vector<double> values;
  for (const Problem& p : problems) {
    decoder.decode(p.problem, p.allowed, rules, d);
    searched += !d.local;
    proven += d.proven;
    values.push_back(d.value);
  }
  const double local = microseconds(problems, 20, [&](const Problem& p) {
    decoder.decode_locally(p.problem, p.allowed, rules, d);
  });
  const double exact = microseconds(
      problems, 20, [&](const Problem& p) { decoder.decode(p.problem, p.allowed, rules, d); });
  std::string out = fmt::format(
      "\ndecoders, {} predicates ({} need a search, {} proven), microseconds a predicate\n"
      "local           {:10.2f}\nexact           {:10.2f}   {:.1f} times local\n",
      problems.size(), searched, proven, local, exact, exact / local);
  // By CBC: the whole problem with a variable for each span and role, tuned and as it comes; and
  // what is left when roles that are worth nothing are dropped, as exact does.
  struct Rival {
    const char *name, *backend;
    bool whole;
  };
  for (const Rival& rival :
       {Rival{"cbc", "cbc", true}, Rival{"cbc, not tuned", "cbc_default", true},
        Rival{"cbc, reduced", "cbc", false}}) {
    Options ilp;
    ilp.method = Method::ilp;
    ilp.backend = rival.backend;
    ilp.presolve = false;
    decoder.whole_problems = rival.whole;
    const std::size_t count = std::min<std::size_t>(problems.size(), rival.whole ? 500 : 5000);
    const std::vector<Problem> some(problems.begin(),
                                    problems.begin() + static_cast<std::ptrdiff_t>(count));
    Graph graph;
    Workspace workspace;
    std::size_t at = 0;
    std::int64_t differ = 0;
    try {
      const double cbc = microseconds(some, 1, [&](const Problem& p) {
        decoder.build(p.problem, p.allowed, rules, false, graph);
        const double value = graph.variable_count() == 0 ? 0 : solve(graph, ilp, workspace).value;
        differ += std::abs(value - values[at]) > 1e-5 * std::max(1.0, std::abs(value));
        ++at;
      });
      out += fmt::format("{:<16}{:10.2f}   {:.0f} times exact, on {}; other values: {}\n",
                         rival.name, cbc, cbc / exact, count, differ);
    } catch (const Error& e) {
      out += fmt::format("{}: {}\n", rival.name, e.what());
    }
  }
  return out;
}

}  // namespace

void run_evaluation(const EvaluateRequest& request) {
  if (request.inputs.empty() || request.inputs.size() > 2) {
    throw Error("expected the gold columns, and the system's if they are to be compared");
  }
  const std::vector<PropSentence> gold = propbank::read_propbank(request.inputs[0]);
  expect_some(gold.size(), "sentences in columns", request.inputs[0]);
  propbank::RoleScores scores;
  std::string more;
  if (request.inputs.size() == 2) {
    const std::vector<PropSentence> system = propbank::read_propbank(request.inputs[1]);
    if (gold.size() != system.size()) {
      throw Error(fmt::format("{} has {} sentences and {} has {}", request.inputs[0], gold.size(),
                              request.inputs[1], system.size()));
    }
    for (std::size_t i = 0; i < gold.size(); ++i) scores.add(gold[i], system[i]);
  } else {
    const auto& annotator = dynamic_cast<const RolesAnnotator&>(request.models->annotator());
    const LabelOptions options = label_options(request.settings, annotator.labeller());
    std::unique_ptr<OwnTrees> own;
    if (request.settings.text("trees") != "gold") {
      own = std::make_unique<OwnTrees>(request.models->below());
    }
    RoleLabeller::Work work(annotator.labeller());
    std::vector<Problem> problems;
    if (request.settings.flag("all_decoders")) work.problems = &problems;
    Coverage coverage;
    Input input;
    request.monitor->stage("roles", static_cast<std::int64_t>(gold.size()));
    for (const PropSentence& g : gold) {
      PropSentence system = g;
      if (own) own->replace(system);
      annotator.labeller().label(system, options, work);
      scores.add(g, system);
      coverage.add(g, system, input, work.arguments.maker);
      request.monitor->advance(1);
    }
    more = coverage.line() +
           decoder_table(problems, annotator.labeller().arguments().labels(), options.rules);
  }
  request.write(request.json ? scores.json() : scores.table() + more);
}

int run_retree(const TaskRequest& request) {
  if (request.inputs.empty()) throw Error("expected PropBank columns");
  const int parts = request.settings.integer("parts"), part = request.settings.integer("part");
  if (part >= parts) throw Error(fmt::format("there is no part {} of {}", part, parts));
  OwnTrees own(request.models->below());
  for (const std::string& path : request.inputs) {
    std::vector<PropSentence> sentences = propbank::read_propbank(path);
    request.monitor->stage("roles: own trees", static_cast<std::int64_t>(sentences.size()));
    std::string out;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      request.monitor->advance(1);
      if (static_cast<int>(i / 50 % parts) != part) continue;
      if (request.monitor->stopped()) return 1;
      own.replace(sentences[i]);
      propbank::ProbabilityLines::append(out, sentences[i]);
      append_columns(out, sentences[i]);
    }
    request.write(out);
  }
  return 0;
}

}  // namespace entente::roles
