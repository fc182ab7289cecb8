// Forests and their certificates as JSON, a line each (docs/certificates.md).
#include <algorithm>
#include <cmath>

#include "base/one_line.h"
#include "engine/formats/proof_json.h"
#include "engine/proof/forests.h"

namespace entente {

namespace {

constexpr std::int64_t kMost = 1'000'000'000;  // edges

void write_score(JsonWriter& out, double x) {
  if (std::isnan(x) || x == kInfinity) throw Error("a forest holds something that is not a number");
  if (x == -kInfinity) {
    out.null();
  } else {
    out.number(x);
  }
}

double read_score(JsonValue value) {
  return value.is(JsonType::null) ? -kInfinity : value.number("a number or null (-infinity)");
}

void write_integers(JsonWriter& out, std::span<const std::int32_t> list) {
  out.begin_array();
  for (const std::int32_t x : list) out.integer(x);
  out.end_array();
}

// A whole number from 0 up to, not including, `end`.
std::int32_t read_index(JsonValue value, std::int64_t end, std::string_view what) {
  const std::int64_t x = value.integer("a whole number");
  if (x < 0 || x >= end) value.fail("there is no such " + std::string(what));
  return static_cast<std::int32_t>(x);
}

std::vector<double> read_scores(JsonValue value, std::string_view what) {
  std::vector<double> out;
  for (JsonValue x : elements_of(value, what)) out.push_back(read_score(x));
  return out;
}

// The text of an object within another.
std::string_view text_of(JsonValue object, std::string_view text) {
  object.expect(JsonType::object, "an object");
  const std::size_t begin = object.offset();
  int depth = 0;
  bool quoted_text = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted_text) {
      if (c == '\\') ++i;
      quoted_text = c != '"';
    } else if (c == '"') {
      quoted_text = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return text.substr(begin, i + 1 - begin);
    }
  }
  object.fail("an object has no end");
}

[[noreturn]] void fail_key(JsonValue key) { key.fail("unknown key " + quoted(key.string())); }

void write_forest(JsonWriter& out, const SharedForest& f) {
  out.begin_object().key("nodes").integer(f.graph.nodes()).key("goal").integer(f.graph.goal());
  out.key("edges").begin_array();
  for (int e = 0; e < f.graph.edges(); ++e) {
    const auto tails = f.graph.tails(e), marks = f.marks_of(e);
    out.begin_array().integer(f.graph.head(e));
    write_score(out, f.graph.score[e]);
    if (!tails.empty() || !marks.empty()) write_integers(out, tails);
    if (!marks.empty()) write_integers(out, marks);
    out.end_array();
  }
  out.end_array().end_object();
}

struct EdgeReader {
  int indicators;
  std::int64_t nodes;
  SharedForest& out;
  std::vector<std::int32_t> tails;
  int last_head = 0;

  void read(JsonValue edge) {
    const std::vector<JsonValue> parts = elements_of(edge, "[head, score, tails, indicators]");
    if (parts.size() < 2 || parts.size() > 4)
      edge.fail("[head, score, tails, indicators] is expected");
    const std::int32_t head = read_index(parts[0], nodes, "node");
    if (head < last_head) parts[0].fail("edges stand by their heads, in rising order");
    last_head = head;
    tails.clear();
    if (parts.size() > 2) {
      for (JsonValue t : elements_of(parts[2], "a list of nodes"))
        tails.push_back(read_index(t, head, "node below the head"));
    }
    out.graph.add_edge(head, tails, read_score(parts[1]));
    if (parts.size() > 3) {
      for (JsonValue i : elements_of(parts[3], "a list of indicators"))
        out.marks.push_back(read_index(i, indicators, "indicator"));
    }
    out.mark_begin.push_back(static_cast<std::int32_t>(out.marks.size()));
  }
};

