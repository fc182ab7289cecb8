#include "tasks/relations/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace entente::relations {

namespace {

constexpr double kLeastHint = 1e-4;  // nobody is surer than that
constexpr double kNever = -1e4;  // a score that no sum of others makes up for

bool overlap(const Mention& a, const Mention& b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

RelationModel::RelationModel(const ModelFile& file) {
  if (file.number("relations/version") != kRelationsVersion) {
    file.fail("its relations were made by another version; train them again");
  }
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
  spans = LinearModel(file, "relations/spans", 2);
}

void RelationModel::save(ModelWriter& writer) const {
  writer.add_number("relations/version", kRelationsVersion);
  writer.add_strings("relations/entities", labels.entities);
  writer.add_strings("relations/relations", labels.relations);
  writer.add<Signature>("relations/signatures", labels.signatures);
  gazetteer.save(writer, "relations/names");
  classifiers.entity.save(writer, "relations/entity");
  classifiers.relation.save(writer, "relations/relation");
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
  out.classifiers = train_classifiers(train, Told::truth, options);
  std::vector<Passage> all(passages.begin(), passages.end());
  all.insert(all.end(), extra.begin(), extra.end());
  out.spans = train_spans(all, gazetteer, options);
  return out;
}

namespace {

LabelSet with_none(LabelSet labels) {
  labels.entities.emplace_back("none");
  return labels;
}

}  // namespace

Extractor::Extractor(const RelationModel& model)
    : model_(model),
      with_none_(with_none(model.labels)),
      maker_(model.gazetteer),
      scorer_(model.spans, model.gazetteer),
      decoder_(model.labels),
      span_decoder_(with_none_) {}

// The state of a pair in which its arguments have these types; of the relation's first signature
// where the types do not go with it (a rule is switched off).
int Extractor::state(int relation, int head, int tail) const {
  const std::vector<Signature>& all = model_.labels.signatures;
  int first = 0;
  for (int s = static_cast<int>(all.size()) - 1; s >= 0; --s) {
    if (all[s] == Signature{relation, head, tail}) return s + 1;
    if (all[s].relation == relation) first = s + 1;
  }
  return first;
}

Extraction Extractor::extraction(std::span<const Mention> spans, const Labelling& chosen,
                                 const JointScores& scores) const {
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
      const int at = state(relation, chosen.entities[h], chosen.entities[t]);
      const double odds = scores.states(pair_index(h, t, n))[at];
      out.link_confidence.push_back(1 / (1 + std::exp(-odds)));
    }
  }
  return out;
}

namespace {

// Each hint as a distribution of types, the others sharing what it leaves.
void add_hints(std::span<const Hint> hints, int types, JointScores& scores) {
  for (std::size_t m = 0; m < hints.size(); ++m) {
    if (hints[m].label < 0) continue;
    const std::span<double> out = scores.entity(static_cast<int>(m));
    const double rest = (1 - hints[m].confidence) / std::max(types - 1, 1);
    for (int t = 0; t < types; ++t) {
      const double p = t == hints[m].label ? hints[m].confidence : rest;
      out[static_cast<std::size_t>(t)] += std::log(std::max(p, kLeastHint));
    }
    log_softmax(out);
  }
}

}  // namespace

Extraction Extractor::label(const Passage& passage, const RuleSet& rules,
                            std::span<const Hint> hints) {
  PassageFeatures features;
  make_features(passage, maker_, features);
  JointScores scores;
  model_.classifiers.joint_scores(features, model_.labels, scores);
  add_hints(hints, model_.labels.entity_count(), scores);
  const Labelling chosen = decide(decoder_, scores, rules);
  Extraction out = extraction(passage.mentions, chosen, scores);
  out.status = decoder_.solution().status;
  return out;
}

// With a proof the whole passage goes to the engine, pairs that are best unrelated too.
Labelling Extractor::decide(Decoder& decoder, const JointScores& scores, const RuleSet& rules) {
  if (proofs == nullptr) return decoder.decode(scores, rules);
  Options options;
  options.certificate = true;
  const Labelling chosen = decoder.decode(scores, rules, options);
  proofs->add("relations", decoder.graph(), decoder.solution().certificate);
  return chosen;
}

void Extractor::score_spans(std::span<const ScoredSpan> spans, JointScores& scores) {
  const int n = static_cast<int>(spans.size()), none = model_.labels.entity_count();
  scores.reset(n, with_none_);
  Features features;
  for (int h = 0; h < n; ++h) {
    maker_.mention(spans[h].span, features);
    const std::span<double> out = scores.entity(h);
    model_.classifiers.entity.log_probabilities(features, out.first(none));
    for (double& s : out.first(none)) s += spans[h].log_yes;
    out[none] = spans[h].log_no;
    for (int t = 0; t < n; ++t) {
      if (h == t) continue;
      const int at = pair_index(h, t, n);
      if (overlap(spans[h].span, spans[t].span)) {
        std::fill(scores.states(at).begin() + 1, scores.states(at).end(), kNever);
        continue;
      }
      maker_.pair(spans[h].span, spans[t].span, features);
      model_.classifiers.joint_pair(features, model_.labels, scores.states(at));
    }
  }
}

Extraction Extractor::find(const Passage& passage, const RuleSet& rules) {
  const std::vector<ScoredSpan> spans = scorer_.likely(passage);
  Passage marked = passage;  // with the likeliest mentions, which the features speak of
  marked.mentions = best_disjoint(spans);
  marked.links.clear();
  maker_.read(marked);
  JointScores scores;
  score_spans(spans, scores);
  RuleSet with_places = rules;
  with_places.no_mention = model_.labels.entity_count();
  std::vector<Mention> mentions;
  for (const ScoredSpan& s : spans) {
    mentions.push_back(s.span);
    with_places.places.push_back({s.span.begin, s.span.end});
  }
  const Labelling chosen = decide(span_decoder_, scores, with_places);
  Extraction out = extraction(mentions, chosen, scores);
  out.status = span_decoder_.solution().status;
  return out;
}

}  // namespace entente::relations
