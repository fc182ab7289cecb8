#include "corpus/layers/frames/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "corpus/layers/frames/layout.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

using unicode::columns_of;

struct Line {
  int first = 0, last = -1;  // pieces
};

// A mark, or the part of it that lies on a line.
struct Underline {
  int begin = 0, end = 0;  // columns, the end not included
  std::string label;
  bool target = false;
};

// A row of a drawing in which every cell is one column wide, labels aside.
class Row {
 public:
  void put(int column, std::string_view text) {
    text_.append(static_cast<std::size_t>(std::max(0, column - width_)), ' ');
    text_ += text;
    width_ = std::max(width_, column) + columns_of(text);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int width_ = 0;
};

class Drawing {
 public:
  Drawing(const Sentence& sentence, std::string_view text, int columns)
      : sentence_(sentence), columns_(columns), pieces_(pieces_of(sentence, text, piece_of_word_)) {
    for (const FrameInstance& frame : sentence.frames)
      lanes_.push_back(lanes_of(frame, piece_of_word_));
    note_labels();
  }

  void append(std::string& out) {
    for (const Line& line : break_lines()) {
      for (int p = line.first; p <= line.last; ++p) {
        if (p > line.first && pieces_[p].space_before) out += ' ';
        out += pieces_[p].text;
      }
      out += '\n';
      for (std::size_t f = 0; f < lanes_.size(); ++f) {
        for (const Lane& lane : lanes_[f]) append_lane(out, line, lane, sentence_.frames[f]);
      }
    }
  }

 private:
  void note_labels() {
    label_columns_.assign(pieces_.size(), 0);
    for (std::size_t f = 0; f < lanes_.size(); ++f) {
      for (const Lane& lane : lanes_[f]) {
        for (const FrameMark& mark : lane) {
          int& columns = label_columns_[mark.first];
          columns = std::max(columns, columns_of(label_of(sentence_.frames[f], mark)));
        }
      }
    }
  }

  // Pieces without a space between them stay together.
  std::vector<Line> break_lines() const {
    std::vector<Line> out;
    const int n = static_cast<int>(pieces_.size());
    int column = 0;  // where the line ends so far
    for (int p = 0; p < n;) {
      int end = p, width = 0, reach = 0;
      do {
        reach = std::max(reach, width + label_columns_[end]);
        width += columns_of(pieces_[end].text);
        ++end;
      } while (end < n && !pieces_[end].space_before);
      const bool fits = column + 1 + std::max(width, reach) <= columns_;
      if (out.empty() || !fits) {
        out.push_back({p, end - 1});
        column = width;
      } else {
        out.back().last = end - 1;
        column += 1 + width;
      }
      p = end;
    }
    return out;
  }

  std::vector<Underline> underlines(const Line& line, const Lane& lane,
                                    const FrameInstance& frame) const {
    std::vector<int> begins, ends;
    int column = 0;
    for (int p = line.first; p <= line.last; ++p) {
      column += p > line.first && pieces_[p].space_before ? 1 : 0;
      begins.push_back(column);
      column += columns_of(pieces_[p].text);
      ends.push_back(column);
    }
    std::vector<Underline> out;
    for (const FrameMark& mark : lane) {
      const int first = std::max(mark.first, line.first), last = std::min(mark.last, line.last);
      if (first > last) continue;
      Underline& u = out.emplace_back();
      u.begin = begins[first - line.first];
      u.end = std::max(ends[last - line.first], u.begin + 1);
      u.label =
          std::string(mark.first < line.first ? "…" : "") + std::string(label_of(frame, mark));
      u.target = mark.is_target();
    }
    return out;
  }

