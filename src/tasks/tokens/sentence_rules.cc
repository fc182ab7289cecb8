// Where sentences start and where none does, by rule: lines, bullets, abbreviations, quotations.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "tasks/tokens/sentence_source.h"

namespace entente::tokens {
namespace {

constexpr std::uint32_t kNarrow = 45;  // lines of running text are seldom shorter
// Parts of speech as lexicon.cc counts them.
constexpr std::uint32_t kNoun = 8, kPronoun = 11, kProperNoun = 12, kDeterminer = 6;

// Words that are no part of a name: adverbs, auxiliaries, conjunctions, determiners, pronouns.
bool is_function_tag(std::uint32_t tag) {
  return tag == 3 || tag == 4 || tag == 5 || tag == kDeterminer || tag == kPronoun || tag == 14;
}

bool is_bullet_sign(char32_t sign) {
  return sign == '-' || sign == '*' || sign == '+' || sign == '>' || sign == 0xB7 ||
         sign == 0x2013 || sign == 0x2014 || sign == 0x2022 || sign == 0x2023 || sign == 0x2043 ||
         sign == 0x25E6 || (sign >= 0x2190 && sign <= 0x21FF) ||
         (sign >= 0x25A0 && sign <= 0x25CF) || (sign >= 0x2713 && sign <= 0x2718) ||
         (sign >= 0x2794 && sign <= 0x27BE);
}

}  // namespace

// Of token i, eight at most; '?' for what is not ASCII.
std::string SentenceSource::small_letters(int i) const {
  std::string word;
  for (int k = starts_[i]; k < starts_[i + 1] && k < starts_[i] + 8; ++k) {
    const char32_t code = (*characters_)[k].code;
    word += static_cast<char>(code < 128 ? code : '?');
  }
  return word;
}

// A word that ends no line of verse and no title: "of", "the". In English, as the abbreviations are.
bool SentenceSource::goes_on(int i) const {
  const std::string word = small_letters(i);
  static constexpr std::string_view kWords[] = {
      "of",    "from",    "with",   "at",      "for",    "into",  "the", "a",     "an",
      "and",   "or",      "my",     "your",    "his",    "our",   "its", "their", "to",
      "than",  "because", "that",   "between", "by",     "as",    "if",  "but",   "nor",
      "about", "under",   "her",    "least",   "is",     "are",   "in",  "on",    "since",
      "until", "after",   "before", "over",    "around", "per",   "was", "were",  "be",
      "been",  "has",     "have",   "had",     "will",   "would", "can", "every"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// "San" | "Francisco": the first word of many a place. In English.
bool SentenceSource::begins_name(int i) const {
  if (!tokens_[i].capital) return false;
  const std::string word = small_letters(i);
  static constexpr std::string_view kWords[] = {
      "new",  "san",  "santa", "los",  "las",   "el",   "la",    "le",   "saint", "north",
      "east", "west", "south", "fort", "mount", "lake", "upper", "port", "cape",  "great",
      "st.",  "mt.",  "lower", "de",   "van",   "von",  "al",    "rio",  "bad",   "old"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// Is token i a small Roman number?
bool SentenceSource::is_roman(int i) const {
  for (int k = starts_[i]; k < starts_[i + 1]; ++k) {
    const char32_t code = (*characters_)[k].code;
    if (code != 'i' && code != 'v' && code != 'x') return false;
  }
  return tokens_[i].length <= 5;
}

// "- item", "* item", "1. item", "a) item", "(iv) item", "1.1 Item", "[x] item", "> item": some
// tokens, then a space.
int SentenceSource::bullet_end(int i) const {
  const auto is = [&](int k, char32_t sign) {
    return k < size() && tokens_[k].length == 1 && !tokens_[k].space && code(k) == sign;
  };
  const auto counts = [&](int k) {
    const Info& t = tokens_[k];
    const bool letter = t.length == 1 && is_letter(static_cast<CharClass>(t.first));
    return t.kind == kNumber ? t.length <= 3 : letter || is_roman(k);
  };
  const Info& t = tokens_[i];
  int end = i + 1;
  bool capital = false;  // it must go on with one
  if (counts(i) && (is(end, '.') || is(end, ')'))) {
    ++end;
  } else if (code(i) == '(' && t.length == 1 && end < size() && !tokens_[end].space &&
             counts(end) && is(end + 1, ')')) {
    end += 2;
  } else if (code(i) == '[' && t.length == 1 && end < size() &&
             (code(end) == 'x' || code(end) == ']') && tokens_[end].length == 1) {
    end += code(end) == ']' ? 1 : 2;
    if (end > size() || code(end - 1) != ']') return i;
  } else if (t.kind == kNumber && t.length >= 3 && t.length <= 6 &&
             (*characters_)[starts_[i] + 1].code == '.') {
    capital = true;
  } else if ((t.kind != kNumbered || t.length > 4) && (t.length != 1 || !is_bullet_sign(code(i)))) {
    return i;
  }
  if (end >= size() || !tokens_[end].space || tokens_[end].line) return i;
  const Info& item = tokens_[end];
  if (capital) return item.capital ? end : i;
  const bool wordy = is_word_class(static_cast<CharClass>(item.first)) || item.kind == kAddress ||
                     item.kind == kOpen || item.kind == kQuote || code(i) == '>';
  return wordy ? end : i;
}

// Would the first word of the line that starts at token `next` have fitted behind the line that
// starts at token `line`?
bool SentenceSource::has_room(int line, int next, std::uint32_t width) const {
  const Characters& c = *characters_;
  const std::uint32_t length = c[starts_[next] - 1].end - c[starts_[line]].begin;
  return length + 1 + tokens_[next].length < width;
}

// Does a capital at token i say that something starts there, as the word has none inside sentences?
bool SentenceSource::is_marked(int i) const {
  const Info& t = tokens_[i];
  if (!t.capital || t.facts.count() == 0 || t.kind == kInitial) return false;
  const std::uint32_t usual = t.facts.capital(), tag = t.facts.tag() & 31;
  if (usual == 1 || usual == 2 || is_function_tag(tag)) return true;
  return tag != kProperNoun && (usual == 0 || (usual == 3 && tag == kNoun));
}

// A capital inside a line that is not that of a sentence's first word.
bool SentenceSource::is_name_part(int i) const {
  const Info& t = tokens_[i];
  return t.capital && t.kind != kInitial && t.kind != kAbbreviation && i > 0 && !t.line &&
         tokens_[i - 1].kind != kStops;
}

// Does a sentence start behind an abbreviation, by the look of its first word i? Behind "U.S." many
// a noun is part of a name.
bool SentenceSource::starts_anew(int i) const {
  const Info &p = tokens_[i - 1], &q = tokens_[i];
  if (!is_marked(i)) return false;
  const bool state = p.capital && p.length > 3 && (*characters_)[starts_[i - 1] + 1].code == '.';
  if (!state) return true;
  if (is_function_tag(q.facts.tag() & 31)) return true;
  return q.facts.capital() <= 1 && token(i + 1).kind != kNumber;  // P.O. Box 12
}

SentenceSource::Lines SentenceSource::lines_of(int begin, int end) const {
  Lines lines{begin, end};
  const Characters& c = *characters_;
  // How wide the lines are; where nearly all of many are full they were wrapped at that width.
  std::uint32_t longest = 0, count = 0, full = 0;
  const auto length = [&](int i) {
    return c[starts_[i] - 1].end - c[starts_[line_begin_[i - 1]]].begin;
  };
  lines.items = true;
  for (int i = begin + 1; i < end; ++i) {
    if (!tokens_[i].line) continue;
    longest = std::max(longest, length(i));
    ++count;
    const Info& t = tokens_[i];
    lines.items = lines.items && !(is_letter(static_cast<CharClass>(t.first)) && !t.capital &&
                                   bullet_end(i) == i && t.kind != kAddress);
  }
  lines.items = lines.items && count > 0;
  for (int i = begin + 1; i < end; ++i) full += tokens_[i].line && length(i) * 5 >= longest * 4;
  lines.width = count >= 4 && full * 10 >= count * 9 ? longest : std::max(longest, kNarrow);
  return lines;
}

// "Dear Jane," "Best regards,": a few words without a verb and a comma
bool SentenceSource::is_greeting(int begin, int end) const {
  int commas = 0;
  for (int i = begin; i < end; ++i) commas += tokens_[i].kind == kComma;
  return commas == 1 && end - begin <= 6 && tokens_[begin].capital &&
         sums_[end].verbs == sums_[begin].verbs;
}

// Does a sentence start with the line that starts at token i?
bool SentenceSource::starts_line_block(int i, const Lines& lines) const {
  const Characters& c = *characters_;
  if (bullet_end(i) > i) return true;
  const Info &p = tokens_[i - 1], &q = tokens_[i];
  const int line = line_begin_[i - 1];
  if (p.kind == kOpen || goes_on(i - 1)) return false;
  if (code(i) == '|' && q.length == 1) return true;  // a row of a table
  const bool function = is_function_tag(q.facts.tag() & 31);
  if (begins_name(i - 1) && q.capital && !function && i - 1 > line) return false;
  const bool headline = is_headline(line, i);
  const bool byline = q.length == 2 && c[starts_[i]].code == 'b' && c[starts_[i] + 1].code == 'y' &&
                      i + 1 < lines.end && tokens_[i + 1].capital && headline;
  if (byline) return true;
  const bool room = has_room(line, i, lines.width);
  if (p.kind == kComma) {
    // "Dear Jane," and "Best regards,"; else lines of verse
    if (is_greeting(line, i) && has_room(line, i, kNarrow)) {
      return line == lines.begin ? q.capital || i - line <= 3 : q.capital && blocks_[line] != 0;
    }
    return lines.items && (is_marked(i) || (room && tokens_[line].capital)) && q.capital;
  }
  if (lines.items && is_marked(i) && !headline) return true;
  if (!room) return false;
  if (q.kind == kAddress) return true;
  const bool date = q.kind == kNumber && q.length >= 8;
  if (q.kind == kNumber || q.kind == kNumbered || q.kind == kOpen) return lines.items || date;
  if (!q.capital || (p.kind == kHyphen && !lines.items)) return false;
  // A name may go on in the next line: "New" "York".
  return headline || is_marked(i) || !is_name_part(i - 1);
}

// "at 5 p.m. | Shares rose", "the U.S. | It was": where the capital is not the word's own.
bool SentenceSource::ends_abbreviation(int i) const {
  const Info &p = tokens_[i - 1], &q = tokens_[i];
  if (!q.space || p.length < 2 || (*characters_)[starts_[i] - 1].code != '.' || !starts_anew(i)) {
    return false;
  }
  if (p.abbreviation == Abbreviation::kEither) return true;
  const Info& b = token(i - 2);
  if (p.abbreviation == Abbreviation::kTitle) {  // Main St., 6 ft.
    const std::uint32_t tag = q.facts.tag() & 31;
    return (b.kind == kNumber || b.capital || b.abbreviation == Abbreviation::kEither) &&
           (tag == kPronoun || tag == kDeterminer);
  }
  if (p.abbreviation != Abbreviation::kNone) return false;
  // B.Sc., A.D.
  for (int k = starts_[i - 1] + 1; k + 1 < starts_[i]; ++k) {
    if ((*characters_)[k].code == '.') return true;
  }
  return false;
}

// He said "no." | I said "yes."
bool SentenceSource::ends_quotation(int i) const {
  const Info &p = tokens_[i - 1], &q = tokens_[i];
  if ((p.kind != kQuote && p.kind != kClose) || p.space || !q.space || i < 2) return false;
  const char32_t before = (*characters_)[starts_[i - 1] - 1].code;
  const bool pronoun = q.length == 1 && code(i) == 'i' && q.capital;
  return before == '.' && tokens_[i - 2].kind == kStops && (is_marked(i) || pronoun);
}

// An emoji, a heart, ...
bool SentenceSource::is_picture(int i) const {
  return token(i).first == kSymbol && code(i) >= 0x2600;
}

// "We did it! 🎉 | Thanks to all.", "so good 😋 | I want it": pictures stand behind what they go with.
bool SentenceSource::follows_picture(int i) const {
  const Info& q = tokens_[i];
  if (!q.space || !q.capital || !is_picture(i - 1)) return false;
  int k = i - 1;
  while (k > paragraph_begin_ && is_picture(k - 1)) --k;
  const Kind before = token(k - 1).kind;
  const bool pronoun = q.length == 1 && code(i) == 'i';
  return before == kStops || before == kDots || (before != kNothing && (is_marked(i) || pronoun));
}

void SentenceSource::find_blocks() {
  blocks_.assign(tokens_.size() + 1, 0);
  for (int begin = 0; begin < size();) {
    int end = begin + 1;
    while (end < size() && !starts_paragraph(end)) ++end;
    paragraph_begin_ = begin;
    paragraph_end_ = end;
    blocks_[begin] = 1;
    const Lines lines = rules_ ? lines_of(begin, end) : Lines{};
    for (int i = begin + 1; rules_ && i < end; ++i) {
      blocks_[i] = tokens_[i].line
                       ? starts_line_block(i, lines)
                       : ends_abbreviation(i) || ends_quotation(i) || follows_picture(i);
    }
    begin = end;
  }
  paragraph_begin_ = paragraph_end_ = 0;
}

bool SentenceSource::is_closed(int j) const {
  if (!rules_) return false;
  const int i = begin_ + j;
  // A bullet is no sentence of its own.
  for (int k = i - 1; k >= std::max(0, i - 3); --k) {
    if ((k == 0 || tokens_[k].line) && bullet_end(k) >= i) return true;
  }
  const Info &p = tokens_[i - 1], &q = tokens_[i];
  if (!q.line && is_picture(i) && (p.kind == kStops || p.kind == kDots || is_picture(i - 1)))
    return true;
  if (q.line || (*characters_)[starts_[i] - 1].code != '.') return false;
  // "Prof" and "." may be two tokens where the abbreviation is new.
  const bool split = p.kind == kStops && p.length == 1 && i >= 2 && !p.space;
  const Abbreviation a = split ? token(i - 2).abbreviation : p.abbreviation;
  const bool number = q.kind == kNumber || q.kind == kNumbered;
  if (a == Abbreviation::kTitle) return q.capital || number;
  if (a == Abbreviation::kNumbered) return number;
  if (a == Abbreviation::kEither) {
    if (q.first == kLower) return true;
    // "The U.S. Army left": a sentence has a verb.
    const int first = std::max(begin_, i - static_cast<int>(sums_[i].since_stop));
    const bool pronoun = (q.facts.tag() & 31) == kPronoun;
    return !split && q.capital && !pronoun && sums_[i].verbs == sums_[first].verbs &&
           !starts_anew(i);
  }
  return a == Abbreviation::kInside;
}

// Are the long words of a line written with capitals?
bool SentenceSource::is_title(int begin, int end) const {
  int words = 0, capitals = 0;
  for (int i = begin; i < end; ++i) {
    if (tokens_[i].length < 4 || !is_letter(static_cast<CharClass>(tokens_[i].first))) continue;
    ++words;
    capitals += tokens_[i].capital;
  }
  return words > 0 && capitals == words && end - begin < 15;
}

// The same for rules, where a line of short words may be one: The Old Man and the Sea.
bool SentenceSource::is_headline(int begin, int end) const {
  if (is_title(begin, end)) return true;
  int words = 0, capitals = 0;
  for (int i = begin; i < end; ++i) {
    if (!is_letter(static_cast<CharClass>(tokens_[i].first))) continue;
    if (tokens_[i].length >= 4 && !tokens_[i].capital) return false;
    ++words;
    capitals += tokens_[i].capital;
  }
  return capitals >= 2 && capitals * 2 >= words && end - begin < 15;
}

}  // namespace entente::tokens
