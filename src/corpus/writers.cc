#include "corpus/writers.h"

#include <optional>

#include "base/check.h"
#include "base/text.h"
#include "corpus/conllu.h"
#include "corpus/corpus.h"
#include "corpus/frame_html.h"
#include "corpus/frame_json.h"
#include "corpus/frame_layout.h"
#include "corpus/frame_svg.h"
#include "corpus/frame_text.h"
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
  explicit JsonLinesWriter(bool frames) : frames_(frames) {}
  void append(std::string& out, const Document& document) const override {
    append_json_lines(out, document, frames_);
  }

 private:
  bool frames_;
};

class SemaforWriter : public DocumentWriter {
 public:
  void append(std::string& out, const Document& document) const override {
    append_semafor(out, document);
  }
};

class TextWriter : public DocumentWriter {
 public:
  explicit TextWriter(bool frames) : frames_(frames) {}
  void append(std::string& out, const Document& document) const override {
    const bool frames = frames_ || has_frames(document);
    for (const Sentence& sentence : document.sentences) {
      if (frames) {
        append_frame_text(out, sentence, document.text);
      } else {
        append_tree_text(out, sentence);
      }
    }
  }

 private:
  bool frames_;
};

class HtmlWriter : public DocumentWriter {
 public:
  explicit HtmlWriter(bool frames) : frames_(frames), styled_(frames) {}
  std::string begin() override {
    return frames_ ? html_begin("Frames", frame_html_style()) : html_begin("Dependency trees");
  }
  void append(std::string& out, const Document& document) const override {
    const bool frames = frames_ || has_frames(document);
    for (const Sentence& sentence : document.sentences)
      out += frames ? html_of_frames(sentence, document.text) : html_of(sentence);
  }
  // The page begins before it is known whether there are frames; their style comes with the first.
  std::string place(std::string piece) override {
    if (styled_ || !piece.starts_with("<section")) return piece;
    styled_ = true;
    return std::string(frame_html_style()) + piece;
  }
  std::string end() override { return html_end(); }

 private:
  bool frames_, styled_;
};

// A picture says its size first, so pieces are kept until the end. Each sentence of a piece is
// "frames? width height bytes\n" and its drawing.
class SvgWriter : public DocumentWriter {
 public:
  explicit SvgWriter(bool frames) : frames_(frames) {}
  void append(std::string& out, const Document& document) const override {
    const bool frames = frames_ || has_frames(document);
    for (const Sentence& sentence : document.sentences) {
      const TreePicture picture =
          frames ? draw_frames(sentence, document.text) : draw_tree(sentence);
      out += frames ? "1 " : "0 ";
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
      styled_ |= number(rest, ' ') != 0;
      TreePicture& picture = pictures_.emplace_back();
      picture.width = number(rest, ' ');
      picture.height = number(rest, ' ');
      const auto bytes = static_cast<std::size_t>(number(rest, '\n'));
      picture.body = rest.substr(0, bytes);
      rest.remove_prefix(bytes);
    }
    return {};
  }

  std::string end() override { return svg_of(pictures_, styled_ ? kFrameSvgStyle : ""); }

 private:
  static double number(std::string_view& text, char after) {
    const std::size_t end = text.find(after);
    ENTENTE_CHECK(end != std::string_view::npos);
    const std::optional<double> value = parse_number(text.substr(0, end));
    ENTENTE_CHECK(value.has_value());
    text.remove_prefix(end + 1);
    return *value;
  }

  bool frames_, styled_ = false;
  std::vector<TreePicture> pictures_;
};

}  // namespace

std::vector<std::string> writer_names() {
  return {"conllu", "jsonl", "text", "svg", "html", "semafor"};
}

std::unique_ptr<DocumentWriter> make_writer(std::string_view name, const WriterOptions& options) {
  if (name == "conllu") return std::make_unique<ConlluWriter>();
  if (name == "jsonl") return std::make_unique<JsonLinesWriter>(options.frames);
  if (name == "text") return std::make_unique<TextWriter>(options.frames);
  if (name == "svg") return std::make_unique<SvgWriter>(options.frames);
  if (name == "html") return std::make_unique<HtmlWriter>(options.frames);
  if (name == "semafor") return std::make_unique<SemaforWriter>();
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
