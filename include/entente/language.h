// Language: text in, Document out, with the models that were installed.
//
//   Language nlp({.layers = {"frames"}});                     // with all that frames need
//   Document document = nlp.parse("A blackberry resembles a loganberry.");
//   for (const Sentence& s : document.sentences)
//     for (const FrameInstance& f : s.frames) use(f.frame);
//   std::string page = write_document(document, "html");      // conllu, jsonl, text, svg, ...
//
// Layers are those of `entente tasks`; each comes with what it needs. Models are looked for where they were installed,
// in $ENTENTE_MODELS, beside the program, or are named. A Language is immutable: any number of threads may parse at
// once, and each keeps its scratch memory here. Loading maps the model files; parsing costs what the command's does.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/document.h"

#ifndef ENTENTE_MODELS_DIR
#define ENTENTE_MODELS_DIR ""  // the installed packages say where: find_package(entente), pkg-config entente
#endif

namespace entente {

struct LanguageOptions {
  std::vector<std::string> layers = {"dependency"};
  std::vector<std::string> models = {};  // names or files; none: those that ship
  // As the command's options: {"decoder", "exact"}, or {"frames.decoder", "exact"}.
  std::vector<std::pair<std::string, std::string>> settings = {};
  std::string model_folder = ENTENTE_MODELS_DIR;
};

class Language {
 public:
  // Throws Error if a model or a layer is not there.
  explicit Language(const LanguageOptions& options = {});
  ~Language();
  Language(Language&&) noexcept;
  Language& operator=(Language&&) noexcept;

  Document parse(std::string_view text) const;
  void parse(Document& document) const;     // of document.text; sentences are replaced
  void annotate(Document& document) const;  // sentences and words are there already, layers are added
  std::vector<std::string> layers() const;  // those that run, in their order

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// In one of the formats of `entente parse --to`; an Error says which there are.
std::string write_document(const Document& document, std::string_view format, const std::vector<std::string>& layers = {});
// A whole text in one of the formats of --input: conllu, text, lines, ... `file` is named in errors.
Document read_document(std::string_view text, std::string_view format = "conllu", std::string_view file = "text");

}  // namespace entente
