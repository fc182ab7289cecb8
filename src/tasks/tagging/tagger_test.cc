#include "tasks/tagging/tagger.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "kit/cases.h"
#include "model/test_kit.h"
#include "tasks/tagging/task.h"

namespace entente::tagging {
namespace {

void add_word(Sentence& s, std::string form, const char* upos, const char* xpos,
              const char* feats) {
  s.words.push_back({.form = std::move(form), .upos = upos, .xpos = xpos, .feats = feats});
}

std::string learned(const std::vector<Sentence>& train) {
  ModelWriter writer("test", 1);
  Monitor monitor;
  EXPECT_TRUE(train_task(TaggingTask(), {train, {}}, training_options(2), writer, monitor));
  return writer.bytes();
}

// "dak mipun rolan." with a verb or "dak mipun po rolan" with a participle of the same form, "mi dak!"
// with a verb that may be finite.
std::string verbs_and_participles() {
  Random random(7);
  std::vector<Sentence> train(150);
  for (Sentence& s : train) {
    const auto add = [&](auto... word) { add_word(s, word...); };
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
  return learned(train);
}

// "wil dak lom." and "dak wil lom." with a bare verb behind the modal, "dak mi lom." with a noun of the
// same form, "dak mi wil lom." where the modal is a noun.
std::string modals() {
  Random random(8);
  std::vector<Sentence> train(150);
  for (Sentence& s : train) {
    const auto add = [&](auto... word) { add_word(s, word...); };
    const auto noun = [&] { add(random.chance(0.5) ? "dak" : "lom", "NOUN", "N", "_"); };
    const std::string verb = random.chance(0.5) ? "lom" : "dak";
    const int kind = random.below(4);
    if (kind == 1) noun();
    if (kind < 2) add(random.chance(0.5) ? "wil" : "do", "AUX", "MD", "VerbForm=Fin");
    if (kind == 0) noun();
    if (kind < 2) add(verb, "VERB", "VB", "VerbForm=Inf");
    if (kind > 1) {
      noun();
      add("mi", "VERB", "Z", "VerbForm=Fin");
      if (kind == 3) add("wil", "NOUN", "N", "_");
      noun();
    }
    if (random.chance(0.7)) add(random.chance(0.5) ? "." : "!", "PUNCT", ".", "_");
  }
  return learned(train);
}

// All sequences of tags, and what the rules say of them.
class Enumerated {
 public:
  explicit Enumerated(const ModelFile& file) : model_(file) {}

  // Score of the best; `changed` is whether a rule made it another than without.
  std::int32_t best(const Sentence& sentence, const TagRules& rules, bool& changed) {
    read(sentence);
    const std::vector<int> free = search([](const std::vector<int>&) { return 0; });
    changed = false;
    const std::string& last = sentence.words.back().form;
    const int asks = last_of(free, 'M');
    const bool finite = has(free, "DZBM", false), bare = last_of(free, 'V') > asks;
    if ((last != "." && last != "!") || (finite && (asks < 0 || bare))) return score(free);
    const double price = (finite ? rules.infinitive : rules.finite) / model_.rows.scale();
    const std::vector<int> ruled = search([&](const std::vector<int>& path) {
      const bool kept = finite ? last_of(path, 'V') > asks : has(path, "DZM", true);
      return kept ? 0 : static_cast<std::int32_t>(std::lround(price));
    });
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
  // The last word with this tag; -1: none.
  int last_of(const std::vector<int>& path, char tag) const {
    int last = -1;
    for (int i = 0; i < facts_.size(); ++i) {
      const Label label = facts_.lattice().at(i)[path[i]];
      if (model_.tags.xpos[model_.tags.labels[label].xpos][0] == tag) last = i;
    }
    return last;
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

// How many of so many sentences of these words, of which half begin with `start`, a rule changes; all
// are compared with enumeration.
int changed_by_rules(const std::string& model, const std::vector<std::string>& words,
                     const std::vector<std::string>& start, int cases) {
  const ModelFile file = ModelFile::from_bytes(model, "test");
  Tagger tagger{TaggerModel(file)};
  const std::unique_ptr<Scratch> scratch = tagger.make_scratch();
  Enumerated all(file);
  int changes = 0;
  for (int i = 0; i < cases; ++i) {
    Random random(300 + i);
    Sentence s;
    if (random.chance(0.5)) {
      for (const std::string& form : start) s.words.push_back({.form = form});
    }
    for (int n = random.between(0, 3); n > 0; --n) {
      s.words.push_back({.form = pick(words, random)});
    }
    s.words.push_back({.form = random.chance(0.8) ? "." : pick(words, random)});
    const std::vector<double> prices = {0, 0.5, 2, 6, 40};
    tagger.rules().finite = prices[random.below(5)];
    tagger.rules().infinitive = prices[random.below(5)];
    tagger.annotate(s, *scratch);
    bool changed = false;
    const std::int32_t best = all.best(s, tagger.rules(), changed);
    EXPECT_EQ(all.score_of(s), best) << i;
    changes += changed;
  }
  return changes;
}

TEST(Tagger, AFinishedSentenceTakesAFiniteVerbWhereItCostsLittle) {
  const int cases = random_cases(2000);
  EXPECT_GT(
      changed_by_rules(verbs_and_participles(), {"dak", "rolan", "mipun", "besun", "po", "mi", "."},
                       {"dak", "mipun", "po"}, cases),
      cases / 100);
}

TEST(Tagger, AModalTakesABareVerbWhereItCostsLittle) {
  const int cases = random_cases(2000);
  EXPECT_GT(changed_by_rules(modals(), {"dak", "lom", "wil", "do", "mi", "."},
                             {"wil", "dak", "lom"}, cases),
            cases / 100);
}

}  // namespace
}  // namespace entente::tagging
