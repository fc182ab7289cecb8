#include "tasks/dependency/labels.h"

#include <algorithm>
#include <map>
#include <set>

namespace entente::dependency {
namespace {

std::uint64_t pair_key(std::uint64_t head, std::uint64_t modifier, bool rightwards) {
  return mix(mix(rightwards ? 0x51DEu : 0xED15u, head), modifier);
}

}  // namespace

void Children::read(std::span<const std::int32_t> heads) {
  const int n = static_cast<int>(heads.size());
  first_.assign(n + 2, 0);
  list_.resize(n);
  for (std::int32_t h : heads) ++first_[h + 1];
  for (int h = 0; h <= n; ++h) first_[h + 1] += first_[h];
  next_.assign(first_.begin(), first_.end() - 1);
  for (int m = 1; m <= n; ++m) list_[next_[heads[m - 1]]++] = m;
}

LabelSet LabelSet::of(std::span<const Sentence> sentences) {
  LabelSet out;
  std::set<std::string> names;
  for (const Sentence& s : sentences) {
    for (const Word& w : s.words) names.insert(w.deprel);
  }
  out.names_.assign(names.begin(), names.end());
  std::map<std::uint64_t, std::set<std::uint16_t>> seen;
  Atoms atoms;
  for (const Sentence& s : sentences) {
    atoms.read(s.words);
    for (int m = 1; m <= s.size(); ++m) {
      const Word& w = s.words[m - 1];
      const auto label = static_cast<std::uint16_t>(out.find(w.deprel));
      seen[pair_key(atoms[w.head].upos, atoms[m].upos, w.head < m)].insert(label);
      seen[pair_key(0, atoms[m].upos, false)].insert(label);  // where the pair is new
    }
  }
  out.first_.push_back(0);
  for (const auto& [key, labels] : seen) {
    out.keys_.push_back(key);
    out.allowed_.insert(out.allowed_.end(), labels.begin(), labels.end());
    out.first_.push_back(static_cast<std::uint32_t>(out.allowed_.size()));
  }
  out.index();
  return out;
}

LabelSet::LabelSet(const ModelFile& file, const std::string& name)
    : names_(file.strings(name + "/names")) {
  const auto keys = file.array<std::uint64_t>(name + "/keys");
  const auto first = file.array<std::uint32_t>(name + "/first");
  const auto allowed = file.array<std::uint16_t>(name + "/allowed");
  bool good = !names_.empty() && first.size() == keys.size() + 1 && first[0] == 0 &&
              first.back() == allowed.size();
  for (std::size_t i = 0; good && i < keys.size(); ++i) good = first[i] < first[i + 1];
  for (std::size_t i = 0; good && i < allowed.size(); ++i) good = allowed[i] < names_.size();
  if (!good) file.fail("the labels of section \"" + name + "\" do not fit together");
  keys_.assign(keys.begin(), keys.end());
  first_.assign(first.begin(), first.end());
  allowed_.assign(allowed.begin(), allowed.end());
  index();
}

void LabelSet::write(ModelWriter& writer, const std::string& name) const {
  writer.add_strings(name + "/names", names_);
  writer.add<std::uint64_t>(name + "/keys", keys_);
  writer.add<std::uint32_t>(name + "/first", first_);
  writer.add<std::uint16_t>(name + "/allowed", allowed_);
}

void LabelSet::index() {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    all_.push_back(static_cast<std::uint16_t>(i));
  }
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    places_.emplace(keys_[i], static_cast<std::uint32_t>(i));
  }
}

int LabelSet::find(const std::string& name) const {
  const auto at = std::lower_bound(names_.begin(), names_.end(), name);
  return at != names_.end() && *at == name ? static_cast<int>(at - names_.begin()) : -1;
}

std::span<const std::uint16_t> LabelSet::candidates(const Atoms& atoms, int head,
                                                    int modifier) const {
  auto at = places_.find(pair_key(atoms[head].upos, atoms[modifier].upos, head < modifier));
  if (at == places_.end()) at = places_.find(pair_key(0, atoms[modifier].upos, false));
  if (at == places_.end()) return all_;
  return {allowed_.data() + first_[at->second], allowed_.data() + first_[at->second + 1]};
}

