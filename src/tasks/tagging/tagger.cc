#include "tasks/tagging/tagger.h"

#include <algorithm>
#include <cmath>

#include "corpus/utf8.h"
#include "learn/row_training.h"
#include "model/proofs.h"
#include "model/rule_switches.h"
#include "tasks/tagging/lattice_forest.h"

namespace entente::tagging {
namespace {

constexpr std::int32_t kForbidden = 1 << 24;  // more than any score, and sums stay in range
constexpr int kLongest = 150;  // words: what is longer is no finished sentence, and would take long

bool can_be(const Lattice& lattice, int i, const std::vector<char>& labels) {
  const std::span<const Label> all = lattice.at(i);
  return std::any_of(all.begin(), all.end(), [&](Label l) { return labels[l] != 0; });
}

bool is_do(const std::string& form) {
  if (form.size() > 4) return false;
  const std::string low = unicode::to_lower(form);
  return low == "do" || low == "does" || low == "did";
}

}  // namespace

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
  rules_.finite = settings.number("finite");
  rules_.infinitive = settings.number("infinitive");
  switch_rules(settings.list("with"), [&](const std::string& name) {
    bool* rule = rules_.find(name);
    if (rule != nullptr) *rule = true;
    return rule != nullptr;
  });
}

Tagger::Tagger(TaggerModel model) : model_(std::move(model)) {
  const std::size_t labels = model_.tags.labels.size();
  full_verbs_.assign(labels, 0);
  verbs_ = finite_ = may_be_finite_ = nominal_ = auxiliaries_ = modals_ = bare_ = full_verbs_;
  for (std::size_t l = 0; l < labels; ++l) {
    const std::string& upos = model_.tags.upos[model_.tags.labels[l].upos];
    full_verbs_[l] = upos == "VERB";
    verbs_[l] = upos == "VERB" || upos == "AUX";
    nominal_[l] = upos == "NOUN" || upos == "PROPN" || upos == "PRON";
    auxiliaries_[l] = upos == "AUX";
    const std::string& xpos = model_.tags.xpos[model_.tags.labels[l].xpos];
    modals_[l] = xpos == "MD";
    bare_[l] = xpos == "VB";
    const std::span<const Label> choices = model_.feats.of(static_cast<Label>(l));
    for (std::size_t k = 0; k < choices.size(); ++k) {
      if (model_.feats.names[choices[k]].find("VerbForm=Fin") == std::string::npos) continue;
      may_be_finite_[l] = 1;
      if (k == 0) finite_[l] = 1;  // most are
    }
  }
}

bool Tagger::Wanted::met(const Lattice& lattice, int i, Label label) const {
  if (i < from || label == kBorder || (*labels)[label] == 0) return false;
  return after == nullptr || (i > 0 && can_be(lattice, i - 1, *after));
}

Tagger::Wanted Tagger::missing(const Sentence& sentence, const TaggerScratch& s) const {
  const std::string_view last =
      sentence.size() > 0 ? std::string_view(sentence.words.back().form) : "";
  if (sentence.size() > kLongest || (last != "." && last != "?" && last != "!")) return {};
  const Lattice& lattice = s.facts.lattice();
  bool finite = false, bare = false;
  int asks = -1;  // the last word that asks for a bare verb
  for (int i = 0; i < lattice.size(); ++i) {
    const Label label = lattice.at(i)[s.path[i]];
    finite |= may_be_finite_[label] != 0;
    bare |= bare_[label] != 0;
    const bool helps =
        (last == "?" || auxiliaries_[label] != 0) && is_do(sentence.words[i].form);
    if (!helps && modals_[label] == 0) continue;
    asks = i;
    bare = false;
  }
  const auto loss = [&](double cost) {
    return static_cast<std::int32_t>(
        std::lround(std::min(cost / model_.rows.scale(), double{kForbidden})));
  };
  if (!finite && rules_.finite > 0) {
    return {.labels = &finite_, .after = &nominal_, .loss = loss(rules_.finite)};
  }
  if (asks >= 0 && !bare && rules_.infinitive > 0) {
    return {.labels = &bare_, .from = asks + 1, .loss = loss(rules_.infinitive)};
  }
  return {};
}

