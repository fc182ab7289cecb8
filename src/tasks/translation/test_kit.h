// Small grammars and language models, made up at random, and every derivation of a chart.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/line_source.h"
#include "base/random.h"
#include "tasks/translation/lm_forest.h"

namespace entente::translation::kit {

inline Grammar grammar_of(const std::string& text) {
  StringLines lines(text, "grammar");
  return read_grammar(lines);
}
inline LanguageModel lm_of(const std::string& text) {
  StringLines lines(text, "lm");
  return read_arpa(lines);
}

// A back-off model over words a, b, c, d: not normalised, but a function like any other.
inline std::string random_arpa(Random& random, int order) {
  const std::vector<std::string> words{"a", "b", "c", "d"};
  std::vector<std::vector<std::string>> grams(order);
  const auto number = [&](double least, double most) {
    return std::to_string(random.uniform(least, most));
  };
  for (const char* w : {"<s>", "</s>", "<unk>", "a", "b", "c", "d"}) {
    grams[0].push_back(number(-2, -0.2) + "\t" + w + "\t" + number(-0.8, 0.2));
  }
  std::vector<std::string> shorter{"<s>", "a", "b", "c", "d"};
  for (int n = 2; n <= order; ++n) {
    std::vector<std::string> next;
    for (const std::string& before : shorter) {
      for (const char* w : {"a", "b", "c", "d", "</s>"}) {
        if (!random.chance(n == 2 ? 0.6 : 0.4)) continue;
        const std::string gram = before + " " + w;
        const bool last = n == order || std::string(w) == "</s>";
        grams[n - 1].push_back(number(-2, -0.05) + "\t" + gram +
                               (last ? "" : "\t" + number(-0.8, 0.2)));
        if (!last) next.push_back(gram);
      }
    }
    shorter = next;
  }
  std::string out = "\\data\\\n";
  for (int n = 1; n <= order; ++n) {
    out += "ngram " + std::to_string(n) + "=" + std::to_string(grams[n - 1].size()) + "\n";
  }
  for (int n = 1; n <= order; ++n) {
    out += "\n\\" + std::to_string(n) + "-grams:\n";
    for (const std::string& gram : grams[n - 1]) out += gram + "\n";
  }
  return out + "\n\\end\\\n";
}

// Rules over source words x, y, z: words, reorderings, deletions now and then.
inline std::string random_grammar(Random& random) {
  const char* source[] = {"x", "y", "z"};
  const char* target[] = {"a", "b", "c", "d", "e"};
  std::string out;
  const auto words = [&](int count) {
    std::string text;
    for (int k = 0; k < count; ++k) text += std::string(" ") + target[random.below(5)];
    return text;
  };
  const auto end = [&] {
    return " ||| " + std::to_string(random.uniform(-2, 2)) + " " +
           std::to_string(random.uniform(-2, 2)) + "\n";
  };
  for (const char* s : source) {
    if (random.chance(0.15)) continue;  // passes through
    for (int k = random.between(1, 2); k > 0; --k) {
      const int size = random.chance(0.08) ? 0 : random.between(1, 2);
      out += std::string("[X] ||| ") + s + " |||" + words(size) + end();
    }
  }
  for (int k = 0; k < 2; ++k) {
    const std::string s = source[random.below(3)];
    out += "[X] ||| " + s + " [X,1] ||| [X,1]" + words(random.between(0, 1)) + end();
    out += "[X] ||| [X,1] " + s + " [X,2] |||" + words(random.between(0, 1)) + " [X,2]" +
           words(random.between(0, 1)) + " [X,1]" + end();
  }
  return out;
}

// Calls with every derivation of the chart below a node, root first.
inline std::vector<std::vector<std::int32_t>> derivations(const Hypergraph& h, int node) {
  std::vector<std::vector<std::int32_t>> out;
  for (int e = h.first_edge(node); e < h.last_edge(node); ++e) {
    std::vector<std::vector<std::int32_t>> so_far{{e}};
    for (const std::int32_t tail : h.tails(e)) {
      std::vector<std::vector<std::int32_t>> longer;
      const auto below = derivations(h, tail);
      for (const auto& a : so_far) {
        for (const auto& b : below) {
          longer.push_back(a);
          longer.back().insert(longer.back().end(), b.begin(), b.end());
        }
      }
      so_far = std::move(longer);
    }
    out.insert(out.end(), so_far.begin(), so_far.end());
  }
  return out;
}

}  // namespace entente::translation::kit