// Never more nodes than the text has bytes: a few of them must not cost memory without end.
void read_forest(JsonValue value, int indicators, std::int64_t bytes, SharedForest& out) {
  value.expect(JsonType::object, "a forest");
  std::int64_t nodes = -1, goal = -1;
  std::vector<JsonValue> edges;
  for (auto [key, member] : value.members()) {
    if (key.string() == "nodes") {
      nodes = read_index(member, bytes, "number of nodes");
    } else if (key.string() == "goal") {
      goal = read_index(member, bytes, "node");
    } else if (key.string() == "edges") {
      edges = elements_of(member, "a list of edges");
    } else {
      fail_key(key);
    }
  }
  if (goal < 0 || goal >= nodes) value.fail("a forest needs \"nodes\", \"edges\" and its \"goal\"");
  out.graph.add_nodes(static_cast<int>(nodes));
  out.mark_begin.assign(1, 0);
  EdgeReader reader{indicators, nodes, out, {}};
  for (JsonValue edge : edges) reader.read(edge);
  out.graph.finish(static_cast<int>(goal));
}

}  // namespace

std::string write_forests(const ForestProblem& problem, std::string_view name) {
  JsonWriter out;
  out.begin_object().key("name").string(name);
  if (problem.indicators > 0) out.key("indicators").integer(problem.indicators);
  if (problem.floor > -kInfinity) out.key("floor").number(problem.floor);
  out.key("forests").begin_array();
  for (const SharedForest& f : problem.forests) write_forest(out, f);
  out.end_array();
  if (!problem.has_graph()) {
    out.end_object();
    return out.take() + "\n";
  }
  write_integers(out.key("shared"), problem.shared);
  return out.take() + ", \"graph\": " + one_line(write_graph(problem.graph, Format::json)) + "}\n";
}

std::string write_forest_certificate(const ForestProblem& problem, const ForestCertificate& c) {
  JsonWriter out;
  write_score(out.begin_object().key("value"), c.value);
  write_score(out.key("bound"), c.bound);
  out.key("complete").boolean(c.complete).key("derivations").begin_array();
  for (const Derivation& edges : c.derivations) write_integers(out, edges);
  out.end_array();
  std::string graphs;  // one a bound
  if (problem.has_graph()) {
    out.key("assignment").begin_array();
    for (std::size_t v = 0; v < c.assignment.size(); ++v) {
      if (c.assignment[v]) out.integer(static_cast<std::int64_t>(v));
    }
    out.end_array();
    for (const ForestCertificate::Step& step : c.steps) {
      if (step.indicator >= 0) continue;
      graphs +=
          (graphs.empty() ? "" : ", ") + one_line(write_certificate(problem.graph, step.graph));
    }
  }
  out.key("steps").begin_array();
  const auto numbers = [&](const std::vector<std::vector<double>>& lists) {
    out.begin_array();
    for (const auto& list : lists) {
      out.begin_array();
      for (const double x : list) write_score(out, x);
      out.end_array();
    }
    out.end_array();
  };
  for (const ForestCertificate::Step& step : c.steps) {
    if (step.indicator >= 0) {
      out.begin_array().string("suppose").integer(step.indicator).end_array();
      continue;
    }
    out.begin_array().string("bound");
    numbers(step.prices);
    numbers(step.potentials);
    out.end_array();
  }
  out.end_array();
  if (problem.has_graph()) return out.take() + ", \"graphs\": [" + graphs + "]}\n";
  out.end_object();
  return out.take() + "\n";
}

bool is_forest_problem(std::string_view text) {
  if (text.find("\"forests\"") == std::string_view::npos) return false;
  Json json;
  try {
    json.parse({text, "", 1});
  } catch (const Error&) {
    return false;  // whoever reads it says what is wrong, and where
  }
  if (!json.root().is(JsonType::object)) return false;
  for (auto [key, value] : json.root().members()) {
    if (key.string() == "forests") return true;
  }
  return false;
}

