#include "tasks/tokens/hard_lines.h"

#include <algorithm>

#include "entente/error.h"

namespace entente::tokens {

namespace {

constexpr std::string_view kEnd = "¶";

std::vector<std::string> split(std::string_view text, char sign) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == sign) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

// Line breaks as they are meant; marks of ends go, their places are kept.
void read_text(std::string_view from, HardLine& line) {
  for (std::size_t i = 0; i < from.size();) {
    if (from.substr(i, 2) == "\\n") {
      line.text += '\n';
      i += 2;
    } else if (line.sentences && from.substr(i, kEnd.size()) == kEnd) {
      line.ends.push_back(static_cast<std::int64_t>(line.text.size()));
      i += kEnd.size();
    } else {
      line.text += from[i++];
    }
  }
  if (line.sentences) line.ends.push_back(static_cast<std::int64_t>(line.text.size()));
}

std::string shown(const Document& d, bool sentences) {
  std::string out;
  for (const Sentence& s : d.sentences) {
    if (!out.empty()) out += sentences ? " ¶ " : " ";
    std::string words;
    for (const Word& w : s.words) words += (words.empty() ? "" : " ") + w.form;
    out += words;
  }
  return out;
}

}  // namespace

std::vector<HardLine> read_hard_lines(LineSource& source, const std::string& name) {
  std::vector<HardLine> out;
  std::string text;
  for (int number = 1; source.read_line(text); ++number) {
    if (text.empty() || text[0] == '#') continue;
    const std::vector<std::string> columns = split(text, '\t');
    const bool sentences = columns.size() > 1 && columns[1] == "sentences";
    const bool words = columns.size() > 1 && columns[1] == "words";
    if (!(sentences && columns.size() == 3) && !(words && columns.size() == 4)) {
      throw Error(
          "expected kind, \"sentences\" and a text, or kind, \"words\", a text and its words",
          {.file = name, .line = number, .column = 1});
    }
    HardLine& line = out.emplace_back();
    line.kind = columns[0];
    line.sentences = sentences;
    read_text(columns[2], line);
    if (words) line.words = split(columns[3], ' ');
  }
  return out;
}

std::vector<HardLineScore> score_hard_lines(const Segmenter& segmenter,
                                            const std::vector<HardLine>& lines) {
  std::vector<HardLineScore> out;
  const std::unique_ptr<Scratch> scratch = segmenter.make_scratch();
  for (const HardLine& line : lines) {
    Document d;
    d.text = line.text;
    segmenter.segment(d, *scratch);
    bool right = true;
    if (line.sentences) {
      right = d.sentences.size() == line.ends.size();
      for (std::size_t i = 0; right && i < line.ends.size(); ++i) {
        right = d.sentences[i].end == line.ends[i];
      }
    } else {
      std::vector<std::string> words;
      for (const Sentence& s : d.sentences) {
        for (const Word& w : s.words) words.push_back(w.form);
      }
      right = words == line.words;
    }
    auto at = std::find_if(out.begin(), out.end(),
                           [&](const HardLineScore& s) { return s.kind == line.kind; });
    if (at == out.end()) at = out.insert(out.end(), HardLineScore{line.kind, 0, 0, {}});
    ++at->lines;
    at->right += right;
    if (!right) at->wrong.push_back(shown(d, line.sentences));
  }
  return out;
}

}  // namespace entente::tokens
