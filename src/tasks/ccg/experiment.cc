#include "tasks/ccg/experiment.h"

#include <algorithm>
#include <functional>

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

TaggerScores score_tagger(const Parser& parser, const std::string& path,
                          std::span<const std::vector<std::string>> tags, double categories) {
  Parser::Work work(parser);
  Derivations gold = read_derivations(path, work.rules.table(), true);
  // How far below the best of its word each choice is, and each right one; one beam for all words.
  std::vector<double> all, right;
  double words = 0, best = 0;
  for (std::size_t i = 0; i < std::min(gold.all.size(), tags.size()); ++i) {
    parser.tagger().tag({gold.all[i].words, tags[i]}, work.tagging, work.choices);
    const std::vector<CategoryId> wanted = gold.all[i].supertags();
    for (std::size_t w = 0; w < wanted.size(); ++w) {
      const double top = work.choices[w].front().log_probability;
      for (const Choice& c : work.choices[w]) {
        all.push_back(c.log_probability - top);
        if (c.category == wanted[w]) right.push_back(all.back());
      }
      words += 1;
      best += work.choices[w].front().category == wanted[w] ? 1 : 0;
    }
  }
  TaggerScores out;
  if (words == 0) return out;
  const auto kept = std::min(all.size(), static_cast<std::size_t>(categories * words));
  const auto last = all.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(kept, 1) - 1);
  std::nth_element(all.begin(), last, all.end(), std::greater<>());
  const double least = *last;
  const auto within = [&](double margin) { return margin >= least; };
  out.best = 100 * best / words;
  out.among = 100 * static_cast<double>(std::count_if(right.begin(), right.end(), within)) / words;
  out.categories = static_cast<double>(std::count_if(all.begin(), all.end(), within)) / words;
  return out;
}

Scores total(std::span<const Scores> scores) {
  Scores out;
  for (const Scores& s : scores) out.add(s);
  return out;
}

}  // namespace entente::ccg
