// What the tests of frames share: sentences and frames made by hand.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/document.h"
#include "corpus/writers.h"

namespace entente {

// Words separated by spaces; a '_' before a word glues it to the one before.
inline Document make_document(std::string_view words) {
  Document document;
  Sentence& s = document.sentences.emplace_back();
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    std::string form(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
    const int i = s.size();
    if (form.size() > 1 && form[0] == '_') {
      form.erase(0, 1);
      s.words.back().misc = "SpaceAfter=No";
    }
    s.words.push_back({.form = form});
    s.tokens.push_back({.first = i, .last = i});
  }
  build_text(document);
  return document;
}

inline FrameInstance make_frame(std::string frame, std::vector<int> target,
                                std::vector<FrameArgument> arguments) {
  FrameInstance out;
  out.target = std::move(target);
  out.frame = std::move(frame);
  out.arguments = std::move(arguments);
  return out;
}

inline std::string written_as(const std::string& format, const Document& document,
                              const WriterOptions& options = {}) {
  const std::unique_ptr<DocumentWriter> writer = make_writer(format, options);
  std::string out = writer->begin(), piece;
  writer->append(piece, document);
  out += writer->place(piece);
  return out + writer->end();
}

}  // namespace entente
