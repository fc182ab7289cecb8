#include "tasks/tagging/word_kind.h"

#include <algorithm>
#include <array>

namespace entente::tagging {
namespace {

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) {
  return is_small(c) || is_capital(c) || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<std::string_view, 12> kDomains = {"com", "org",  "net", "edu",  "gov", "co",
                                                       "uk",  "info", "biz", "html", "htm", "asp"};
constexpr std::array<std::string_view, 16> kFiles = {"doc", "xls", "pdf",  "txt", "jpg", "jpeg",
                                                     "gif", "png", "zip",  "ppt", "exe", "wav",
                                                     "mp3", "csv", "docx", "xlsx"};

// Equal but for capitals.
bool same(std::string_view a, std::string_view small) {
  return std::equal(a.begin(), a.end(), small.begin(), small.end(), [](char x, char y) {
    return (is_capital(x) ? static_cast<char>(x - 'A' + 'a') : x) == y;
  });
}

template <std::size_t size>
bool is_among(std::string_view word, const std::array<std::string_view, size>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view x) { return same(word, x); });
}

struct Made {  // of what
  int small = 0, capitals = 0, digits = 0, signs = 0, dots = 0;
  bool climbs = false;  // a capital after a small letter
  bool drawn = false;
};

Made made_of(std::string_view form) {
  Made m;
  int run = 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const char c = form[i];
    if (is_capital(c)) {
      ++m.capitals;
      m.climbs |= i > 0 && is_small(form[i - 1]);
    } else if (is_letter(c)) {
      ++m.small;
    } else if (is_digit(c)) {
      ++m.digits;
    } else {
      ++m.signs;
      m.dots += c == '.';
    }
    run = i > 0 && c == form[i - 1] ? run + 1 : 1;
    m.drawn |= run >= 3 && is_letter(c) && static_cast<unsigned char>(c) < 0x80;
  }
  return m;
}

// A letter and a full stop, again and again; the last stop may be missing.
bool is_dotted(std::string_view form) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (i % 2 == 0 ? !is_letter(form[i]) : form[i] != '.') return false;
  }
  return form.size() >= 3;
}

WordKind address_kind(std::string_view form) {
  const std::size_t at = form.find('@'), dot = form.rfind('.');
  if (at != form.npos && at > 0 && dot != form.npos && dot > at) return WordKind::mail;
  if (form.size() > 7 && (same(form.substr(0, 4), "www.") || form.find("://") != form.npos)) {
    return WordKind::web;
  }
  if (dot == form.npos || dot == 0 || dot + 1 == form.size()) return WordKind::none;
  if (is_among(form.substr(dot + 1), kFiles)) return WordKind::file;
  if (is_among(form.substr(dot + 1), kDomains)) return WordKind::web;
  const std::size_t slash = form.find('/');
  const std::size_t before = slash == form.npos ? slash : form.rfind('.', slash);
  if (before == form.npos) return WordKind::none;
  const std::string_view domain = form.substr(before + 1, slash - before - 1);
  return is_among(domain, kDomains) ? WordKind::web : WordKind::none;
}

}  // namespace

WordKind word_kind(std::string_view form) {
  if (form.size() > 1 && (form[0] == '@' || form[0] == '#') && is_letter(form[1])) {
    return form[0] == '@' ? WordKind::person : WordKind::topic;
  }
  const Made m = made_of(form);
  const int letters = m.small + m.capitals;
  if (letters == 0) return m.digits > 0 ? WordKind::number : WordKind::signs;
  if (is_dotted(form)) return WordKind::letters;
  if (m.signs > 0) {
    const WordKind address = address_kind(form);
    if (address != WordKind::none) return address;
  }
  if (m.digits > 0) return is_digit(form[0]) ? WordKind::amount : WordKind::code;
  if (m.drawn) return WordKind::drawn;
  if (m.small == 0 && m.signs == 0 && letters >= 2 && letters <= 5) return WordKind::acronym;
  return m.climbs ? WordKind::mixed : WordKind::none;
}

}  // namespace entente::tagging
