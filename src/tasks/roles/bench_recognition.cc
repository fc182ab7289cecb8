#include "tasks/roles/bench_recognition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace entente::roles {

using propbank::PropSentence;

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

namespace {

void count_gold(const propbank::Proposition& gold, const std::vector<std::pair<int, int>>& found,
                Recognition& out) {
  const auto has = [&](std::pair<int, int> s) {
    return std::binary_search(found.begin(), found.end(), s);
  };
  for (const propbank::RoleSpan& r : gold.roles) {
    if (propbank::bare_role(r.label) == "V") continue;
    ++out.pieces.gold;
    out.pieces.correct += has({r.begin, r.end});
  }
  for (const propbank::Argument& a : propbank::joined_arguments(gold)) {
    ++out.whole.gold;
    out.whole.correct += a.pieces.size() == 1 && has(a.pieces[0]);
  }
}

}  // namespace

void count_spans(const propbank::Proposition& gold, std::vector<std::pair<int, int>> found,
                 Recognition& out) {
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  count_gold(gold, found, out);
  out.pieces.system += static_cast<std::int64_t>(found.size());
  out.whole.system += static_cast<std::int64_t>(found.size());
}

TwoWays recognise(const KernelRecognizer& recognizer, const Held& held, Recognise way) {
  KernelRecognizer::Work work(recognizer);
  TwoWays out;
  std::vector<double> scores;
  std::vector<char> chosen;
  std::vector<std::pair<int, int>> found;
  for (std::size_t i = 0; i < held.sentences.size(); ++i) {
    const PropSentence& s = held.sentences[i];
    const KernelTree& tree = held.trees[i];
    if (s.propositions.empty()) continue;
    recognizer.prepare(tree, way, work);
    const auto take = [&](auto&& wanted) {
      found.clear();
      for (int k : tree.candidates) {
        const auto& node = s.tree.nodes[tree.phrase_of[k]];
        if (wanted(k)) found.push_back({node.begin, node.end});
      }
      std::sort(found.begin(), found.end());
    };
    for (const propbank::Proposition& p : s.propositions) {
      recognizer.scores(tree, tree.node_of[s.tree.leaf(p.predicate)], way, work, scores);
      take([&](int k) { return scores[k] > 0; });
      count_spans(p, found, out.free);
      count_gold(p, found, out.nodes);
      out.nodes.pieces.system += static_cast<std::int64_t>(found.size());
      out.nodes.whole.system += static_cast<std::int64_t>(found.size());
      ++out.predicates;
      bool overlap = false;
      for (std::size_t a = 0; a + 1 < found.size(); ++a) {
        overlap |= found[a + 1] != found[a] && found[a + 1].first < found[a].second;
      }
      out.overlapping += overlap;
      best_disjoint_nodes(tree.tree, scores, chosen);
      take([&](int k) { return chosen[k] != 0; });
      count_spans(p, found, out.disjoint);
    }
  }
  return out;
}

Timing time_way(const KernelRecognizer& recognizer, const Held& held, std::size_t sentences,
                Recognise way) {
  KernelRecognizer::Work work(recognizer);
  Timing out;
  std::vector<double> scores;
  const double start = processor_seconds();
  for (std::size_t i = 0; i < sentences; ++i) {
    const PropSentence& s = held.sentences[i];
    if (s.propositions.empty()) continue;
    recognizer.prepare(held.trees[i], way, work);
    for (const propbank::Proposition& p : s.propositions) {
      recognizer.scores(held.trees[i], held.trees[i].node_of[s.tree.leaf(p.predicate)], way, work,
                        scores);
      out.scores.insert(out.scores.end(), scores.begin(), scores.end());
    }
  }
  out.seconds = (processor_seconds() - start) / static_cast<double>(sentences);
  out.cells = static_cast<double>(way == Recognise::kOurs ? work.query.cells() : work.cells) /
              static_cast<double>(sentences);
  return out;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (std::isfinite(a[i])) {
      most = std::max(most, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(a[i])));
    }
  }
  return most;
}

std::string f1_plot(const std::string& title, const std::string& axis,
                    const std::vector<PlotLine>& lines) {
  constexpr double kLeft = 50, kTop = 30, kWidth = 420, kHeight = 240;
  double low = 100, high = 0, first = INFINITY, last = 0;
  std::vector<double> marks;
  for (const PlotLine& line : lines) {
    for (const auto& [x, y] : line.points) {
      low = std::min(low, y);
      high = std::max(high, y);
      first = std::min(first, x);
      last = std::max(last, x);
      if (std::find(marks.begin(), marks.end(), x) == marks.end()) marks.push_back(x);
    }
  }
  low = std::floor(low / 5) * 5;
  high = std::max(low + 5, std::ceil(high / 5) * 5);
  if (!(last > first)) last = first * 2;
  const auto across = [&](double x) {
    return kLeft + kWidth * std::log(x / first) / std::log(last / first);
  };
  const auto down = [&](double y) { return kTop + kHeight * (high - y) / (high - low); };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"320\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n<text x=\"{}\" y=\"18\" font-size=\"13\">{}</text>\n",
      kLeft, title);
  for (double y = low; y <= high; y += 5) {
    out += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kLeft, kLeft + kWidth, down(y), kLeft - 6, down(y) + 4, y);
  }
  for (double x : marks) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", across(x),
                       kTop + kHeight + 16, x);
  }
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                     kLeft + kWidth / 2, kTop + kHeight + 34, axis);
  constexpr const char* kColours[] = {"#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b9770e"};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string points;
    for (const auto& [x, y] : lines[i].points) {
      points += fmt::format("{:.1f},{:.1f} ", across(x), down(y));
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", across(x),
                         down(y), kColours[i % 5]);
    }
    out += fmt::format(
        "<polyline points=\"{0}\" fill=\"none\" stroke=\"{1}\" stroke-width=\"1.5\"/>"
        "<text x=\"{2}\" y=\"{3}\" fill=\"{1}\">{4}</text>\n",
        points, kColours[i % 5], kLeft + kWidth + 12, kTop + 16 + 16 * static_cast<double>(i),
        lines[i].name);
  }
  return out + "</svg>\n";
}

}  // namespace entente::roles
