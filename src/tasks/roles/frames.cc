#include "tasks/roles/frames.h"

#include <algorithm>
#include <map>

#include "learn/hash.h"
#include "tasks/roles/input.h"

namespace entente::roles {

std::uint64_t Rolesets::key_of(std::uint64_t lemma, char kind) {
  return spread(mix(lemma, static_cast<unsigned char>(kind)));
}

Rolesets Rolesets::of(std::span<const propbank::PropSentence> sentences, const RoleLabels& labels) {
  Rolesets out;
  std::map<std::pair<std::uint64_t, int>, int> uses;
  Input input;
  for (const propbank::PropSentence& s : sentences) {
    if (s.propositions.empty()) continue;
    input.assign(s);
    for (const propbank::Proposition& p : s.propositions) {
      const auto [at, fresh] = out.names_.try_emplace(p.roleset, out.size());
      if (fresh) {
        out.sets_.push_back({p.roleset, p.lemma, hash_of(p.roleset), 0, {}});
        out.sets_.back().seen.assign(labels.size(), 0);
      }
      Roleset& set = out.sets_[at->second];
      ++set.count;
      for (const propbank::RoleSpan& r : p.roles) {
        const int label = labels.find(propbank::bare_role(r.label));
        if (label > 0) set.seen[label] = 1;
      }
      const InputWord& w = input.words[p.predicate];
      ++uses[{key_of(w.lemma, w.kind), at->second}];
    }
  }
  std::vector<std::pair<int, Use>> order;
  for (const auto& [use, count] : uses) order.push_back({count, Use{use.first, use.second}});
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.second.key, -a.first, a.second.roleset) <
           std::tuple(b.second.key, -b.first, b.second.roleset);
  });
  for (const auto& [count, use] : order) out.uses_.push_back(use);
  out.index();
  return out;
}

void Rolesets::index() {
  names_.clear();
  for (int i = 0; i < size(); ++i) names_[sets_[i].name] = i;
  use_sets_.clear();
  places_.clear();
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    auto& place = places_.try_emplace(uses_[i].key, static_cast<int>(i), 0).first->second;
    ++place.second;
    use_sets_.push_back(static_cast<int>(uses_[i].roleset));
  }
}

int Rolesets::find(const std::string& name) const {
  const auto at = names_.find(name);
  return at == names_.end() ? -1 : at->second;
}

std::span<const int> Rolesets::of_lemma(std::uint64_t lemma, char kind) const {
  const auto at = places_.find(key_of(lemma, kind));
  if (at == places_.end()) return {};
  return std::span(use_sets_).subspan(at->second.first, at->second.second);
}

void Rolesets::allowed(int roleset, const RoleLabels& labels, std::vector<char>& out) const {
  out.clear();
  if (roleset < 0 || sets_[roleset].count < kEnough) return;
  for (int l = 0; l < labels.size(); ++l) {
    const int base = labels.continued[l] >= 0  ? labels.continued[l]
                     : labels.referred[l] >= 0 ? labels.referred[l]
                                               : l;
    out.push_back(!labels.numbered[base] || sets_[roleset].seen[base]);
  }
}

Rolesets::Rolesets(const ModelFile& file, const RoleLabels& labels) {
  const std::vector<std::string> names = file.strings("roles/rolesets");
  const std::vector<std::string> lemmas = file.strings("roles/roleset_lemmas");
  const auto counts = file.array<std::int32_t>("roles/roleset_counts");
  const auto seen = file.array<char>("roles/roleset_roles");
  const auto uses = file.array<Use>("roles/roleset_uses");
  const std::size_t width = static_cast<std::size_t>(labels.size());
  bool good = lemmas.size() == names.size() && counts.size() == names.size() &&
              seen.size() == names.size() * width;
  for (const Use& use : uses) {
    good = good && use.roleset >= 0 && use.roleset < static_cast<std::int64_t>(names.size());
  }
  if (!good) file.fail("sections \"roles/roleset...\" are damaged");
  for (std::size_t i = 0; i < names.size(); ++i) {
    sets_.push_back({names[i], lemmas[i], hash_of(names[i]), counts[i], {}});
    sets_.back().seen.assign(seen.begin() + static_cast<std::ptrdiff_t>(i * width),
                             seen.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  }
  for (const Use& use : uses) uses_.push_back(use);
  index();
}

void Rolesets::write(ModelWriter& writer) const {
  std::vector<std::string> names, lemmas;
  std::vector<std::int32_t> counts;
  std::vector<char> seen;
  for (const Roleset& s : sets_) {
    names.push_back(s.name);
    lemmas.push_back(s.lemma);
    counts.push_back(s.count);
    seen.insert(seen.end(), s.seen.begin(), s.seen.end());
  }
  writer.add_strings("roles/rolesets", names);
  writer.add_strings("roles/roleset_lemmas", lemmas);
  writer.add<std::int32_t>("roles/roleset_counts", counts);
  writer.add<char>("roles/roleset_roles", seen);
  writer.add<Use>("roles/roleset_uses", uses_);
}

}  // namespace entente::roles
