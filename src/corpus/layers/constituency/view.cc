#include "corpus/layers/constituency/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/text.h"
#include "corpus/layers/constituency/brackets.h"

namespace entente {

namespace {

constexpr double kMargin = 16, kSpace = 12, kWordSize = 17, kTagSize = 12, kLabelSize = 14,
                 kLevel = 40;

double rounded(double x) { return std::round(x * 1e6) / 1e6; }

// Places of everything in a drawing: words side by side, a phrase over the middle of its words, as high as its highest
// part demands. Words are so far apart that a phrase's label is no wider than they are: labels do not meet, and lines go
// down between them.
struct Layout {
  std::vector<double> word_x, phrase_x;
  std::vector<int> height;  // of each phrase, over the tags
  double width = 2 * kMargin;
  int highest = 0;

  explicit Layout(const PhraseTree& tree) {
    std::vector<double> wide;  // of each word's column
    for (int i = 0; i < tree.size(); ++i) {
      wide.push_back(
          std::max(text_width(tree.words[i], kWordSize), text_width(tree.tags[i], kTagSize)));
    }
    const int n = static_cast<int>(tree.phrases.size());
    for (int p = n - 1; p >= 0; --p) make_room(tree.phrases[p], wide);
    std::vector<double> left;
    double x = kMargin;
    for (const double w : wide) {
      left.push_back(x);
      word_x.push_back(x + w / 2);
      x += w + kSpace;
    }
    width = x - kSpace + kMargin;
    height.assign(n, 1);
    phrase_x.assign(n, 0);
    for (int p = n - 1; p >= 0; --p) {
      const Phrase& phrase = tree.phrases[p];
      phrase_x[p] = (left[phrase.begin] + left[phrase.end - 1] + wide[phrase.end - 1]) / 2;
      if (phrase.parent >= 0)
        height[phrase.parent] = std::max(height[phrase.parent], height[p] + 1);
      highest = std::max(highest, height[p]);
    }
  }

 private:
  static void make_room(const Phrase& phrase, std::vector<double>& wide) {
    const int words = phrase.end - phrase.begin;
    double room = kSpace * (words - 1);
    for (int i = phrase.begin; i < phrase.end; ++i) room += wide[i];
    const double more = text_width(phrase.label, kLabelSize) - room;
    if (more <= 0) return;
    for (int i = phrase.begin; i < phrase.end; ++i) wide[i] += more / words;
  }
};

// For each phrase where the lines to its parts end: their places and how far down.
struct Ends {
  std::vector<std::pair<double, double>> at;
  double first = 1e9, last = -1e9;

  void add(double x, double y) {
    at.emplace_back(x, y);
    first = std::min(first, x);
    last = std::max(last, x);
  }
};

}  // namespace

void sentence_of(PhraseTree tree, Sentence& sentence) {
  sentence = {};
  for (int i = 0; i < tree.size(); ++i) {
    Word& word = sentence.words.emplace_back();
    word.form = tree.words[i];
    word.xpos = tree.tags[i];
    sentence.tokens.push_back({i, i});
  }
  sentence.trees.push_back(std::move(tree));
}

namespace {

class ConstituencyView : public LayerView {
 public:
  std::string_view layer() const override { return "constituency"; }
  std::string_view title() const override { return "Phrases"; }
  bool is_in(const Sentence& sentence) const override { return !sentence.trees.empty(); }
  bool stands_behind() const override { return true; }
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& /*document*/) const override {
    for (const PhraseTree& tree : sentence.trees) out += to_indented_brackets(tree) + "\n";
    out += "\n";
  }

  void write_json(JsonWriter& w, const Sentence& sentence, const Document& /*document*/,
                  CharacterOffsets& /*offsets*/) const override {
    w.key("constituency").begin_array();
    for (const PhraseTree& tree : sentence.trees) {
      w.begin_object().key("tree").string(to_brackets(tree));
      w.key("score").number(rounded(tree.score)).key("phrases").begin_array();
      for (const Phrase& p : tree.phrases) {
        w.begin_object().key("label").string(p.label).key("first").integer(p.begin + 1);
        w.key("last").integer(p.end).key("confidence").number(rounded(p.confidence)).end_object();
      }
      w.end_array().end_object();
    }
    w.end_array();
  }

  Picture draw(const Sentence& sentence, const Document& /*document*/) const override {
    Picture out;
    if (sentence.trees.empty()) return out;
    const PhraseTree& tree = sentence.trees[0];
    const Layout at(tree);
    out.width = at.width;
    const double words_y = kMargin + kLevel * (at.highest + 1) + 10;
    out.height = words_y + kMargin;
    const auto y_of = [&](int height) { return words_y - 24 - kLevel * height; };
    const auto text = [&](double x, double y, double size, const std::string& s, double opacity) {
      out.body += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill-opacity=\"{:.2f}\">{}</text>\n", x,
          y, size, opacity, xml_escaped(s));
    };
    std::vector<Ends> ends(tree.phrases.size());
    std::vector<int> deepest(tree.size(), -1);
    for (int p = 0; p < static_cast<int>(tree.phrases.size()); ++p) {
      const Phrase& phrase = tree.phrases[p];
      for (int i = phrase.begin; i < phrase.end; ++i) deepest[i] = p;
      if (phrase.parent >= 0) ends[phrase.parent].add(at.phrase_x[p], y_of(at.height[p]) - 13);
    }
    for (int i = 0; i < tree.size(); ++i) {
      if (deepest[i] >= 0) ends[deepest[i]].add(at.word_x[i], words_y - 32);
      text(at.word_x[i], words_y - 20, kTagSize, tree.tags[i], 0.7);
      text(at.word_x[i], words_y, kWordSize, tree.words[i], 1);
    }
    // Down from a label to a bar, and from the bar to every part: such lines cross nothing.
    for (std::size_t p = 0; p < ends.size(); ++p) {
      const double y = y_of(at.height[p]), bar = y + 13;
      const double x = at.phrase_x[p];
      out.body += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}M{:.1f} {:.1f}H{:.1f}", x, y + 5, bar,
                              std::min(ends[p].first, x), bar, std::max(ends[p].last, x));
      for (const auto& [end_x, end_y] : ends[p].at) {
        out.body += fmt::format("M{:.1f} {:.1f}V{:.1f}", end_x, bar, end_y);
      }
      out.body += "\"/>\n";
      text(x, y, kLabelSize, tree.phrases[p].label,
           std::clamp(0.35 + 0.65 * tree.phrases[p].confidence, 0.35, 1.0));
    }
    return out;
  }

  void append_comments(std::string& out, const Sentence& sentence) const override {
    for (const PhraseTree& tree : sentence.trees) {
      out += "# constituency = " + to_brackets(tree) + "\n";
    }
  }
};

}  // namespace

const LayerView& constituency_view() {
  static const ConstituencyView view;
  return view;
}

}  // namespace entente
