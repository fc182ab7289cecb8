#include "cli/drawing.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/svg.h"
#include "cli/text.h"

namespace entente::cli {

namespace {

struct Mark {
  std::string role;
  int begin, end;  // columns
};

// First row that has room for a text of `width` columns at `column`; rows keep where they end.
std::size_t free_row(std::vector<int>& row_ends, int column, int width) {
  for (std::size_t r = 0; r < row_ends.size(); ++r) {
    if (row_ends[r] < column) {
      row_ends[r] = column + width;
      return r;
    }
  }
  row_ends.push_back(column + width);
  return row_ends.size() - 1;
}

std::string draw_line(const std::string& words, std::vector<Mark> marks) {
  std::string out = "  " + words + "\n";
  if (marks.empty()) return out;
  std::sort(marks.begin(), marks.end(),
            [](const Mark& a, const Mark& b) { return a.begin < b.begin; });
  std::string brackets;
  int column = 0;
  for (const Mark& m : marks) {
    if (m.begin < column) continue;  // fillers that overlap (rules were ignored) share a bracket
    brackets.append(static_cast<std::size_t>(m.begin - column), ' ');
    for (int c = m.begin; c < m.end; ++c) {
      brackets += m.end - m.begin == 1 ? "╵" : c == m.begin ? "└" : c == m.end - 1 ? "┘" : "─";
    }
    column = m.end;
  }
  out += "  " + brackets + "\n";
  std::vector<int> row_ends;
  std::vector<std::string> rows;
  for (const Mark& m : marks) {
    const std::size_t r = free_row(row_ends, m.begin, width_of(m.role));
    if (rows.size() <= r) rows.resize(r + 1);
    rows[r] = padded(rows[r], m.begin) + m.role;
  }
  for (const std::string& row : rows) out += "  " + row + "\n";
  return out;
}

}  // namespace

std::string draw_text(const std::vector<std::string>& words, const std::vector<Filler>& fillers,
                      int width) {
  std::string out;
  for (std::size_t first = 0; first < words.size();) {
    std::string line;
    std::vector<int> begin(words.size()), end(words.size());
    std::size_t last = first;
    for (; last < words.size(); ++last) {
      const int start = width_of(line) + (line.empty() ? 0 : 1);
      if (last > first && start + width_of(words[last]) > width) break;
      if (!line.empty()) line += ' ';
      line += words[last];
      begin[last] = start;
      end[last] = width_of(line);
    }
    std::vector<Mark> marks;
    for (const Filler& f : fillers) {
      const std::size_t b = std::max(first, static_cast<std::size_t>(f.words.begin));
      const std::size_t e = std::min(last, static_cast<std::size_t>(f.words.end));
      if (b < e) marks.push_back({f.role, begin[b], end[e - 1]});
    }
    out += draw_line(line, std::move(marks));
    first = last;
  }
  return out;
}

std::string draw_svg(const std::vector<std::string>& words, const std::vector<Filler>& fillers,
                     const std::string& title) {
  constexpr double kLetter = 7.2, kGap = 7, kLeft = 20, kLine = 84;
  constexpr double kWidth = 760;
  std::vector<double> begin, end, base;
  double x = kLeft, y = 64;
  for (const std::string& word : words) {
    const double w = kLetter * width_of(word);
    if (x + w > kWidth - kLeft) x = kLeft, y += kLine;
    begin.push_back(x);
    end.push_back(x + w);
    base.push_back(y);
    x += w + kGap;
  }
  std::string out = svg_begin(kWidth, y + 60, title);
  out += svg_text(kLeft, 26, "start", "title", title);
  for (std::size_t w = 0; w < words.size(); ++w) {
    out += svg_text((begin[w] + end[w]) / 2, base[w], "middle", "", words[w]) + "\n";
  }
  double label_end = 0, label_base = 0;  // of the role last written at the upper height
  for (const Filler& f : fillers) {
    for (int b = f.words.begin; b < f.words.end;) {
      int e = b;  // a filler over two lines gets a bracket on each
      while (e + 1 < f.words.end && base[e + 1] == base[b]) ++e;
      out += fmt::format("<path class=\"line first\" d=\"M{:.1f} {:.1f}v6H{:.1f}v-6\"/>", begin[b],
                         base[b] + 8, end[e]);
      const double middle = (begin[b] + end[e]) / 2, half = kLetter * width_of(f.role) / 2;
      const bool crowded = label_base == base[b] && middle - half < label_end;
      if (!crowded) label_end = middle + half + kGap, label_base = base[b];
      out += svg_text(middle, base[b] + (crowded ? 44 : 30), "middle", "strong", f.role) + "\n";
      b = e + 1;
    }
  }
  return out + "</svg>\n";
}

}  // namespace entente::cli
