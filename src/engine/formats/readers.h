// The readers and writers behind entente/formats.h, one file a format. See docs/formats.md.
//
// Readers fill a cleared Graph and throw Error with a place. Writers throw Error where the format
// cannot say what the graph holds.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"
#include "entente/graph.h"

namespace entente {

void read_json_graph(const Source& source, Graph& out);
void read_lp(const Source& source, Graph& out);
void read_uai(const Source& source, Graph& out);
void read_wcsp(const Source& source, Graph& out);

std::string write_json_graph(const Graph& graph);
std::string write_lp(const Graph& graph);
std::string write_uai(const Graph& graph);
std::string write_wcsp(const Graph& graph);

}  // namespace entente
