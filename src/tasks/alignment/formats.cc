#include "tasks/alignment/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/text.h"
#include "corpus/picture.h"
#include "corpus/utf8.h"
#include "entente/error.h"

namespace entente::alignment {

namespace {

void append_links(std::string& out, const std::vector<Link>& links, bool scores) {
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (k > 0) out += ' ';
    append_number(out, links[k].i);
    out += '-';
    append_number(out, links[k].j);
    if (scores) out += fmt::format(":{:.3f}", links[k].score);
  }
}

class PharaohWriter : public AlignmentWriter {
 public:
  explicit PharaohWriter(const FormatOptions& options) : options_(options) {}
  void append(std::string& out, const WordPair& pair, const Aligned& aligned) const override {
    for (const Candidate& candidate : aligned.best) {
      if (options_.n_best) out += fmt::format("{} ||| ", pair.line);
      append_links(out, candidate.links, options_.scores);
      if (options_.n_best) out += fmt::format(" ||| {:.4f}", candidate.score);
      out += '\n';
    }
  }

 private:
  FormatOptions options_;
};

class JsonAlignmentWriter : public AlignmentWriter {
 public:
  explicit JsonAlignmentWriter(const FormatOptions& options) : options_(options) {}
  void append(std::string& out, const WordPair& pair, const Aligned& aligned) const override {
    JsonWriter w;
    w.begin_object().key("line").number(static_cast<double>(pair.line));
    words(w, "source", pair.words[0]);
    words(w, "target", pair.words[1]);
    links(w, aligned.best[0]);
    if (options_.n_best) {
      w.key("n_best").begin_array();
      for (const Candidate& candidate : aligned.best) {
        w.begin_object().key("score").number(rounded(candidate.score));
        links(w, candidate);
        w.end_object();
      }
      w.end_array();
    }
    if (options_.scores) {
      w.key("score").number(rounded(aligned.best[0].score));
      w.key("log_likelihood").begin_array().number(rounded(aligned.log_likelihood[0]));
      w.number(rounded(aligned.log_likelihood[1])).end_array();
    }
    if (options_.agree) {
      w.key("optimal").boolean(aligned.optimal).key("bound").number(rounded(aligned.bound));
      w.key("rounds").number(aligned.rounds).key("nodes").number(aligned.nodes);
    }
    w.end_object();
    out += w.take();
    out += '\n';
  }

 private:
  static double rounded(double x) { return std::round(x * 1e4) / 1e4; }
  static void words(JsonWriter& w, const char* key, const std::vector<std::string>& list) {
    w.key(key).begin_array();
    for (const std::string& word : list) w.string(word);
    w.end_array();
  }
  void links(JsonWriter& w, const Candidate& candidate) const {
    w.key("links").begin_array();
    for (const Link& link : candidate.links) {
      w.begin_array().number(link.i).number(link.j);
      if (options_.scores) w.number(rounded(link.score));
      w.end_array();
    }
    w.end_array();
  }
  FormatOptions options_;
};

std::string padded(const std::string& word, int columns) {
  const int width = unicode::columns_of(word);
  return word + std::string(std::max(0, columns - width), ' ');
}

class TableWriter : public AlignmentWriter {
 public:
  explicit TableWriter(const FormatOptions& options) : options_(options) {}
  void append(std::string& out, const WordPair& pair, const Aligned& aligned) const override {
    for (std::size_t rank = 0; rank < aligned.best.size(); ++rank) {
      const Candidate& candidate = aligned.best[rank];
      out += fmt::format("# {}", pair.line);
      if (options_.n_best) out += fmt::format(", number {}", rank + 1);
      if (options_.scores) out += fmt::format(", score {:.4f}", candidate.score);
      if (options_.agree && rank == 0) {
        out += aligned.optimal ? ", proven" : fmt::format(", at most {:.4f}", aligned.bound);
        out += fmt::format(" in {} rounds", aligned.rounds);
      }
      out += '\n';
      rows(out, pair, candidate);
      out += '\n';
    }
  }

