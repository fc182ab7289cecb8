#include "cli/extract_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cli/text.h"

namespace entente::cli {

using schema::Candidates;
using schema::Choice;
using schema::Extraction;
using schema::Schema;

namespace {

using Row = std::array<std::string, 4>;

std::string rows_text(const std::vector<Row>& rows) {
  std::array<int, 4> width{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], width_of(row[i]));
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (width[i] > 0) line += padded(row[i], width[i]) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string span_text(const schema::Span& span) {
  return span.text.empty() ? fmt::format("[{}, {})", span.start, span.end) : span.text;
}

std::string headline(const Extraction& e) {
  switch (e.status) {
    case Status::optimal:
      return fmt::format("optimal: value {}: nothing is worth more", readable(e.value));
    case Status::feasible:
      return fmt::format("feasible: value {}, nothing is worth more than {}", readable(e.value),
                         readable(e.bound));
    case Status::infeasible:
      return fmt::format("infeasible: these rules cannot all hold here: {}",
                         fmt::join(e.conflict, ", "));
    case Status::unknown:
      break;
  }
  return "unknown: no answer that keeps every rule was found";
}

std::string margin_text(std::span<const double> margins, std::size_t k) {
  if (k >= margins.size() || std::isnan(margins[k])) return "";
  return std::isinf(margins[k]) ? "needed" : fmt::format("margin {}", readable(margins[k]));
}

// What one choice has and the other has not, in words.
std::vector<std::string> differences(const Schema& s, const Candidates& c, const Choice& a,
                                     const Choice& b) {
  std::vector<std::string> out;
  for (int i : a.types) {
    if (std::binary_search(b.types.begin(), b.types.end(), i)) continue;
    out.push_back(
        fmt::format("{}({})", s.types[c.types[i].type].name, span_text(c.spans[c.types[i].span])));
  }
  for (int p : a.pairs) {
    if (std::binary_search(b.pairs.begin(), b.pairs.end(), p)) continue;
    const schema::Pair& pair = c.pairs[p];
    out.push_back(fmt::format("{}({}, {})", s.relations[pair.relation].name,
                              span_text(c.spans[pair.head]), span_text(c.spans[pair.tail])));
  }
  return out;
}

// What was not chosen and why, with --explain.
std::string dropped_text(const Schema& s, const Candidates& c, const Extraction& e) {
  std::vector<Row> rows;
  auto add = [&](const std::string& type, const std::string& what, const schema::Reason& reason) {
    const std::string loses = std::isnan(reason.margin)   ? ""
                              : std::isinf(reason.margin) ? "cannot be"
                                                          : "loses " + readable(reason.margin);
    rows.push_back(
        {"not " + type, what, loses, fmt::format("{}", fmt::join(reason.because, ", "))});
  };
  for (std::size_t i = 0; i < e.type_reasons.size(); ++i) {
    if (std::binary_search(e.chosen.types.begin(), e.chosen.types.end(), static_cast<int>(i)))
      continue;
    add(s.types[c.types[i].type].name, span_text(c.spans[c.types[i].span]), e.type_reasons[i]);
  }
  for (std::size_t p = 0; p < e.pair_reasons.size(); ++p) {
    const schema::Pair& pair = c.pairs[p];
    const bool kept =
        std::binary_search(e.chosen.pairs.begin(), e.chosen.pairs.end(), static_cast<int>(p));
    if (kept || pair.added) continue;
    add(s.relations[pair.relation].name,
        span_text(c.spans[pair.head]) + " -> " + span_text(c.spans[pair.tail]), e.pair_reasons[p]);
  }
  return rows_text(rows);
}

}  // namespace

std::string extract_table(const Schema& s, const Candidates& c, const Extraction& e,
                          const std::string& title, bool color) {
  std::string out;
  if (!title.empty()) out += title + "\n";
  const char* paint = e.status == Status::optimal    ? "1;32"
                      : e.status == Status::feasible ? "1;33"
                                                     : "1;31";
  out += color ? fmt::format("\033[{}m{}\033[0m\n", paint, headline(e)) : headline(e) + "\n";
  std::vector<Row> rows;
  for (std::size_t k = 0; k < e.chosen.types.size(); ++k) {
    const schema::TypeScore& t = c.types[e.chosen.types[k]];
    rows.push_back({s.types[t.type].name, span_text(c.spans[t.span]),
                    fmt::format("{:.3f}", t.confidence), margin_text(e.type_margins, k)});
  }
  for (std::size_t k = 0; k < e.chosen.pairs.size(); ++k) {
    const schema::Pair& p = c.pairs[e.chosen.pairs[k]];
    rows.push_back({s.relations[p.relation].name,
                    span_text(c.spans[p.head]) + " -> " + span_text(c.spans[p.tail]),
                    p.added ? "implied" : fmt::format("{:.3f}", p.confidence),
                    margin_text(e.pair_margins, k)});
  }
  out += rows_text(rows);
  out += dropped_text(s, c, e);
  auto list = [&](const char* what, const std::vector<std::string>& names) {
    if (!names.empty()) out += fmt::format("  {}: {}\n", what, fmt::join(names, ", "));
  };
  list("active rules", e.active_rules);
  list("paid rules", e.paid_rules);
  if (e.status != Status::infeasible && e.status != Status::unknown) {
    list("without rules also", differences(s, c, e.unconstrained, e.chosen));
    list("only with rules", differences(s, c, e.chosen, e.unconstrained));
  }
  for (std::size_t k = 1; k < e.k_best.size(); ++k) {
    const Choice& next = e.k_best[k];
    out += fmt::format("  {}. best, value {}:", k + 1, readable(next.value));
    const auto more = differences(s, c, next, e.chosen), less = differences(s, c, e.chosen, next);
    if (!more.empty()) out += fmt::format(" with {}", fmt::join(more, ", "));
    if (!less.empty())
      out += fmt::format("{} without {}", more.empty() ? "" : ",", fmt::join(less, ", "));
    out += "\n";
  }
  return out + "\n";
}

}  // namespace entente::cli
