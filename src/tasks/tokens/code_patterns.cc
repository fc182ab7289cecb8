// What programs, formulas and faces look like: foo_bar(), std::vector<int>, --help, Ca(OH)2, :-)
#include <algorithm>
#include <array>

#include "tasks/tokens/pattern_kinds.h"

namespace entente::tokens {
namespace {

bool is_wordy(char32_t code, CharClass kind) { return is_name(code, kind) && code < 128; }

// Behind brackets that are closed within the chunk; begin if they are not.
int closed_end(const Characters& c, int begin, int end, char open, char close) {
  if (begin >= end || c[begin].code != static_cast<char32_t>(open)) return begin;
  int depth = 0;
  for (int k = begin; k < end; ++k) {
    depth += c[k].code == static_cast<char32_t>(open);
    depth -= c[k].code == static_cast<char32_t>(close);
    if (depth == 0) return k + 1;
  }
  return begin;
}

// foo_bar, foo(), a::b<c>(), a->b, list.append(x); C++, F#
int code_name(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  if (x.kind() == kDigit) return k;
  bool sure = x.text("__"), called = false;
  int stop = k;
  for (;;) {
    if (!is_letter(x.kind()) && x.code() != '_') break;
    int low = 0;
    x.while_([&](char32_t code, CharClass kind) {
      low += code == '_';
      return is_wordy(code, kind);
    });
    sure = sure || low > 0;
    stop = x.at();
    const int types = closed_end(c, stop, end, '<', '>');
    if (sure && types > stop) stop = types;
    const bool empty = stop + 1 < end && c[stop].code == '(' && c[stop + 1].code == ')';
    const int call = closed_end(c, stop, end, '(', ')');
    if (empty || ((sure || called) && call > stop)) {
      stop = call;
      sure = true;
    }
    x = Cursor(c, stop, end);
    if (x.text("::") || x.text("->")) {
      if (!is_letter(x.kind()) && x.code() != '_') break;
      sure = true;
    } else if (x.code() == '.' && is_letter(x.kind(1)) && x.kind(1) == kLower) {
      x.skip();
      called = true;
    } else {
      break;
    }
  }
  if (sure && c[k].code != '_') return stop;
  if (sure && stop - k > 4 && c[stop - 1].code == '_') return stop;
  Cursor y(c, k, end);
  const int letters = y.while_([](char32_t code, CharClass kind) { return is_wordy(code, kind); });
  if (letters > 0 && y.text("++") && !is_any(y.code(), "+-")) return y.at();
  if (letters == 1 && c[k].kind == kUpper && y.sign('#') && !is_word_class(y.kind())) return y.at();
  return k;
}

// The elements with one letter and with two.
bool is_element(char32_t first, char32_t second) {
  static constexpr std::string_view kOne = "bcfhiknopsuvwy";
  static constexpr std::string_view kTwo =
      "ac ag al am ar as at au ba be bh bi bk br ca cd ce cf cl cm cn co cr cs cu db ds dy er es "
      "eu "
      "fe fl fm fr ga gd ge he hf hg ho hs in ir kr la li lr lu lv mc md mg mn mo mt na nb nd ne "
      "nh "
      "ni no np og os pa pb pd pm po pr pt pu ra rb re rf rg rh rn ru sb sc se sg si sm sn sr ta "
      "tb "
      "tc te th ti tl tm ts xe yb zn zr";
  if (second == 0) return is_any(first, kOne);
  if (first >= 128 || second >= 128) return false;
  const std::array<char, 2> name = {static_cast<char>(first), static_cast<char>(second)};
  return kTwo.find(std::string_view(name.data(), 2)) % 3 == 0;
}

struct Formula {
  int end;
  int elements = 0;
  bool counted = false;  // has numbers or brackets
};

bool is_low_digit(char32_t code) { return code >= 0x2080 && code <= 0x2089; }

// A formula of elements from k on; its end is k if there is none.
Formula formula_at(const Characters& c, int k, int end, int depth) {
  Formula f{k};
  Cursor x(c, k, end);
  const auto count = [&] {
    const int n = x.while_([](char32_t code, CharClass) {
      return is_low_digit(code) || (code >= '0' && code <= '9');
    });
    f.counted = f.counted || n > 0;
    f.end = x.at();
  };
  for (;;) {
    if (x.kind() == kUpper) {
      const bool two = x.kind(1) == kLower && is_element(x.code(), x.code(1));
      if (!two && (!is_element(x.code(), 0) || x.kind(1) == kLower)) break;
      x.skip();
      if (two) x.skip();
      ++f.elements;
      count();
    } else if (x.code() == '(' && depth == 0) {
      const Formula inner = formula_at(c, x.at() + 1, end, 1);
      if (inner.end >= end || inner.end == x.at() + 1 || c[inner.end].code != ')') break;
      Cursor behind(c, inner.end + 1, end);
      if (behind.kind() != kDigit && !is_low_digit(behind.code())) break;
      x = behind;
      f.elements += inner.elements + 1;
      count();
    } else if (x.code() == 0xB7 && f.elements > 0) {
      x.skip();
      x.digits();
      if (x.kind() != kUpper) break;
    } else {
      break;
    }
  }
  return f;
}

// CO2, Ca(OH)2, CuSO4·5H2O, Na+, Fe3+, SO42-, HCl(aq)
int formula(const Characters& c, int k, int end) {
  const Formula f = formula_at(c, k, end, 0);
  if (f.elements == 0) return k;
  Cursor x(c, f.end, end);
  for (std::string_view state : {"(aq)", "(s)", "(l)", "(g)"}) {
    if ((f.counted || f.elements > 1) && state.size() == 4 && x.text(state)) return x.at();
    if (f.counted && f.elements > 1 && x.text(state)) return x.at();
  }
  // The sign of an ion ends its word; A+ and US- are none.
  const bool last = x.at() + 1 >= end || !is_word_class(x.kind(1));
  const bool two = f.end - k >= 2 && c[k + 1].kind == kLower;
  const bool hydrogen = c[k].code == 'h' || c[k].code == 'k';
  if (last && x.code() == '+' && x.code(1) != '+' &&
      (f.counted ? f.end - k > 2 || f.elements > 1 : two || (hydrogen && f.end == k + 1))) {
    return x.at() + 1;
  }
  const bool chloride =
      f.elements == 1 && two && (Cursor(c, k, end).text("cl") || Cursor(c, k, end).text("br"));
  const bool hydroxide = f.elements == 2 && Cursor(c, k, end).text("oh");
  if (last && x.code() == '-' && x.code(1) != '-' &&
      ((f.counted && f.elements > 1) || chloride || hydroxide)) {
    return x.at() + 1;
  }
  return f.counted && f.elements > 1 ? f.end : k;
}

// --help, --jobs=4, -O2
int program_option(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  if (x.text("--")) {
    if (x.kind() != kLower) return k;
    x.while_([](char32_t code, CharClass kind) { return is_wordy(code, kind) || code == '-'; });
    if (x.code() == '=' && x.at() + 1 < end) {
      x.while_([](char32_t code, CharClass kind) {
        return is_wordy(code, kind) || is_any(code, "=./,:-+");
      });
    }
    return trimmed(c, k, x.at());
  }
  if (!x.sign('-') || !is_letter(x.kind())) return k;
  const bool word = x.code() == 'i' || x.code() == 'a';
  x.skip();
  if (x.digits() == 0 && word) return k;
  return x.at();
}

// .NET; .75; $AAPL, $HOME
int marked_word(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  if (x.sign('.')) {
    if (x.kind() == kDigit) {
      x.digits();
      return x.code() == '.' && x.kind(1) == kDigit ? k : x.at();
    }
    const int capitals = x.while_([](char32_t, CharClass kind) { return kind == kUpper; });
    return capitals >= 2 && !is_word_class(x.kind()) ? x.at() : k;
  }
  if (!x.sign('$')) return k;
  const int capitals =
      x.while_([](char32_t code, CharClass kind) { return kind == kUpper || code == '_'; });
  return capitals >= 3 ? x.at() : k;
}

// <div>, </p>, <br/>, <stdio.h>
int tag(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  if (!x.sign('<')) return k;
  x.sign('/');
  if (x.kind() != kLower) return k;
  const int letters = x.while_([](char32_t code, CharClass kind) {
    return (kind == kLower || kind == kDigit) && code < 128;
  });
  bool header = false;
  while (x.code() == '.' || x.code() == '/') {
    if (x.code(1) == '>') {
      x.skip();
      break;
    }
    header = x.code(1) == 'h';
    x.skip();
    if (x.while_([](char32_t code, CharClass kind) { return is_wordy(code, kind); }) == 0) return k;
  }
  return (header || letters <= 10) && x.sign('>') ? x.at() : k;
}

// == -> && and the like, between spaces
int operator_sign(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  const int size = x.while_([](char32_t code, CharClass) { return is_any(code, "=!<>&|+-*/:~"); });
  if (size < 2 || size > 3 || x.at() < end) return k;
  for (std::string_view sign :
       {"==", "!=", "<=", ">=",  "&&",  "||", "->", "=>",  "<-",  "+=", "-=",
        "*=", "/=", ":=", "===", "!==", "::", "++", "<->", "<=>", "|>", "=~"}) {
    if (static_cast<int>(sign.size()) == size && Cursor(c, k, end).text(sign)) return x.at();
  }
  return k;
}

// :-) ;P :'( =D \o/ :)))
int face(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  for (std::string_view whole : {"\\o/", "^_^", "-_-", ">_<", "</3", "<3"}) {
    Cursor y(c, k, end);
    if (y.text(whole) && !is_word_class(y.kind())) return y.at();
  }
  if (!is_any(x.code(), ":;=")) return k;
  x.skip();
  if (is_any(x.code(), "-'^") && is_any(x.code(1), ")(dpo/\\|*]3[")) x.skip();
  if (!is_any(x.code(), ")(dpo/\\|*]")) return k;
  const char32_t mouth = x.code();
  if ((mouth == '/' && x.code(1) == '/') || (c[k].code == '=' && mouth == '(')) return k;
  x.while_([&](char32_t code, CharClass) { return code == mouth; });
  return is_word_class(x.kind()) ? k : x.at();
}

// 'tis, 'em, 'cause, rock 'n' roll: words that have lost their beginnings
int clipped_word(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  const auto is_apostrophe = [](char32_t code) {
    return code == '\'' || code == 0x2019 || code == 0x2018;
  };
  if (!is_apostrophe(x.code())) return k;
  x.skip();
  for (std::string_view word :
       {"em", "cause", "cuz", "coz", "tis", "twas", "twill", "til", "till", "bout", "round", "nuff",
        "neath", "gainst", "tween", "kay", "sup", "n"}) {
    Cursor y = x;
    if (!y.text(word) || is_word_class(y.kind())) continue;
    if (word == "n") return is_apostrophe(y.code()) ? y.at() + 1 : y.at();
    return is_apostrophe(y.code()) ? k : y.at();
  }
  return k;
}

}  // namespace

std::span<const Finder> code_finders() {
  static constexpr std::array<Finder, 2> kAll = {code_name, formula};
  return kAll;
}

std::span<const Finder> sign_finders() {
  static constexpr std::array<Finder, 7> kAll = {
      program_option, marked_word, tag, operator_sign, face, clipped_word, formula};
  return kAll;
}

}  // namespace entente::tokens
