#include "tasks/tokens/patterns.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace entente::tokens {

namespace {

bool is_any(char32_t code, std::string_view signs) {
  return code < 128 && signs.find(static_cast<char>(code)) != std::string_view::npos;
}

// A reader over the characters of a chunk.
class Cursor {
 public:
  Cursor(const Characters& c, int at, int end) : c_(c), at_(at), end_(end) {}

  int at() const { return at_; }
  bool done() const { return at_ >= end_; }
  char32_t code(int ahead = 0) const { return at_ + ahead < end_ ? c_[at_ + ahead].code : 0; }
  CharClass kind(int ahead = 0) const { return at_ + ahead < end_ ? c_[at_ + ahead].kind : kSpace; }
  bool sign(char s) {
    if (code() != static_cast<char32_t>(s)) return false;
    ++at_;
    return true;
  }
  bool text(std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (code(static_cast<int>(i)) != static_cast<char32_t>(letters[i])) return false;
    }
    at_ += static_cast<int>(letters.size());
    return true;
  }
  void skip() { ++at_; }
  int digits(int most = 1000) {
    int n = 0;
    while (n < most && kind() == kDigit) ++at_, ++n;
    return n;
  }
  template <typename Test>
  int while_(Test test) {
    int n = 0;
    while (!done() && test(code(), kind())) ++at_, ++n;
    return n;
  }

 private:
  const Characters& c_;
  int at_, end_;
};

bool is_name(char32_t code, CharClass kind) { return is_word_class(kind) || code == '_'; }
bool is_host(char32_t code, CharClass kind) { return is_word_class(kind) || code == '-'; }
bool is_hex(char32_t code) { return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'f'); }

// Punctuation at the end of an address belongs to the sentence, and so does a bracket that was
// opened before it.
int trimmed(const Characters& c, int begin, int end) {
  while (end > begin) {
    const char32_t last = c[end - 1].code;
    if (is_any(last, ".,;:!?'\">*") || c[end - 1].kind == kCloseQuote ||
        c[end - 1].kind == kEllipsis) {
      --end;
      continue;
    }
    const char32_t open = last == ')' ? '(' : last == ']' ? '[' : last == '}' ? '{' : 0;
    if (open == 0) break;
    int depth = 0;
    for (int k = begin; k < end; ++k) depth += (c[k].code == open) - (c[k].code == last);
    if (depth >= 0) break;
    --end;
  }
  return end;
}

bool is_address_sign(char32_t code, CharClass kind) {
  return !is_any(code, "<>\"|") && kind != kOpenQuote && kind != kCloseQuote && kind != kControl;
}

// http://..., www...., or a name of a host with a common ending: example.org/path
int web_address(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  for (std::string_view scheme : {"https://", "http://", "ftp://", "www."}) {
    if (!x.text(scheme)) continue;
    if (!is_word_class(x.kind())) return k;
    x.while_(is_address_sign);
    return trimmed(c, k, x.at());
  }
  static constexpr std::array<std::string_view, 16> kEndings = {
      "com", "org", "net",  "edu", "gov", "uk", "de",  "fr",
      "ca",  "io",  "info", "eu",  "au",  "nl", "dev", "app"};
  int dots = 0, last = k;
  while (x.while_(is_host) > 0) {
    for (std::string_view ending : kEndings) {
      if (dots > 0 && x.at() - last == static_cast<int>(ending.size()) &&
          Cursor(c, last, end).text(ending) && !is_word_class(x.kind()) &&
          !(x.code() == '.' && is_word_class(x.kind(1)))) {
        if (x.code() == '@') return k;
        if (x.code() == '/' || x.code() == ':') x.while_(is_address_sign);
        return trimmed(c, k, x.at());
      }
    }
    if (!x.sign('.')) return k;
    ++dots;
    last = x.at();
  }
  return k;
}

int mail_address(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  if (x.while_([](char32_t code, CharClass kind) {
        return is_name(code, kind) || is_any(code, ".+-%");
      }) == 0)
    return k;
  if (!x.sign('@')) return k;
  int dots = 0, stop = k;
  while (x.while_(is_host) > 0) {
    if (dots > 0) stop = x.at();
    if (!x.sign('.')) break;
    ++dots;
  }
  return stop;
}

