// What must hold of any bytes given to the readers of language data: an Error that names a place,
// or something that is written and read back as the same.
//
// Used by the libFuzzer targets here and by the short run in the tests.
#pragma once

#include <string>
#include <string_view>

#include "base/line_source.h"
#include "base/utf8.h"
#include "corpus/conll04.h"
#include "corpus/conllu.h"
#include "corpus/text_reader.h"
#include "entente/error.h"
#include "fuzz/round_trip.h"
#include "learn/model_file.h"

namespace entente::fuzz {

inline std::string rewritten(std::string_view text, bool lenient) {
  StringLines lines(std::string(text), "fuzz");
  ConlluReader reader(lines, {.lenient = lenient});
  std::string out;
  for (Sentence sentence; reader.read(sentence);) {
    if (sentence.words.empty()) broken("a sentence without words", text, out);
    append_conllu(out, sentence);
  }
  return out;
}

// True if the text was read.
inline bool conllu_round_trip(std::string_view text) {
  std::string first;
  try {
    first = rewritten(text, true);
    const std::string strict = rewritten(text, false);
    if (strict != first) broken("lenient reading changed what was right", first, strict);
  } catch (const Error& error) {
    if (error.place().line < 1 || error.place().column < 1)
      broken("an error without a place", text, error.what());
    if (first.empty()) return false;
  }
  try {
    const std::string second = rewritten(first, false);
    if (first != second) broken("written twice, two texts", first, second);
  } catch (const Error& error) {
    broken("what was written is not read", first, error.what());
  }
  return true;
}

inline std::string conll04_rewritten(std::string_view text) {
  StringLines lines(std::string(text), "fuzz");
  Conll04Reader reader(lines);
  std::string out;
  for (Conll04Sentence sentence; reader.read(sentence);) append_conll04(out, sentence);
  return out;
}

inline bool conll04_round_trip(std::string_view text) {
  std::string first;
  try {
    first = conll04_rewritten(text);
  } catch (const Error& error) {
    if (error.place().line < 1 || error.place().column < 1)
      broken("an error without a place", text, error.what());
    return false;
  }
  try {
    const std::string second = conll04_rewritten(first);
    if (first != second) broken("written twice, two texts", first, second);
  } catch (const Error& error) {
    broken("what was written is not read", first, error.what());
  }
  return true;
}

inline bool text_round_trip(std::string_view text) {
  StringLines lines(std::string(text), "fuzz");
  TextReader reader(lines, {.lenient = text.size() % 2 == 0, .longest = 64});
  std::string out;
  std::int64_t last = 0;
  try {
    for (Document document; reader.read(document);) {
      if (document.text.empty() || utf8_prefix(document.text) != document.text.size())
        broken("a paragraph that is empty or not UTF-8", text, document.text);
      if (document.characters_before < last) broken("offsets go back", text, document.text);
      last = document.characters_before;
      out += document.text;
    }
  } catch (const Error& error) {
    if (error.place().line < 1) broken("an error without a place", text, error.what());
    return false;
  }
  const auto squeezed = [](std::string_view s) {
    std::string kept;
    for (char c : s) {
      // Blanks may be dropped with their line; bytes that are not ASCII may have been replaced.
      if (c > ' ') kept += c;
    }
    return kept;
  };
  if (squeezed(text) != squeezed(out)) broken("the text is not what was read", text, out);
  return true;
}

inline bool model_round_trip(std::string_view bytes) {
  try {
    const ModelFile file = ModelFile::from_bytes(std::string(bytes), "fuzz");
    ModelWriter writer(file.task(), file.fingerprint());
    writer.add_all(file);
    const std::string first = writer.bytes();
    const ModelFile again = ModelFile::from_bytes(first, "again");
    ModelWriter second(again.task(), again.fingerprint());
    second.add_all(again);
    if (second.bytes() != first) broken("written twice, two models", first, second.bytes());
    for (const std::string& name : file.section_names()) {
      try {
        file.strings(name);
      } catch (const Error&) {  // most sections are none
      }
    }
  } catch (const Error& error) {
    if (error.place().file.empty()) broken("an error without a place", bytes, error.what());
    return false;
  }
  return true;
}

}  // namespace entente::fuzz
