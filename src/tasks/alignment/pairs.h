// Pairs of lines from two files, or from one in fast_align's form `a ||| b`.
//
//   PairReader reader({"train.e.gz", "train.f.gz"}, {.tokenize = false});
//   for (WordPair pair; reader.read(pair);) text.add(pair);
//
// Words stand between spaces; `tokenize` takes raw text instead: lower case, punctuation apart,
// elided words apart ("l' homme", "it 's"), Unicode throughout. Empty lines keep their place as
// empty sentences. Files of different length, a missing `|||` or bytes that are not UTF-8 are an
// Error that names the line. Streams: memory is one line. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/gzip.h"
#include "tasks/alignment/bitext.h"

namespace entente::alignment {

struct PairOptions {
  bool tokenize = false;  // else words stand between spaces
  bool lenient = false;   // bytes that are not UTF-8 become U+FFFD
};

// The words of raw text, in lower case.
void tokenize(std::string_view text, std::vector<std::string>& words);

// The words of a line that was read from `file`.
void split_line(std::string_view text, const PairOptions& options, const LineSource& file,
                std::vector<std::string>& words);

class PairReader {
 public:
  // One path or two; "-" is standard input.
  PairReader(const std::vector<std::string>& paths, const PairOptions& options);

  bool read(WordPair& pair);                               // false at the end
  std::int64_t size() const { return files_[0]->size(); }  // bytes of the first file, -1: not known
  std::int64_t bytes_read() const { return files_[0]->bytes_read(); }

 private:
  std::vector<std::unique_ptr<CorpusFile>> files_;
  PairOptions options_;
  std::string lines_[2];
};

}  // namespace entente::alignment
