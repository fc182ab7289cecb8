#include "corpus/writers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "corpus/conll04_document.h"
#include "corpus/conllu.h"
#include "corpus/json_lines.h"
#include "corpus/layers/ccg/auto.h"
#include "corpus/layers/constituency/brackets.h"
#include "corpus/layers/frames/json.h"
#include "corpus/layers/view.h"
#include "corpus/printable.h"
#include "corpus/propbank/document.h"
#include "entente/error.h"

namespace entente {

namespace {

// Formats whose pieces are written as they are.
class PlainWriter : public DocumentWriter {
 public:
  using Append = void (*)(std::string& out, const Document& document, const WriterOptions& options);
  PlainWriter(Append how, const WriterOptions& options) : append_(how), options_(options) {}
  void append(std::string& out, const Document& document) const override {
    append_(out, document, options_);
  }

 private:
  Append append_;
  WriterOptions options_;
};

void append_conllu_document(std::string& out, const Document& document, const WriterOptions&) {
  for (const Sentence& sentence : document.sentences) append_conllu(out, sentence);
}

void append_json(std::string& out, const Document& document, const WriterOptions& options) {
  append_json_lines(out, document, options.layers);
}

void append_semafor_document(std::string& out, const Document& document, const WriterOptions&) {
  append_semafor(out, document);
}

void append_auto_document(std::string& out, const Document& document, const WriterOptions&) {
  append_auto(out, document);
}

void append_ccg_dependency_lists(std::string& out, const Document& document, const WriterOptions&) {
  append_ccg_dependencies(out, document);
}

void append_tsv(std::string& out, const Document& document, const WriterOptions&) {
  for (const Sentence& sentence : document.sentences) {
    append_conll04(out, conll04_of(sentence));
  }
}

// A sentence without phrases: its words under the root.
void append_flat(std::string& out, const Sentence& sentence) {
  const auto quoted = [](const std::string& text) {
    return text == "(" ? "-LRB-" : text == ")" ? "-RRB-" : text;
  };
  out += "(TOP";
  for (const Word& word : sentence.words) {
    out += " (" + quoted(word.xpos == "_" ? word.upos : word.xpos) + " " + quoted(word.form) + ")";
  }
  out += ")\n";
}

void append_brackets(std::string& out, const Document& document, const WriterOptions&) {
  for (const Sentence& sentence : document.sentences) {
    if (sentence.trees.empty()) append_flat(out, sentence);
    for (const PhraseTree& tree : sentence.trees) out += to_brackets(tree) + "\n";
  }
}

// The name of a document that begins with this sentence, where it has one; else empty.
std::string_view document_name(const Sentence& sentence) {
  return sentence.new_document ? comment_value(sentence, "newdoc id") : std::string_view();
}

void append_propbank(std::string& out, const Document& document, const WriterOptions&) {
  for (const Sentence& s : document.sentences) {
    propbank::append_columns(out, propbank::from_document(s));
  }
}

void append_conll05(std::string& out, const Document& document, const WriterOptions&) {
  for (const Sentence& s : document.sentences) {
    propbank::append_props(out, propbank::from_document(s));
  }
}

void append_views_text(std::string& out, const Document& document, const WriterOptions& options) {
  std::string drawn;
  for (const Sentence& sentence : document.sentences) {
    if (const std::string_view name = document_name(sentence); !name.empty()) {
      drawn += "== " + std::string(name) + "\n\n";
    }
    if (const std::string_view id = comment_value(sentence, "sent_id"); !id.empty()) {
      drawn += "-- " + std::string(id) + "\n";
    }
    for (const LayerView* view : drawn_views(options.layers, sentence)) {
      view->append_text(drawn, sentence, document);
    }
  }
  append_printable(out, drawn);
}

template <PlainWriter::Append kAppend>
std::unique_ptr<DocumentWriter> plain(const WriterOptions& options) {
  return std::make_unique<PlainWriter>(kAppend, options);
}

std::size_t index_of(const LayerView* view) {
  const auto all = all_views();
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), view) - all.begin());
}

// Pieces are told apart by what is put before each part: "view first bytes\n", for HTML; for pictures
// also their size.
double number(std::string_view& text, char after) {
  const std::size_t end = text.find(after);
  ENTENTE_CHECK(end != std::string_view::npos);
  const std::optional<double> value = parse_number(text.substr(0, end));
  ENTENTE_CHECK(value.has_value());
  text.remove_prefix(end + 1);
  return *value;
}

