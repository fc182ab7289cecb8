// JSON as JsonWriter lays it out, on one line: for files with a value a line.
//
//   out << one_line(write_certificate(graph, certificate)) << '\n';
//
// Line breaks within strings are escaped, so that every other one is between values. O(length).
#pragma once

#include <string>
#include <string_view>

namespace entente {

inline std::string one_line(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '\n') {
      out += json[i];
      continue;
    }
    while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
  }
  return out;
}

}  // namespace entente
