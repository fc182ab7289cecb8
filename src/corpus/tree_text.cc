#include "corpus/tree_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "corpus/arcs.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

constexpr int kMostLevels = 40;
constexpr std::uint8_t kUp = 1, kDown = 2, kLeft = 4, kRight = 8, kArrow = 16, kCorner = 32;

std::string_view box(std::uint8_t cell) {
  static constexpr std::array<std::string_view, 16> kBoxes = {
      " ", "╵", "╷", "│", "╴", "┘", "┐", "┤", "╶", "└", "┌", "├", "─", "┴", "┬", "┼"};
  if (cell & kArrow) return "<";
  // Lines that cross without meeting: the upright one lies on top.
  if (cell == (kUp | kDown | kLeft | kRight)) return "│";
  return kBoxes[cell & 15];
}

// Columns a text takes on a terminal, nearly: letters of East Asia are two wide, marks none.
int columns_of(std::string_view text) {
  int columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Char c = decode_utf8(text, i);
    const bool mark = (c.code >= 0x300 && c.code < 0x370) || c.code == 0x200D ||
                      (c.code >= 0xFE00 && c.code < 0xFE10);
    const bool wide =
        (c.code >= 0x1100 && c.code < 0x1160) || (c.code >= 0x2E80 && c.code < 0xA4D0) ||
        (c.code >= 0xAC00 && c.code < 0xD7A4) || (c.code >= 0xF900 && c.code < 0xFB00) ||
        (c.code >= 0xFF00 && c.code < 0xFF61) || (c.code >= 0x1F300 && c.code < 0x1FB00) ||
        (c.code >= 0x20000 && c.code < 0x30000);
    columns += mark ? 0 : wide ? 2 : 1;
    i += static_cast<std::size_t>(std::max(c.length, 1));
  }
  return columns;
}

void append_padded(std::string& out, std::string_view text, int columns) {
  out += text;
  out.append(static_cast<std::size_t>(std::max(0, columns - columns_of(text))), ' ');
}

// One row a word; two cells a level, the corner in the second.
class Grid {
 public:
  Grid(const std::vector<Arc>& arcs, int rows)
      : columns_(2 * highest_level(arcs)), cells_(static_cast<std::size_t>(rows) * columns_) {
    for (const Arc& arc : arcs) draw(arc);
    for (const Arc& arc : arcs) at(arc.dependent, 2 * arc.level - 2) |= kArrow;
  }

  void append_row(std::string& out, int row) const {
    for (int c = 0; c < columns_; ++c) out += box(cells_[row * columns_ + c]);
  }

 private:
  std::uint8_t& at(int row, int column) { return cells_[row * columns_ + column]; }

  void draw(const Arc& arc) {
    const int corner = 2 * arc.level - 1;
    for (int row : {arc.left, arc.right}) {
      for (int c = 0; c < corner; ++c) at(row, c) |= kLeft | kRight;
      at(row, corner) |= kLeft | kCorner;
    }
    at(arc.left, corner) |= kDown;
    at(arc.right, corner) |= kUp;
    for (int row = arc.left + 1; row < arc.right; ++row) at(row, corner) |= kUp | kDown;
  }

  int columns_;
  std::vector<std::uint8_t> cells_;
};

}  // namespace

void append_tree_text(std::string& out, const Sentence& sentence) {
  std::vector<Arc> arcs = lay_out_arcs(sentence, {.only_heads_meet = true});
  const bool drawn = highest_level(arcs) <= kMostLevels;
  if (!drawn) arcs.clear();
  const Grid grid(arcs, sentence.size());
  int form_columns = 0, tag_columns = 0;
  for (const Word& word : sentence.words) {
    form_columns = std::max(form_columns, columns_of(word.form));
    tag_columns = std::max(tag_columns, columns_of(word.upos));
  }
  for (int i = 0; i < sentence.size(); ++i) {
    const Word& word = sentence.words[i];
    if (!drawn) append_padded(out, std::to_string(i + 1), 6);
    append_padded(out, word.form, form_columns + 2);
    append_padded(out, word.upos == "_" ? "" : word.upos, tag_columns + 1);
    grid.append_row(out, i);
    if (!drawn && word.head >= 0) append_padded(out, std::to_string(word.head), 5);
    if (word.deprel != "_") out += " " + word.deprel;
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
  }
  out += '\n';
}

}  // namespace entente
