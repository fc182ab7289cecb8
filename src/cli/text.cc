#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "base/utf8.h"

namespace entente::cli {

std::string error_json(std::string_view message) {
  std::string out = "{\"error\": ";
  append_json(out, message);
  return out + "}\n";
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const char c = text[0];
    std::size_t length = 1;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (static_cast<unsigned char>(c) < 0x80) {
      out += c;
    } else if ((length = static_cast<std::size_t>(decode_utf8(text, 0).length)) > 0) {
      out += text.substr(0, length);
    } else {
      out += "\\ufffd";
      length = 1;
    }
    text.remove_prefix(length);
  }
  out += '"';
}

void append_json(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
  } else {
    out += fmt::format("{}", number == 0 ? 0.0 : number);  // no "-0"
  }
}

std::string readable(double number) {
  if (std::isinf(number)) return number > 0 ? "infinite" : "none";
  return fmt::format("{:.6g}", number == 0 ? 0.0 : number);
}

std::string readable_count(long long number) {
  std::string digits = std::to_string(number);
  for (int at = static_cast<int>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

int width_of(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, int width) {
  std::string out(text);
  const int missing = width - width_of(text);
  if (missing > 0) out.append(static_cast<std::size_t>(missing), ' ');
  return out;
}

namespace {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view name, std::span<const std::string> candidates) {
  std::string_view best;
  int least = static_cast<int>(name.size()) / 3 + 2;  // further than this is another word
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(name, candidate);
    if (distance < least && distance < static_cast<int>(candidate.size())) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace entente::cli