// @name, #tag
int handle(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  const bool at = x.code() == '@';
  if (!x.sign('@') && !x.sign('#')) return k;
  if (!is_letter(x.kind()) && x.code() != '_' && !(at && is_word_class(x.kind()))) return k;
  x.while_(is_name);
  // @first.last: a full stop inside, but none before a capital, where a space was forgotten
  while (at && x.code() == '.' && (x.kind(1) == kLower || x.kind(1) == kDigit)) {
    x.sign('.');
    x.while_(is_name);
  }
  return x.at();
}

// 2024-03-15, 2024-03-15T10:30:00Z
int iso_date(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  if (x.digits() != 4 || !x.sign('-') || x.digits() != 2) return k;
  if (!x.sign('-') || x.digits() != 2) return k;
  const int date = x.at();
  if (!x.sign('t') || x.digits() != 2 || !x.sign(':') || x.digits() != 2) return date;
  int stop = x.at();
  if (x.sign(':') && x.digits() == 2) {
    stop = x.at();
    if ((x.sign('.') || x.sign(',')) && x.digits() > 0) stop = x.at();
  }
  Cursor zone(c, stop, end);
  if (zone.sign('z')) return zone.at();
  if ((zone.sign('+') || zone.sign('-')) && zone.digits(2) == 2) {
    zone.sign(':');
    if (zone.digits(2) == 2) return zone.at();
  }
  return stop;
}

// 15/03/2024, 1/2, 9/11; 10:30, 10:30:15
int divided_number(const Characters& c, int k, int end) {
  for (char sign : {'/', ':'}) {
    Cursor x(c, k, end);
    const int first = x.digits();
    if (first == 0 || !x.sign(sign)) continue;
    const int second = x.digits();
    if (second == 0 || (sign == ':' && (first > 2 || second != 2))) continue;
    int stop = x.at();
    if (x.sign(sign) && x.digits() > 0) stop = x.at();
    return stop;
  }
  return k;
}

// What may stand behind the numbers of a version: a4 in 3.12.0a4, -13-amd64 in 6.1.0-13-amd64. A piece
// behind a hyphen has a digit (3.2.1-based is no version) unless it follows one that has (5.15.0-91-generic);
// a letter without one has digits behind it.
int build_end(const Characters& c, int stop, int end) {
  for (std::string_view name : {"alpha", "beta", "rc", "dev", "post", "a", "b", "p"}) {
    Cursor after(c, stop, end);
    if (!after.text(name) || after.digits() == 0 || is_letter(after.kind())) continue;
    stop = after.at();
    break;
  }
  Cursor x(c, stop, end);
  bool built = false;
  while (is_any(x.code(), "-+~") && is_word_class(x.kind(1))) {
    x.sign(static_cast<char>(x.code()));
    bool digit = false;
    while (is_word_class(x.kind()) || (x.code() == '.' && is_letter(x.kind(1)))) {
      digit = digit || x.kind() == kDigit;
      x.skip();
    }
    // 2.0.1-2.0.5 is a range
    if ((!digit && !built) || (x.code() == '.' && x.kind(1) == kDigit)) break;
    stop = x.at();
    built = true;
  }
  return stop;
}

// v2.0.1-beta, 2.0.1, v2, 10.4.2rc1: with a v, or with two full stops, or with a name behind.
int version(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  const bool marked = x.sign('v');
  if (x.digits() == 0) return k;
  int dots = 0;
  while (x.code() == '.' && x.kind(1) == kDigit) {
    x.sign('.');
    x.digits();
    ++dots;
  }
  int stop = x.at();
  bool named = false;
  if (dots > 0 && (x.code() == '-' || x.code() == '+') && is_letter(x.kind(1))) {
    for (std::string_view name :
         {"alpha", "beta", "rc", "dev", "pre", "snapshot", "final", "stable", "preview", "build"}) {
      Cursor after(c, x.at() + 1, end);
      if (!after.text(name)) continue;
      while (is_word_class(after.kind()) ||
             (is_any(after.code(), ".-+") && is_word_class(after.kind(1)))) {
        after.while_([](char32_t, CharClass kind) { return is_word_class(kind); });
        if (is_any(after.code(), ".-+") && is_word_class(after.kind(1)))
          after.sign(static_cast<char>(after.code()));
      }
      stop = after.at();
      named = true;
      break;
    }
  }
  if (dots > 0 && !named) stop = build_end(c, stop, end);
  return named || dots >= 2 || (marked && (dots > 0 || stop - k <= 4)) ? stop : k;
}

