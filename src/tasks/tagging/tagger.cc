#include "tasks/tagging/tagger.h"

#include <algorithm>

#include "learn/row_training.h"
#include "model/proofs.h"
#include "model/rule_switches.h"
#include "tasks/tagging/lattice_forest.h"

namespace entente::tagging {

void write_tags(const Tags& tags, ModelWriter& writer) {
  writer.add_strings("tags/upos", tags.upos);
  writer.add_strings("tags/xpos", tags.xpos);
  writer.add<Tags::Pair>("tags/labels", tags.labels);
}

Tags read_tags(const ModelFile& file) {
  Tags tags;
  tags.upos = file.strings("tags/upos");
  tags.xpos = file.strings("tags/xpos");
  const std::span<const Tags::Pair> labels = file.array<Tags::Pair>("tags/labels");
  tags.labels.assign(labels.begin(), labels.end());
  bool good = !labels.empty() && labels.size() < kBorder;
  for (const Tags::Pair& p : labels) {
    good = good && p.upos < tags.upos.size() && p.xpos < tags.xpos.size();
  }
  if (!good) file.fail("section \"tags/labels\" is damaged");
  return tags;
}

TaggerModel::TaggerModel(const ModelFile& file) : tags(read_tags(file)) {
  if (file.number("tags/version") != static_cast<double>(kFeatureVersion)) {
    file.fail("the tagger was trained by another version; train it again");
  }
  lexicon = Lexicon(file, "tags/lexicon", tags.labels.size());
  classes = WordClasses(file, "clusters");
  rows = RowView(file, "tags/weights");
  feats = FeatsList::read(file, tags.labels.size());
  feats_rows = RowView(file, "tags/feats/weights");
}

bool* TagRules::find(std::string_view name) {
  if (name == "verb") return &verb;
  return name == "three_verbs" ? &three_verbs : nullptr;
}

void Tagger::configure(const Settings& settings) {
  rules_ = {};
  switch_rules(settings.list("with"), [&](const std::string& name) {
    bool* rule = rules_.find(name);
    if (rule != nullptr) *rule = true;
    return rule != nullptr;
  });
}

bool Tagger::is_verb(Label label, bool auxiliary) const {
  if (label == kBorder) return false;
  const std::string& upos = model_.tags.upos[model_.tags.labels[label].upos];
  return upos == "VERB" || (auxiliary && upos == "AUX");
}

void Tagger::fill_steps(TaggerScratch& s, int i, int verb, std::span<std::int32_t> steps) const {
  constexpr std::int32_t kForbidden = -(1 << 24);  // far below any score, and sums stay in range
  const Lattice& lattice = s.facts.lattice();
  s.features.clear();
  if (lattice.width(i) > 1) s.facts.word_features(i, s.features);
  s.scorer.score(model_.rows, model_.tags, s.facts, i, s.features, steps);
  if (!rules_.three_verbs && i != verb) return;
  const std::span<const Label> as = lattice.at(i - 2), bs = lattice.at(i - 1), cs = lattice.at(i);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Label a = as[k / cs.size() / bs.size()], b = bs[k / cs.size() % bs.size()];
    const Label c = cs[k % cs.size()];
    const bool three =
        rules_.three_verbs && is_verb(a, false) && is_verb(b, false) && is_verb(c, false);
    if (three || (i == verb && !is_verb(c, true))) steps[k] += kForbidden;
  }
}

std::int32_t Tagger::find_path(TaggerScratch& s, int verb, std::vector<int>& path) const {
  const auto fill = [&](int i, std::span<std::int32_t> steps) { fill_steps(s, i, verb, steps); };
  return second_order_path<std::int32_t>(s.facts.lattice(), fill, path, s.work);
}

// Without a word that can be one, the rule that a sentence has a verb says nothing.
void Tagger::prove(TaggerScratch& s) const {
  const Lattice& lattice = s.facts.lattice();
  if (lattice.size() == 0) return;
  LatticeForest::Met verb;
  for (int i = 0; rules_.verb && i < lattice.size(); ++i) {
    for (const Label label : lattice.at(i)) {
      if (is_verb(label, true)) verb = [this](Label l) { return is_verb(l, true); };
    }
  }
  LatticeForest forest;
  forest.build(
      lattice, [&](int i, std::span<std::int32_t> steps) { fill_steps(s, i, -1, steps); }, verb,
      s.path);
  prove_forest(*s.proofs, "tags", forest.graph, forest.graph.score, forest.derivation);
}

void Tagger::annotate(Sentence& sentence, Scratch& scratch) const {
  auto& s = static_cast<TaggerScratch&>(scratch);
  s.facts.read(sentence, model_.lexicon, model_.classes);
  const Lattice& lattice = s.facts.lattice();
  find_path(s, -1, s.path);
  const auto has_verb = [&] {
    for (int i = 0; i < sentence.size(); ++i) {
      if (is_verb(lattice.at(i)[s.path[i]], true)) return true;
    }
    return false;
  };
  if (rules_.verb && !has_verb()) {
    // The best path with a verb is the best of those with a verb at one place.
    bool found = false;
    std::int32_t best = 0;
    for (int i = 0; i < sentence.size(); ++i) {
      const std::span<const Label> all = lattice.at(i);
      if (std::none_of(all.begin(), all.end(), [&](Label l) { return is_verb(l, true); })) continue;
      const std::int32_t value = find_path(s, i, s.trial);
      if (found && value <= best) continue;
      found = true;
      best = value;
      s.path = s.trial;
    }
  }
  if (s.proofs) prove(s);
  s.labels.resize(s.path.size());
  for (int i = 0; i < sentence.size(); ++i) {
    s.labels[i] = lattice.at(i)[s.path[i]];
    const Tags::Pair& label = model_.tags.labels[s.labels[i]];
    sentence.words[i].upos = model_.tags.upos[label.upos];
    sentence.words[i].xpos = model_.tags.xpos[label.xpos];
  }
  set_feats(sentence, s);
}

void Tagger::set_feats(Sentence& sentence, TaggerScratch& s) const {
  s.feats.begin(sentence, model_.tags, s.labels);
  for (int i = 0; i < sentence.size(); ++i) {
    const std::span<const Label> choices = model_.feats.of(s.labels[i]);
    int best = 0;
    if (choices.size() > 1) {
      s.feats.features(i, s.features);
      best = choose<RowView, Label>(model_.feats_rows, s.features, choices, s.scores);
    }
    s.feats.set(i, choices[best]);
    sentence.words[i].feats = model_.feats.names[choices[best]];
  }
}

}  // namespace entente::tagging
