#include "tasks/tokens/patterns.h"

#include <algorithm>

#include "tasks/tokens/pattern_kinds.h"

namespace entente::tokens {
namespace {

// Does a word, or a sign that belongs to one, start at k?
bool is_fresh(const Characters& c, int k) {
  if (k == 0 || c[k].before != Gap::kNone) return true;
  return c[k - 1].kind == kOpenQuote || is_any(c[k - 1].code, "([{\"'`");
}

// Signs that belong to no word and make one token each, wherever they stand.
bool stands_alone(const Characters& c, int k) {
  const char32_t code = c[k].code;
  const bool last = k + 1 >= c.size();
  const bool repeated = (k > 0 && c[k - 1].code == code && c[k].before == Gap::kNone) ||
                        (!last && c[k + 1].code == code && c[k + 1].before == Gap::kNone);
  if (repeated) return false;
  if (!last && c[k + 1].kind == kMark) return false;
  if (code == '`') {
    const bool before = k > 0 && c[k].before == Gap::kNone && is_word_class(c[k - 1].kind);
    const bool after = !last && c[k + 1].before == Gap::kNone && is_word_class(c[k + 1].kind);
    return !(before && after);
  }
  if (code < 128) return false;
  if (code == 0xA1 || code == 0xBF || code == 0xAB || code == 0xBB || code == 0x2039 ||
      code == 0x203A)
    return true;
  if (code == 0xA9 || code == 0xAE || code == 0x2122) return true;  // (c) (r) tm
  if (code >= 0x2013 && code <= 0x2015)
    return !(k > 0 && is_letter(c[k - 1].kind) && code == 0x2013);
  if (code == 0x201C || code == 0x201D || code == 0x201E || code == 0x2033) return true;
  if (code >= 0x2190 && code <= 0x21FF) return true;  // arrows
  return code == 0x3001 || code == 0x3002 || (code >= 0xFF01 && code <= 0xFF0F) || code == 0xFF1A ||
         code == 0xFF1B || code == 0xFF1F;
}

// Pictures: one with what joins it to others, or a pair of letters that is a flag.
int picture_end(const Characters& c, int k, int end) {
  const auto is_flag = [&](int i) { return c[i].code >= 0x1F1E6 && c[i].code <= 0x1F1FF; };
  const auto is_picture = [&](int i) {
    const char32_t code = c[i].code;
    return (code >= 0x1F300 && code <= 0x1FAFF && c[i].kind != kMark) ||
           (code >= 0x2600 && code <= 0x27BF);
  };
  if (is_flag(k)) return k + 1 < end && is_flag(k + 1) ? k + 2 : k;
  if (!is_picture(k) || (k > 0 && c[k].before == Gap::kNone && c[k - 1].code == c[k].code))
    return k;
  int stop = k + 1;
  for (;;) {
    while (stop < end && c[stop].kind == kMark) ++stop;
    if (stop >= end || c[stop - 1].code != 0x200D || !is_picture(stop)) break;
    ++stop;
  }
  return stop < end && c[stop].code == c[k].code ? k : stop;
}

}  // namespace

int pattern_end(const Characters& c, int k, int end) {
  if (stands_alone(c, k)) return k + 1;
  if (const int picture = picture_end(c, k, end); picture > k) return picture;
  const bool inside = k > 0 && c[k].before == Gap::kNone && is_word_class(c[k - 1].kind);
  if (inside) return k;
  const CharClass kind = c[k].kind;
  int best = k;
  const auto look = [&](std::span<const Finder> finders) {
    for (const Finder find : finders) {
      const int stop = find(c, k, end);
      if (stop == k) continue;
      // What goes on with letters or digits is something else.
      if (stop < end && is_word_class(c[stop - 1].kind) && is_word_class(c[stop].kind)) continue;
      best = std::max(best, stop);
    }
  };
  if (is_word_class(kind) || c[k].code == '_' || c[k].code == '+') {
    look(address_finders());
    look(number_finders());
    look(code_finders());
    if (best == k) best = measured_number(c, k, end);
    if (best == k) best = abbreviation_with_stop(c, k, end);
    if (c[k].kind == kUpper && is_fresh(c, k)) look(path_finders());
    return best;
  }
  if (c[k].code == '@' || c[k].code == '#') return handle_end(c, k, end);
  const bool stopped = k > 0 && is_any(c[k - 1].code, "!?.");
  if (!is_fresh(c, k) && !(stopped && is_any(c[k].code, ":;"))) return c[k].code == '$' ? k : best;
  look(path_finders());
  look(sign_finders());
  return best;
}

}  // namespace entente::tokens
