#include "corpus/writers.h"

#include <optional>

#include "base/check.h"
#include "base/text.h"
#include "corpus/conllu.h"
#include "corpus/corpus.h"
#include "corpus/json_lines.h"
#include "corpus/tree_svg.h"
#include "corpus/tree_text.h"
#include "entente/error.h"

namespace entente {

namespace {

class ConlluWriter : public DocumentWriter {
 public:
  void append(std::string& out, const Document& document) const override {
    for (const Sentence& sentence : document.sentences) append_conllu(out, sentence);
  }
};

class JsonLinesWriter : public DocumentWriter {
 public:
  void append(std::string& out, const Document& document) const override {
    append_json_lines(out, document);
  }
};

class TextWriter : public DocumentWriter {
 public:
  void append(std::string& out, const Document& document) const override {
    for (const Sentence& sentence : document.sentences) append_tree_text(out, sentence);
  }
};

class HtmlWriter : public DocumentWriter {
 public:
  std::string begin() override { return html_begin("Dependency trees"); }
  void append(std::string& out, const Document& document) const override {
    for (const Sentence& sentence : document.sentences) out += html_of(sentence);
  }
  std::string end() override { return html_end(); }
};

// A picture says its size first, so pieces are kept until the end. Each sentence of a piece is
// "width height bytes\n" and its drawing.
class SvgWriter : public DocumentWriter {
 public:
  void append(std::string& out, const Document& document) const override {
    for (const Sentence& sentence : document.sentences) {
      const TreePicture picture = draw_tree(sentence);
      append_number(out, picture.width);
      out += ' ';
      append_number(out, picture.height);
      out += ' ';
      append_number(out, static_cast<std::int64_t>(picture.body.size()));
      out += '\n' + picture.body;
    }
  }

  std::string place(std::string piece) override {
    for (std::string_view rest = piece; !rest.empty();) {
      TreePicture& picture = pictures_.emplace_back();
      picture.width = number(rest, ' ');
      picture.height = number(rest, ' ');
      const auto bytes = static_cast<std::size_t>(number(rest, '\n'));
      picture.body = rest.substr(0, bytes);
      rest.remove_prefix(bytes);
    }
    return {};
  }

  std::string end() override { return svg_of(pictures_); }

 private:
  static double number(std::string_view& text, char after) {
    const std::size_t end = text.find(after);
    ENTENTE_CHECK(end != std::string_view::npos);
    const std::optional<double> value = parse_number(text.substr(0, end));
    ENTENTE_CHECK(value.has_value());
    text.remove_prefix(end + 1);
    return *value;
  }

  std::vector<TreePicture> pictures_;
};

}  // namespace

std::vector<std::string> writer_names() { return {"conllu", "jsonl", "text", "svg", "html"}; }

std::unique_ptr<DocumentWriter> make_writer(std::string_view name) {
  if (name == "conllu") return std::make_unique<ConlluWriter>();
  if (name == "jsonl") return std::make_unique<JsonLinesWriter>();
  if (name == "text") return std::make_unique<TextWriter>();
  if (name == "svg") return std::make_unique<SvgWriter>();
  if (name == "html") return std::make_unique<HtmlWriter>();
  Nearest nearest(name);
  std::string all;
  for (const std::string& known : writer_names()) {
    nearest.consider(known);
    all += (all.empty() ? "" : ", ") + known;
  }
  throw Error("unknown output format " + quoted(name) + nearest.suggestion() + "; there are " +
              all);
}

}  // namespace entente
