// Problems and certificates as files.
//
//   Graph g = read_graph_file("p.lp");          // by ending: .json .lp .uai .wcsp
//   std::cout << write_graph(g, Format::wcsp);
//
// json (docs/problem.schema.json) holds everything; lp is the CPLEX LP format for 0/1 problems; uai
// is UAI MARKOV; wcsp is toulbar2's. Reading throws Error with file:line:column. Cost: linear in
// the text, and never more memory than a small multiple of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "entente/graph.h"
#include "entente/solution.h"

namespace entente {

enum class Format { json, lp, uai, wcsp };

std::optional<Format> format_from_path(
    std::string_view path);  // by its ending; nullopt if none fits

// `file` is only used in error messages; `first_line` is the number of text's first line there.
void read_graph(std::string_view text, Format format, std::string_view file, Graph& out,
                int first_line = 1);
Graph read_graph_file(const std::string& path);  // throws Error if it cannot be read

// Throws Error if the graph holds something the format cannot say.
std::string write_graph(const Graph& graph, Format format);

// JSON. A certificate names variables as the problem does.
std::string write_certificate(const Graph& graph, const Certificate& certificate);
Certificate read_certificate(const Graph& graph, std::string_view text, std::string_view file);

}  // namespace entente
