// What the tests of the corpus folder share: lines from a string, and the corpora where there are.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_source.h"
#include "corpus/conllu.h"
#include "corpus/corpus.h"
#include "corpus/document.h"
#include "kit/cases.h"

namespace entente {

inline std::vector<Sentence> read_sentences(const std::string& text,
                                            const ConlluOptions& options = {}) {
  StringLines lines(text, "test.conllu");
  ConlluReader reader(lines, options);
  std::vector<Sentence> out;
  for (Sentence s; reader.read(s); s = Sentence()) out.push_back(s);
  return out;
}

inline Document read_document(const std::string& text) {
  StringLines lines(text, "test.conllu");
  return read_corpus(lines);
}

inline std::string written(const std::vector<Sentence>& sentences) {
  std::string out;
  for (const Sentence& s : sentences) append_conllu(out, s);
  return out;
}

// Files of the folder `ud` of the data, sorted; empty where the data is not there. Under a sanitizer (kit/cases.h) those of dev.
inline std::vector<std::string> treebanks() {
  std::vector<std::string> out;
  const char* data = std::getenv("ENTENTE_DATA");
  std::filesystem::path folder = ENTENTE_SOURCE_DIR;
  if (data) {
    folder = std::filesystem::path(data) / "ud";
  } else {
    folder = folder / ".." / "shared" / "data" / "ud";
  }
  if (!std::filesystem::exists(folder)) return out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (kCasesShare == 1 || path.find("-dev") != std::string::npos) out.push_back(path);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace entente