class HtmlWriter : public DocumentWriter {
 public:
  explicit HtmlWriter(const WriterOptions& options) : options_(options) {
    styled_.resize(all_views().size());
  }
  std::string begin() override {
    const LayerView* first = drawn_views(options_.layers, {}).front();
    styled_[index_of(first)] = 1;
    return html_begin(first->title(), first->html_style());
  }
  void append(std::string& out, const Document& document) const override {
    for (const Sentence& sentence : document.sentences) {
      std::string heading;
      if (const std::string_view name = document_name(sentence); !name.empty()) {
        heading = "<h2>" + xml_escaped(name) + "</h2>\n";
      }
      if (const std::string_view id = comment_value(sentence, "sent_id"); !id.empty()) {
        heading += "<p class=\"sent-id\">" + xml_escaped(id) + "</p>\n";
      }
      for (const LayerView* view : drawn_views(options_.layers, sentence)) {
        const std::string part = std::exchange(heading, "") + view->html(sentence, document);
        out += std::to_string(index_of(view)) + " " + std::to_string(part.size()) + "\n" + part;
      }
    }
  }
  // The page begins before it is known which layers there are; their style comes with the first.
  std::string place(std::string piece) override {
    std::string out;
    for (std::string_view rest = piece; !rest.empty();) {
      const auto view = static_cast<std::size_t>(number(rest, ' '));
      const auto bytes = static_cast<std::size_t>(number(rest, '\n'));
      if (!styled_[view]) out += all_views()[view]->html_style();
      styled_[view] = 1;
      out += rest.substr(0, bytes);
      rest.remove_prefix(bytes);
    }
    return out;
  }
  std::string end() override { return html_end(); }

 private:
  WriterOptions options_;
  std::vector<std::uint8_t> styled_;  // views whose style is in the page
};

// A picture says its size first, so pieces are kept until the end.
class SvgWriter : public DocumentWriter {
 public:
  explicit SvgWriter(const WriterOptions& options) : options_(options) {
    used_.resize(all_views().size());
  }
  void append(std::string& out, const Document& document) const override {
    for (const Sentence& sentence : document.sentences) {
      std::string heading(document_name(sentence));
      if (const std::string_view id = comment_value(sentence, "sent_id"); !id.empty()) {
        heading += (heading.empty() ? "" : "   ") + std::string(id);
      }
      for (const LayerView* view : drawn_views(options_.layers, sentence)) {
        const Picture picture =
            with_heading(view->draw(sentence, document), std::exchange(heading, ""));
        out += std::to_string(index_of(view)) + " ";
        append_number(out, picture.width);
        out += ' ';
        append_number(out, picture.height);
        out += " " + std::to_string(picture.body.size()) + "\n" + picture.body;
      }
    }
  }

  std::string place(std::string piece) override {
    for (std::string_view rest = piece; !rest.empty();) {
      used_[static_cast<std::size_t>(number(rest, ' '))] = 1;
      Picture& picture = pictures_.emplace_back();
      picture.width = number(rest, ' ');
      picture.height = number(rest, ' ');
      const auto bytes = static_cast<std::size_t>(number(rest, '\n'));
      picture.body = rest.substr(0, bytes);
      rest.remove_prefix(bytes);
    }
    return {};
  }

  std::string end() override {
    std::string style;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (used_[i]) style += all_views()[i]->svg_style();
    }
    return svg_of(pictures_, style);
  }

 private:
  WriterOptions options_;
  std::vector<std::uint8_t> used_;  // views
  std::vector<Picture> pictures_;
};

template <typename Writer>
std::unique_ptr<DocumentWriter> writer(const WriterOptions& options) {
  return std::make_unique<Writer>(options);
}

}  // namespace

const std::vector<OutputFormat>& output_formats() {
  static const std::vector<OutputFormat> all = {
      {"conllu", "CoNLL-U", {".conllu"}, plain<append_conllu_document>},
      {"jsonl", "a JSON object a sentence", {".jsonl", ".json"}, plain<append_json>},
      {"text", "drawn for a terminal", {".txt"}, plain<append_views_text>},
      {"svg", "a picture", {".svg"}, writer<SvgWriter>},
      {"html", "a page", {".html", ".htm"}, writer<HtmlWriter>},
      {"semafor", "frames as SEMAFOR writes them", {}, plain<append_semafor_document>},
      {"auto", "CCG derivations", {".auto"}, plain<append_auto_document>},
      {"deps", "dependencies of CCG", {".deps"}, plain<append_ccg_dependency_lists>},
      {"tsv", "entities and relations as in conll04", {".tsv"}, plain<append_tsv>},
      {"propbank", "columns with trees and roles", {".prop"}, plain<append_propbank>},
      {"props", "roles as in CoNLL-2005", {".props"}, plain<append_conll05>},
      {"bracket",
       "phrases in brackets, a tree a line",
       {".mrg", ".bracket"},
       plain<append_brackets>},
  };
  return all;
}

std::string output_format_names() {
  std::string out;
  for (const OutputFormat& f : output_formats()) {
    out += (out.empty() ? "" : ", ") + std::string(f.name);
  }
  return out;
}

std::string_view output_format_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) return {};
  const std::string_view wanted = name.substr(dot);
  Nearest nearest(wanted);
  std::string all;
  for (const OutputFormat& f : output_formats()) {
    for (std::string_view ending : f.endings) {
      if (wanted == ending) return f.name;
      nearest.consider(ending);
      all += (all.empty() ? "" : ", ") + std::string(ending);
    }
  }
  throw Error("no output format has the ending " + quoted(wanted) + nearest.suggestion() +
                  " (there are " + all + "; or say it with --to)",
              {.file = std::string(path)});
}

std::unique_ptr<DocumentWriter> make_writer(std::string_view name, const WriterOptions& options) {
  Nearest nearest(name);
  for (const OutputFormat& f : output_formats()) {
    if (f.name == name) return f.make(options);
    nearest.consider(f.name);
  }
  throw Error("unknown output format " + quoted(name) + nearest.suggestion() + "; there are " +
              output_format_names());
}

}  // namespace entente
