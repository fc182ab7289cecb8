#include "corpus/layers/dependency/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "corpus/layers/dependency/arcs.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

using unicode::columns_of;

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
