#include "corpus/layers/ccg/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/text.h"
#include "corpus/printable.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

// The row of each node: words in row 0, a parent under the lower of its children.
std::vector<int> rows_of(const CcgLayer& layer) {
  std::vector<int> rows(layer.nodes.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CcgNode& n = layer.nodes[i];
    if (n.left >= 0) rows[i] = rows[n.left] + 1;
    if (n.right >= 0) rows[i] = std::max(rows[i], rows[n.right] + 1);
  }
  return rows;
}

// Columns of words so wide that every category fits under what it spans; `word_width` measures a word, `width` what
// stands below.
template <typename WordWidth, typename Width>
std::vector<double> columns_of(const Sentence& sentence, double gap, WordWidth word_width,
                               Width width) {
  std::vector<double> needed(sentence.words.size() + 1, 0);
  for (int i = 0; i < sentence.size(); ++i) needed[i] = word_width(sentence.words[i].form) + gap;
  for (const CcgNode& n : sentence.ccg.nodes) {
    double have = 0;
    for (int i = n.words.begin; i < n.words.end; ++i) have += needed[i];
    const double more = width(n.category) + width(n.rule) + 2 * gap - have;
    if (more > 0) {
      for (int i = n.words.begin; i < n.words.end; ++i) needed[i] += more / n.words.size();
    }
  }
  std::vector<double> at = {0};
  for (int i = 0; i < sentence.size(); ++i) at.push_back(at.back() + std::ceil(needed[i]));
  return at;
}

double columns(std::string_view text) { return static_cast<double>(count_characters(text)); }

void put(std::vector<std::string>& cells, int at, std::string_view text) {
  // A cell is one character, so that a row can be filled in any order.
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
    if (at >= 0 && at < static_cast<int>(cells.size())) cells[at] = text.substr(i, end - i);
    ++at;
    i = end;
  }
}

void append_row(std::string& out, const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& c : cells) line += c;
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

class CcgView : public LayerView {
 public:
  std::string_view layer() const override { return "ccg"; }
  bool is_in(const Sentence& sentence) const override { return !sentence.ccg.status.empty(); }
  std::string_view title() const override { return "CCG derivations"; }
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& /*document*/) const override {
    if (sentence.ccg.nodes.empty()) {
      for (const Word& w : sentence.words) out += printable(w.form) + " ";
      out += "\n  no parse\n\n";
      return;
    }
    const std::vector<double> at = columns_of(sentence, 1, columns, columns);
    const std::vector<int> rows = rows_of(sentence.ccg);
    const int depth = *std::max_element(rows.begin(), rows.end());
    const auto width = static_cast<std::size_t>(at.back());
    std::vector<std::vector<std::string>> lines(2 * depth + 2,
                                                std::vector<std::string>(width, " "));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const CcgNode& n = sentence.ccg.nodes[i];
      const int begin = static_cast<int>(at[n.words.begin]);
      const int end = static_cast<int>(at[n.words.end]) - 1;
      const auto centred = [&](int row, std::string_view text) {
        put(lines[row], begin + std::max(0, (end - begin - static_cast<int>(columns(text))) / 2),
            text);
      };
      if (n.left < 0) {
        centred(0, printable(sentence.words[n.words.begin].form));
        centred(1, n.category);
        continue;
      }
      const int rule = static_cast<int>(columns(n.rule));
      for (int x = begin; x < end - rule; ++x) put(lines[2 * rows[i]], x, "─");
      put(lines[2 * rows[i]], end - rule, n.rule);
      centred(2 * rows[i] + 1, n.category);
    }
    for (const auto& line : lines) append_row(out, line);
    for (const CcgDependency& d : sentence.ccg.dependencies) {
      out += fmt::format("  {} {} {} {}\n", printable(sentence.words[d.head].form), d.category,
                         d.slot, printable(sentence.words[d.dependent].form));
    }
    out += "\n";
  }

  void write_json(JsonWriter& w, const Sentence& sentence, const Document& /*document*/,
                  CharacterOffsets& /*offsets*/) const override {
    const CcgLayer& layer = sentence.ccg;
    w.key("ccg").begin_object().key("status").string(layer.status);
    w.key("score").number(layer.score);
    w.key("probability").number(std::round(layer.probability * 1e6) / 1e6);
    w.key("nodes").begin_array();
    for (const CcgNode& n : layer.nodes) {
      w.begin_object().key("category").string(n.category);
      w.key("first").number(n.words.begin + 1).key("last").number(n.words.end);
      if (n.left >= 0) {
        w.key("rule").string(n.rule).key("children").begin_array().number(n.left);
        if (n.right >= 0) w.number(n.right);
        w.end_array();
      }
      w.end_object();
    }
    w.end_array().key("dependencies").begin_array();
    for (const CcgDependency& d : layer.dependencies) {
      w.begin_object().key("head").number(d.head + 1).key("category").string(d.category);
      w.key("slot").number(d.slot).key("dependent").number(d.dependent + 1).end_object();
    }
    w.end_array().end_object();
  }

  Picture draw(const Sentence& sentence, const Document& /*document*/) const override {
    constexpr double kMargin = 16, kWord = 17, kCategory = 12.5, kRow = 30;
    Picture out;
    const auto wide = [](std::string_view text) { return text_width(text, kCategory) * 1.15; };
    const auto word_wide = [](std::string_view text) { return text_width(text, kWord); };
    const std::vector<double> at = columns_of(sentence, 10, word_wide, wide);
    const std::vector<int> rows = rows_of(sentence.ccg);
    const auto add = [&out]<typename... Args>(fmt::format_string<Args...> format, Args&&... args) {
      out.body += fmt::format(format, std::forward<Args>(args)...);
    };
    const double top = kMargin + kWord;
    int depth = 0;
    for (int i = 0; i < sentence.size(); ++i) {
      add("<text class=\"w\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
          kMargin + (at[i] + at[i + 1]) / 2, top, xml_escaped(sentence.words[i].form));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const CcgNode& n = sentence.ccg.nodes[i];
      const double left = kMargin + at[n.words.begin] + 3, right = kMargin + at[n.words.end] - 3;
      const double y = top + 10 + rows[i] * kRow;
      depth = std::max(depth, rows[i]);
      const double rule = n.rule.empty() ? 0 : wide(n.rule) + 4;
      if (n.left >= 0) {
        add("<path d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, y, right - rule);
        add("<text class=\"t\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", right - rule / 2 + 2, y + 4,
            xml_escaped(n.rule));
      }
      add("<text class=\"l\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", (left + right) / 2, y + 16,
          xml_escaped(n.category));
    }
    out.width = at.back() + 2 * kMargin;
    out.height = top + 10 + (depth + 1) * kRow + kMargin;
    return out;
  }
};

}  // namespace

const LayerView& ccg_view() {
  static const CcgView view;
  return view;
}

}  // namespace entente
