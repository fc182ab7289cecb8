#include "tasks/ccg/experiment.h"

#include <algorithm>

#include "base/clock.h"
#include "corpus/layers/ccg/auto.h"

namespace entente::ccg {

std::vector<std::vector<std::string>> tags_of(std::span<const Derivation> derivations,
                                              TaskModels& models, bool from_file,
                                              Monitor& monitor) {
  std::vector<std::vector<std::string>> out;
  if (from_file) {
    for (const Derivation& d : derivations) out.push_back(d.tags);
    return out;
  }
  const auto worker = models.below().make_worker();
  monitor.stage("tags", static_cast<std::int64_t>(derivations.size()));
  for (const Derivation& d : derivations) {
    Sentence sentence;
    for (const std::string& form : d.words) {
      const int at = sentence.size();
      sentence.words.emplace_back().form = form;
      sentence.tokens.push_back({at, at});
    }
    worker->annotate(sentence);
    std::vector<std::string>& tags = out.emplace_back();
    for (const Word& w : sentence.words) tags.push_back(w.xpos);
    monitor.advance(1);
    if (monitor.stopped()) break;
  }
  return out;
}

namespace {

// gold: of work.rules.table().
std::vector<Scores> score_all(const Parser& parser, std::vector<Derivation>& gold,
                              std::span<const std::vector<std::string>> tags,
                              const ParseOptions& options, Parser::Work& work, Monitor& monitor,
                              ParsingCost* cost) {
  CategoryTable& table = work.rules.table();
  SignPool pool;
  Analysis analysis;
  Parse parse;
  std::vector<Scores> out;
  const std::size_t n = std::min(gold.size(), tags.size());
  monitor.stage("parsing", static_cast<std::int64_t>(n));
  for (std::size_t i = 0; i < n && !monitor.stopped(); ++i) {
    if (parser.grammar().plain_conjuncts) mark_conjuncts(gold[i], table);
    analyse(gold[i], table, work.markups, pool, analysis);
    const double start = processor_seconds();
    parser.parse({gold[i].words, tags[i]}, options, work, parse);
    if (cost != nullptr) {
      cost->seconds += processor_seconds() - start;
      cost->proven += parse.proven ? 1 : 0;
      cost->rounds += parse.rounds;
    }
    out.emplace_back().add(analysis.dependencies, gold[i].supertags(), parse.found,
                           parse.dependencies, parse.supertags);
    monitor.advance(1);
  }
  return out;
}

}  // namespace

std::vector<Scores> score_parser(const Parser& parser, const std::string& path,
                                 std::span<const std::vector<std::string>> tags,
                                 const ParseOptions& options, Monitor& monitor, ParsingCost* cost) {
  Parser::Work work(parser);
  Derivations gold = read_derivations(path, work.rules.table(), true);
  return score_all(parser, gold.all, tags, options, work, monitor, cost);
}

std::vector<Scores> score_parser(const Parser& parser, std::span<const Derivation> gold,
                                 const CategoryTable& table,
                                 std::span<const std::vector<std::string>> tags,
                                 const ParseOptions& options, Monitor& monitor) {
  Parser::Work work(parser);
  std::vector<Derivation> own(gold.begin(), gold.end());
  for (Derivation& d : own) {
    for (DerivationNode& n : d.nodes) n.category = work.rules.table().parse(table.text(n.category));
  }
  return score_all(parser, own, tags, options, work, monitor, nullptr);
}

Scores total(std::span<const Scores> scores) {
  Scores out;
  for (const Scores& s : scores) out.add(s);
  return out;
}

}  // namespace entente::ccg
