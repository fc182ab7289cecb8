// UAI MARKOV: potentials, which are exp of our scores.
#include <algorithm>
#include <cmath>

#include "engine/formats/domains.h"
#include "engine/formats/expand.h"
#include "engine/formats/readers.h"

namespace entente {

namespace {

// exp() of less is not a normal double any more; as a 0 it would forbid.
constexpr double kLeastScore = -700;

void write_table(std::string& out, std::span<const double> scores) {
  const double most = *std::max_element(scores.begin(), scores.end());
  out += std::to_string(scores.size());
  out += '\n';
  char buffer[32];
  for (double s : scores) {
    if (s != -kInfinity && s - most < kLeastScore)
      throw Error("the scores of one table differ by more than 700, too much for UAI's potentials");
    const double p = s == -kInfinity ? 0 : std::exp(s - most);
    std::snprintf(buffer, sizeof buffer, " %.17g", p);
    out += buffer;
  }
  out += '\n';
}

}  // namespace

void read_uai(const Source& source, Graph& out) {
  Words words(source);
  if (const auto type = words.word("\"MARKOV\""); type != "MARKOV")
    words.fail(words.last(), "expected \"MARKOV\", found " + quoted(type));
  Domains domains(words, source.text.size(), out);
  const auto most = static_cast<std::int64_t>(source.text.size());
  const auto variables = words.integer("the number of variables", 0, most);
  for (std::int64_t v = 0; v < variables; ++v) domains.read_variable();
  const auto functions = words.integer("the number of functions", 0, most);
  // Scopes come first, tables later: keep the scopes' places and read them again with their tables.
  std::vector<std::pair<std::size_t, std::vector<int>>> scopes;
  for (std::int64_t f = 0; f < functions; ++f) {
    const std::size_t offset = words.offset();
    domains.read_scope(words.integer("the number of variables of a function", 0, variables));
    scopes.emplace_back(offset, domains.scope());
  }
  std::vector<double> scores;
  for (auto& [offset, scope] : scopes) {
    domains.set_scope(std::move(scope));
    const auto entries = domains.entries(most, offset);
    const auto count =
        words.integer("the size of a table", 0, std::numeric_limits<std::int64_t>::max());
    if (count != entries)
      words.fail(words.last(), "this table has " + std::to_string(entries) +
                                   " entries by its variables' domains");
    if (static_cast<std::size_t>(entries) > words.left())
      words.fail(words.offset(),
                 "expected " + std::to_string(entries) + " entries, the text is too short");
    scores.clear();
    for (std::int64_t e = 0; e < entries; ++e) {
      const double p = words.number("a potential");
      if (p < 0) words.fail(words.last(), "a potential must be 0 or more");
      scores.push_back(p == 0 ? -kInfinity : std::log(p));
    }
    domains.add_table(scores);
  }
  if (!words.done()) words.fail(words.offset(), "expected nothing after the last table");
}

std::string write_uai(const Graph& graph) {
  MultiValued m(graph);
  m.work_out(false);
  // A table of the same potential everywhere says nothing.
  std::vector<const Function*> functions;
  for (const Function& f : m.functions()) {
    const auto [least, most] = std::minmax_element(f.scores.begin(), f.scores.end());
    if (*most == -kInfinity || std::exp(*least - *most) != 1) functions.push_back(&f);
  }
  std::string out = "MARKOV\n" + std::to_string(m.size()) + "\n";
  for (int v = 0; v < m.size(); ++v) out += (v ? " " : "") + std::to_string(m.domain(v));
  out += "\n" + std::to_string(m.size() + functions.size()) + "\n";
  for (int v = 0; v < m.size(); ++v) out += "1 " + std::to_string(v) + "\n";
  for (const Function* f : functions) {
    out += std::to_string(f->scope.size());
    for (int v : f->scope) out += " " + std::to_string(v);
    out += "\n";
  }
  for (int v = 0; v < m.size(); ++v) write_table(out, m.unary(v));
  for (const Function* f : functions) write_table(out, f->scores);
  return out;
}

}  // namespace entente