  void append_lane(std::string& out, const Line& line, const Lane& lane,
                   const FrameInstance& frame) const {
    const std::vector<Underline> marks = underlines(line, lane, frame);
    if (marks.empty()) return;
    Row strokes;
    for (const Underline& u : marks) {
      std::string stroke = u.target ? "╤" : "┬";
      for (int c = u.begin + 1; c < u.end; ++c) stroke += u.target ? "═" : "─";
      strokes.put(u.begin, stroke);
    }
    out += strokes.text() + '\n';
    // From the right, each name in the highest row where it has room; a line leads down to it.
    std::vector<int> free_until;  // of each row
    std::vector<std::size_t> row_of(marks.size());
    for (std::size_t k = marks.size(); k-- > 0;) {
      const int end = marks[k].begin + columns_of(marks[k].label) + 1;
      std::size_t row = 0;
      while (row < free_until.size() && end > free_until[row]) free_until[row++] = marks[k].begin;
      if (row == free_until.size()) free_until.push_back(0);
      free_until[row] = marks[k].begin;
      row_of[k] = row;
    }
    for (std::size_t row = 0; row < free_until.size(); ++row) {
      Row labels;
      for (std::size_t k = 0; k < marks.size(); ++k) {
        if (row_of[k] >= row) labels.put(marks[k].begin, row_of[k] > row ? "│" : marks[k].label);
      }
      out += labels.text() + '\n';
    }
  }

  const Sentence& sentence_;
  int columns_;
  std::vector<int> piece_of_word_;
  std::vector<Piece> pieces_;
  std::vector<int> label_columns_;        // of each piece: the widest name that starts under it
  std::vector<std::vector<Lane>> lanes_;  // of each frame
};

// A paragraph whose lines after the first are indented two columns deeper.
void append_wrapped(std::string& out, int indentation, std::string_view text, int columns) {
  int column = indentation;
  out.append(static_cast<std::size_t>(indentation), ' ');
  bool first = true;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    const int width = columns_of(word);
    if (!first && column + 1 + width > columns) {
      column = indentation + 2;
      out += '\n';
      out.append(static_cast<std::size_t>(column), ' ');
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
    first = false;
  }
  out += '\n';
}

std::string listed(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : "; ") + item;
  return out;
}

void append_explanation(std::string& out, const Sentence& sentence, std::string_view text,
                        const FrameInstance& frame, int columns) {
  const FrameExplanation& e = frame.explanation[0];
  for (const FrameArgument& a : frame.arguments) {
    append_wrapped(out, 4,
                   fmt::format("{}: score {:.2f}, the best without it is worth {:.2f} less", a.role,
                               a.score, a.margin),
                   columns);
  }
  if (!e.active_rules.empty())
    append_wrapped(out, 4, "decided by: " + listed(e.active_rules), columns);
  if (!e.broken_locally.empty())
    append_wrapped(out, 4, "role by role would break: " + listed(e.broken_locally), columns);
  std::vector<std::string> phrases;
  for (const FrameArgument& a : e.runner_up)
    phrases.push_back(a.role + " \"" +
                      text_of_words(sentence, text, a.words.begin, a.words.end - 1) + '"');
  append_wrapped(out, 4,
                 fmt::format("second best, value {:.2f}: {}", e.runner_up_value,
                             phrases.empty() ? "no role filled" : listed(phrases)),
                 columns);
}

}  // namespace

void append_frame_text(std::string& out, const Sentence& sentence, std::string_view text,
                       int columns) {
  Drawing(sentence, text, columns).append(out);
  for (const FrameInstance& frame : sentence.frames) {
    const std::string unit = frame.lexical_unit.empty() ? "" : frame.lexical_unit + ", ";
    append_wrapped(
        out, 2, fmt::format("{} ({}{:.2f}): {}", frame.frame, unit, frame.score, verdict_of(frame)),
        columns);
    if (!frame.rules.empty()) append_wrapped(out, 4, "rules: " + listed(frame.rules), columns);
    if (!frame.explanation.empty()) append_explanation(out, sentence, text, frame, columns);
  }
  out += '\n';
}

}  // namespace entente
