#include "corpus/layers/frames/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "corpus/layers/frames/layout.h"

namespace entente {

// No variables: viewers of pictures know fewer rules than browsers.
const std::string_view kFrameSvgStyle = R"(<style>
.tree .fw,.tree .ft{font-size:17px;text-anchor:start}.tree .ft{font-weight:600}
.tree .fn{font-size:11.5px;font-weight:600;fill:#fff}.tree .fr{font-size:11.5px;text-anchor:start}
.tree .k0{fill:#b42318}.tree .k1{fill:#175cd3}.tree .k2{fill:#067647}.tree .k3{fill:#7a2eb8}
.tree .k4{fill:#b54708}.tree .k5{fill:#0e7090}.tree .k6{fill:#c11574}.tree .k7{fill:#5f5d00}
@media (prefers-color-scheme:dark){.tree .fn{fill:#0d1117}
.tree .k0{fill:#ff9a8b}.tree .k1{fill:#84b6ff}.tree .k2{fill:#6fdc9f}.tree .k3{fill:#d2a8ff}
.tree .k4{fill:#ffb86b}.tree .k5{fill:#67d5ea}.tree .k6{fill:#ff8fc7}.tree .k7{fill:#d7d76a}}
</style>
)";

namespace {

constexpr double kMargin = 16, kWidest = 1000;
constexpr double kWordSize = 17, kNameSize = 11.5, kSpace = 7, kBoxPadding = 6;
constexpr double kWordLine = 26, kRow = 23, kLineGap = 18;

struct Extent {
  double x1 = 0, x2 = 0;
};

class FramesDrawing {
 public:
  FramesDrawing(const Sentence& sentence, std::string_view text)
      : sentence_(sentence), pieces_(pieces_of(sentence, text, piece_of_word_)) {
    colour_of_piece_.assign(pieces_.size(), -1);
    for (std::size_t f = 0; f < sentence.frames.size(); ++f) {
      lanes_.push_back(lanes_of(sentence.frames[f], piece_of_word_));
      for (int word : sentence.frames[f].target)
        colour_of_piece_[piece_of_word_[word]] = static_cast<int>(f) % kFrameColours;
    }
  }

  Picture draw() {
    picture_.width = 2 * kMargin;
    double y = kMargin;
    for (const auto& [first, last] : break_lines()) {
      y = draw_line(first, last, y);
      y += kLineGap;
    }
    picture_.height = y - kLineGap + kMargin;
    return std::move(picture_);
  }

 private:
  double width_of(int p) const {
    return text_width(pieces_[p].text, kWordSize, colour_of_piece_[p] >= 0);
  }

  double space_before(int p, int first) const {
    return p > first && pieces_[p].space_before ? kSpace : 0;
  }

  // As many pieces a line as fit with the names under them; breaks are where there is a space.
  std::vector<std::pair<int, int>> break_lines() const {
    std::vector<std::pair<int, int>> out;
    const int n = static_cast<int>(pieces_.size());
    for (int first = 0; first < n;) {
      int last = first;
      for (int p = first + 1; p < n && !(pieces_[p].space_before && !fits(first, p)); ++p) last = p;
      out.emplace_back(first, last);
      first = last + 1;
    }
    return out;
  }
  bool fits(int first, int last) const {
    return place_pieces(first, last).back().x2 <= kMargin + kWidest;
  }

  static double wanted_width(const FrameInstance& frame, const FrameMark& mark) {
    const double name = text_width(label_of(frame, mark), kNameSize, mark.is_target());
    return name + (mark.is_target() ? 2 * kBoxPadding : 4);
  }

  // Where the pieces of a line stand; those under which a name has no room are moved apart.
  std::vector<Extent> place_pieces(int first, int last) const {
    std::vector<double> widths;
    for (int p = first; p <= last; ++p) widths.push_back(width_of(p));
    for (std::size_t f = 0; f < lanes_.size(); ++f) {
      for (const Lane& lane : lanes_[f]) {
        for (const FrameMark& mark : lane) {
          const int begin = std::max(mark.first, first), end = std::min(mark.last, last);
          if (begin > end) continue;
          double width = 0;
          for (int p = begin; p <= end; ++p)
            width += widths[p - first] + (p > begin ? space_before(p, first) : 0);
          const double missing = wanted_width(sentence_.frames[f], mark) - width;
          if (missing > 0) widths[end - first] += missing;
        }
      }
    }
    std::vector<Extent> out;
    double x = kMargin;
    for (int p = first; p <= last; ++p) {
      x += space_before(p, first);
      out.push_back({x, x + widths[p - first]});
      x += widths[p - first];
    }
    return out;
  }

  // Returns where the drawing ends.
  double draw_line(int first, int last, double y) {
    const std::vector<Extent> at = place_pieces(first, last);
    picture_.width = std::max(picture_.width, at.back().x2 + kMargin);
    for (int p = first; p <= last; ++p) {
      const int colour = colour_of_piece_[p];
      add("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
          colour < 0 ? "fw" : fmt::format("ft k{}", colour), at[p - first].x1, y + kWordSize,
          xml_escaped(pieces_[p].text));
    }
    y += kWordLine;
    for (std::size_t f = 0; f < lanes_.size(); ++f) {
      for (const Lane& lane : lanes_[f]) {
        bool any = false;
        for (const FrameMark& mark : lane) {
          const int begin = std::max(mark.first, first), end = std::min(mark.last, last);
          if (begin > end) continue;
          any = true;
          draw_mark(static_cast<int>(f), mark, {at[begin - first].x1, at[end - first].x2}, y);
        }
        y += any ? kRow : 0;
      }
    }
    return y;
  }

  void draw_mark(int f, const FrameMark& mark, Extent span, double y) {
    const FrameInstance& frame = sentence_.frames[f];
    const int colour = f % kFrameColours;
    add("<g><title>{}</title>", xml_escaped(details_of(frame, mark)));
    if (mark.is_target()) {
      add("<rect class=\"k{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"18\" "
          "rx=\"4\"/><text class=\"fn\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
          colour, span.x1, y, span.x2 - span.x1, (span.x1 + span.x2) / 2, y + 13,
          xml_escaped(frame.frame));
    } else {
      add("<rect class=\"k{0}\" x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"{3:.1f}\" height=\"2.5\"/>"
          "<text class=\"fr k{0}\" x=\"{1:.1f}\" y=\"{4:.1f}\">{5}</text></g>\n",
          colour, span.x1, y, span.x2 - span.x1, y + 14, xml_escaped(label_of(frame, mark)));
    }
  }

  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    picture_.body += fmt::format(format, std::forward<Args>(args)...);
  }

  const Sentence& sentence_;
  std::vector<int> piece_of_word_;
  std::vector<Piece> pieces_;
  std::vector<int> colour_of_piece_;      // of targets; -1: it is none
  std::vector<std::vector<Lane>> lanes_;  // of each frame
  Picture picture_;
};

}  // namespace

Picture draw_frames(const Sentence& sentence, std::string_view text) {
  return FramesDrawing(sentence, text).draw();
}

}  // namespace entente
