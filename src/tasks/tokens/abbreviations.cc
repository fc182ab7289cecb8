// Words with a full stop of their own, in English.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "tasks/tokens/pattern_kinds.h"
#include "tasks/tokens/patterns.h"

namespace entente::tokens {

Abbreviation abbreviation(const Characters& c, int begin, int end) {
  if (end - begin < 1 || end - begin > 8) return Abbreviation::kNone;
  std::array<char, 9> text{};
  int n = 0;
  for (int k = begin; k < end; ++k) {
    if (c[k].code >= 128) return Abbreviation::kNone;
    text[n++] = static_cast<char>(c[k].code);
  }
  const bool stopped = text[n - 1] == '.';
  if (stopped) --n;
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
  // Not known to the features of a model: what has its full stop beside it, as words they would be others.
  if (!stopped) return Abbreviation::kNone;
  if (in({"max", "avg", "temp", "attn", "misc", "orig", "tab", "tabs", "mos", "wks", "b.i.d",
          "t.i.d", "q.i.d", "q.d", "p.r.n"})) {
    return Abbreviation::kInside;
  }
  if (in({"art", "arts", "sec", "secs", "vols", "ed", "ser", "lit"}))
    return Abbreviation::kNumbered;
  // "invoice no. 88", but "No. 7 people came."
  const bool inside = begin > 0 && is_letter(c[begin - 1].kind);
  if (inside && in({"no"})) return Abbreviation::kNumbered;
  if (in({"ore", "wash", "mass", "pa",   "va",    "ga",   "ill",  "ind",   "kan",
          "ky",  "miss", "mo",   "mont", "neb",   "nev",  "vt",   "del",   "ala",
          "ark", "mar",  "jun",  "jul",  "wed",   "thu",  "thur", "tue",   "sat",
          "sun", "llc",  "plc",  "doz",  "bldgs", "govt", "natl", "assoc", "asst"})) {
    return Abbreviation::kEither;
  }
  return Abbreviation::kNone;
}

int abbreviation_with_stop(const Characters& c, int k, int end) {
  int stop = k;
  while (stop < end && is_letter(c[stop].kind)) ++stop;
  if (stop - k < 2 || stop >= end || c[stop].code != '.') return k;
  const bool word = abbreviation(c, k, stop) == Abbreviation::kNone;  // ill., sun.
  const Abbreviation a = abbreviation(c, k, ++stop);
  if (a == Abbreviation::kNone) return k;
  if (stop < end) return is_any(c[stop].code, ":;,") ? stop : k;
  if (stop == c.size() || c[stop].before == Gap::kBlankLine) return k;
  if (c[stop].kind == kDigit) return stop;
  return c[stop].kind == kLower && (!word || a == Abbreviation::kInside) ? stop : k;
}

}  // namespace entente::tokens
