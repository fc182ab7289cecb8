#include "entente/formats.h"

#include <fstream>
#include <sstream>

#include "engine/formats/readers.h"

namespace entente {

std::optional<Format> format_from_path(std::string_view path) {
  if (path.ends_with(".json") || path.ends_with(".jsonl")) return Format::json;
  if (path.ends_with(".lp")) return Format::lp;
  if (path.ends_with(".uai")) return Format::uai;
  if (path.ends_with(".wcsp")) return Format::wcsp;
  return std::nullopt;
}

void read_graph(std::string_view text, Format format, std::string_view file, Graph& out,
                int first_line) {
  out.clear();
  const Source source{text, file, first_line};
  switch (format) {
    case Format::json:
      return read_json_graph(source, out);
    case Format::lp:
      return read_lp(source, out);
    case Format::uai:
      return read_uai(source, out);
    case Format::wcsp:
      return read_wcsp(source, out);
  }
}

Graph read_graph_file(const std::string& path) {
  const auto format = format_from_path(path);
  if (!format)
    throw Error("the format is not known: a file ends in .json, .lp, .uai or .wcsp", {path});
  std::ifstream in(path, std::ios::binary);
  in.peek();  // a directory opens, but nothing can be read from it
  if (in.bad() || (in.fail() && !in.eof())) throw Error("cannot be read", {path});
  std::ostringstream text;
  if (!in.eof()) text << in.rdbuf();
  Graph graph;
  read_graph(text.view(), *format, path, graph);
  return graph;
}

std::string write_graph(const Graph& graph, Format format) {
  switch (format) {
    case Format::json:
      return write_json_graph(graph);
    case Format::lp:
      return write_lp(graph);
    case Format::uai:
      return write_uai(graph);
    case Format::wcsp:
      return write_wcsp(graph);
  }
  throw Error("no such format");
}

}  // namespace entente