void read_forests(std::string_view text, std::string_view file, int line, ForestProblem& out) {
  Json json;
  json.parse({text, file, line});
  out.clear();
  JsonValue root = json.root();
  root.expect(JsonType::object, "a problem");
  std::vector<JsonValue> forests;
  bool has_graph = false;
  const auto bytes = static_cast<std::int64_t>(text.size());
  for (auto [key, value] : root.members()) {
    if (key.string() == "name") {
      value.string("a name");
    } else if (key.string() == "indicators") {
      out.indicators = read_index(value, bytes, "number of indicators");
    } else if (key.string() == "floor") {
      out.floor = read_score(value);
    } else if (key.string() == "forests") {
      forests = elements_of(value, "a list of forests");
    } else if (key.string() == "graph") {
      read_graph(text_of(value, text), Format::json, file, out.graph, line);
      has_graph = true;
    } else if (key.string() == "shared") {
      for (JsonValue v : elements_of(value, "a list of variables"))
        out.shared.push_back(read_index(v, kMost, "variable"));
    } else {
      fail_key(key);
    }
  }
  if (forests.empty()) root.fail("a problem needs a forest");
  const auto beyond = [&](std::int32_t v) { return v >= out.graph.variable_count(); };
  if (out.has_graph() != has_graph ||
      (has_graph && (static_cast<int>(out.shared.size()) != out.indicators || forests.size() != 1 ||
                     std::any_of(out.shared.begin(), out.shared.end(), beyond))))
    root.fail("a graph is shared by one forest, a variable an indicator");
  for (JsonValue f : forests) read_forest(f, out.indicators, bytes, out.forests.emplace_back());
}

namespace {

void read_step(JsonValue value, const ForestProblem& problem, ForestCertificate::Step& out) {
  const std::vector<JsonValue> parts = elements_of(value, "a step");
  const std::string_view name = parts.empty() ? "" : parts[0].string("the name of a step");
  if (name == "suppose" && parts.size() == 2) {
    out.indicator = read_index(parts[1], problem.indicators, "indicator");
  } else if (name == "bound" && parts.size() == 3) {
    for (JsonValue list : elements_of(parts[1], "prices, a list a forest"))
      out.prices.push_back(read_scores(list, "a list of prices"));
    for (JsonValue list : elements_of(parts[2], "potentials, a list a forest"))
      out.potentials.push_back(read_scores(list, "a list of potentials"));
  } else {
    value.fail("[\"suppose\", indicator] or [\"bound\", prices, potentials] is expected");
  }
}

}  // namespace

ForestCertificate read_forest_certificate(const ForestProblem& problem, std::string_view text,
                                          std::string_view file, int line) {
  Json json;
  json.parse({text, file, line});
  JsonValue root = json.root();
  root.expect(JsonType::object, "a certificate");
  ForestCertificate out;
  std::vector<Certificate> graphs;
  int seen = 0;
  for (auto [key, value] : root.members()) {
    ++seen;
    if (key.string() == "value") {
      out.value = read_score(value);
    } else if (key.string() == "bound") {
      out.bound = read_score(value);
    } else if (key.string() == "complete") {
      value.expect(JsonType::boolean, "true or false");
      out.complete = value.boolean();
    } else if (key.string() == "derivations") {
      for (JsonValue list : elements_of(value, "a list of derivations")) {
        Derivation& edges = out.derivations.emplace_back();
        for (JsonValue e : elements_of(list, "a list of edges"))
          edges.push_back(read_index(e, kMost, "edge"));
      }
    } else if (key.string() == "steps") {
      for (JsonValue step : elements_of(value, "a list of steps"))
        read_step(step, problem, out.steps.emplace_back());
    } else if (key.string() == "assignment" && problem.has_graph()) {
      out.assignment.assign(problem.graph.variable_count(), 0);
      for (JsonValue v : elements_of(value, "a list of variables"))
        out.assignment[read_index(v, problem.graph.variable_count(), "variable")] = 1;
    } else if (key.string() == "graphs" && problem.has_graph()) {
      for (JsonValue c : elements_of(value, "a list of certificates"))
        graphs.push_back(read_certificate(problem.graph, text_of(c, text), file));
    } else {
      fail_key(key);
    }
  }
  if (seen != (problem.has_graph() ? 7 : 5))
    root.fail("a certificate has value, bound, complete, derivations and steps, once each");
  std::size_t bound = 0;
  for (ForestCertificate::Step& step : out.steps) {
    if (!problem.has_graph() || step.indicator >= 0) continue;
    if (bound == graphs.size()) root.fail("there are fewer certificates of the graph than bounds");
    step.graph = std::move(graphs[bound++]);
  }
  return out;
}

}  // namespace entente
