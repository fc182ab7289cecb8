#include "tasks/frames/parser.h"

#include "tasks/frames/lexicon_io.h"

namespace entente::frames {

FrameParser::FrameParser(const ModelFile& file)
    : lexicon_(read_lexicon(file)),
      targets_(file, lexicon_),
      identifier_(file, lexicon_),
      arguments_(file, lexicon_) {}

void FrameParser::parse(Sentence& sentence, const FrameOptions& options, Workspace& work) const {
  if (options.given == Given::kNothing) {
    find_targets(sentence, work);
    choose_targets(sentence, options);
  }
  if (options.given != Given::kFrames) identify(sentence, work);
  if (options.given == Given::kNothing && options.min_score > 0) {
    std::erase_if(sentence.frames,
                  [&](const FrameInstance& f) { return f.score < options.min_score; });
  }
  work.trees.read(sentence);
  for (FrameInstance& instance : sentence.frames) find_arguments(instance, options, work);
}

void FrameParser::find_targets(Sentence& sentence, Workspace& work) const {
  targets_.find(sentence, work.targets, work.found);
  sentence.frames.resize(work.found.size());
  for (std::size_t i = 0; i < work.found.size(); ++i) {
    sentence.frames[i] = {};
    sentence.frames[i].target = work.found[i];
  }
}

void FrameParser::choose_targets(Sentence& sentence, const FrameOptions& options) const {
  const auto is_name = [&](int word) { return word >= 0 && sentence.words[word].upos == "PROPN"; };
  std::erase_if(sentence.frames, [&](const FrameInstance& f) {
    const Word& w = sentence.words[f.target[0]];
    if (options.only == Only::kVerbs && w.upos != "VERB" && w.upos != "AUX") return true;
    if (options.only == Only::kNouns && w.upos != "NOUN" && w.upos != "PROPN") return true;
    const bool part = w.deprel == "flat" || w.deprel == "compound";
    return f.target.size() == 1 && part && is_name(f.target[0]) && is_name(w.head - 1);
  });
}

void FrameParser::identify(Sentence& sentence, Workspace& work) const {
  identifier_.begin(sentence, work.identify);
  for (FrameInstance& instance : sentence.frames) {
    identifier_.choose(instance.target, work.identify, work.choices);
    const FrameIdentifier::Choice& best = work.choices[0];
    instance.frame = lexicon_.frames[best.frame].name;
    instance.score = best.probability;
    instance.lexical_unit =
        best.lexical_unit >= 0 ? lexicon_.lexical_units[best.lexical_unit].name : "";
  }
}

void FrameParser::make_problem(const FrameInstance& instance, int frame, Workspace& work,
                               ArgumentProblem& problem) const {
  arguments_.make_problem(work.trees, instance.target, unit_key(instance.lexical_unit), frame,
                          work.arguments, problem);
}

void FrameParser::find_arguments(FrameInstance& instance, const FrameOptions& options,
                                 Workspace& work) const {
  instance.arguments.clear();
  instance.explanation.clear();
  instance.rules.clear();
  const int number = lexicon_.find(instance.frame);
  if (number < 0) return;                                  // given, and not of this lexicon
  if (work.trees.own().size() > kLongestSentence) return;  // no language any more
  const framenet::Frame& frame = lexicon_.frames[number];
  make_problem(instance, number, work, work.problem);
  work.margins.clear();
  if (options.explain) {
    instance.explanation.push_back(
        explain(frame, work.problem, options.rules, work.decision, work.margins));
  } else {
    if (work.decoder.spec().name() != options.decoder.name()) {
      work.decoder = Decoder(options.decoder);
    }
    work.decoder.decode(frame, work.problem, options.rules, work.decision);
  }
  if (work.proofs) {
    Graph graph;
    ArgumentGraph builder;
    builder.build(frame, work.problem, options.rules, Names::kAll, graph, work.decision.feasible);
    prove(*work.proofs, "frames", graph);
  }
  instance.arguments = to_arguments(frame, work.problem, work.decision.span_of, work.margins);
  instance.rules = rules_in_words(frame, options.rules);
  instance.value = work.decision.value;
  instance.bound = work.decision.bound;
  instance.proven = work.decision.proven;
  instance.wish_dropped = !work.decision.feasible;
}

}  // namespace entente::frames
