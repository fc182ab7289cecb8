#include "tasks/constituency/tutorial_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/files.h"
#include "corpus/layers/constituency/brackets.h"
#include "corpus/layers/constituency/view.h"

namespace entente::constituency {

namespace {

std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.2f}", x) : "-"; }

std::string drawn(double x, double y, const std::string& text, const char* more = "") {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"13\" fill=\"currentColor\"{}>{}</text>\n", x, y,
      more, text);
}

}  // namespace

void RoundTable::add(const AgreementRound& r) {
  Row& row = rows_.emplace_back();
  row.round = r.round;
  row.dual = r.dual;
  row.best_primal = r.best_primal;
  for (int side = 0; side < 2; ++side) {
    row.cells[side].assign(table_.columns.size(), "");
    const auto on = side == 0 ? r.first : r.second;
    for (std::size_t i = 0; i < on.size(); ++i) {
      if (on[i] == 0) continue;
      std::string& cell = row.cells[side][table_.entries[i].column];
      cell += (cell.empty() ? "" : "+") + table_.entries[i].label;
    }
    for (std::string& cell : row.cells[side]) {
      if (cell.empty()) cell = "-";
    }
  }
  for (std::size_t i = 0; i < r.first.size(); ++i) {
    const int difference = r.first[i] - r.second[i];
    if (difference == 0) continue;
    const IndicatorTable::Entry& e = table_.entries[i];
    row.moves.push_back(
        fmt::format("u({},{}) {:+.3g}", table_.columns[e.column], e.label, -r.step * difference));
  }
}

std::string RoundTable::text() const {
  std::vector<std::size_t> width;
  for (const std::string& c : table_.columns) width.push_back(c.size());
  for (const Row& row : rows_) {
    for (const auto& cells : row.cells) {
      for (std::size_t c = 0; c < cells.size(); ++c) {
        width[c] = std::max(width[c], cells[c].size() + 1);
      }
    }
  }
  const std::size_t name = std::max(names_[0].size(), names_[1].size());
  std::string out = fmt::format("  round {:<{}}", "", name);
  for (std::size_t c = 0; c < width.size(); ++c) {
    out += fmt::format("  {:<{}}", table_.columns[c], width[c]);
  }
  out += "    dual  primal\n";
  for (const Row& row : rows_) {
    for (int side = 0; side < 2; ++side) {
      std::string line = fmt::format("  {:>5} {:<{}}", side == 0 ? std::to_string(row.round) : "",
                                     names_[side], name);
      for (std::size_t c = 0; c < width.size(); ++c) {
        const bool differs = row.cells[0][c] != row.cells[1][c];
        line += fmt::format("  {:<{}}", row.cells[side][c] + (differs ? "*" : ""), width[c]);
      }
      if (side == 0)
        line += fmt::format("  {:>6}  {:>6}", number(row.dual), number(row.best_primal));
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    std::string line;
    for (const std::string& move : row.moves) {
      if (line.size() + move.size() > 84) {
        out += "        " + line + "\n";
        line.clear();
      }
      line += (line.empty() ? "" : "  ") + move;
    }
    if (!line.empty()) out += "        " + line + "\n";
  }
  return out;
}

Picture RoundTable::picture(const std::string& title) const {
  constexpr double kLine = 20, kLeft = 14, kNames = 110;
  std::vector<double> at{kLeft + kNames};
  for (std::size_t c = 0; c < table_.columns.size(); ++c) {
    double wide = text_width(table_.columns[c], 13);
    for (const Row& row : rows_) {
      for (const auto& cells : row.cells) wide = std::max(wide, text_width(cells[c], 13));
    }
    at.push_back(at.back() + wide + 18);
  }
  Picture out;
  out.width = at.back() + 130;
  double y = kLine;
  for (std::size_t c = 0; c < table_.columns.size(); ++c) {
    out.body += drawn(at[c], y, table_.columns[c], " font-weight=\"bold\"");
  }
  out.body += drawn(at.back(), y, "dual") + drawn(at.back() + 60, y, "primal");
  for (const Row& row : rows_) {
    y += 6;
    for (int side = 0; side < 2; ++side) {
      y += kLine;
      if (side == 0) out.body += drawn(kLeft, y, std::to_string(row.round));
      out.body += drawn(kLeft + 26, y, names_[side]);
      for (std::size_t c = 0; c < table_.columns.size(); ++c) {
        const bool differs = row.cells[0][c] != row.cells[1][c];
        out.body += drawn(at[c], y, row.cells[side][c],
                          differs ? " font-weight=\"bold\" style=\"fill:#c0392b\"" : "");
      }
      if (side == 0) {
        out.body += drawn(at.back(), y, number(row.dual)) +
                    drawn(at.back() + 60, y, number(row.best_primal));
      }
    }
  }
  out.height = y + kLine;
  return with_heading(std::move(out), title);
}

Narrator::Narrator(const TaskRequest& request)
    : options(agree_options(request)), step_given(request.settings.given("step")), story_(request) {
  options.branches = 0;
}

void Narrator::heading(const std::string& line) {
  text += (text.empty() ? "" : "\n") + line + "\n\n";
}

AgreementResult Narrator::run(AgreementModel& first, AgreementModel& second,
                              const IndicatorTable& table,
                              const std::pair<std::string, std::string>& names,
                              const std::string& title, AgreementOptions with,
                              const std::function<bool(const AgreementRound&)>& shown) {
  RoundTable rounds(table, names.first, names.second);
  const auto keep = story_.of(problems_++);
  with.trace = [&](const AgreementRound& r) {
    keep(r);
    if (!shown || shown(r)) rounds.add(r);
  };
  AgreementResult r = Agreement(first, second).run(with);
  text += rounds.text();
  pictures_.push_back(rounds.picture(title));
  text +=
      fmt::format("  bound {:.2f}, best pair {:.2f}: {}\n", r.bound, r.value,
                  r.agreed ? "they agree, so it is the optimum"
                  : r.status == Status::optimal
                      ? fmt::format("no more than {:g} apart, so it is the optimum", with.tolerance)
                      : "a gap");
  return r;
}

void Narrator::draw(const std::string& brackets, const std::string& title) {
  StringLines lines(brackets, "example");
  BracketReader reader(lines, {});
  PhraseTree tree;
  reader.read(tree);
  Document document;
  Sentence& sentence = document.sentences.emplace_back();
  sentence_of(std::move(tree), sentence);
  const LayerView& view = constituency_view();
  view.append_text(text, sentence, document);
  pictures_.push_back(with_heading(view.draw(sentence, document), title));
}

void Narrator::finish(const TaskRequest& request) {
  const std::string& path = request.settings.text("plot");
  if (!path.empty()) write_whole_file(path, svg_of(pictures_));
  story_.finish_trace();
  request.write(text);
}

}  // namespace entente::constituency
