#include "tasks/roles/labeller.h"

#include <algorithm>
#include <cmath>

#include "tasks/roles/argument_trainer.h"

namespace entente::roles {

namespace {

constexpr const char* kMeanings = "roles/meanings";

}  // namespace

RoleLabeller::RoleLabeller(const ModelFile& file)
    : arguments_(file), rolesets_(file, arguments_.labels()), predicates_(file, rolesets_) {
  if (KernelModel::is_in(file)) kernel_ = std::make_unique<KernelModel>(file);
  if (file.has(kMeanings)) meanings_ = WordMeanings(file, kMeanings);
  if (!kernel_ && file.has(SecondLook::kSection)) {
    second_ = std::make_unique<SecondLook>(file);
  }
}

void RoleLabeller::find_predicates(propbank::PropSentence& sentence, const LabelOptions& options,
                                   Work& work) const {
  if (!options.gold_predicates) {
    sentence.propositions.clear();
    for (int w = 0; w < sentence.size(); ++w) {
      if (!may_be_predicate(work.trees.input(), w)) continue;
      const int set = predicates_.choose(work.trees.input(), w, work.predicates);
      if (set == kNotOne) continue;
      const bool known = set >= 0;
      sentence.propositions.push_back({w,
                                       known ? rolesets_[set].lemma : sentence.lemmas[w],
                                       known ? rolesets_[set].name : sentence.lemmas[w] + ".01",
                                       {}});
    }
  } else if (!options.gold_senses) {
    for (propbank::Proposition& p : sentence.propositions) {
      const int set = predicates_.sense(work.trees.input(), p.predicate, work.predicates);
      p.roleset = set >= 0 ? rolesets_[set].name : p.lemma + ".01";
    }
  }
}

namespace {

void add_bias(double bias, RoleProblem& problem) {
  if (bias == 0) return;
  for (std::size_t i = 0; i < problem.scores.size(); ++i) {
    if (i % static_cast<std::size_t>(problem.labels) != 0) {
      problem.scores[i] += static_cast<float>(bias);
    }
  }
}

}  // namespace

void RoleLabeller::look(const propbank::PropSentence& sentence, const LabelOptions& options,
                        Work& work) const {
  if (kernel_ && !sentence.propositions.empty()) kernel_->set_sentence(sentence, *work.kernel);
  work.guesses.resize(sentence.propositions.size());
  for (std::size_t i = 0; i < work.guesses.size(); ++i) {
    const propbank::Proposition& p = sentence.propositions[i];
    Guess& g = work.guesses[i];
    int apart;
    const auto [begin, end] = words_of_predicate(sentence, p.predicate, p.roleset, apart);
    g.word = p.predicate;
    work.trees.make_problem(arguments_, p.predicate, begin, end, work.arguments, g.problem,
                            kernel_ ? -INFINITY : kKeep);
    if (kernel_) kernel_->weigh(sentence, p.predicate, *work.kernel, g.problem);
    if (second_ && options.second) guess(arguments_.labels(), g);
  }
  if (second_ && options.second) second_->correct(work.trees.input(), work.guesses, work.second);
}

void RoleLabeller::label_predicate(const propbank::PropSentence& sentence, propbank::Proposition& p,
                                   const LabelOptions& options, Work& work) const {
  int apart;
  const auto [begin, end] = words_of_predicate(sentence, p.predicate, p.roleset, apart);
  work.problem = work.guesses[work.details.size()].problem;
  rolesets_.allowed(rolesets_.find(p.roleset), arguments_.labels(), work.allowed);
  add_bias(options.bias, work.problem);
  // Probabilities of what is unlikely hardly differ: where it is wished for, log-odds choose better.
  if (options.cost > 0 && options.rules.require.empty()) {
    work.sets.aim_at_f1(options.cost, work.problem);
  }
  if (work.problems) work.problems->push_back({work.problem, work.allowed});
  RoleDecision& d = work.decision;
  RoleDetails& details = work.details.emplace_back();
  if (options.explain) {
    details.explanation.push_back(
        explain(work.problem, work.allowed, options.rules, arguments_.labels(), d));
  } else if (options.locally) {
    work.decoder.decode_locally(work.problem, work.allowed, options.rules, d);
  } else {
    work.decoder.decode(work.problem, work.allowed, options.rules, d);
  }
  if (work.proofs) {
    RoleRules used = options.rules;
    if (!d.feasible) used.require.clear();
    Graph graph;
    work.decoder.build(work.problem, work.allowed, used, true, graph);
    prove(*work.proofs, "roles", graph);
  }
  details.value = d.value;
  details.bound = d.bound;
  details.proven = d.proven && d.feasible;  // the best, but not of what was asked for
  details.feasible = d.feasible;
  details.local = d.local;
  struct Found {
    propbank::RoleSpan span;
    double score, margin;
  };
  std::vector<Found> found = {{{"V", begin, end}, 0, 0}};
  bool particle_free = apart >= 0;
  for (std::size_t c = 0; c < work.problem.candidates.size(); ++c) {
    if (d.label_of[c] == 0) continue;
    const Candidate& x = work.problem.candidates[c];
    particle_free &= apart < x.begin || apart >= x.end;
    found.push_back({{arguments_.labels().names[d.label_of[c]], x.begin, x.end},
                     work.problem.score(c, d.label_of[c]),
                     options.explain ? details.explanation[0].margins[c] : 0});
  }
  if (particle_free) found.push_back({{"C-V", apart, apart + 1}, 0, 0});
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::pair(a.span.begin, a.span.end) < std::pair(b.span.begin, b.span.end);
  });
  p.roles.clear();
  if (options.explain) details.explanation[0].margins.clear();
  for (Found& f : found) {
    p.roles.push_back(std::move(f.span));
    details.scores.push_back(f.score);
    if (options.explain) details.explanation[0].margins.push_back(f.margin);
  }
}

