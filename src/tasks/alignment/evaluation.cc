#include "tasks/alignment/evaluation.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "entente/error.h"

namespace entente::alignment {

namespace {

// Words of a line with their columns.
std::vector<std::pair<std::string_view, int>> fields_of(std::string_view line) {
  std::vector<std::pair<std::string_view, int>> out;
  for (std::size_t at = line.find_first_not_of(" \t\r"); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    out.emplace_back(line.substr(at, end - at), static_cast<int>(at) + 1);
    at = line.find_first_not_of(" \t\r", end);
  }
  return out;
}

// "3-4", "3?4" (possible only) or "3-4:0.97".
Link parse_link(std::string_view text, bool& sure, const Place& place) {
  std::string_view link = text;
  float score = 1;
  if (const std::size_t colon = link.find(':'); colon != std::string_view::npos) {
    const auto value = parse_number(link.substr(colon + 1));
    if (!value) throw Error("expected a number after \":\" in " + quoted(text), place);
    score = static_cast<float>(*value);
    link = link.substr(0, colon);
  }
  const std::size_t bar = link.find_first_of("-?");
  if (bar != std::string_view::npos) {
    const auto i = parse_integer(link.substr(0, bar)), j = parse_integer(link.substr(bar + 1));
    if (i && j && *i >= 0 && *j >= 0 && *i < 1'000'000 && *j < 1'000'000) {
      sure = link[bar] == '-';
      return {static_cast<int>(*i), static_cast<int>(*j), score};
    }
  }
  throw Error("expected a link such as 0-2, found " + quoted(text), place);
}

// `sentence i j S|P`, from 1.
void add_numbered(const std::vector<std::pair<std::string_view, int>>& fields,
                  const LineSource& file, std::vector<GoldSentence>& gold) {
  std::int64_t numbers[3];
  for (int k = 0; k < 3; ++k) {
    const auto value =
        static_cast<int>(fields.size()) > k ? parse_integer(fields[k].first) : std::nullopt;
    if (!value || *value < 1 || *value > 10'000'000) {
      throw Error("expected `sentence i j S` or `sentence i j P`, numbers from 1",
                  file.place(static_cast<int>(fields.size()) > k ? fields[k].second : 1));
    }
    numbers[k] = *value;
  }
  const std::string_view kind = fields.size() > 3 ? fields[3].first : "S";
  if (fields.size() > 4 || (kind != "S" && kind != "P")) {
    throw Error("expected S or P after the link",
                file.place(fields[std::min<std::size_t>(fields.size() - 1, 3)].second));
  }
  if (gold.size() < static_cast<std::size_t>(numbers[0])) gold.resize(numbers[0]);
  const Link link{static_cast<int>(numbers[1]) - 1, static_cast<int>(numbers[2]) - 1};
  gold[numbers[0] - 1].possible.insert(link);
  if (kind == "S") gold[numbers[0] - 1].sure.insert(link);
}

}  // namespace

GoldLinks read_gold(LineSource& file) {
  GoldLinks out;
  std::vector<GoldSentence>& gold = out.sentences;
  enum { kUnknown, kNumbered, kLines } form = kUnknown;
  int empty = 0;  // lines before the first that tells the form
  for (std::string line; file.read_line(line);) {
    const auto fields = fields_of(line);
    if (fields.empty()) {
      if (form == kLines) gold.emplace_back();
      if (form == kUnknown) ++empty;
      continue;
    }
    if (form == kUnknown) {
      form = fields[0].first.find_first_of("-?") == std::string_view::npos ? kNumbered : kLines;
      if (form == kLines) gold.resize(empty);
    }
    if (form == kNumbered) {
      add_numbered(fields, file, gold);
      continue;
    }
    GoldSentence& sentence = gold.emplace_back();
    for (const auto& [text, column] : fields) {
      bool sure = true;
      const Link link = parse_link(text, sure, file.place(column));
      sentence.possible.insert(link);
      if (sure) sentence.sure.insert(link);
    }
  }
  out.a_line_each = form == kLines;
  return out;
}

std::vector<std::vector<Link>> read_pharaoh(LineSource& file) {
  std::vector<std::vector<Link>> out;
  for (std::string line; file.read_line(line);) {
    std::vector<Link>& links = out.emplace_back();
    for (const auto& [text, column] : fields_of(line)) {
      bool sure = true;
      links.push_back(parse_link(text, sure, file.place(column)));
    }
  }
  return out;
}

AlignmentScores score_sentence(const GoldSentence& gold, const std::vector<Link>& links) {
  AlignmentScores s;
  const std::set<Link> once(links.begin(), links.end());
  s.links = static_cast<std::int64_t>(once.size());
  s.sure = static_cast<std::int64_t>(gold.sure.size());
  for (const Link& link : once) {
    s.links_sure += gold.sure.count(link) ? 1 : 0;
    s.links_possible += gold.possible.count(link) ? 1 : 0;
  }
  return s;
}

AlignmentScores score_alignments(const GoldLinks& gold,
                                 const std::vector<std::vector<Link>>& system) {
  const std::size_t sentences = gold.sentences.size();
  if (system.size() < sentences || (gold.a_line_each && system.size() > sentences)) {
    throw Error("the gold links are of " + std::to_string(sentences) +
                " sentences, the system's of " + std::to_string(system.size()));
  }
  AlignmentScores sum;
  for (std::size_t k = 0; k < sentences; ++k) sum += score_sentence(gold.sentences[k], system[k]);
  return sum;
}

}  // namespace entente::alignment
