// What must hold of any bytes given to the readers of FrameNet's files: an Error that names a
// place, or frames, predicates and labels that lie where they may.
//
// Used by the libFuzzer target here and by the short run in the tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "corpus/framenet/annotation.h"
#include "corpus/framenet/lexicon.h"
#include "corpus/utf8.h"
#include "entente/error.h"
#include "fuzz/round_trip.h"

namespace entente::fuzz {

inline void check_lexicon(std::string_view text, const framenet::Lexicon& lexicon) {
  for (const framenet::Frame& frame : lexicon.frames) {
    const int n = static_cast<int>(frame.roles.size());
    const auto pairs = [&](const std::vector<std::pair<int, int>>& all, bool ordered) {
      for (const auto& [a, b] : all) {
        if (a < 0 || b < 0 || a >= n || b >= n || a == b || (ordered && a > b))
          broken("a rule between roles that are none", text, frame.name);
      }
      if (!std::is_sorted(all.begin(), all.end())) broken("rules out of order", text, frame.name);
    };
    pairs(frame.excludes, true);
    pairs(frame.requires_, true);
    pairs(frame.requires_one_way, false);
    for (const std::vector<int>& set : frame.core_sets) {
      if (set.size() < 2) broken("a core set of less than two", text, frame.name);
    }
    for (const framenet::Role& role : frame.roles) {
      if (role.name.empty()) broken("a role without a name", text, frame.name);
    }
  }
  for (const framenet::LexicalUnit& unit : lexicon.lexical_units) {
    const int lexemes = static_cast<int>(unit.lexemes.size());
    if (unit.frame < 0 || unit.frame >= static_cast<int>(lexicon.frames.size()) || unit.head < 0 ||
        unit.head >= std::max(lexemes, 1))
      broken("a lexical unit without a frame or head", text, unit.name);
  }
}

inline void check_sentence(std::string_view text, const framenet::AnnotatedSentence& sentence) {
  if (!is_utf8(sentence.text)) broken("a text that is not UTF-8", text, sentence.text);
  const std::int64_t characters = count_characters(sentence.text);
  const auto labels = [&](const std::vector<framenet::Label>& all) {
    for (const framenet::Label& label : all) {
      if (label.begin < 0 || label.end <= label.begin || label.end > characters)
        broken("a label outside its text", text, label.name);
    }
  };
  for (const framenet::Predicate& predicate : sentence.predicates) {
    if (predicate.frame.empty() || predicate.target.empty())
      broken("a predicate without a frame or target", text, sentence.text);
    labels(predicate.target);
    labels(predicate.arguments);
    labels(predicate.arguments_of_rank_2);
  }
}

// True if one of the readers took it.
inline bool framenet_check(std::string_view text) {
  int read = 0;
  const auto attempt = [&](auto&& reader) {
    try {
      reader();
      ++read;
    } catch (const Error& error) {
      if (error.place().file.empty() || error.place().line < 1 || error.place().column < 1)
        broken("an error without a place", text, error.what());
    }
  };
  framenet::Report report;
  attempt([&] {
    framenet::Lexicon lexicon;
    framenet::parse_frame(std::string(text), "fuzz", lexicon, report);
    framenet::sort_frames(lexicon);
    check_lexicon(text, lexicon);
  });
  attempt([&] {
    for (const auto& sentence : framenet::parse_full_text(std::string(text), "fuzz", report))
      check_sentence(text, sentence);
  });
  attempt([&] {
    framenet::parse_exemplars(std::string(text), "fuzz", report,
                              [&](framenet::AnnotatedSentence&& sentence) {
                                check_sentence(text, sentence);
                                return true;
                              });
  });
  return read > 0;
}

}  // namespace entente::fuzz