void label_features(const Atoms& atoms, std::span<const std::int32_t> heads,
                    const Children& children, int modifier, FeatureList& out) {
  const int head = heads[modifier - 1];
  const int upper = head == 0 ? -1 : heads[head - 1];
  const Atom &h = atoms[head], &m = atoms[modifier], &g = atoms[upper];
  const Atom &hl = atoms[head - 1], &hr = atoms[head + 1];
  const Atom &ml = atoms[modifier - 1], &mr = atoms[modifier + 1];
  const std::uint64_t direction = head < modifier ? 1 : 0;
  FeatureMaker f(out, 40 + direction, static_cast<std::uint64_t>(distance_bucket(head - modifier)));
  f.both(0);
  f.both(1, h.tag, m.tag);
  f.both(2, h.upos, m.upos);
  f.both(3, m.form);
  f.both(4, m.tag);
  f.one(5, h.form);
  f.one(6, h.tag);
  f.one(7, h.lemma, m.tag);
  f.both(8, h.tag, m.form);
  f.one(9, h.lemma, m.lemma);
  f.one(10, h.upos, m.lemma);
  f.one(11, h.lemma, m.upos);
  f.one(12, h.tag, m.suffix, m.shape);
  f.one(13, h.suffix, m.tag);
  f.one(14, h.tag, m.tag, ml.tag);
  f.one(15, h.tag, m.tag, mr.tag);
  f.one(16, h.tag, m.tag, hl.tag, hr.tag);
  f.one(17, h.upos, m.upos, ml.key, mr.key);
  f.one(18, h.upos, m.tag, ml.form);
  f.one(19, h.upos, m.tag, mr.form);
  f.one(20, h.tag, m.tag, g.tag);
  f.one(21, h.upos, m.upos, g.upos, upper < head ? 1u : 2u);
  f.one(22, g.lemma, h.lemma, m.upos);
  f.one(23, m.suffix);
  f.one(24, m.shape, m.upos);
  f.one(25, m.prefix);
  const Between b = atoms.between(head, modifier);
  f.one(26, h.upos, m.upos, static_cast<std::uint64_t>(std::min(b.verbs, 2)),
        static_cast<std::uint64_t>(std::min(b.commas, 2)));
  f.both(30, h.tag, m.tag, h.shape, m.shape);
  f.one(31, h.upos, m.upos, atoms.slots_between(head, modifier));
  f.one(32, h.form, m.form);
  f.one(33, h.upos, h.suffix, m.upos, m.suffix);
  f.one(34, m.form, m.tag);
  f.one(35, m.lemma, ml.form);
  f.one(36, m.lemma, mr.form);
  if ((h.feats | m.feats) != 0) {
    f.one(27, h.tag, m.feats);
    f.one(28, h.feats, m.feats, h.upos, m.upos);
    f.one(29, h.lemma, m.feats);
  }
  if ((h.fine | m.fine) != 0) {
    f.one(60, h.fine, m.tag);
    f.one(61, h.tag, m.fine);
    f.one(62, h.middle, m.middle);
    f.one(63, h.fine, m.fine);
    f.one(64, h.lemma, m.middle);
    f.one(65, h.middle, m.lemma);
  }
  // What the modifier governs: its preposition, marker, copula, ...
  std::uint64_t set = 0, keys = 0;
  for (const std::int32_t c : children.of(modifier)) {
    const Atom& a = atoms[c];
    const std::uint64_t side = c < modifier ? 1 : 2;
    f.one(40, h.upos, m.upos, a.key, side);
    f.one(41, m.tag, a.form, side);
    f.one(42, h.lemma, a.key, m.upos, side);
    if (m.fine != 0) f.one(66, h.middle, a.key, m.fine, side);
    f.one(43, h.tag, m.tag, a.tag, side);
    set = set * 31 + a.upos;
    keys = keys * 31 + a.key;
    if (f.full()) break;
  }
  f.one(44, h.tag, m.tag, set);
  f.one(47, h.upos, m.tag, keys);
  f.one(48, h.lemma, m.upos, keys);
  if (set == 0) {
    f.one(45, h.upos, m.form);
    f.one(46, h.lemma, m.tag);
  }
  // What else its head governs: another subject, object, ...
  std::int32_t before = 0, after = 0;
  int place = 0;
  for (const std::int32_t s : children.of(head)) {
    if (s < modifier) before = s;
    if (s > modifier && after == 0) after = s;
    if (s < modifier && (s > head) == (modifier > head)) ++place;
    if (s == modifier) continue;
    const Atom& a = atoms[s];
    const std::uint64_t side = (s < modifier ? 1u : 2u) + (s < head ? 4u : 0u);
    f.one(50, h.upos, m.tag, a.key, side);
    f.one(51, m.key, a.key, side);
    f.one(56, h.tag, m.upos, a.key, side);
    f.one(57, h.upos, m.form, a.tag, side);
    if (f.full()) break;
  }
  f.one(52, h.tag, m.tag, before == 0 ? 0 : atoms[before].tag);
  f.one(53, h.tag, m.tag, after == 0 ? 0 : atoms[after].tag);
  f.one(54, h.tag, m.tag, static_cast<std::uint64_t>(std::min(place, 3)));
  f.one(55, h.lemma, m.upos, before == 0 ? 0 : atoms[before].upos,
        after == 0 ? 0 : atoms[after].upos);
}

}  // namespace entente::dependency