// 3f2a1bc, and 8-4-4-4-12 of such signs: digits and letters, at least seven.
int hash(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  int letters = 0, digits = 0;
  const int first = x.while_([&](char32_t code, CharClass) {
    letters += code >= 'a' && code <= 'f';
    digits += code >= '0' && code <= '9';
    return is_hex(code);
  });
  const int stop = x.at();
  if (first == 8 && x.code() == '-') {
    bool whole = true;
    for (int size : {4, 4, 4, 12}) {
      whole = whole && x.sign('-') &&
              x.while_([](char32_t code, CharClass) { return is_hex(code); }) == size;
    }
    if (whole) return x.at();
  }
  return first >= 7 && letters >= 1 && digits >= 1 ? stop : k;
}

}  // namespace

int pattern_end(const Characters& c, int k, int end) {
  const CharClass kind = c[k].kind;
  if (!is_word_class(kind)) {
    if (c[k].code != '@' && c[k].code != '#') return k;
    return handle(c, k, end);
  }
  for (auto find : {web_address, mail_address, iso_date, divided_number, version, hash}) {
    const int stop = find(c, k, end);
    // What goes on with letters or digits is something else.
    if (stop > k && (stop >= end || !is_word_class(c[stop].kind))) return stop;
  }
  return k;
}

Abbreviation abbreviation(const Characters& c, int begin, int end) {
  if (end - begin < 1 || end - begin > 8) return Abbreviation::kNone;
  std::array<char, 9> text{};
  int n = 0;
  for (int k = begin; k < end; ++k) {
    if (c[k].code >= 128) return Abbreviation::kNone;
    text[n++] = static_cast<char>(c[k].code);
  }
  if (text[n - 1] == '.') --n;
  const std::string_view word(text.data(), static_cast<std::size_t>(n));
  const auto in = [&](std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  if (in({"prof", "dr",   "mr",  "mrs",  "ms",  "gen", "sen",    "rep",  "gov",  "lt",   "col",
          "capt", "sgt",  "maj", "cmdr", "adm", "rev", "hon",    "pres", "st",   "mt",   "ft",
          "fig",  "figs", "nos", "vol",  "pp",  "eds", "messrs", "mme",  "mlle", "insp", "supt"})) {
    return Abbreviation::kTitle;
  }
  if (in({"e.g", "i.e", "eg", "ie", "incl", "excl", "vs", "v.s", "cf", "approx", "ca", "viz",
          "resp", "esp"})) {
    return Abbreviation::kInside;
  }
  if (in({"ch", "chs", "chap", "sect", "para", "paras", "nr", "eq", "eqs", "pt", "bk"})) {
    return Abbreviation::kNumbered;
  }
  if (in({"inc",  "ltd",  "corp", "co",   "bros", "jr",   "sr",   "etc",   "dept", "est",   "ave",
          "blvd", "rd",   "a.m",  "p.m",  "am",   "pm",   "u.s",  "u.k",   "u.n",  "e.u",   "d.c",
          "b.c",  "a.d",  "ph.d", "m.d",  "b.a",  "m.a",  "al",   "jan",   "feb",  "apr",   "aug",
          "sept", "sep",  "oct",  "nov",  "dec",  "mon",  "tues", "thurs", "fri",  "u.s.a", "l.a",
          "n.y",  "assn", "intl", "univ", "tsp",  "tbsp", "oz",   "lb",    "lbs",  "yr",    "yrs",
          "hr",   "hrs",  "tel",  "ext",  "hwy",  "pkwy", "apt",  "bldg",  "sq",   "minn",  "calif",
          "conn", "tex",  "fla",  "ariz", "colo", "mich", "okla", "tenn",  "wis"})) {
    return Abbreviation::kEither;
  }
  return Abbreviation::kNone;
}

}  // namespace entente::tokens
