#include "tasks/relations/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace entente::relations {

namespace {

constexpr double kNever = -1e4;  // a score that no sum of others makes up for

bool overlap(const Mention& a, const Mention& b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

RelationModel::RelationModel(const ModelFile& file) {
  file.expect(kRelationsTask, kRelationsFingerprint);
  labels.entities = file.strings("relations/entities");
  labels.relations = file.strings("relations/relations");
  for (const Signature& s : file.array<Signature>("relations/signatures")) {
    const bool good = s.relation > 0 && s.relation < labels.relation_count() && s.head >= 0 &&
                      s.head < labels.entity_count() && s.tail >= 0 &&
                      s.tail < labels.entity_count();
    if (!good) file.fail("section \"relations/signatures\" is damaged");
    labels.signatures.push_back(s);
  }
  if (labels.entities.empty() || labels.relations.empty()) file.fail("the model has no labels");
  gazetteer = Gazetteer(file, "relations/names");
  classifiers.entity = LinearModel(file, "relations/entity", labels.entity_count());
  classifiers.relation = LinearModel(file, "relations/relation", labels.relation_count());
  classifiers.relation_bias = file.number("relations/bias");
  if (!std::isfinite(classifiers.relation_bias)) file.fail("section \"relations/bias\" is damaged");
  spans = LinearModel(file, "relations/spans", 2);
}

void RelationModel::save(ModelWriter& writer) const {
  writer.add_strings("relations/entities", labels.entities);
  writer.add_strings("relations/relations", labels.relations);
  writer.add<Signature>("relations/signatures", labels.signatures);
  gazetteer.save(writer, "relations/names");
  classifiers.entity.save(writer, "relations/entity");
  classifiers.relation.save(writer, "relations/relation");
  writer.add_number("relations/bias", classifiers.relation_bias);
  spans.save(writer, "relations/spans");
}

RelationModel train_model(std::span<const Passage> passages, std::span<const Passage> extra,
                          const LabelSet& labels, const Gazetteer& gazetteer,
                          const ClassifierOptions& options, int threads) {
  RelationModel out;
  out.labels = labels;
  out.gazetteer = gazetteer;
  const Corpus corpus(passages, gazetteer, labels, threads);
  const Corpus extra_corpus(extra, gazetteer, labels, threads);
  TrainingSet train{corpus, std::vector<int>(passages.size()), &extra_corpus,
                    std::vector<int>(extra.size())};
  std::iota(train.passages.begin(), train.passages.end(), 0);
  std::iota(train.extra_passages.begin(), train.extra_passages.end(), 0);
  out.classifiers = train_classifiers(train, options);
  std::vector<Passage> all(passages.begin(), passages.end());
  all.insert(all.end(), extra.begin(), extra.end());
  out.spans = train_spans(all, gazetteer, options.entity_l2, options.iterations);
  return out;
}

Extractor::Extractor(const RelationModel& model)
    : model_(model),
      with_none_(model.labels),
      maker_(model.gazetteer),
      scorer_(model.spans, model.gazetteer),
      decoder_(model.labels),
      span_decoder_(with_none_) {
  with_none_.entities.emplace_back("none");
}

Extraction Extractor::extraction(std::span<const Mention> spans, const Labelling& chosen,
                                 const LocalScores& scores, double bias) const {
  Extraction out;
  const int none = model_.labels.entity_count();  // of with_none_
  const int n = static_cast<int>(spans.size());
  std::vector<int> kept(n, -1);
  for (int m = 0; m < n; ++m) {
    if (chosen.entities[m] == none) continue;
    kept[m] = static_cast<int>(out.mentions.size());
    out.mentions.push_back({spans[m].begin, spans[m].end, chosen.entities[m]});
    out.mention_confidence.push_back(std::exp(scores.entity(m)[chosen.entities[m]]));
  }
  for (int h = 0; h < n; ++h) {
    for (int t = 0; t < n; ++t) {
      if (h == t) continue;
      const int relation = chosen.relations[pair_index(h, t, n)];
      if (relation == kNone) continue;
      out.links.push_back({kept[h], kept[t], relation});
      // Without the bias, which serves the choice and is no probability.
      const double score = scores.pair(h, t)[relation] - bias;
      out.link_confidence.push_back(std::min(std::exp(score), 1.0));
    }
  }
  return out;
}

Extraction Extractor::label(const Passage& passage, const RuleSet& rules) {
  PassageFeatures features;
  make_features(passage, maker_, features);
  LocalScores scores;
  const double bias = rules.required.empty() ? model_.classifiers.relation_bias : 0;
  model_.classifiers.score(features, model_.labels, scores, bias);
  const Labelling chosen = decoder_.decode(scores, rules);
  Extraction out = extraction(passage.mentions, chosen, scores, bias);
  out.status = decoder_.solution().status;
  return out;
}

Extraction Extractor::find(const Passage& passage, const RuleSet& rules) {
  const std::vector<ScoredSpan> spans = scorer_.likely(passage);
  Passage marked = passage;  // with the likeliest mentions, which the features speak of
  marked.mentions = best_disjoint(spans);
  marked.links.clear();
  maker_.read(marked);
  const int n = static_cast<int>(spans.size()), none = model_.labels.entity_count();
  const double bias = rules.required.empty() ? model_.classifiers.relation_bias : 0;
  LocalScores scores(n, with_none_);
  std::vector<Mention> mentions;
  std::vector<Interval> places;
  Features features;
  for (int h = 0; h < n; ++h) {
    mentions.push_back(spans[h].span);
    places.push_back({spans[h].span.begin, spans[h].span.end});
    maker_.mention(spans[h].span, features);
    const std::span<double> out = scores.entity(h);
    model_.classifiers.entity.log_probabilities(features, out.first(none));
    for (double& s : out.first(none)) s += spans[h].log_yes;
    out[none] = spans[h].log_no;
    for (int t = 0; t < n; ++t) {
      if (h == t) continue;
      const std::span<double> pair = scores.pair(h, t);
      if (overlap(spans[h].span, spans[t].span)) {
        std::fill(pair.begin() + 1, pair.end(), kNever);
        continue;
      }
      maker_.pair(spans[h].span, spans[t].span, features);
      model_.classifiers.relation.log_probabilities(features, pair);
      for (double& s : pair.subspan(1)) s += bias;
    }
  }
  RuleSet with_places = rules;
  with_places.places = places;
  with_places.no_mention = none;
  const Labelling chosen = span_decoder_.decode(scores, with_places);
  Extraction out = extraction(mentions, chosen, scores, bias);
  out.status = span_decoder_.solution().status;
  return out;
}

}  // namespace entente::relations