void RoleLabeller::label(propbank::PropSentence& sentence, const LabelOptions& options,
                         Work& work) const {
  work.details.clear();
  if (sentence.words.empty()) return;
  work.trees.use(&meanings_);
  work.trees.assign(sentence, kernel_ ? 1 : options.tree_share);
  find_predicates(sentence, options, work);
  look(sentence, options, work);
  for (propbank::Proposition& p : sentence.propositions) {
    label_predicate(sentence, p, options, work);
  }
}

bool train_roles(std::span<const propbank::PropSentence> sentences, const RoleTraining& options,
                 ModelWriter& writer, Monitor& monitor) {
  const WordMeanings meanings{std::span<const WordMeaning>(options.meanings)};
  FeatureGroups features = options.features;
  features.meanings = features.meanings || !meanings.empty();
  const TrainedArguments arguments = train_arguments(sentences,
                                                     {.epochs = options.epochs,
                                                      .bits = options.bits,
                                                      .rate = options.rate,
                                                      .left_out = options.left_out,
                                                      .seed = options.seed,
                                                      .others = options.others,
                                                      .folds = options.folds,
                                                      .network_epochs = options.network_epochs,
                                                      .network_bits = options.network_bits,
                                                      .features = features,
                                                      .meanings = &meanings},
                                                     monitor);
  if (arguments.stopped) return false;
  const Rolesets rolesets = Rolesets::of(sentences, arguments.labels);
  const PackedWeights predicates =
      train_predicates(sentences, rolesets, options.predicate_epochs, monitor);
  if (monitor.stopped()) return false;
  if (!meanings.empty()) writer.add<WordMeaning>(kMeanings, options.meanings);
  ArgumentModel::write(writer, arguments.labels, features, arguments.pruner, arguments.roles,
                       arguments.network.get());
  if (options.folds > 1) arguments.second.write(writer, SecondLook::kSection);
  rolesets.write(writer);
  predicates.write(writer, "roles/predicates");
  return true;
}

}  // namespace entente::roles
