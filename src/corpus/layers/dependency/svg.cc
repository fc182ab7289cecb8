#include "corpus/layers/dependency/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/text.h"
#include "corpus/layers/dependency/arcs.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

constexpr double kMargin = 16, kGap = 22, kEnd = 7;  // around, between words, between arc ends
constexpr double kFirstLevel = 30, kLevel = 26, kCorner = 22;
constexpr double kWordSize = 17, kTagSize = 11.5, kLabelSize = 11.5;
constexpr double kWordLine = 22, kTagLine = 17, kTokenLine = 26;

struct Layout {
  std::vector<double> x;  // middle of each word
  double width = 0;
  double words_y = 0;  // where arcs end, just above the words
};

// Words side by side; where a relation has no room between its words, they move apart.
Layout lay_out_words(const Sentence& sentence, const std::vector<Arc>& arcs) {
  const int n = sentence.size();
  std::vector<int> ends(sentence.words.size(), 0);
  for (const Arc& arc : arcs) ++ends[arc.left], ++ends[arc.right];
  for (int i = 0; i < n; ++i) ends[i] += sentence.words[i].head == 0 ? 1 : 0;
  Layout out;
  std::vector<double> half(sentence.words.size());
  double x = kMargin;
  for (int i = 0; i < n; ++i) {
    const Word& word = sentence.words[i];
    half[i] = std::max({text_width(word.form, kWordSize), text_width(word.upos, kTagSize),
                        word.head == 0 ? text_width(word.deprel, kLabelSize) : 0.0,
                        (ends[i] + 1) * kEnd}) /
              2;
    out.x.push_back(x + half[i]);
    x += 2 * half[i] + kGap;
  }
  double moved = 0;
  std::vector<double> shift(sentence.words.size() + 1, 0);  // of all words from here on
  for (const Arc& arc : arcs) {  // the shortest first: they gain least from words in between
    double between = out.x[arc.right] - out.x[arc.left];
    for (int i = arc.left + 1; i <= arc.right; ++i) between += shift[i];
    const double wanted = text_width(sentence.words[arc.dependent].deprel, kLabelSize) +
                          (ends[arc.left] + ends[arc.right]) * kEnd / 2 + 22;
    const double missing = wanted - between;
    if (missing <= 0) continue;
    for (int i = arc.left + 1; i <= arc.right; ++i) shift[i] += missing / arc.length();
  }
  for (int i = 0; i < n; ++i) {
    moved += shift[i];
    out.x[i] += moved;
  }
  out.width = n == 0 ? 2 * kMargin : out.x.back() + half.back() + kMargin;
  return out;
}

// Where the arcs end at each word: those to the left on its left, the shortest outermost, so that
// they do not cross; the arrow of a root between the two sides.
struct Ends {
  std::vector<double> left, right;  // of each arc
  std::vector<double> root;         // of each word, if it is one
};

Ends place_ends(const Sentence& sentence, const std::vector<Arc>& arcs,
                const std::vector<double>& x) {
  Ends out{std::vector<double>(arcs.size()), std::vector<double>(arcs.size()), x};
  struct End {
    int order;  // from the left
    double* place;
  };
  std::vector<std::vector<End>> at_word(x.size());
  const int n = sentence.size();
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    at_word[arcs[k].left].push_back({n - arcs[k].length(), &out.left[k]});
    at_word[arcs[k].right].push_back({arcs[k].length() - n, &out.right[k]});
  }
  for (int i = 0; i < n; ++i) {
    std::vector<End>& ends = at_word[i];
    if (sentence.words[i].head == 0) ends.push_back({0, &out.root[i]});
    std::stable_sort(ends.begin(), ends.end(),
                     [](const End& a, const End& b) { return a.order < b.order; });
    const double middle = static_cast<double>(ends.size() - 1) / 2;
    for (std::size_t e = 0; e < ends.size(); ++e)
      *ends[e].place = x[i] + (static_cast<double>(e) - middle) * kEnd;
  }
  return out;
}

class Pen {
 public:
  explicit Pen(std::string& out) : out_(out) {}

