#include "tasks/translation/commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "corpus/gzip.h"
#include "corpus/utf8.h"
#include "entente/error.h"

namespace entente::translation {

std::vector<Words> read_lines(const std::string& path, bool lenient) {
  CorpusFile file(path);
  std::vector<Words> out;
  for (std::string line; file.read_line(line);) {
    if (!is_utf8(line)) {
      if (!lenient) check_utf8(line, file.place(1));
      line = replace_invalid_utf8(line);
    }
    Words& words = out.emplace_back();
    constexpr std::string_view kSpaces = " \t\r";
    for (std::size_t at = line.find_first_not_of(kSpaces); at != std::string::npos;) {
      const std::size_t end = std::min(line.find_first_of(kSpaces, at), line.size());
      words.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(kSpaces, end);
    }
  }
  return out;
}

Weights read_weights(LineSource& file) {
  Weights out;
  for (std::string line; file.read_line(line);) {
    const std::string_view text = std::string_view(line).substr(0, line.find('#'));
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) continue;
    const std::size_t gap = text.find_first_of(" \t=", begin);
    const std::size_t value =
        gap == std::string_view::npos ? gap : text.find_first_not_of(" \t=", gap);
    if (value == std::string_view::npos) throw Error("expected `name value`", file.place(1));
    const std::size_t end = text.find_last_not_of(" \t\r") + 1;
    const auto number = parse_number(text.substr(value, end - value));
    if (!number) {
      throw Error("expected a number, found " + quoted(text.substr(value, end - value)),
                  file.place(static_cast<int>(value) + 1));
    }
    out[std::string(text.substr(begin, gap - begin))] = *number;
  }
  if (out.empty()) throw Error("expected lines of `name value`, found none", {.file = file.name()});
  return out;
}

std::string write_weights(const Weights& weights) {
  std::string out;
  for (const auto& [name, value] : weights) out += fmt::format("{} {:.6f}\n", name, value);
  return out;
}

LanguageModelFile::LanguageModelFile(const std::string& path) {
  if (path.empty()) return;
  std::string first;
  {
    InputFile file(path);
    file.read_line(first);
  }
  if (first == "entente") {  // the first bytes of our own files
    file_.emplace(path);
    if (!LanguageModel::is_in(*file_)) throw Error("has no language model", {.file = path});
    lm_ = LanguageModel(*file_);
    return;
  }
  CorpusFile file(path);
  lm_ = read_arpa(file);
}

Models::Models(const TaskRequest& request) {
  const std::string& path = request.settings.text("grammar");
  if (path.empty()) throw Error("expected --grammar: a file of synchronous rules");
  request.monitor->stage("reading the grammar", 0);
  CorpusFile file(path);
  grammar_ = read_grammar(file);
  request.monitor->stage("reading the language model", 0);
  lm_ = std::make_unique<LanguageModelFile>(request.settings.text("lm"));
  if (const std::string& weights = request.settings.text("weights"); !weights.empty()) {
    CorpusFile weights_file(weights);
    weights_ = read_weights(weights_file);
    return;
  }
  // Those of the defaults that this grammar has.
  for (const auto& [name, value] : default_weights()) {
    const auto& names = grammar_.feature_names();
    const bool rule = name.starts_with("tm");
    if (!rule || std::find(names.begin(), names.end(), name) != names.end()) {
      weights_[name] = value;
    }
  }
}

DecodeOptions decode_options(const TaskRequest& request) {
  DecodeOptions o;
  o.method = request.settings.text("method") == "cube" ? Method::kCube : Method::kExact;
  o.beam = request.settings.integer("beam");
  o.longest = request.settings.integer("longest");
  o.edges = request.settings.integer("edges");
  o.stop = [monitor = request.monitor] { return monitor->stopped(); };
  return o;
}

BleuCounts bleu_of(const std::vector<Words>& translations,
                   const std::vector<std::vector<Words>>& references) {
  BleuCounts sum;
  for (std::size_t s = 0; s < translations.size(); ++s) {
    std::vector<Words> mine;
    for (const auto& text : references) mine.push_back(text[s]);
    sum += bleu_counts(translations[s], mine);
  }
  return sum;
}

std::vector<std::vector<Words>> read_references(std::span<const std::string> paths,
                                                std::span<const Words> text, const std::string& of,
                                                bool lenient) {
  if (text.empty()) throw Error("expected sentences, found none", {.file = of});
  std::vector<std::vector<Words>> out;
  for (const std::string& path : paths) {
    out.push_back(read_lines(path, lenient));
    if (out.back().size() != text.size()) {
      throw Error(fmt::format("expected {} lines, as many as {} has, found {}", text.size(), of,
                              out.back().size()),
                  {.file = path});
    }
  }
  if (out.empty()) throw Error("expected at least one file of references");
  return out;
}

void convert_language_model(const std::string& from, const std::string& to) {
  CorpusFile file(from);
  const LanguageModel lm = read_arpa(file);
  ModelWriter writer("language model", 0);
  lm.write(writer);
  writer.write(to);
}

}  // namespace entente::translation
