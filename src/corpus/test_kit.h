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
#include "corpus/document.h"

namespace entente {

class StringLines : public LineSource {
 public:
  explicit StringLines(std::string text, std::string name = "test.conllu")
      : text_(std::move(text)), name_(std::move(name)) {}
  bool read_line(std::string& line) override {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    return true;
  }
  const std::string& name() const override { return name_; }
  int line_number() const override { return line_; }

 private:
  std::string text_, name_;
  std::size_t at_ = 0;
  int line_ = 0;
};

inline std::vector<Sentence> read_sentences(const std::string& text,
                                            const ConlluOptions& options = {}) {
  StringLines lines(text);
  ConlluReader reader(lines, options);
  std::vector<Sentence> out;
  for (Sentence s; reader.read(s); s = Sentence()) out.push_back(s);
  return out;
}

inline std::string written(const std::vector<Sentence>& sentences) {
  std::string out;
  for (const Sentence& s : sentences) append_conllu(out, s);
  return out;
}

// Files of the folder `ud` of the data, sorted; empty where the data is not there.
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
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace entente
