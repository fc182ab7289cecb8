// Alignments as text: Pharaoh links, JSON lines, tables to read, pictures.
//
//   auto writer = make_alignment_writer("jsonl", {.scores = true});
//   out += writer->begin();
//   writer->append(piece, pair, aligned);        // any thread, any order
//   out += piece;  out += writer->end();
//
//   pharaoh   0-0 1-2              with scores 0-0:0.98; several best: `line ||| links ||| score`
//   jsonl     {"line": 1, "source": [...], "target": [...], "links": [[0, 0], ...], ...}
//   text      one row a word of the source, its partners beside it
//   svg, html the two sentences one over the other, links between them
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/alignment/aligner.h"
#include "tasks/alignment/bitext.h"

namespace entente::alignment {

struct FormatOptions {
  bool scores = false;
  bool n_best = false;
  bool agree = false;  // say rounds, bound and whether it is proven
};

class AlignmentWriter {
 public:
  virtual ~AlignmentWriter() = default;
  virtual std::string begin() const { return {}; }
  virtual void append(std::string& out, const WordPair& pair, const Aligned& aligned) const = 0;
  // What is to be written for a piece now; pictures wait for the end.
  virtual std::string place(std::string piece) { return piece; }
  virtual std::string end() { return {}; }
};

std::vector<std::string> alignment_formats();
std::unique_ptr<AlignmentWriter> make_alignment_writer(std::string_view name,
                                                       const FormatOptions& options);

}  // namespace entente::alignment
