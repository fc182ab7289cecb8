// Language models with back-off by hand, grammars, BLEU, weights, and what malformed files say.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "entente/error.h"
#include "tasks/translation/bleu.h"
#include "tasks/translation/commands.h"
#include "tasks/translation/test_kit.h"
#include "tasks/translation/tuning.h"

namespace entente::translation {
namespace {

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

constexpr const char* kArpa = R"(
\data\
ngram 1=5
ngram 2=3
ngram 3=1

\1-grams:
-1.0	<unk>
-99	<s>	-0.5
-1.5	</s>
-0.7	a	-0.3
-0.9	b	-0.2

\2-grams:
-0.4	<s> a	-0.1
-0.6	a b	-0.25
-0.3	b </s>

\3-grams:
-0.15	<s> a b

\end\
)";

double log_probability(const LanguageModel& lm, const std::vector<std::string>& words) {
  Context c = lm.start();
  double sum = 0;
  for (const std::string& w : words) sum += lm.score(lm.word(w), c, c);
  return sum + lm.score(lm.end(), c, c);
}

TEST(TranslationLanguageModel, ProbabilitiesByHand) {
  const LanguageModel lm = kit::lm_of(kArpa);
  // <s> a; <s> a b; a b </s> is not there: back-off of (a b), then (b </s>)
  EXPECT_NEAR(log_probability(lm, {"a", "b"}), -0.4 - 0.15 + (-0.25 - 0.3), 1e-5);
  // b after <s>: bo(<s>) + p(b); a after b: bo(b) + p(a) (no context `<s> b`); end: bo(a) + p(</s>)
  EXPECT_NEAR(log_probability(lm, {"b", "a"}), (-0.5 - 0.9) + (-0.2 - 0.7) + (-0.3 - 1.5), 1e-5);
  // an unknown word cuts the context
  EXPECT_NEAR(log_probability(lm, {"zzz", "b"}), (-0.5 - 1.0) + -0.9 + -0.3, 1e-5);
  EXPECT_NEAR(log_probability(lm, {}), -0.5 - 1.5, 1e-5);
}

// The same, from the definition and plain maps.
class Plain {
 public:
  explicit Plain(const std::string& text) {
    StringLines lines(text, "lm");
    for (std::string line; lines.read_line(line);) {
      const std::size_t tab = line.find('\t');
      if (tab == std::string::npos) continue;
      const std::size_t second = line.find('\t', tab + 1);
      const std::string gram = line.substr(tab + 1, second - tab - 1);
      p_[gram] = std::stod(line);
      if (second != std::string::npos) bo_[gram] = std::stod(line.substr(second + 1));
    }
  }
  double score(const std::string& word, std::vector<std::string> before) const {
    std::string context;
    for (const std::string& w : before) context += w + " ";
    const auto at = p_.find(context + word);
    if (at != p_.end()) return at->second;
    const auto bo = bo_.find(context.substr(0, context.size() - 1));
    before.erase(before.begin());
    return (bo == bo_.end() ? 0 : bo->second) + score(word, before);
  }

 private:
  std::map<std::string, double> p_, bo_;
};

TEST(TranslationLanguageModel, AnyOrderAgreesWithTheDefinitionAndBoundsHold) {
  Random random(3);
  const std::vector<std::string> vocabulary{"a", "b", "c", "d"};
  for (int trial = 0; trial < 40; ++trial) {
    const int order = random.between(1, 5);
    const std::string text = kit::random_arpa(random, order);
    const LanguageModel lm = kit::lm_of(text);
    const Plain plain(text);
    const WordHash few[] = {lm.word("a"), lm.word("b"), lm.word("c"), lm.word("d")};
    const LanguageModel local = lm.restricted_to(few);
    for (int run = 0; run < 30; ++run) {
      std::vector<std::string> words{"<s>"};
      Context c = lm.start();
      // A context that was opened later knows less: its scores are never lower.
      Context open, open_local;
      const int opened = random.below(4);
      for (int k = 0; k < 7; ++k) {
        const std::string w = vocabulary[random.below(4)];
        const std::vector<std::string> before(
            words.end() - std::min<std::ptrdiff_t>(order - 1, std::ssize(words)), words.end());
        const double real = lm.score(lm.word(w), c, c);
        ASSERT_NEAR(real, plain.score(w, before), 1e-4) << text;
        if (k >= opened) {
          const double loose = lm.score(lm.word(w), open, open);
          const double tight = local.score(lm.word(w), open_local, open_local);
          ASSERT_GE(tight, real - 1e-5);
          ASSERT_GE(loose, tight - 1e-5);
          if (k >= opened + order - 1) {
            ASSERT_NEAR(loose, real, 1e-5);
          }
        }
        words.push_back(w);
      }
    }
  }
}

TEST(TranslationLanguageModel, OurFormatSaysTheSame) {
  Random random(4);
  const LanguageModel lm = kit::lm_of(kit::random_arpa(random, 4));
  ModelWriter writer("language model", 0);
  lm.write(writer);
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "lm.bin");
  const LanguageModel again(file);
  EXPECT_EQ(again.order(), 4);
  for (int run = 0; run < 50; ++run) {
    std::vector<std::string> words;
    for (int k = random.below(8); k > 0; --k)
      words.push_back(std::string(1, static_cast<char>('a' + random.below(5))));
    EXPECT_EQ(log_probability(lm, words), log_probability(again, words));
  }
}

