// Where sentences may end between the tokens of a paragraph, and the features that tell.
//
//   SentenceSource source(lexicon);
//   source.start(characters, token_ends);          // first character after each token
//   source.focus(0, source.size());                 // tokens [0, size)
//   lattice.fill(source, weights);
//
// Knows words, their usual parts of speech and capitals (lexicon.h), punctuation, brackets and
// quotes, how far it is to the nearest full stop and to the ends of the paragraph, and how the
// paragraph as a whole is written (all small letters, no full stops, headings), and how its lines
// look: full ones that were only wrapped, or short ones that mean something. A blank line always
// ends a sentence, and so does a line that starts with a bullet: callers focus on the tokens
// between two of them. Behind the titles of patterns.h (Prof., No.) none ends in use. O(1) a
// feature.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tasks/tokens/characters.h"
#include "tasks/tokens/lexicon.h"
#include "tasks/tokens/patterns.h"
#include "tasks/tokens/segments.h"

namespace entente::tokens {

class SentenceSource : public SegmentSource {
 public:
  explicit SentenceSource(LexiconView lexicon) : lexicon_(lexicon) {}

  void start(const Characters& characters, std::span<const int> token_ends);
  int size() const { return static_cast<int>(tokens_.size()); }
  // Whether a blank line stands before token i.
  bool starts_paragraph(int i) const;
  // Whether a sentence starts there by rule.
  bool starts_block(int i) const { return blocks_[i] != 0; }
  // In use, not while learning: what the treebank has is right.
  void use_rules() { rules_ = true; }
  // Requires: tokens [begin, end) are of one paragraph.
  void focus(int begin, int end);

  int pieces() const override { return end_ - begin_; }
  void cut(int j, Features& out) const override;
  void segment(int i, int j, Features& out) const override;
  bool is_closed(int j) const override;

 private:
  // What a token looks like, as far as sentences care.
  enum Kind : std::uint8_t {
    kNothing,  // beyond the paragraph
    kSmall,
    kCapitalised,
    kCapitals,
    kInitial,  // one capital
    kMixed,
    kNumber,
    kNumbered,  // "1." "a)"
    kStops,     // . ! ?
    kDots,      // ...
    kComma,
    kColon,
    kSemicolon,
    kHyphen,
    kOpen,
    kClose,
    kQuote,
    kAddress,
    kFace,  // several signs: :-)
    kAbbreviation,
    kOther,
  };
  struct Info {
    std::uint64_t hash = 0;
    WordFacts facts;
    Kind kind = kNothing;
    bool space = true;  // before it
    bool line = false;  // it starts one
    bool capital = false;
    Abbreviation abbreviation = Abbreviation::kNone;
    std::uint8_t first = 0, last = 0;  // classes of characters
    std::uint8_t length = 0;           // at most 255
  };
  // Sums over the tokens before this one, and distances.
  struct Sums {
    std::uint32_t verbs = 0, finite = 0, capitals = 0, words = 0, open = 0, close = 0, quotes = 0,
                  stops = 0;
    std::uint32_t since_stop = 0, until_stop = 0;
    std::uint32_t lines = 0;
  };

  static Kind kind_of(const Characters& c, int begin, int end);
  Info describe(int begin, int end) const;
  void describe_paragraph();
  const Info& token(int i) const {
    static constexpr Info kBeyond;
    return i < paragraph_begin_ || i >= paragraph_end_ ? kBeyond : tokens_[i];
  }
  void neighbours(int i, Features& out) const;
  void surroundings(int i, Features& out) const;
  void lines(int i, Features& out) const;
  void find_blocks();
  // How the lines of a paragraph look to the rules.
  struct Lines {
    int begin = 0, end = 0;   // tokens
    std::uint32_t width = 0;  // what they were wrapped at, if they were
    bool items = false;       // each but the first starts with a capital, a number or a sign
  };
  Lines lines_of(int begin, int end) const;
  bool starts_line_block(int i, const Lines& lines) const;
  bool ends_abbreviation(int i) const;
  bool ends_quotation(int i) const;
  bool is_picture(int i) const;
  bool follows_picture(int i) const;
  bool begins_name(int i) const;
  bool is_marked(int i) const;
  bool is_name_part(int i) const;
  bool starts_anew(int i) const;
  bool is_greeting(int begin, int end) const;
  bool has_room(int line, int next, std::uint32_t width) const;
  std::string small_letters(int i) const;
  bool goes_on(int i) const;
  bool is_roman(int i) const;
  int bullet_end(int i) const;  // the first token behind the bullet at i; i: there is none
  bool is_title(int begin, int end) const;
  bool is_headline(int begin, int end) const;
  char32_t code(int i) const { return (*characters_)[starts_[i]].code; }

  LexiconView lexicon_;
  const Characters* characters_ = nullptr;
  std::vector<int> starts_;  // characters
  std::vector<Info> tokens_;
  std::vector<Sums> sums_;
  int begin_ = 0, end_ = 0;
  int paragraph_begin_ = 0, paragraph_end_ = 0;
  std::uint64_t style_ = 0;
  std::vector<int> line_begin_;       // of the line each token stands on: its first token
  std::uint32_t longest_line_ = 0;    // of the paragraph, in bytes
  std::uint64_t layout_ = 0;          // how its lines look
  std::vector<std::uint8_t> blocks_;  // sentences start here by rule
  bool rules_ = false;
};

}  // namespace entente::tokens