// Where no word can have one of the labels there is no rule.
Tagger::Wanted Tagger::wanted(const Sentence& sentence, const TaggerScratch& s) const {
  const Lattice& lattice = s.facts.lattice();
  const Wanted rule = rules_.verb ? Wanted{&verbs_, nullptr, 0, {}} : missing(sentence, s);
  for (int i = 0; rule.labels && i < lattice.size(); ++i) {
    for (const Label label : lattice.at(i)) {
      if (rule.met(lattice, i, label)) return rule;
    }
  }
  return {};
}

void Tagger::fill_steps(TaggerScratch& s, int i, std::span<std::int32_t> steps) const {
  const Lattice& lattice = s.facts.lattice();
  s.features.clear();
  if (lattice.width(i) > 1) s.facts.word_features(i, s.features);
  s.scorer.score(model_.rows, model_.tags, s.facts, i, s.features, steps);
  if (!rules_.three_verbs) return;
  const std::span<const Label> as = lattice.at(i - 2), bs = lattice.at(i - 1), cs = lattice.at(i);
  const auto full = [&](Label l) { return l != kBorder && full_verbs_[l] != 0; };
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Label a = as[k / cs.size() / bs.size()], b = bs[k / cs.size() % bs.size()];
    if (full(a) && full(b) && full(cs[k % cs.size()])) steps[k] -= kForbidden;
  }
}

// The best path with such a label is the best of those that have one at a given place.
void Tagger::keep(const Wanted& rule, std::int32_t score, TaggerScratch& s) const {
  const Lattice& lattice = s.facts.lattice();
  for (int i = 0; i < lattice.size(); ++i) {
    if (rule.met(lattice, i, lattice.at(i)[s.path[i]])) return;
  }
  s.steps.clear();
  s.step_first.assign(1, 0);
  for (int i = 0; i < lattice.size(); ++i) {
    s.steps.resize(s.step_first.back() + lattice.triples(i));
    fill_steps(s, i, std::span(s.steps).subspan(s.step_first.back()));
    s.step_first.push_back(s.steps.size());
  }
  bool found = rule.loss.has_value();
  std::int32_t best = score - rule.loss.value_or(0);
  for (int place = 0; place < lattice.size(); ++place) {
    const std::span<const Label> here = lattice.at(place);
    const auto met = [&](Label l) { return rule.met(lattice, place, l); };
    if (std::none_of(here.begin(), here.end(), met)) continue;
    const auto fill = [&](int i, std::span<std::int32_t> steps) {
      std::copy_n(s.steps.begin() + static_cast<std::ptrdiff_t>(s.step_first[i]), steps.size(),
                  steps.begin());
      for (std::size_t k = 0; i == place && k < steps.size(); ++k) {
        if (!met(here[k % here.size()])) steps[k] -= kForbidden;
      }
    };
    const std::int32_t value = second_order_path<std::int32_t>(lattice, fill, s.trial, s.work);
    if (found && value <= best) continue;
    found = true;
    best = value;
    s.path = s.trial;
  }
}

void Tagger::prove(const Wanted& rule, TaggerScratch& s) const {
  const Lattice& lattice = s.facts.lattice();
  if (lattice.size() == 0) return;
  LatticeForest::Rule met;
  if (rule.labels) met.met = [&](int i, Label l) { return rule.met(lattice, i, l); };
  met.loss = rule.loss;
  LatticeForest forest;
  forest.build(
      lattice, [&](int i, std::span<std::int32_t> steps) { fill_steps(s, i, steps); }, met, s.path);
  prove_forest(*s.proofs, "tags", forest.graph, forest.graph.score, forest.derivation);
}

void Tagger::annotate(Sentence& sentence, Scratch& scratch) const {
  auto& s = static_cast<TaggerScratch&>(scratch);
  s.facts.read(sentence, model_.lexicon, model_.classes);
  const Lattice& lattice = s.facts.lattice();
  const std::int32_t score = second_order_path<std::int32_t>(
      lattice, [&](int i, std::span<std::int32_t> steps) { fill_steps(s, i, steps); }, s.path,
      s.work);
  const Wanted rule = wanted(sentence, s);
  if (rule.labels) keep(rule, score, s);
  if (s.proofs) prove(rule, s);
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
