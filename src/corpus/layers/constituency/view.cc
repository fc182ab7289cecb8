#include "corpus/layers/constituency/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "corpus/layers/constituency/brackets.h"

namespace entente {

namespace {

constexpr double kMargin = 16, kSpace = 12, kWordSize = 17, kTagSize = 12, kLevel = 40;

double rounded(double x) { return std::round(x * 1e6) / 1e6; }

// Places of everything in a drawing: words side by side, a phrase over the middle of its parts, as
// high as its highest part demands.
struct Layout {
  std::vector<double> word_x, phrase_x;
  std::vector<int> height;  // of each phrase, over the tags
  double width = 2 * kMargin;
  int highest = 0;

  explicit Layout(const PhraseTree& tree) {
    double x = kMargin;
    for (int i = 0; i < tree.size(); ++i) {
      const double wide =
          std::max(text_width(tree.words[i], kWordSize), text_width(tree.tags[i], kTagSize));
      word_x.push_back(x + wide / 2);
      x += wide + kSpace;
    }
    width = x - kSpace + kMargin;
    const int n = static_cast<int>(tree.phrases.size());
    height.assign(n, 1);
    phrase_x.assign(n, 0);
    for (int p = n - 1; p >= 0; --p) {
      const Phrase& phrase = tree.phrases[p];
      phrase_x[p] = (word_x[phrase.begin] + word_x[phrase.end - 1]) / 2;
      if (phrase.parent >= 0)
        height[phrase.parent] = std::max(height[phrase.parent], height[p] + 1);
      highest = std::max(highest, height[p]);
    }
  }
};

}  // namespace

void ConstituencyView::append_text(std::string& out, const Sentence& sentence,
                                   const Document& /*document*/) const {
  for (const PhraseTree& tree : sentence.trees) out += to_indented_brackets(tree) + "\n";
  out += "\n";
}

void ConstituencyView::write_json(JsonWriter& w, const Sentence& sentence,
                                  const Document& /*document*/,
                                  CharacterOffsets& /*offsets*/) const {
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

Picture ConstituencyView::draw(const Sentence& sentence, const Document& /*document*/) const {
  Picture out;
  if (sentence.trees.empty()) return out;
  const PhraseTree& tree = sentence.trees[0];
  const Layout at(tree);
  out.width = at.width;
  const double words_y = kMargin + kLevel * (at.highest + 1) + 10;
  out.height = words_y + kMargin;
  const auto y_of = [&](int height) { return words_y - 24 - kLevel * height; };
  const auto line = [&](double x1, double y1, double x2, double y2) {
    out.body += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"currentColor\" "
        "stroke-opacity=\"0.45\"/>\n",
        x1, y1, x2, y2);
  };
  const auto text = [&](double x, double y, double size, const std::string& s, double opacity) {
    out.body += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"middle\" "
        "fill=\"currentColor\" fill-opacity=\"{:.2f}\">{}</text>\n",
        x, y, size, opacity, xml_escaped(s));
  };
  std::vector<int> deepest(tree.size(), -1);
  for (int p = 0; p < static_cast<int>(tree.phrases.size()); ++p) {
    const Phrase& phrase = tree.phrases[p];
    for (int i = phrase.begin; i < phrase.end; ++i) deepest[i] = p;
    if (phrase.parent >= 0) {
      line(at.phrase_x[phrase.parent], y_of(at.height[phrase.parent]) + 4, at.phrase_x[p],
           y_of(at.height[p]) - 13);
    }
  }
  for (int i = 0; i < tree.size(); ++i) {
    if (deepest[i] >= 0) {
      line(at.phrase_x[deepest[i]], y_of(at.height[deepest[i]]) + 4, at.word_x[i], words_y - 32);
    }
    text(at.word_x[i], words_y - 20, kTagSize, tree.tags[i], 0.7);
    text(at.word_x[i], words_y, kWordSize, tree.words[i], 1);
  }
  for (int p = 0; p < static_cast<int>(tree.phrases.size()); ++p) {
    text(at.phrase_x[p], y_of(at.height[p]), 14, tree.phrases[p].label,
         std::clamp(0.35 + 0.65 * tree.phrases[p].confidence, 0.35, 1.0));
  }
  return out;
}

void ConstituencyView::append_comments(std::string& out, const Sentence& sentence) const {
  for (const PhraseTree& tree : sentence.trees) {
    out += "# constituency = " + to_brackets(tree) + "\n";
  }
}

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

}  // namespace entente
