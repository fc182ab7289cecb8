#include "corpus/layers/frames/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/text.h"
#include "corpus/corpus.h"
#include "corpus/layers/dependency/svg.h"
#include "corpus/layers/frames/layout.h"
#include "corpus/layers/frames/svg.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

// Names hang under the text from a point on its baseline (.at) and take no room there, so that
// phrases break across lines as the text does; only those shorter than their name are made wider.
constexpr std::string_view kStyle = R"(<style>
.k0{--k:#b42318}.k1{--k:#175cd3}.k2{--k:#067647}.k3{--k:#7a2eb8}.k4{--k:#b54708}.k5{--k:#0e7090}.k6{--k:#c11574}.k7{--k:#5f5d00}
.sentence{margin:0 0 32px;padding:0 0 16px;border-bottom:1px solid #d0d7de}
.sentence .text{font-size:19px;margin:0 0 12px}
.sentence mark{background:none;color:var(--k);font-weight:650}
.frame{display:grid;grid-template-columns:minmax(0,3fr) minmax(220px,1fr);gap:4px 28px;margin:10px 0;padding:4px 0 4px 14px;border-left:4px solid var(--k)}
.frame .marked{margin:0;line-height:3}
.frame .target,.frame .role{color:var(--k);cursor:help;padding-bottom:2px}
.frame .target{font-weight:650;border-bottom:4px double var(--k)}
.frame .role{border-bottom:2px solid var(--k)}
.frame .short{display:inline-block;line-height:1.2}
.frame .at{display:inline-block;position:relative;width:0;height:0}
.frame .name{position:absolute;left:0;top:12px;font-size:11.5px;line-height:1.2;white-space:nowrap;font-weight:400;color:var(--k)}
.frame .target .name{font-weight:700}
.frame .facts{font-size:13.5px;color:#59636e;overflow-wrap:anywhere}
.facts h3{margin:0;font-size:15px;color:var(--k)}.facts p,.facts ul{margin:2px 0}.facts ul{padding-left:18px}
.proven{color:#067647;font-weight:600}
summary{cursor:pointer;color:#59636e;font-size:13.5px}.sentence figure{border:0}
@media (max-width:820px){.frame{grid-template-columns:1fr}}
@media (prefers-color-scheme:dark){
.k0{--k:#ff9a8b}.k1{--k:#84b6ff}.k2{--k:#6fdc9f}.k3{--k:#d2a8ff}.k4{--k:#ffb86b}.k5{--k:#67d5ea}.k6{--k:#ff8fc7}.k7{--k:#d7d76a}
.sentence{border-color:#30363d}.frame .facts,summary{color:#9198a1}.proven{color:#6fdc9f}}
</style>
)";

class Page {
 public:
  Page(const Sentence& sentence, std::string_view text)
      : sentence_(sentence), text_(text), pieces_(pieces_of(sentence, text, piece_of_word_)) {}

  std::string take() {
    out_ = "<section class=\"sentence\">\n";
    add_text();
    for (std::size_t f = 0; f < sentence_.frames.size(); ++f) add_frame(static_cast<int>(f));
    const bool parsed = std::any_of(sentence_.words.begin(), sentence_.words.end(),
                                    [](const Word& word) { return word.head >= 0; });
    if (parsed) {
      out_ += "<details>\n<summary>Dependency tree</summary>\n" +
              html_figure(draw_tree(sentence_), sentence_text(sentence_)) + "</details>\n";
    }
    return std::move(out_ += "</section>\n");
  }

 private:
  // The whole text, every target in the colour of its frame.
  void add_text() {
    std::vector<int> frame_of_piece(pieces_.size(), -1);
    for (std::size_t f = 0; f < sentence_.frames.size(); ++f) {
      for (int word : sentence_.frames[f].target)
        frame_of_piece[piece_of_word_[word]] = static_cast<int>(f);
    }
    out_ += "<p class=\"text\">";
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      if (pieces_[p].space_before) out_ += ' ';
      const int f = frame_of_piece[p];
      if (f >= 0) {
        add("<mark class=\"k{}\" title=\"{}\">", f % kFrameColours,
            xml_escaped(details_of(sentence_.frames[f], {})));
      }
      out_ += xml_escaped(pieces_[p].text);
      if (f >= 0) out_ += "</mark>";
    }
    out_ += "</p>\n";
  }

  void add_frame(int f) {
    const FrameInstance& frame = sentence_.frames[f];
    add("<article class=\"frame k{}\" aria-label=\"{}\">\n<div>\n", f % kFrameColours,
        xml_escaped("Frame " + frame.frame));
    for (const Lane& lane : lanes_of(frame, piece_of_word_)) add_lane(frame, lane);
    add("</div>\n<div class=\"facts\">\n<h3>{}</h3>\n<p>", xml_escaped(frame.frame));
    if (!frame.lexical_unit.empty()) out_ += xml_escaped(frame.lexical_unit) + ", ";
    add("probability {:.2f}</p>\n<p{}>{}{}</p>\n", frame.score,
        frame.proven ? " class=\"proven\"" : "", frame.proven ? "✓ " : "", verdict_of(frame));
    add_list("Rules", frame.rules);
    if (!frame.explanation.empty()) add_explanation(frame, frame.explanation[0]);
    out_ += "</div>\n</article>\n";
  }

  void add_lane(const FrameInstance& frame, const Lane& lane) {
    out_ += "<p class=\"marked\">";
    auto mark = lane.begin();
    for (int p = 0; p < static_cast<int>(pieces_.size()); ++p) {
      if (pieces_[p].space_before) out_ += ' ';
      if (mark != lane.end() && mark->first == p) open_mark(frame, *mark);
      out_ += xml_escaped(pieces_[p].text);
      if (mark != lane.end() && mark->last == p) {
        out_ += "</span>";
        ++mark;
      }
    }
    out_ += "</p>\n";
  }

  void open_mark(const FrameInstance& frame, const FrameMark& mark) {
    const std::string_view name = label_of(frame, mark);
    std::int64_t characters = 0;
    for (int p = mark.first; p <= mark.last; ++p)
      characters += count_characters(pieces_[p].text) + (pieces_[p].space_before ? 1 : 0);
    const std::int64_t needed = count_characters(name) + 2;  // of smaller characters
    const bool is_short = 4 * characters < 3 * needed;
    add("<span class=\"{}{}\" title=\"{}\"", mark.is_target() ? "target" : "role",
        is_short ? " short" : "", xml_escaped(details_of(frame, mark)));
    if (is_short)
      add(" style=\"min-width:{:.1f}px\"", text_width(name, 11.5, mark.is_target()) + 8);
    add("><span class=\"at\"><span class=\"name\">{}</span></span>", xml_escaped(name));
  }

  void add_list(std::string_view title, const std::vector<std::string>& items) {
    if (items.empty()) return;
    add("<p>{}</p>\n<ul>\n", title);
    for (const std::string& item : items) add("<li>{}</li>\n", xml_escaped(item));
    out_ += "</ul>\n";
  }

  void add_explanation(const FrameInstance& frame, const FrameExplanation& e) {
    out_ += "<details>\n<summary>Why</summary>\n";
    std::vector<std::string> margins, runner_up;
    for (const FrameArgument& a : frame.arguments)
      margins.push_back(fmt::format("{}: {:.2f} less without it", a.role, a.margin));
    for (const FrameArgument& a : e.runner_up)
      runner_up.push_back(a.role + ": " +
                          text_of_words(sentence_, text_, a.words.begin, a.words.end - 1));
    if (runner_up.empty()) runner_up.emplace_back("no role filled");
    add_list("Margins", margins);
    add_list("Rules that decided", e.active_rules);
    add_list("Rules that the best choice role by role breaks", e.broken_locally);
    add_list(fmt::format("Second best, value {:.2f}", e.runner_up_value), runner_up);
    out_ += "</details>\n";
  }

  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...);
  }

  const Sentence& sentence_;
  std::string_view text_;
  std::vector<int> piece_of_word_;
  std::vector<Piece> pieces_;
  std::string out_;
};

}  // namespace

std::string_view frame_html_style() { return kStyle; }

std::string html_of_frames(const Sentence& sentence, std::string_view text) {
  return Page(sentence, text).take();
}

}  // namespace entente
