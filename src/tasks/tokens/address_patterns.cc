// Addresses of the web, of mail, of files and hosts; @names and #tags; hashes.
#include <algorithm>
#include <array>

#include "tasks/tokens/pattern_kinds.h"

namespace entente::tokens {

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

namespace {

bool is_address_sign(char32_t code, CharClass kind) {
  return !is_any(code, "<>\"|") && kind != kOpenQuote && kind != kCloseQuote && kind != kControl;
}

// "scheme://" or "www." or "localhost:"; the end of it, k if there is none.
int scheme_end(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  for (std::string_view scheme : {"www.", "localhost:", "localhost/"}) {
    if (x.text(scheme)) return x.at();
  }
  if (x.while_([](char32_t code, CharClass kind) {
        return (is_word_class(kind) && code < 128) || is_any(code, "+-");
      }) < 2)
    return k;
  return x.text("://") ? x.at() : k;
}

// http://..., www...., or a name of a host with a common ending: example.org/path
int web_address(const Characters& c, int k, int end) {
  if (const int scheme = scheme_end(c, k, end); scheme > k) {
    Cursor x(c, scheme, end);
    if (!is_word_class(x.kind()) && x.code() != '/') return k;
    x.while_(is_address_sign);
    return trimmed(c, k, x.at());
  }
  Cursor x(c, k, end);
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

// name@host, git@host:path
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
  Cursor path(c, stop, end);
  if (stop > k && path.sign(':') && is_letter(path.kind())) {
    bool divided = false;
    path.while_([&](char32_t code, CharClass kind) {
      divided = divided || code == '/';
      return is_address_sign(code, kind);
    });
    if (divided) return trimmed(c, k, path.at());
  }
  return stop;
}

bool is_path_sign(char32_t code, CharClass kind) {
  return is_name(code, kind) || is_any(code, ".+@%~-=*");
}

// Endings of names of files. Words of prose (.do, .me, .so) are none of them.
bool is_file_ending(const Characters& c, int begin, int end) {
  static constexpr std::array<std::string_view, 90> kEndings = {
      "7z",   "asp",  "avi",  "bak",   "bash", "bat",  "bib",   "bin",  "bmp",   "bz2",
      "c",    "cc",   "cfg",  "class", "cmd",  "conf", "cpp",   "cs",   "css",   "csv",
      "dat",  "db",   "deb",  "dll",   "dmg",  "doc",  "docx",  "epub", "exe",   "flac",
      "gif",  "gz",   "h",    "hpp",   "hs",   "htm",  "html",  "ini",  "ipynb", "iso",
      "jar",  "java", "jpeg", "jpg",   "js",   "json", "jsonl", "jsx",  "key",   "kt",
      "lock", "log",  "lua",  "md",    "mkv",  "mov",  "mp3",   "mp4",  "odt",   "ogg",
      "pdf",  "pem",  "php",  "png",   "ppt",  "pptx", "ps",    "py",   "rb",    "rpm",
      "rs",   "rst",  "rtf",  "sh",    "sql",  "svg",  "tar",   "tex",  "tgz",   "toml",
      "ts",   "tsv",  "tsx",  "txt",   "wav",  "xls",  "xlsx",  "xml",  "yaml",  "yml"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) {
                       return end - begin == static_cast<int>(ending.size()) &&
                              Cursor(c, begin, end).text(ending);
                     }) ||
         (end - begin == 3 && Cursor(c, begin, end).text("zip"));
}

// ":42" or ":42:7" behind the name of a file.
int with_line(const Characters& c, int stop, int end) {
  for (int i = 0; i < 2; ++i) {
    Cursor x(c, stop, end);
    if (!x.sign(':') || x.digits() == 0 || is_letter(x.kind())) break;
    stop = x.at();
  }
  return stop;
}

// report_final.pdf, src/main.c:42: names divided by slashes, the last with the ending of a file.
int file_name(const Characters& c, int k, int end) {
  const bool part = k > 0 && c[k].before == Gap::kNone && is_any(c[k - 1].code, "-#.~&%+\\");
  if (part) return k;
  Cursor x(c, k, end);
  x.while_([](char32_t code, CharClass kind) { return is_path_sign(code, kind) || code == '/'; });
  int stop = x.at();
  while (stop > k && !is_word_class(c[stop - 1].kind)) --stop;
  // Of "a.txt.Then" the name is a.txt: back to the last ending.
  for (; stop > k; --stop) {
    if (stop < end && is_word_class(c[stop].kind)) continue;
    int dot = stop;
    while (dot > k && is_word_class(c[dot - 1].kind)) --dot;
    if (dot <= k + 1 || c[dot - 1].code != '.') continue;
    const bool small = stop - dot < 2;  // x.c is a name of a file, vitamin C. is none
    if (is_file_ending(c, dot, stop) && is_name(c[dot - 2].code, c[dot - 2].kind) &&
        !(small && c[dot].kind != kLower)) {
      return with_line(c, stop, end);
    }
  }
  return k;
}

// /usr/lib, ~/x, ./x, ../x, C:\x, \\host\x
int path(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  const bool drive = is_letter(x.kind()) && x.code(1) == ':' && x.code(2) == '\\';
  if (drive || (x.text("\\\\") && is_word_class(x.kind()))) {
    x.while_(is_address_sign);
    return trimmed(c, k, x.at());
  }
  if (is_word_class(x.kind())) return k;
  const bool relative = x.text("~") || x.text("..") || x.text(".");
  int parts = 0;
  while (x.code() == '/' && (is_name(x.code(1), x.kind(1)) || is_any(x.code(1), ".*"))) {
    x.skip();
    x.while_(is_path_sign);
    ++parts;
  }
  if (parts > 0) x.sign('/');
  const int stop = trimmed(c, k, x.at());
  const bool whole = parts > 1 || relative || (parts == 1 && c[stop - 1].code == '/');
  return parts > 0 && whole ? with_line(c, stop, end) : k;
}

// 192.168.0.1:80, 10.0.0.0/8; 00:1a:2b:3c:4d:5e, fe80::1
int host_number(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  int parts = 0;
  while (x.digits(3) > 0 && ++parts < 4 && x.sign('.')) {
  }
  if (parts == 4) {
    Cursor behind(c, x.at(), end);
    const bool more = (behind.sign(':') || behind.sign('/')) && behind.digits() > 0;
    return more ? behind.at() : x.at();
  }
  Cursor y(c, k, end);
  int colons = 0;
  bool empty = false;
  for (;;) {
    const int n = y.while_([](char32_t code, CharClass) { return is_hex(code); });
    if (n > 4) return k;
    empty = empty || (n == 0 && colons > 0);
    if (y.code() != ':' || (!is_hex(y.code(1)) && y.code(1) != ':')) break;
    y.skip();
    ++colons;
  }
  return colons >= 5 || (colons >= 2 && empty) ? y.at() : k;
}

// doi:10.1000/x, sha256:9b74
int named_number(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  x.text("doi:");
  const int number = x.at();
  if (x.text("10.") && x.digits() >= 4 && x.sign('/') && is_word_class(x.kind())) {
    x.while_(is_address_sign);
    return trimmed(c, k, x.at());
  }
  Cursor y(c, number, end);
  for (std::string_view name : {"sha1", "sha256", "sha512", "md5", "crc32"}) {
    if (!y.text(name)) continue;
    if (!y.sign(':')) return k;
    return y.while_([](char32_t code, CharClass) { return is_hex(code); }) >= 6 ? y.at() : k;
  }
  return k;
}

// 3f2a1bc, and 8-4-4-4-12 of such signs: digits and letters, at least seven.
int hash_number(const Characters& c, int k, int end) {
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

// u/name, r/name of Reddit
int reddit(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  if ((x.code() != 'u' && x.code() != 'r') || c[k].kind != kLower || x.code(1) != '/') return k;
  x.skip();
  x.skip();
  return x.while_(is_name) >= 3 && x.code() != '/' ? x.at() : k;
}

}  // namespace

// @name, #tag, #2020vision
int handle_end(const Characters& c, int k, int end) {
  Cursor x(c, k, end);
  const bool at = x.code() == '@';
  if (!x.sign('@') && !x.sign('#')) return k;
  if (!at && x.kind() == kDigit) {
    x.digits();
    for (int i = 0; i < 3; ++i) {  // #1st is no tag
      if (!is_letter(x.kind(i))) return k;
    }
  }
  if (!is_letter(x.kind()) && x.code() != '_' && !(at && is_word_class(x.kind()))) return k;
  x.while_(is_name);
  // @first.last: a full stop inside, but none before a capital, where a space was forgotten
  while (at && x.code() == '.' && (x.kind(1) == kLower || x.kind(1) == kDigit)) {
    x.sign('.');
    x.while_(is_name);
  }
  return x.at();
}

std::span<const Finder> address_finders() {
  static constexpr std::array<Finder, 7> kAll = {web_address,  mail_address, file_name, host_number,
                                                 named_number, hash_number,  reddit};
  return kAll;
}

std::span<const Finder> path_finders() {
  static constexpr std::array<Finder, 1> kAll = {path};
  return kAll;
}

}  // namespace entente::tokens