  void text(char style, double x, double y, std::string_view text) {
    add("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", style, x, y, xml_escaped(text));
  }
  void arc(double x1, double x2, double top, double bottom) {
    const double r = std::min(kCorner, (x2 - x1) / 2), v = std::min(kCorner, bottom - top);
    add("<path d=\"M{0:.1f} {3:.1f}V{4:.1f}C{0:.1f} {5:.1f} {6:.1f} {2:.1f} {7:.1f} {2:.1f}H{8:.1f}"
        "C{9:.1f} {2:.1f} {1:.1f} {5:.1f} {1:.1f} {4:.1f}V{3:.1f}\"/>\n",
        x1, x2, top, bottom, top + v, top + v * 0.45, x1 + r * 0.45, x1 + r, x2 - r, x2 - r * 0.45);
  }
  void arrow_head(double x, double y) {
    add("<path class=\"h\" d=\"M{0:.1f} {1:.1f}l-4 -7h8z\"/>\n", x, y + 2);
  }
  void line(double x1, double y1, double x2, double y2, std::string_view style = "") {
    add("<path{} d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", style, x1, y1, x2, y2);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...);
  }
  std::string& out_;
};

// Roots have a short arrow of their own, above the arcs that start at the word.
std::vector<int> root_levels(const Sentence& sentence, const std::vector<Arc>& arcs) {
  std::vector<int> out(sentence.words.size(), 0);  // 0: not a root
  for (int i = 0; i < sentence.size(); ++i) out[i] = sentence.words[i].head == 0 ? 1 : 0;
  for (const Arc& arc : arcs) {
    for (int i : {arc.left, arc.right}) {
      if (out[i] > 0) out[i] = std::max(out[i], arc.level + 1);
    }
  }
  return out;
}

double height_of_level(int level) { return kFirstLevel + (level - 1) * kLevel; }

void draw_arcs(Pen& pen, const Sentence& sentence, const std::vector<Arc>& arcs,
               const std::vector<int>& roots, const Layout& at) {
  const Ends ends = place_ends(sentence, arcs, at.x);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    pen.arc(ends.left[k], ends.right[k], at.words_y - height_of_level(arcs[k].level), at.words_y);
    pen.arrow_head(arcs[k].dependent == arcs[k].left ? ends.left[k] : ends.right[k], at.words_y);
  }
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (roots[i] == 0) continue;
    const double x = ends.root[i];
    const double top = at.words_y - height_of_level(roots[i]);
    pen.line(x, top, x, at.words_y);
    pen.arrow_head(x, at.words_y);
    pen.text('l', x, top, sentence.words[i].deprel == "_" ? "root" : sentence.words[i].deprel);
  }
  // Relations last: they must not be crossed out by arcs.
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const std::string& relation = sentence.words[arcs[k].dependent].deprel;
    if (relation == "_") continue;
    pen.text('l', (ends.left[k] + ends.right[k]) / 2,
             at.words_y - height_of_level(arcs[k].level) + 4, relation);
  }
}

}  // namespace

Picture draw_tree(const Sentence& sentence) {
  const std::vector<Arc> arcs = lay_out_arcs(sentence, {});
  const std::vector<int> roots = root_levels(sentence, arcs);
  Layout at = lay_out_words(sentence, arcs);
  int levels = highest_level(arcs);
  for (int level : roots) levels = std::max(levels, level);
  at.words_y = kMargin + (levels > 0 ? height_of_level(levels) + 8 : 0);
  Picture out{at.width, at.words_y + kWordLine + kTagLine + kMargin, {}};
  Pen pen(out.body);
  draw_arcs(pen, sentence, arcs, roots, at);
  for (int i = 0; i < sentence.size(); ++i) {
    const Word& word = sentence.words[i];
    pen.text('w', at.x[i], at.words_y + kWordLine, word.form);
    if (word.upos != "_") pen.text('t', at.x[i], at.words_y + kWordLine + kTagLine, word.upos);
  }
  for (const Token& token : sentence.tokens) {
    if (!token.is_multiword()) continue;
    const double y = at.words_y + kWordLine + kTagLine + 9, x1 = at.x[token.first],
                 x2 = at.x[token.last];
    pen.line(x1 - 10, y, x2 + 10, y, " class=\"b\"");
    pen.text('m', (x1 + x2) / 2, y + 15, token.form);
    out.height = y + kTokenLine + kMargin / 2;
  }
  return out;
}

}  // namespace entente