TEST(TranslationLanguageModel, MalformedFilesNameTheLine) {
  const auto said = [](const std::string& text) { return message_of([&] { kit::lm_of(text); }); };
  EXPECT_NE(said("hello\n").find("\\data\\"), std::string::npos);
  EXPECT_EQ(said("\\data\\\nngram 2=1\n"), "lm:2:1: expected `ngram 1=count`, found \"ngram 2=1\"");
  EXPECT_NE(said("\\data\\\nngram 1=1\n\\1-grams:\nx\ta\n\\end\\\n").find("lm:4:1: expected a log"),
            std::string::npos);
  EXPECT_NE(said("\\data\\\nngram 1=2\n\\1-grams:\n-1\ta\n\\end\\\n").find("expected 2 1-grams"),
            std::string::npos);
  EXPECT_NE(said("\\data\\\nngram 1=1\nngram 2=1\n\\1-grams:\n-1\ta\n\\2-grams:\n-1\ta\n\\end\\\n")
                .find("lm:7:"),
            std::string::npos);
  EXPECT_NE(said("\\data\\\nngram 1=2\n\\1-grams:\n-1\ta\n-1\ta\n\\end\\\n").find("lm:5"),
            std::string::npos);
  EXPECT_NE(said("\\data\\\nngram 1=1\n\\1-grams:\n-1\ta\n").find("\\end\\"), std::string::npos);
}

TEST(TranslationGrammar, MalformedRulesNameTheirPlace) {
  const auto said = [](const std::string& text) {
    return message_of([&] { kit::grammar_of(text); });
  };
  EXPECT_EQ(said("[X] ||| a\n"), "grammar:1:1: expected `[X] ||| source ||| target ||| features`");
  EXPECT_NE(said("X ||| a ||| b\n").find("grammar:1:1: expected a nonterminal"), std::string::npos);
  EXPECT_NE(said("[X] ||| ||| b\n").find("expected a source side"), std::string::npos);
  EXPECT_NE(said("[X] ||| [X,1] ||| [X,1]\n").find("circles"), std::string::npos);
  EXPECT_NE(said("[X] ||| a [X,1] ||| b\n").find("missing in the target"), std::string::npos);
  EXPECT_NE(said("[X] ||| a ||| b [X,1]\n").find("grammar:1:17:"), std::string::npos);
  EXPECT_NE(said("[X] ||| a [X,2] ||| [X,2]\n").find("numbered in their order"), std::string::npos);
  EXPECT_NE(said("[X] ||| a ||| b ||| 0.5 x\n").find("grammar:1:25: expected a feature"),
            std::string::npos);
  EXPECT_NE(said("\n").find("found none"), std::string::npos);
  // A bracket or a number forgotten is not a word.
  for (const std::string broken : {"[X,1", "X,1]", "[X]", "[X,]", "[X,a]", "[X,12]", "[Y,1"}) {
    EXPECT_EQ(said("[X] ||| a " + broken + " ||| b [X,1]\n"),
              "grammar:1:11: expected a nonterminal such as [X,1], found \"" + broken + "\"");
    EXPECT_NE(said("[X] ||| a ||| b " + broken + "\n").find("grammar:1:17:"), std::string::npos);
  }
  // Words with brackets are words.
  for (const std::string word :
       {"[", "]", "[]", "[a]", "[X", "X]", "[noise,2]x", ",1]", "3,1]", "[1"}) {
    EXPECT_EQ(said("[X] ||| " + word + " ||| " + word + "\n"), "") << word;
  }
}

