// Dates, times, fractions, versions, telephone numbers, measures.
#include <array>

#include "tasks/tokens/pattern_kinds.h"

namespace entente::tokens {
namespace {

// Behind the seconds of a time: parts of one.
int second_end(const Characters& c, int stop, int end) {
  Cursor x(c, stop, end);
  return (x.sign('.') || x.sign(',')) && x.digits() > 0 ? x.at() : stop;
}

// Behind a time: Z, +01:00.
int zone_end(const Characters& c, int stop, int end) {
  Cursor zone(c, stop, end);
  if (zone.sign('z')) return zone.at();
  if ((zone.sign('+') || zone.sign('-')) && zone.digits(2) == 2) {
    zone.sign(':');
    if (zone.digits(2) == 2) return zone.at();
  }
  return stop;
}

// 2024-03-15, 2024-03-15T10:30:00Z
int iso_date(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  if (x.digits() != 4 || !x.sign('-') || x.digits() != 2) return k;
  if (!x.sign('-') || x.digits() != 2) return k;
  const int date = x.at();
  if (!x.sign('t') || x.digits() != 2 || !x.sign(':') || x.digits() != 2) return date;
  int stop = x.at();
  if (x.sign(':') && x.digits() == 2) stop = second_end(c, x.at(), end);
  return zone_end(c, stop, end);
}

// 15/03/2024, 1/2, 9/11, 1/3rd; 10:30, 10:30:15+01:00
int divided_number(const Characters& c, int k, int end) {
  for (char sign : {'/', ':'}) {
    Cursor x(c, k, end);
    const int first = x.digits();
    if (first == 0 || !x.sign(sign)) continue;
    const int second = x.digits();
    if (second == 0 || (sign == ':' && (first > 2 || second != 2))) continue;
    int stop = x.at();
    const bool third = x.sign(sign) && x.digits() > 0;
    if (third) stop = x.at();
    if (sign == ':') return third ? zone_end(c, second_end(c, stop, end), end) : stop;
    for (std::string_view order : {"st", "nd", "rd", "th", "rds", "ths"}) {
      Cursor ordinal(c, stop, end);
      if (!third && ordinal.text(order) && !is_word_class(ordinal.kind())) return ordinal.at();
    }
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
  if (dots > 0 && !named) {
    const int number = stop;
    stop = build_end(c, stop, end);
    // 101.0b5; 1.8.0_292; 1.1.1k
    named = dots == 1 && stop > number && is_letter(c[number].kind);
    Cursor y(c, stop, end);
    if (dots >= 2 && y.code() == '_' && y.kind(1) == kDigit) {
      y.skip();
      y.digits();
      stop = y.at();
    } else if (dots >= 2 && y.kind() == kLower && !is_word_class(y.kind(1))) {
      ++stop;
    }
  }
  // 18.x
  if (!named && x.code() == '.' && x.code(1) == 'x' && !is_word_class(x.kind(2))) {
    return x.at() + 2;
  }
  return named || dots >= 2 || (marked && (dots > 0 || stop - k <= 4)) ? stop : k;
}

// What stands before a number of money.
bool is_currency_name(const Characters& c, int begin, int end) {
  for (std::string_view name : {"usd", "eur", "gbp", "chf", "jpy", "cad", "aud", "inr", "rs"}) {
    if (end - begin == static_cast<int>(name.size()) && Cursor(c, begin, end).text(name))
      return true;
  }
  return false;
}

// Of a program: php7.4, TLSv1.3, gcc-12.2, HTTP/1.1, numpy==1.21.0
int named_version(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  bool small = false, capitals = true;
  while (is_letter(x.kind())) {
    small = small || x.kind() == kLower;
    capitals = capitals && x.kind() == kUpper;
    x.skip();
  }
  const int letters = x.at() - k;
  if (letters == 0 || is_currency_name(c, k, x.at())) return k;
  while (is_name(x.code(), x.kind()) && x.kind() != kDigit) x.skip();
  Cursor wanted(c, x.at(), end);
  wanted.while_(is_name);
  for (std::string_view sign : {"===", "==", ">=", "<=", "~=", "!="}) {
    if (!wanted.text(sign)) continue;
    if (wanted.digits() == 0) return k;
    wanted.while_([](char32_t code, CharClass kind) { return is_word_class(kind) || code == '.'; });
    return trimmed(c, k, wanted.at());
  }
  const bool slash = letters > 1 && capitals && x.sign('/');
  if (!slash && letters > 1 && small && x.code() == '-' && x.kind(1) == kDigit) x.skip();
  if (x.digits() == 0) return k;
  int dots = 0;
  while (x.code() == '.' && x.kind(1) == kDigit) {
    x.skip();
    x.digits();
    ++dots;
  }
  if (slash && dots == 0) return letters > 2 && x.at() - k == letters + 2 ? x.at() : k;
  if (dots == 0 || (letters == 1 && c[k].code != 'v')) return k;
  const int stop = build_end(c, x.at(), end);
  const bool letter = stop < end && c[stop].kind == kLower;  // openssl-1.1.1k
  return letter && !(stop + 1 < end && is_word_class(c[stop + 1].kind)) ? stop + 1 : stop;
}

// Telephone and other numbers in groups: 713-853-3989, 978-3-16-148410-0, 1-800-FLOWERS, 713/853-3989
int grouped_number(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  x.sign('+');
  int groups = 0, digits = 0;
  int stop = k;
  for (;;) {
    const int n = x.digits();
    if (n == 0) break;
    digits += n;
    ++groups;
    stop = x.at();
    if (!x.sign('-')) break;
  }
  if (groups > 0 && x.at() > stop && digits <= 5) {
    const int name = x.at();
    while (x.kind() == kUpper || (x.code() == '-' && x.kind(1) == kUpper)) x.skip();
    if (digits == 2 + groups && x.at() - name >= 4) return x.at();
  }
  if (groups == 1 && digits == 3) {
    Cursor y(c, stop, end);
    if (y.sign('/') && y.digits() == 3 && y.sign('-') && y.digits() == 4) return y.at();
  }
  Cursor check(c, stop, end);
  if (groups >= 4 && check.sign('-') && check.code() == 'x') return check.at() + 1;  // ISBN ...-X
  return groups >= 3 && digits >= 7 ? stop : k;
}

// 1,2-dichloroethane
int locants(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  int n = 0;
  do {
    const int digits = x.digits();
    if (digits == 0 || digits > 2) return k;
    ++n;
  } while (x.sign(','));
  if (n < 2 || !x.sign('-')) return k;
  return x.while_(is_host) > 0 ? x.at() : k;
}

// 2x4, 1920x1080, 0x7fff
int product(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  if (x.text("0x") && x.while_([](char32_t code, CharClass) { return is_hex(code); }) > 0) {
    return x.at();
  }
  x = Cursor(c, k, end);
  int factors = 0;
  do {
    if (x.digits() == 0) return k;
    ++factors;
  } while (x.sign('x'));
  return factors > 1 ? x.at() : k;
}

}  // namespace

int measured_number(const Characters& c, int k, int end) {
  static constexpr std::array<std::string_view, 88> kUnits = {
      "km",  "m",   "cm",  "mm",   "nm",  "kg",   "g",    "mg",   "lb",   "lbs",   "oz",
      "ft",  "yd",  "yds", "mi",   "mph", "kph",  "kmh",  "kb",   "mb",   "gb",    "tb",
      "pb",  "kib", "mib", "gib",  "tib", "hz",   "khz",  "mhz",  "ghz",  "w",     "kw",
      "mw",  "gw",  "kwh", "mwh",  "v",   "kv",   "mv",   "ma",   "mah",  "l",     "ml",
      "cl",  "dl",  "sec", "secs", "min", "mins", "hr",   "hrs",  "h",    "yr",    "yrs",
      "wk",  "wks", "am",  "pm",   "a.m", "p.m",  "bps",  "kbps", "mbps", "gbps",  "px",
      "dpi", "fps", "rpm", "db",   "ppm", "cal",  "kcal", "mol",  "mmol", "psi",   "bar",
      "kpa", "pa",  "kn",  "ms",   "ns",  "in",   "pt",   "gal",  "acre", "acres", "ha"};
  const bool part = k > 1 && is_any(c[k - 1].code, ".,:/") && c[k - 2].kind == kDigit;
  Cursor x(c, k, end);
  if (part || x.digits() == 0) return k;
  while (is_any(x.code(), ".,:") && x.kind(1) == kDigit) {
    x.skip();
    x.digits();
  }
  const int number = x.at();
  // 4G, 17H and 86M are names rather than measures.
  const bool name = x.kind() == kUpper && is_any(x.code(), "gmh") && !is_letter(x.kind(1));
  for (std::string_view unit : kUnits) {
    Cursor y(c, number, end);
    if (!name && y.text(unit) && !is_word_class(y.kind())) return number;
  }
  return k;
}

std::span<const Finder> number_finders() {
  static constexpr std::array<Finder, 7> kAll = {
      iso_date, divided_number, version, named_version, grouped_number, locants, product};
  return kAll;
}

}  // namespace entente::tokens
