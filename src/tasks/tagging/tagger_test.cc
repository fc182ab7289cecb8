#include "tasks/tagging/tagger.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "kit/cases.h"
#include "model/test_kit.h"
#include "tasks/tagging/task.h"

namespace entente::tagging {
namespace {

// "dak mipun rolan." with a verb or "dak mipun po rolan" with a participle of the same form, "mi dak!"
// with a verb that may be finite.
std::string verbs_and_participles() {
  Random random(7);
  std::vector<Sentence> train(150);
  for (Sentence& s : train) {
    const auto add = [&](std::string form, const char* upos, const char* xpos, const char* feats) {
      s.words.push_back({.form = std::move(form), .upos = upos, .xpos = xpos, .feats = feats});
    };
    const auto noun = [&] {
      const std::string form = random.chance(0.5) ? "dak" : "rolan";
      random.chance(0.2) ? add(form, "VERB", "Z", "VerbForm=Fin") : add(form, "NOUN", "N", "_");
    };
    const std::string verb = random.chance(0.5) ? "mipun" : "besun";
    if (random.chance(0.2)) {
      const bool finite = random.chance(0.3);
      add("mi", "VERB", "B", finite ? "VerbForm=Fin" : "VerbForm=Inf");
      noun();
    } else if (noun(); random.chance(0.5)) {
      add(verb, "VERB", "D", "VerbForm=Fin");
      noun();
    } else {
      add(verb, "VERB", "P", "VerbForm=Part");
      add("po", "ADP", "I", "_");
      noun();
    }
    if (random.chance(0.7)) add(random.chance(0.5) ? "." : "!", "PUNCT", ".", "_");
  }
  ModelWriter writer("test", 1);
  Monitor monitor;
  EXPECT_TRUE(train_task(TaggingTask(), {train, {}}, training_options(2), writer, monitor));
  return writer.bytes();
}

// All sequences of tags, and what the rule says of them.
class Enumerated {
 public:
  explicit Enumerated(const ModelFile& file) : model_(file) {}

  // Score of the best; `changed` is whether the rule made it another than without.
  std::int32_t best(const Sentence& sentence, double finite, bool& changed) {
    read(sentence);
    const std::int32_t loss = static_cast<std::int32_t>(std::lround(finite / model_.rows.scale()));
    const std::vector<int> free = search([](const std::vector<int>&) { return 0; });
    changed = false;
    const std::string& last = sentence.words.back().form;
    if ((last != "." && last != "!") || has(free, "DZB", false)) return score(free);
    const auto cost = [&](const std::vector<int>& path) {
      return has(path, "DZ", true) ? 0 : loss;
    };
    const std::vector<int> ruled = search(cost);
    changed = score(ruled) != score(free);
    return score(ruled);
  }
  // Of the tags that a sentence has.
  std::int32_t score_of(const Sentence& sentence) const {
    std::vector<int> path;
    for (int i = 0; i < sentence.size(); ++i) {
      const std::span<const Label> all = facts_.lattice().at(i);
      int found = -1;
      for (std::size_t c = 0; c < all.size(); ++c) {
        const Tags::Pair& pair = model_.tags.labels[all[c]];
        if (model_.tags.upos[pair.upos] == sentence.words[i].upos &&
            model_.tags.xpos[pair.xpos] == sentence.words[i].xpos) {
          found = static_cast<int>(c);
        }
      }
      path.push_back(found);
    }
    return score(path);
  }

 private:
  void read(const Sentence& sentence) {
    facts_.read(sentence, model_.lexicon, model_.classes);
    steps_.assign(sentence.size(), {});
    for (int i = 0; i < sentence.size(); ++i) {
      std::vector<std::uint64_t> features;
      if (facts_.lattice().width(i) > 1) facts_.word_features(i, features);
      steps_[i].resize(facts_.lattice().triples(i));
      scorer_.score(model_.rows, model_.tags, facts_, i, features, steps_[i]);
    }
  }
  std::int32_t score(const std::vector<int>& path) const {
    const Lattice& lattice = facts_.lattice();
    std::int32_t sum = 0;
    for (int i = 0; i < lattice.size(); ++i) {
      const std::size_t a = i > 1 ? path[i - 2] : 0, b = i > 0 ? path[i - 1] : 0;
      sum += steps_[i][(a * lattice.width(i - 1) + b) * lattice.width(i) + path[i]];
    }
    return sum;
  }
  // Has a word one of these tags? After a word that can be a noun, if asked.
  bool has(const std::vector<int>& path, std::string_view tags, bool after) const {
    for (int i = 0; i < facts_.size(); ++i) {
      const Label label = facts_.lattice().at(i)[path[i]];
      const char tag = model_.tags.xpos[model_.tags.labels[label].xpos][0];
      bool noun = !after;
      for (int c = 0; after && i > 0 && c < static_cast<int>(facts_.lattice().width(i - 1)); ++c) {
        const Label before = facts_.lattice().at(i - 1)[c];
        noun |= model_.tags.xpos[model_.tags.labels[before].xpos] == "N";
      }
      if (noun && tags.find(tag) != std::string_view::npos) return true;
    }
    return false;
  }
  template <typename Cost>
  std::vector<int> search(Cost cost) const {
    const Lattice& lattice = facts_.lattice();
    std::vector<int> path(lattice.size(), 0), best;
    std::int32_t most = 0;
    for (bool more = true; more;) {
      const std::int32_t value = score(path) - cost(path);
      if (best.empty() || value > most) best = path, most = value;
      int w = 0;
      while (w < lattice.size() && ++path[w] == static_cast<int>(lattice.width(w))) path[w++] = 0;
      more = w < lattice.size();
    }
    return best;
  }

  TaggerModel model_;
  SentenceFacts facts_;
  StepScorer<RowView> scorer_;
  std::vector<std::vector<std::int32_t>> steps_;
};

const std::string& pick(const std::vector<std::string>& words, Random& random) {
  return words[random.below(static_cast<int>(words.size()))];
}

TEST(Tagger, AFinishedSentenceTakesAFiniteVerbWhereItCostsLittle) {
  const ModelFile file = ModelFile::from_bytes(verbs_and_participles(), "test");
  Tagger tagger{TaggerModel(file)};
  const std::unique_ptr<Scratch> scratch = tagger.make_scratch();
  Enumerated all(file);
  const std::vector<std::string> words = {"dak", "rolan", "mipun", "besun", "po", "mi", "."};
  int changes = 0;
  for (int i = 0; i < random_cases(2000); ++i) {
    Random random(300 + i);
    Sentence s;
    if (random.chance(0.5)) {
      for (const char* form : {"dak", "mipun", "po"}) s.words.push_back({.form = form});
    }
    for (int n = random.between(0, 3); n > 0; --n) {
      s.words.push_back({.form = pick(words, random)});
    }
    s.words.push_back({.form = random.chance(0.8) ? "." : pick(words, random)});
    const double finite = std::vector<double>{0, 0.5, 2, 6, 40}[random.below(5)];
    tagger.rules().finite = finite;
    tagger.annotate(s, *scratch);
    bool changed = false;
    const std::int32_t best = all.best(s, finite, changed);
    EXPECT_EQ(all.score_of(s), best) << i;
    changes += changed;
  }
  EXPECT_GT(changes, random_cases(2000) / 100);
}

}  // namespace
}  // namespace entente::tagging
