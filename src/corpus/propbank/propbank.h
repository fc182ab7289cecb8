// PropBank roles over sentences with trees, in columns.
//
//   CorpusFile file("train.conll.gz");
//   Reader reader(file);
//   for (PropSentence s; reader.read(s);) append_columns(out, s);        // the same again
//   append_props(out, s);                              // CoNLL-2005: A0, AM-TMP, R-A1, C-A1
//
// Tab-separated columns: index (from 0), word, tag, piece of the tree, lemma and roleset of the
// predicate that the word is (or "-"), head (from 1, 0: the root), relation, lemma of the word,
// then one column a predicate, in their order, with its roles in brackets: (ARG0*, *), *. Blank
// lines end sentences, lines with # are kept. The tree may be absent ("_" throughout). What does
// not fit is an Error with its place. Linear; one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/line_source.h"
#include "corpus/propbank/phrase_tree.h"

namespace entente::propbank {

// Words [begin, end) and what they are to the predicate: ARG0, ARGM-TMP, R-ARG1, C-ARG1, V.
struct RoleSpan {
  std::string label;
  int begin = 0, end = 0;
  friend bool operator==(const RoleSpan&, const RoleSpan&) = default;
};

struct Proposition {
  int predicate = 0;            // a word
  std::string lemma, roleset;   // "kill", "kill.01"
  std::vector<RoleSpan> roles;  // in the order of their words; V among them
};

inline constexpr int kNoHead = -2;  // written "_"

struct PropSentence {
  std::vector<std::string> comments;
  std::vector<std::string> words, tags, lemmas, relations;
  std::vector<int> heads;  // -1: the root, kNoHead: not known
  PhraseTree tree;         // empty: there is none
  std::vector<Proposition> propositions;
  int line = 0;  // of the first word

  int size() const { return static_cast<int>(words.size()); }
};

class Reader {
 public:
  explicit Reader(LineSource& source) : source_(source) {}
  // The next sentence; false at the end.
  bool read(PropSentence& sentence);

 private:
  void read_row(PropSentence& sentence);
  void finish(PropSentence& sentence);
  void read_roles(PropSentence& sentence, std::size_t column);
  [[noreturn]] void fail(int row, std::size_t column, const std::string& message) const;

  LineSource& source_;
  std::string line_;
  std::vector<std::string> bits_;
  std::vector<std::vector<std::string>> role_columns_;  // [row][predicate]
  std::vector<std::vector<int>> starts_;                // of the columns of each row, from 1
};

std::vector<PropSentence> read_propbank(const std::string& path);  // gzipped or not; "-": stdin

void append_columns(std::string& out, const PropSentence& sentence);
void append_props(std::string& out, const PropSentence& sentence);

// "ARGM-TMP" -> "AM-TMP", "R-ARG0" -> "R-A0", and back.
std::string short_role(std::string_view label);
std::string long_role(std::string_view label);

// "C-" or "R-" of a label, or nothing; and the role without it.
std::string_view role_prefix(std::string_view label);
inline std::string_view bare_role(std::string_view label) {
  return label.substr(role_prefix(label).size());
}
// ARG0 to ARG5 and ARGA: those a predicate has once.
bool is_numbered(std::string_view bare_label);

}  // namespace entente::propbank
