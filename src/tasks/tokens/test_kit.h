// What the tests of this folder share: small invented treebanks.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "corpus/document.h"

namespace entente::tokens {

// "Ana can't=ca+n't swim ^." : tokens by spaces, '^' stands right after the one before, '=' and '+'
// give the words.
inline Sentence sentence_of(std::string_view notation) {
  Sentence s;
  const auto misc_of_last = [&]() -> std::string& {
    Token& t = s.tokens.back();
    return t.is_multiword() ? t.misc : s.words[t.first].misc;
  };
  while (!notation.empty()) {
    const std::size_t space = std::min(notation.find(' '), notation.size());
    std::string token(notation.substr(0, space));
    notation.remove_prefix(std::min(space + 1, notation.size()));
    if (token.size() > 1 && token[0] == '^') {
      misc_of_last() = "SpaceAfter=No";
      token.erase(0, 1);
    }
    Token& t = s.tokens.emplace_back();
    t.first = s.size();
    const std::size_t equals = token.size() > 1 ? token.find('=') : std::string::npos;
    if (equals == std::string::npos) {
      s.words.emplace_back().form = token;
    } else {
      t.form = token.substr(0, equals);
      for (std::string rest = token.substr(equals + 1); !rest.empty();) {
        const std::size_t plus = std::min(rest.find('+'), rest.size());
        s.words.emplace_back().form = rest.substr(0, plus);
        rest.erase(0, plus + 1);
      }
    }
    t.last = s.size() - 1;
  }
  return s;
}

// Sentences of a small language: abbreviations, contractions, hyphens, three ends of sentences.
inline std::vector<Sentence> small_treebank(int sentences, std::uint64_t seed) {
  const std::vector<std::string> who = {"Mia",      "Dr. Brandt", "the goat",  "my aunt",
                                        "Mr. Osei", "nobody",     "the pilot", "Ravi"};
  const std::vector<std::string> does = {"paints",           "doesn't=does+n't like", "sells",
                                         "can't=ca+n't see", "won't=wo+n't carry",    "washes"};
  const std::vector<std::string> what = {"boats",   "the ferry", "a well ^- ^kept barn",
                                         "3.5 kg",  "old maps",  "Mia's=Mia+'s hat",
                                         "lanterns"};
  const std::vector<std::string> ends = {"^.", "^!", "^?"};
  Random random(seed);
  const auto pick = [&](const std::vector<std::string>& from) {
    return from[random.below(static_cast<int>(from.size()))];
  };
  std::vector<Sentence> out;
  for (int i = 0; i < sentences; ++i) {
    std::string text = pick(who) + " " + pick(does) + " " + pick(what);
    if (random.chance(0.3)) text += " ^, " + pick(what);
    text[0] = static_cast<char>(text[0] >= 'a' && text[0] <= 'z' ? text[0] - 32 : text[0]);
    out.push_back(sentence_of(text + " " + pick(ends)));
    out.back().new_paragraph = i % 5 == 0;
  }
  return out;
}

}  // namespace entente::tokens
