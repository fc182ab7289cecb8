// Trees as the Penn Treebank writes them: (TOP (S (NP (PRP I)) (VP (VBD slept)) (. .)))
//
//   CorpusFile file("train.mrg.gz");
//   BracketReader reader(file, {});
//   for (PhraseTree tree; reader.read(tree);) use(tree);
//   std::string line = to_brackets(tree);           // one line, without its newline
//
// A tree may cover several lines, and a line hold several trees. The root is called TOP: an outer
// bracket without a label, ROOT or TOP are the same, and a tree without any gets one. Parentheses
// within words are written -LRB- and so on, and are read back as what they are. Traces (words
// tagged -NONE-, with the phrases that hold nothing else) and function tags (NP-SBJ-1, NP=2) are
// dropped unless asked for. Broken brackets are an Error with file:line:column.
// Cost: linear. Memory: one tree. One thread at a time.
#pragma once

#include <string>
#include <vector>

#include "base/line_source.h"
#include "corpus/layers/constituency/phrase_tree.h"

namespace entente {

struct BracketOptions {
  bool keep_traces = false, keep_functions = false;
};

class BracketReader {
 public:
  BracketReader(LineSource& source, BracketOptions options) : source_(source), options_(options) {}
  bool read(PhraseTree& tree);  // false at the end

 private:
  enum class Kind { kOpen, kClose, kWord, kEnd };
  struct Token {
    Kind kind = Kind::kEnd;
    std::string text;
    Place place;
  };
  Token next();
  void open(const Token& at, PhraseTree& tree);
  void close(const Token& at, PhraseTree& tree);
  void finish(PhraseTree& tree) const;

  struct Open {
    std::string label;
    int phrase = -1;  // of the tree; -1: a tag, or not yet known
    bool has_word = false, has_children = false;
    int begin = 0;
    std::string word;
  };
  LineSource& source_;
  BracketOptions options_;
  std::string line_;
  std::size_t at_ = 0;
  std::vector<Open> stack_;
};

std::vector<PhraseTree> read_trees(const std::string& path, const BracketOptions& options = {});
std::string to_brackets(const PhraseTree& tree);
// The tree drawn with one phrase a line, indented.
std::string to_indented_brackets(const PhraseTree& tree);

// "(" -> "-LRB-" and back, anywhere in a word.
std::string escape_brackets(std::string_view word);
std::string unescape_brackets(std::string_view word);

}  // namespace entente