TEST(TranslationGrammar, FeaturesByPlaceAndByName) {
  const Grammar g = kit::grammar_of("[X] ||| a ||| b ||| 0.5 lex=2\n[X] ||| c ||| d e ||| lex=3\n");
  EXPECT_EQ(g.feature_names(), (std::vector<std::string>{"tm0", "lex"}));
  EXPECT_FLOAT_EQ(g.features(g.rule(0))[0], 0.5f);
  EXPECT_FLOAT_EQ(g.features(g.rule(1))[0], 0);
  EXPECT_FLOAT_EQ(g.features(g.rule(1))[1], 3);
  const LanguageModel none;
  EXPECT_THROW(Scorer(g, none, {{"nonsense", 1}}), Error);
}

TEST(TranslationWeights, AreReadAndWritten) {
  StringLines lines("# tuned\nlm 0.5\ntm0=-1  # cost\n\n", "w");
  const Weights w = read_weights(lines);
  EXPECT_EQ(w, (Weights{{"lm", 0.5}, {"tm0", -1}}));
  StringLines again(write_weights(w), "w");
  EXPECT_EQ(read_weights(again), w);
  EXPECT_EQ(message_of([] {
              StringLines bad("lm x\n", "w");
              read_weights(bad);
            }),
            "w:1:4: expected a number, found \"x\"");
  EXPECT_EQ(message_of([] {
              StringLines empty("# none\n", "w");
              read_weights(empty);
            }),
            "w: expected lines of `name value`, found none");
}

TEST(TranslationBleu, ByHand) {
  const Words hyp{"the", "the", "cat", "sat", "down"};
  const std::vector<Words> refs{{"the", "cat", "sat", "down", "there", "now"},
                                {"a", "cat", "sat", "down"}};
  const BleuCounts b = bleu_counts(hyp, refs);
  EXPECT_EQ(b.matched, (std::array<std::int64_t, 4>{4, 3, 2, 1}));  // the second `the` is clipped
  EXPECT_EQ(b.made, (std::array<std::int64_t, 4>{5, 4, 3, 2}));
  EXPECT_EQ(b.reference, 4);  // 6 and 4 are equally near: the shorter
  EXPECT_NEAR(b.bleu(), 100 * std::pow(4.0 / 5 * 3 / 4 * 2 / 3 * 1 / 2, 0.25), 1e-9);
  const BleuCounts brief = bleu_counts({"the", "cat", "sat", "down"}, {refs[0]});
  EXPECT_NEAR(brief.bleu(), 100 * std::exp(1 - 6.0 / 4), 1e-9);
  EXPECT_EQ(bleu_counts({}, refs).bleu(), 0);
}

TEST(TranslationTuning, TheBestStepIsTheBestOfAll) {
  Random random(9);
  for (int trial = 0; trial < 40; ++trial) {
    Pool pool(6);
    for (auto& candidates : pool) {
      for (int k = random.between(1, 6); k > 0; --k) {
        PoolCandidate c;
        for (int f = 0; f < 3; ++f) c.features.push_back(random.normal());
        for (int n = 0; n < 4; ++n) {
          c.counts.made[n] = 8 - n;
          c.counts.matched[n] = random.between(1, 8 - n);
        }
        c.counts.length = 8;
        c.counts.reference = 8;
        candidates.push_back(c);
      }
    }
    const std::vector<double> w{1, 0.5, -1};
    const std::vector<double> direction{random.normal(), random.normal(), random.normal()};
    double bleu = 0;
    const double step = best_step(pool, w, direction, -10, 10, bleu);
    const auto at = [&](double t) {
      std::vector<double> moved = w;
      for (int k = 0; k < 3; ++k) moved[k] += t * direction[k];
      return pool_bleu(pool, moved);
    };
    EXPECT_NEAR(at(step), bleu, 1e-9);
    for (double t = -10; t <= 10; t += 0.01) ASSERT_LE(at(t), bleu + 1e-9) << t;
    double reached = 0;
    const auto better = maximize_bleu(pool, w, {.restarts = 2, .directions = 3}, reached);
    EXPECT_GE(reached, at(0));
    EXPECT_NEAR(pool_bleu(pool, better), reached, 1e-9);
  }
}

}  // namespace
}  // namespace entente::translation
