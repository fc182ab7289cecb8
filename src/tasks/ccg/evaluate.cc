#include "tasks/ccg/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "entente/error.h"
#include "model/task.h"
#include "tasks/ccg/analysis.h"

namespace entente::ccg {

namespace {

std::int64_t common(std::span<const std::pair<std::int32_t, std::int32_t>> a,
                    std::span<const std::pair<std::int32_t, std::int32_t>> b) {
  std::vector<std::pair<std::int32_t, std::int32_t>> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return static_cast<std::int64_t>(both.size());
}

std::vector<std::pair<std::int32_t, std::int32_t>> pairs(std::span<const Dependency> all) {
  std::vector<std::pair<std::int32_t, std::int32_t>> out;
  for (const Dependency& d : all) out.emplace_back(d.head, d.dependent);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void count(Counts& to, std::int64_t right, std::size_t found, std::size_t gold) {
  to.right += right;
  to.found += static_cast<std::int64_t>(found);
  to.gold += static_cast<std::int64_t>(gold);
}

}  // namespace

void Scores::add(std::span<const Dependency> gold, std::span<const CategoryId> gold_tags,
                 bool is_parsed, std::span<const Dependency> dependencies,
                 std::span<const CategoryId> tags) {
  ++sentences;
  if (is_parsed) ++parsed;
  std::vector<Dependency> both;
  std::set_intersection(gold.begin(), gold.end(), dependencies.begin(), dependencies.end(),
                        std::back_inserter(both));
  count(labelled, static_cast<std::int64_t>(both.size()), dependencies.size(), gold.size());
  if (is_parsed && both.size() == gold.size() && gold.size() == dependencies.size()) ++exact;
  const auto g = pairs(gold), f = pairs(dependencies);
  count(unlabelled, common(g, f), f.size(), g.size());
  std::int64_t right = 0;
  for (std::size_t i = 0; i < std::min(tags.size(), gold_tags.size()); ++i)
    right += tags[i] == gold_tags[i] ? 1 : 0;
  count(supertags, right, tags.size(), gold_tags.size());
}

void Scores::add(const Scores& other) {
  for (Counts Scores::*c : {&Scores::labelled, &Scores::unlabelled, &Scores::supertags}) {
    (this->*c).right += (other.*c).right;
    (this->*c).found += (other.*c).found;
    (this->*c).gold += (other.*c).gold;
  }
  sentences += other.sentences;
  parsed += other.parsed;
  exact += other.exact;
}

void refuse_empty(const std::string& path, const Derivations& read) {
  if (read.refused == 0) expect_some(0, "derivations", path);
  CategoryTable table;
  read_derivations(path, table, false);  // says what is wrong with the first
  throw Error("the file changed while it was read", {.file = path, .line = 0, .column = 0});
}

Scores compare(const std::string& gold_path, const std::string& system_path, std::string& note) {
  CategoryTable table;
  Derivations gold = read_derivations(gold_path, table, true);
  if (gold.all.empty()) refuse_empty(gold_path, gold);
  if (gold.refused > 0)
    note =
        fmt::format("{} gold sentences left out, the first: {}", gold.refused, gold.first_refused);
  Derivations system = read_derivations(system_path, table, false);
  expect_some(system.all.size(), "derivations", system_path);
  std::vector<std::string>& left_out = gold.refused_ids;
  std::sort(left_out.begin(), left_out.end());
  std::erase_if(system.all, [&](const Derivation& d) {
    return !d.id.empty() && std::binary_search(left_out.begin(), left_out.end(), d.id);
  });
  const bool plain = std::none_of(gold.all.begin(), gold.all.end(),
                                  [&](const Derivation& d) { return has_conjoined(d, table); });
  Markups markups;
  SignPool pool;
  Analysis of_gold, of_system;
  Scores scores;
  std::size_t next = 0;
  for (Derivation& g : gold.all) {
    if (plain) mark_conjuncts(g, table);
    analyse(g, table, markups, pool, of_gold);
    if (next >= system.all.size() || (!g.id.empty() && system.all[next].id != g.id)) {
      scores.add(of_gold.dependencies, g.supertags(), false, {}, {});
      continue;
    }
    Derivation& s = system.all[next++];
    if (s.words.size() != g.words.size())
      throw Error(
          fmt::format("sentence {} has {} words, the gold one {}",
                      s.id.empty() ? std::to_string(next) : s.id, s.words.size(), g.words.size()),
          {.file = system_path, .line = 0, .column = 0});
    if (plain) mark_conjuncts(s, table);
    analyse(s, table, markups, pool, of_system);
    scores.add(of_gold.dependencies, g.supertags(), true, of_system.dependencies, s.supertags());
  }
  if (next < system.all.size())
    throw Error(
        fmt::format("the gold file does not have sentence {}, or not in this order",
                    system.all[next].id.empty() ? std::to_string(next + 1) : system.all[next].id),
        {.file = system_path, .line = 0, .column = 0});
  return scores;
}

}  // namespace entente::ccg
