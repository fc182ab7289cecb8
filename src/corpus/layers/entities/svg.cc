#include "corpus/layers/entities/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "base/text.h"

namespace entente {

namespace {

constexpr double kMargin = 16, kSpace = 6, kWordSize = 17, kNameSize = 11.5;
constexpr double kLevel = 26, kFirstLevel = 30;

struct Box {
  double left = 0, right = 0;
  double middle() const { return (left + right) / 2; }
};

// Words from left to right; an entity is at least as wide as its type.
struct Layout {
  std::vector<Box> words, entities;
  double width = 2 * kMargin;

  explicit Layout(const Sentence& sentence) {
    double x = kMargin;
    for (int i = 0; i < sentence.size(); ++i) {
      const double needed_here = text_width(sentence.words[i].form, kWordSize);
      words.push_back({x, x + needed_here});
      x += needed_here + kSpace;
      for (const Entity& e : sentence.entities) {
        if (e.words.end - 1 != i) continue;
        const double needed = text_width(e.type, kNameSize) + 2 * kSpace;
        x = std::max(x, words[e.words.begin].left + needed + kSpace);
      }
    }
    for (const Entity& e : sentence.entities) {
      const double left = words[e.words.begin].left, right = words[e.words.end - 1].right;
      entities.push_back({left, std::max(right, left + text_width(e.type, kNameSize))});
    }
    width = x + kMargin;
  }
};

struct Arc {
  int left = 0, right = 0, level = 1;
  const Relation* relation = nullptr;
};

// Shorter arcs lie lower; arcs over the same words do not meet.
std::vector<Arc> lay_out(const Sentence& sentence, const Layout& at, double& width) {
  std::vector<Arc> arcs;
  for (const Relation& r : sentence.relations.all) {
    arcs.push_back({std::min(r.head, r.tail), std::max(r.head, r.tail), 1, &r});
  }
  std::stable_sort(arcs.begin(), arcs.end(),
                   [](const Arc& a, const Arc& b) { return a.right - a.left < b.right - b.left; });
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool apart = arcs[j].right <= arcs[i].left || arcs[i].right <= arcs[j].left;
      if (!apart) arcs[i].level = std::max(arcs[i].level, arcs[j].level + 1);
    }
    const double middle =
        (at.entities[arcs[i].left].middle() + at.entities[arcs[i].right].middle()) / 2;
    width = std::max(width, middle + text_width(arcs[i].relation->type, kNameSize) / 2 + kMargin);
  }
  return arcs;
}

}  // namespace

Picture draw_entities(const Sentence& sentence, bool with_relations) {
  const Layout at(sentence);
  Picture out;
  out.width = at.width;
  std::vector<Arc> arcs;
  if (with_relations) arcs = lay_out(sentence, at, out.width);
  int levels = 0;
  for (const Arc& arc : arcs) levels = std::max(levels, arc.level);
  const double top = kMargin + (levels > 0 ? kFirstLevel + (levels - 1) * kLevel : 0);
  const auto add = [&out]<typename... Args>(fmt::format_string<Args...> format, Args&&... args) {
    out.body += fmt::format(format, std::forward<Args>(args)...);
  };
  for (const Arc& arc : arcs) {
    const bool forward = arc.relation->head == arc.left;
    const double x1 = at.entities[arc.left].middle() + 4, x2 = at.entities[arc.right].middle() - 4;
    const double y = top - kFirstLevel + 8 - (arc.level - 1) * kLevel + 6, tip = forward ? x2 : x1;
    add("<path d=\"M{0:.1f} {2:.1f}L{0:.1f} {3:.1f}L{1:.1f} {3:.1f}L{1:.1f} {2:.1f}\"/>\n", x1, x2,
        top, y);
    add("<path class=\"h\" d=\"M{0:.1f} {1:.1f}l-4 -7h8z\"/>\n", tip, top);
    add("<text class=\"l\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", (x1 + x2) / 2, y + 4,
        xml_escaped(arc.relation->type));
  }
  const double baseline = top + 22;
  for (int i = 0; i < sentence.size(); ++i) {
    add("<text class=\"w\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", at.words[i].middle(), baseline,
        xml_escaped(sentence.words[i].form));
  }
  for (std::size_t e = 0; e < at.entities.size(); ++e) {
    const Box& box = at.entities[e];
    add("<path d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", box.left, baseline + 6, box.right);
    add("<text class=\"t\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", box.middle(), baseline + 19,
        xml_escaped(sentence.entities[e].type));
  }
  out.height = baseline + (sentence.entities.empty() ? 6 : 24) + kMargin;
  return out;
}

}  // namespace entente
