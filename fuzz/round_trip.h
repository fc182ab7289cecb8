// What must hold of any text given to a reader: an Error that names a place, or a problem that can
// be written (or is refused with an Error), read back, and written to the same text again.
//
// Used by the libFuzzer targets here and by the short run in the tests.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "entente/error.h"
#include "entente/formats.h"

namespace entente::fuzz {

[[noreturn]] inline void broken(const char* what, std::string_view first, std::string_view second) {
  std::fprintf(stderr, "%s\n--- first\n%.*s\n--- second\n%.*s\n", what,
               static_cast<int>(first.size()), first.data(), static_cast<int>(second.size()),
               second.data());
  std::abort();
}

// Equal word by word, numbers up to a relative 1e-9: potentials pass through exp and log.
inline bool nearly_same(std::string_view a, std::string_view b) {
  const auto next = [](std::string_view& text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \n"), text.size());
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
  };
  for (;;) {
    const std::string_view x = next(a), y = next(b);
    if (x.empty() || y.empty()) return x.empty() && y.empty();
    if (x == y) continue;
    const double p = std::strtod(std::string(x).c_str(), nullptr);
    const double q = std::strtod(std::string(y).c_str(), nullptr);
    if (!(std::abs(p - q) <= 1e-9 * std::abs(p))) return false;
  }
}

// True if the text was read.
inline bool round_trip(std::string_view text, Format format) {
  Graph graph;
  try {
    read_graph(text, format, "fuzz", graph);
  } catch (const Error& error) {
    if (error.place().line < 1 || error.place().column < 1)
      broken("an error without a place", text, error.what());
    return false;
  }
  std::string first;
  try {
    first = write_graph(graph, format);
  } catch (const Error&) {
    return true;
  }
  Graph again;
  try {
    read_graph(first, format, "again", again);
  } catch (const Error& error) {
    broken("what was written is not read", first, error.what());
  }
  const std::string second = write_graph(again, format);
  const bool same = format == Format::uai ? nearly_same(first, second) : first == second;
  if (!same) broken("written twice, two texts", first, second);
  return true;
}

// The graph that certificates are read against.
inline Graph certificate_graph() {
  Graph g;
  const Group role = g.add_group({0.0, 1.0, 2.0}, "role");
  const Var x = g.add_variable(1, "x");
  g.add_not_both(x, role[1], g.rule("r"));
  g.add_variable(-1);
  return g;
}

inline bool certificate_round_trip(const Graph& graph, std::string_view text) {
  Certificate certificate;
  try {
    certificate = read_certificate(graph, text, "fuzz");
  } catch (const Error& error) {
    if (error.place().line < 1) broken("an error without a place", text, error.what());
    return false;
  }
  const std::string first = write_certificate(graph, certificate);
  const std::string second = write_certificate(graph, read_certificate(graph, first, "again"));
  if (first != second) broken("written twice, two texts", first, second);
  return true;
}

}  // namespace entente::fuzz
