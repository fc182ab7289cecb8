#include "corpus/propbank/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "entente/error.h"

namespace entente::propbank {

RoleScore& RoleScore::operator+=(const RoleScore& o) {
  gold += o.gold;
  system += o.system;
  correct += o.correct;
  return *this;
}

std::vector<Argument> joined_arguments(const Proposition& p) {
  std::vector<RoleSpan> spans = p.roles;
  std::stable_sort(spans.begin(), spans.end(), [](const RoleSpan& a, const RoleSpan& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::vector<Argument> out;
  for (const RoleSpan& s : spans) {
    const std::string label(s.label.starts_with("C-") ? bare_role(s.label) : s.label);
    if (label == "V") continue;
    if (s.label.starts_with("C-")) {
      const auto last = std::find_if(out.rbegin(), out.rend(),
                                     [&](const Argument& a) { return a.label == label; });
      if (last != out.rend()) {
        last->pieces.push_back({s.begin, s.end});
        continue;
      }
    }
    out.push_back({label, {{s.begin, s.end}}});
  }
  std::sort(out.begin(), out.end());
  return out;
}

RoleViolations count_role_violations(const Proposition& p) {
  RoleViolations v;
  for (std::size_t i = 0; i < p.roles.size(); ++i) {
    const RoleSpan& a = p.roles[i];
    const std::string_view bare = bare_role(a.label);
    bool before = false, anywhere = false, twice = false;
    for (std::size_t j = 0; j < p.roles.size(); ++j) {
      if (i == j) continue;
      const RoleSpan& b = p.roles[j];
      if (j < i) {
        v.overlap += a.begin < b.end && b.begin < a.end;
        twice |= b.label == a.label;
      }
      anywhere |= b.label == bare;
      before |= b.label == bare && b.begin < a.begin;
    }
    v.twice += twice && is_numbered(a.label);
    v.continues += a.label.starts_with("C-") && !before;
    v.refers += a.label.starts_with("R-") && !anywhere;
  }
  return v;
}

namespace {

template <typename T>
std::int64_t common(std::vector<T> a, std::vector<T> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<T> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return static_cast<std::int64_t>(both.size());
}

std::vector<std::vector<std::pair<int, int>>> places(const std::vector<Argument>& arguments) {
  std::vector<std::vector<std::pair<int, int>>> out;
  for (const Argument& a : arguments) out.push_back(a.pieces);
  return out;
}

std::vector<std::pair<int, int>> pieces_of(const Proposition& p) {
  std::vector<std::pair<int, int>> out;
  for (const RoleSpan& s : p.roles) {
    if (bare_role(s.label) != "V") out.push_back({s.begin, s.end});
  }
  return out;
}

}  // namespace

void RoleScores::add(const PropSentence& gold, const PropSentence& system) {
  if (gold.words != system.words) {
    std::size_t i = 0;
    while (i < gold.words.size() && i < system.words.size() && gold.words[i] == system.words[i])
      ++i;
    const auto word = [&](const PropSentence& s) {
      return i < s.words.size() ? quoted(s.words[i]) : std::string("the end of the sentence");
    };
    throw Error(
        fmt::format("sentence {} (gold line {}, system line {}): word {} is {} in the gold "
                    "file and {} in the other; both must have the same words",
                    sentences + 1, gold.line, system.line, i, word(gold), word(system)));
  }
  ++sentences;
  std::map<int, std::pair<const Proposition*, const Proposition*>> pairs;
  for (const Proposition& p : gold.propositions) pairs[p.predicate].first = &p;
  for (const Proposition& p : system.propositions) pairs[p.predicate].second = &p;
  static const Proposition kNone;
  for (const auto& [word, pair] : pairs) {
    const auto& [g, s] = pair;
    const RoleScore found{g != nullptr, s != nullptr, g && s};
    predicates += found;
    senses += {found.gold, found.system, g && s && g->roleset == s->roleset};
    const Proposition& gp = g ? *g : kNone;
    const Proposition& sp = s ? *s : kNone;
    const std::vector<Argument> ga = joined_arguments(gp), sa = joined_arguments(sp);
    const auto size = [](const auto& v) { return static_cast<std::int64_t>(v.size()); };
    labelled += {size(ga), size(sa), common(ga, sa)};
    exact += g && s && ga == sa;
    recognised += {size(ga), size(sa), common(places(ga), places(sa))};
    const auto gs = pieces_of(gp), ss = pieces_of(sp);
    pieces += {size(gs), size(ss), common(gs, ss)};
    for (const Argument& a : ga) ++by_label[a.label].gold;
    for (const Argument& a : sa) {
      ++by_label[a.label].system;
      by_label[a.label].correct += std::binary_search(ga.begin(), ga.end(), a);
    }
    const RoleViolations v = count_role_violations(sp);
    violations.overlap += v.overlap;
    violations.twice += v.twice;
    violations.continues += v.continues;
    violations.refers += v.refers;
  }
}

namespace {
std::string line(std::string_view name, const RoleScore& s) {
  return fmt::format("{:<14}{:9.2f}{:9.2f}{:9.2f}{:9}{:9}{:9}\n", name, s.precision(), s.recall(),
                     s.f1(), s.gold, s.system, s.correct);
}
}  // namespace

std::string RoleScores::table() const {
  std::string out = fmt::format("{:<14}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "Metric", "Precision",
                                "Recall", "F1", "gold", "system", "correct");
  out += line("Predicates", predicates) + line("Senses", senses) + line("Roles", labelled);
  out += line("Recognition", recognised) + line("Pieces", pieces);
  for (const auto& [label, s] : by_label) {
    if (s.gold > 0) out += line("  " + label, s);
  }
  out += fmt::format(
      "broken rules: {} (overlap {}, role twice {}, C- without its role {}, R- without its role "
      "{})\n",
      violations.total(), violations.overlap, violations.twice, violations.continues,
      violations.refers);
  return out;
}

std::string RoleScores::json() const {
  JsonWriter w;
  w.begin_object();
  const auto write = [&](const std::string& name, const RoleScore& s) {
    w.key(name).begin_object();
    w.key("precision").number(s.precision()).key("recall").number(s.recall());
    w.key("f1").number(s.f1()).key("gold").integer(s.gold).key("system").integer(s.system);
    w.key("correct").integer(s.correct).end_object();
  };
  write("predicates", predicates);
  write("senses", senses);
  write("roles", labelled);
  write("recognition", recognised);
  write("pieces", pieces);
  w.key("by_role").begin_object();
  for (const auto& [label, s] : by_label) write(label, s);
  w.end_object();
  w.key("broken_rules").integer(violations.total());
  return w.end_object().take() + "\n";
}

}  // namespace entente::propbank
