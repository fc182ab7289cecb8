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
// lines end sentences, lines with # are kept; `# confidence = ` and `# likely = ` say what a parser
// thinks of the tree's phrases and of others (probabilities.h). The tree may be absent ("_" throughout). What does
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

// A phrase that is not in the tree but that a parser finds not unlikely.
struct LikelyPhrase {
  std::string label;
  int begin = 0, end = 0;
  float probability = 0;
};

inline constexpr int kNoHead = -2;  // written "_"

// Another tree of the sentence, and what share of a parser's belief it has.
struct OtherTree {
  PhraseTree tree;
  float share = 0;
};

struct PropSentence {
  std::vector<std::string> comments;
  std::vector<std::string> words, tags, lemmas, relations;
  std::vector<int> heads;  // -1: the root, kNoHead: not known
  PhraseTree tree;         // empty: there is none
  std::vector<LikelyPhrase> likely;
  std::vector<OtherTree> others;
  std::vector<Proposition> propositions;
  int line = 0;  // of the first word

  int size() const { return static_cast<int>(words.size()); }
};

// The lines `# confidence = 0.98 1` (of the phrases of the tree, in the order of their brackets) and
// `# likely = NP 3 7 0.31 PP 3 9 0.12` (label, words [3, 7), probability).
class ProbabilityLines {
 public:
  void clear();
  // False: another comment. Error if the line is not as it should be.
  bool read(const std::string& line, const Place& place);
  // Error if the numbers do not fit the sentence's words and tree.
  void move_to(PropSentence& sentence);
  static void append(std::string& out, const PropSentence& sentence);

 private:
  std::vector<float> confidence_;
  std::vector<LikelyPhrase> likely_;
  struct Other {
    float share;
    std::vector<std::string> bits;
    Place place;
  };
  std::vector<Other> others_;
  Place place_;
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
  ProbabilityLines probabilities_;
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
