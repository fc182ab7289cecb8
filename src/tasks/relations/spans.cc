#include "tasks/relations/spans.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/utf8.h"
#include "corpus/utf8.h"
#include "entente/solve.h"

namespace entente::relations {

namespace {

bool is_name_like(const Passage& p, int i) {
  const std::string& word = p.words[i];
  if (p.tags[i].starts_with("NNP")) return true;
  return !word.empty() && unicode::is_upper(decode_utf8(word, 0).code);
}

bool is_joint(const Passage& p, int i) {
  static constexpr std::string_view kJoints[] = {"of", "the", "for", "and", "&", "de", "la",
                                                 "on", "in",  "von", "van", "'", "'s", "-",
                                                 ",",  "al",  "del", "bin", "to"};
  const std::string& word = p.words[i];
  if (std::find(std::begin(kJoints), std::end(kJoints), word) != std::end(kJoints)) return true;
  return p.tags[i] == "CD";
}

// A mention is not thought of together with others here: what stands around is unknown.
Passage without_mentions(const Passage& passage) {
  Passage out = passage;
  out.mentions.clear();
  out.links.clear();
  return out;
}

}  // namespace

std::vector<Mention> candidate_spans(const Passage& passage) {
  std::vector<Mention> out;
  for (int begin = 0; begin < passage.size(); ++begin) {
    if (!is_name_like(passage, begin)) continue;
    for (int end = begin + 1; end <= std::min(begin + kLongest, passage.size()); ++end) {
      const int last = end - 1;
      if (is_name_like(passage, last)) {
        out.push_back({begin, end});
      } else if (!is_joint(passage, last)) {
        break;
      }
    }
  }
  return out;
}

LinearModel train_spans(std::span<const Passage> passages, const Gazetteer& gazetteer,
                        const ClassifierOptions& options) {
  std::vector<Example> examples;
  FeatureMaker maker(gazetteer);
  for (const Passage& passage : passages) {
    const Passage plain = without_mentions(passage);
    maker.read(plain);
    for (const Mention& span : candidate_spans(plain)) {
      const bool is_mention =
          std::any_of(passage.mentions.begin(), passage.mentions.end(),
                      [&](const Mention& m) { return m.begin == span.begin && m.end == span.end; });
      maker.mention(span, examples.emplace_back().features);
      examples.back().label = is_mention;
    }
  }
  return train_log_linear(examples, 2,
                          {.l2 = options.entity_l2,
                           .least_count = 2,
                           .most_features = options.most_features,
                           .iterations = options.iterations});
}

std::vector<ScoredSpan> SpanScorer::likely(const Passage& passage, double least) {
  const Passage plain = without_mentions(passage);
  maker_.read(plain);
  std::vector<ScoredSpan> out;
  Features features;
  double scores[2];
  for (const Mention& span : candidate_spans(plain)) {
    maker_.mention(span, features);
    model_.log_probabilities(features, scores);
    if (scores[1] >= std::log(least)) out.push_back({span, scores[0], scores[1]});
  }
  if (static_cast<int>(out.size()) > kMostSpans) {
    std::stable_sort(out.begin(), out.end(), [](const ScoredSpan& a, const ScoredSpan& b) {
      return a.log_yes > b.log_yes;
    });
    out.resize(kMostSpans);
    std::stable_sort(out.begin(), out.end(), [](const ScoredSpan& a, const ScoredSpan& b) {
      return std::pair(a.span.begin, a.span.end) < std::pair(b.span.begin, b.span.end);
    });
  }
  return out;
}

std::vector<Mention> best_disjoint(std::span<const ScoredSpan> spans) {
  std::vector<Mention> out;
  if (spans.empty()) return out;
  Graph graph;
  std::vector<Interval> intervals;
  for (const ScoredSpan& s : spans) {
    graph.add_variable(s.log_yes - s.log_no);
    intervals.push_back({s.span.begin, s.span.end});
  }
  graph.add_disjoint(Var{0}, intervals);
  const Solution solution = solve(graph);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (solution.assignment[i]) out.push_back(spans[i].span);
  }
  return out;
}

}  // namespace entente::relations
