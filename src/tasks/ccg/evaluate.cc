#include "tasks/ccg/evaluate.h"

#include <algorithm>
#include <utility>
#include <vector>

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

}  // namespace entente::ccg