 private:
  void rows(std::string& out, const WordPair& pair, const Candidate& candidate) const {
    int width = 0;
    for (const std::string& word : pair.words[0])
      width = std::max(width, unicode::columns_of(word));
    std::vector<bool> linked(pair.words[1].size());
    for (std::size_t i = 0; i < pair.words[0].size(); ++i) {
      std::string partners;
      for (const Link& link : candidate.links) {
        if (link.i != static_cast<int>(i)) continue;
        linked[link.j] = true;
        partners += (partners.empty() ? "" : " ") + pair.words[1][link.j];
        if (options_.scores) partners += fmt::format(" {:.2f}", link.score);
      }
      out += partners.empty() ? pair.words[0][i] + "\n"
                              : padded(pair.words[0][i], width) + "  " + partners + "\n";
    }
    std::string free;
    for (std::size_t j = 0; j < linked.size(); ++j) {
      if (!linked[j]) free += (free.empty() ? "" : " ") + pair.words[1][j];
    }
    if (!free.empty()) out += std::string(width, ' ') + "  (" + free + ")\n";
  }
  FormatOptions options_;
};

// Two rows of words and the links between them, the fainter the less likely.
Picture draw_pair(const WordPair& pair, const std::vector<Link>& links) {
  constexpr double kMargin = 16, kSize = 17, kSpace = 12, kHeight = 130;
  constexpr double kBaseline[2] = {kMargin + kSize - 4, kHeight - kMargin};
  Picture picture;
  picture.height = kHeight;
  std::vector<double> middle[2];
  for (int side = 0; side < 2; ++side) {
    double x = kMargin;
    for (const std::string& word : pair.words[side]) {
      const double width = text_width(word, kSize);
      middle[side].push_back(x + width / 2);
      picture.body += fmt::format("<text class=\"w\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                                  x + width / 2, kBaseline[side], xml_escaped(word));
      x += width + kSpace;
    }
    picture.width = std::max(picture.width, x - kSpace + kMargin);
  }
  for (const Link& link : links) {
    picture.body += fmt::format(
        "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke-opacity=\"{:.2f}\"/>\n", middle[0][link.i],
        kBaseline[0] + 8, middle[1][link.j], kBaseline[1] - kSize, 0.25 + 0.75 * link.score);
  }
  return picture;
}

class PageWriter : public AlignmentWriter {
 public:
  std::string begin() const override { return html_begin("Alignments"); }
  void append(std::string& out, const WordPair& pair, const Aligned& aligned) const override {
    for (const Candidate& candidate : aligned.best) {
      out += html_figure(draw_pair(pair, candidate.links), std::to_string(pair.line));
    }
  }
  std::string end() override { return html_end(); }
};

// One picture of all pairs: its size is known at the end. Pieces carry their width and height in front.
class PictureWriter : public AlignmentWriter {
 public:
  void append(std::string& out, const WordPair& pair, const Aligned& aligned) const override {
    const Picture picture = draw_pair(pair, aligned.best[0].links);
    out += fmt::format("{:.1f}\n{:.1f}\n", picture.width, picture.height) + picture.body;
  }
  std::string place(std::string piece) override {
    const std::size_t first = piece.find('\n'), second = piece.find('\n', first + 1);
    const std::string_view text = piece;
    pictures_.push_back(
        {.width = parse_number(text.substr(0, first)).value_or(0),
         .height = parse_number(text.substr(first + 1, second - first - 1)).value_or(0),
         .body = piece.substr(second + 1)});
    return {};
  }
  std::string end() override { return svg_of(pictures_); }

 private:
  std::vector<Picture> pictures_;
};

}  // namespace

std::vector<std::string> alignment_formats() { return {"pharaoh", "jsonl", "text", "svg", "html"}; }

std::unique_ptr<AlignmentWriter> make_alignment_writer(std::string_view name,
                                                       const FormatOptions& options) {
  if (name == "pharaoh") return std::make_unique<PharaohWriter>(options);
  if (name == "jsonl") return std::make_unique<JsonAlignmentWriter>(options);
  if (name == "text") return std::make_unique<TableWriter>(options);
  if (name == "svg") return std::make_unique<PictureWriter>();
  if (name == "html") return std::make_unique<PageWriter>();
  Nearest nearest(name);
  for (const std::string& known : alignment_formats()) nearest.consider(known);
  std::string all;
  for (const std::string& known : alignment_formats()) all += (all.empty() ? "" : ", ") + known;
  throw Error("unknown format " + quoted(name) + nearest.suggestion() + " (there are " + all + ")");
}

}  // namespace entente::alignment
