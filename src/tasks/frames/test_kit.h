// What the tests of targets and frames share: a small lexicon and sentences, all made up.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"

namespace entente::frames {

// "form/lemma/UPOS/head/deprel", head from 1, blanks between words.
inline Sentence parsed(const std::string& text) {
  Sentence s;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::vector<std::string> parts(1);
    for (const char c : text.substr(at, end - at)) {
      if (c == '/') {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    Word w;
    w.form = parts.at(0);
    w.lemma = parts.at(1);
    w.upos = w.xpos = parts.at(2);
    w.head = std::stoi(parts.at(3));
    w.deprel = parts.at(4);
    s.words.push_back(w);
    at = end + 1;
  }
  return s;
}

inline Sentence with_frames(Sentence s, std::vector<FrameInstance> frames) {
  s.frames = std::move(frames);
  return s;
}

inline FrameInstance evoked(std::vector<int> target, std::string frame, std::string unit) {
  FrameInstance out;
  out.target = std::move(target);
  out.frame = std::move(frame);
  out.lexical_unit = std::move(unit);
  return out;
}

// "board" and "table" may each evoke two frames.
inline framenet::Lexicon small_lexicon() {
  framenet::Lexicon lexicon;
  for (const char* name : {"Baking", "Boarding", "Furniture", "Removing", "Serving"}) {
    lexicon.frames.emplace_back().name = name;
  }
  const auto unit = [&](const char* frame, const char* name, std::vector<std::string> lexemes) {
    framenet::LexicalUnit u;
    u.name = name;
    u.frame = lexicon.find(frame);
    u.lexemes = std::move(lexemes);
    lexicon.frames[u.frame].lexical_units.push_back(static_cast<int>(lexicon.lexical_units.size()));
    lexicon.lexical_units.push_back(std::move(u));
  };
  unit("Baking", "bake.v", {"bake"});
  unit("Boarding", "board.v", {"board"});
  unit("Furniture", "board.n", {"board"});
  unit("Furniture", "side-table.n", {"side-table"});
  unit("Removing", "take off.v", {"take", "off"});
  unit("Serving", "serve.v", {"serve"});
  unit("Serving", "table_((service)).n", {"table"});
  unit("Furniture", "table.n", {"table"});
  return lexicon;
}

// Each frame a few times; "table" serves where it is "the", and is furniture where it is "a".
inline std::vector<Sentence> small_corpus() {
  std::vector<Sentence> out;
  for (int i = 0; i < 6; ++i) {
    out.push_back(with_frames(
        parsed("we/we/PRON/2/nsubj bake/bake/VERB/0/root a/a/DET/4/det table/table/NOUN/2/obj"),
        {evoked({1}, "Baking", "bake.v"), evoked({3}, "Furniture", "table.n")}));
    out.push_back(with_frames(
        parsed("they/they/PRON/2/nsubj serve/serve/VERB/0/root the/the/DET/4/det "
               "table/table/NOUN/2/obj"),
        {evoked({1}, "Serving", "serve.v"), evoked({3}, "Serving", "table_((service)).n")}));
    out.push_back(with_frames(
        parsed(
            "she/she/PRON/2/nsubj took/take/VERB/0/root it/it/PRON/2/obj off/off/ADP/2/compound"),
        {evoked({1, 3}, "Removing", "take off.v")}));
    // A board that nobody annotated: the model must learn to pass over it.
    out.push_back(with_frames(
        parsed("he/he/PRON/2/nsubj bakes/bake/VERB/0/root on/on/ADP/4/case board/board/NOUN/2/obl"),
        {evoked({1}, "Baking", "bake.v")}));
  }
  return out;
}

}  // namespace entente::frames
