#include "tasks/tagging/tagger.h"

#include "learn/row_training.h"

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
  rows = RowView(file, "tags/weights");
  feats = FeatsList::read(file, tags.labels.size());
  feats_rows = RowView(file, "tags/feats/weights");
}

void Tagger::annotate(Sentence& sentence, Scratch& scratch) const {
  auto& s = static_cast<TaggerScratch&>(scratch);
  s.facts.read(sentence, model_.lexicon);
  const Lattice& lattice = s.facts.lattice();
  const auto fill = [&](int i, std::span<std::int32_t> steps) {
    s.features.clear();
    if (lattice.width(i) > 1) s.facts.word_features(i, s.features);
    s.scorer.score(model_.rows, model_.tags, s.facts, i, s.features, steps);
  };
  best_path<std::int32_t>(lattice, fill, s.path, s.work);
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
