// entente convert: the same problem in another format, or an ARPA language model in ours.
#include "base/files.h"
#include "base/output_paths.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/problem_stream.h"
#include "entente/error.h"
#include "entente/formats.h"
#include "tasks/translation/commands.h"

namespace entente::cli {

namespace {

Format one_format(const std::string& path, const std::string& name, const char* option) {
  if (name.empty() && path == "-")
    throw Error(std::string("\"-\" has no ending: say the format with ") + option);
  const InputFormat format =
      name.empty() ? input_format_from_path(path, option) : input_format_from_name(name);
  if (format.lines) throw Error("convert takes one problem, not JSON Lines", {.file = path});
  return format.format;
}

}  // namespace

int run_convert(const ConvertArguments& a) {
  expect_kept({&a.from_path, 1}, {a.to_path});
  // Language models are no problems, but people convert them all the same.
  if (a.to == "lm" || (a.to.empty() && a.to_path.ends_with(".bin"))) {
    translation::convert_language_model(a.from_path, a.to_path);
    return kAnswered;
  }
  const Format from = one_format(a.from_path, a.from, "--from");
  const Format to = one_format(a.to_path, a.to, "--to");
  Graph graph;
  read_graph(read_whole_file(a.from_path), from, a.from_path == "-" ? "<stdin>" : a.from_path,
             graph);
  std::string text;
  try {
    text = write_graph(graph, to);
  } catch (const Error& error) {
    throw error.at({.file = a.to_path});
  }
  write_whole_file(a.to_path, text);
  return kAnswered;
}

}  // namespace entente::cli
