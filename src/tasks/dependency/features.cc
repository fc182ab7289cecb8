#include "tasks/dependency/features.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace entente::dependency {
namespace {

std::uint64_t cut(int n, int top) { return static_cast<std::uint64_t>(std::min(n, top)) + 1; }

// Where the arc stands to brackets and quotes.
std::uint64_t bracket_code(const Atoms& atoms, int h, int m) {
  const int p = atoms.partner(m);
  if (p != 0) {  // the modifier is one: is its head inside the pair?
    const bool inside = h > std::min(m, p) && h < std::max(m, p);
    return inside ? 2 : (atoms.enclosure(m) == (h == 0 ? 0 : atoms.enclosure(h)) ? 3 : 4);
  }
  if (h == 0) return atoms.enclosure(m) == 0 ? 5 : 6;
  if (atoms.enclosure(m) == atoms.enclosure(h)) return atoms.enclosure(m) == 0 ? 5 : 7;
  if (atoms.enclosure(m) == 0) return 8;
  return atoms.enclosure(h) == 0 ? 9 : 10;
}

}  // namespace

int distance_bucket(int distance) {
  const int d = std::abs(distance);
  if (d <= 5) return d;
  if (d <= 7) return 6;
  if (d <= 10) return 7;
  if (d <= 15) return 8;
  return d <= 25 ? 9 : 10;
}

void lean_arc_features(const Atoms& atoms, int head, int modifier, FeatureList& out) {
  const Atom &h = atoms[head], &m = atoms[modifier];
  const int step = head < modifier ? 1 : -1;  // from head to modifier
  const std::uint64_t direction = head < modifier ? 1 : 0;
  FeatureMaker f(out, 2 + direction, static_cast<std::uint64_t>(distance_bucket(head - modifier)));
  const Atom &hl = atoms[head - 1], &hr = atoms[head + 1];
  const Atom &ml = atoms[modifier - 1], &mr = atoms[modifier + 1];
  f.both(1, h.tag, m.tag);
  f.both(2, h.upos, m.upos);
  f.both(3, h.tag, m.form);
  f.both(4, h.lemma, m.tag);
  f.one(5, h.lemma, m.lemma);
  f.both(6, h.form);
  f.both(7, m.form);
  f.both(8, h.tag);
  f.both(9, m.tag);
  f.one(10, h.tag, m.tag, hl.tag, ml.tag);
  f.one(11, h.tag, m.tag, hl.tag, mr.tag);
  f.one(12, h.tag, m.tag, hr.tag, ml.tag);
  f.one(13, h.tag, m.tag, hr.tag, mr.tag);
  f.both(14, h.upos, m.upos, ml.upos, mr.upos);
  f.both(15, h.upos, m.upos, hl.upos, hr.upos);
  f.one(16, h.tag, m.suffix);
  f.one(17, h.upos, m.key, mr.key);
  f.one(18, h.upos, m.key, ml.key);
  const Between b = atoms.between(head, modifier);
  const std::uint64_t pair = mix(h.upos, m.upos);
  f.one(20, pair, cut(b.verbs, 3));
  f.one(21, pair, cut(b.punctuation, 3), cut(b.conjunctions, 1));
  f.one(22, pair, cut(b.commas, 2), cut(b.verbs, 2));
  f.one(23, pair, cut(b.nouns, 3), cut(b.verbs, 1));
  f.one(24, pair, bracket_code(atoms, head, modifier));
  f.one(25, h.tag, m.tag, atoms[modifier - step].tag, atoms[head + step].tag,
        atoms[head + 2 * step].tag);
  if ((h.middle | m.middle) != 0) {
    f.one(26, h.middle, m.middle);
    f.one(27, h.fine, m.tag);
    f.one(28, h.tag, m.fine);
  }
  if (head == 0) {
    f.one(30, m.tag, cut(atoms.between(0, modifier).verbs, 3));
    f.one(31, m.tag, cut(atoms.between(modifier, atoms.words() + 1).verbs, 3));
    f.one(32, m.lemma, cut(modifier, 4));
    f.one(33, m.tag, cut(atoms.words(), 10));
  }
}

void arc_features(const Atoms& atoms, int head, int modifier, FeatureList& out) {
  const Atom &h = atoms[head], &m = atoms[modifier];
  const std::uint64_t direction = head < modifier ? 1 : 0;
  FeatureMaker f(out, 4 + direction, static_cast<std::uint64_t>(distance_bucket(head - modifier)));
  // one word
  f.both(1, h.form);
  f.both(2, h.lemma, h.upos);
  f.both(3, h.tag);
  f.both(4, h.form, h.tag);
  f.both(5, m.form);
  f.both(6, m.lemma, m.upos);
  f.both(7, m.tag);
  f.both(8, m.form, m.tag);
  f.both(9, m.suffix, m.shape);
  f.both(10, h.suffix, h.shape);
  // the two
  f.both(11, h.tag, m.tag);
  f.both(12, h.upos, m.upos);
  f.both(13, h.form, m.tag);
  f.both(14, h.tag, m.form);
  f.both(15, h.lemma, m.upos);
  f.both(16, h.upos, m.lemma);
  f.both(17, h.form, m.form);
  f.both(18, h.lemma, m.lemma);
  f.both(19, h.form, h.tag, m.tag);
  f.both(20, h.tag, m.form, m.tag);
  f.both(21, h.lemma, h.tag, m.lemma, m.tag);
  f.both(22, h.suffix, m.tag);
  f.both(23, h.tag, m.suffix);
  f.one(24, h.suffix, m.suffix);
  f.one(25, h.lemma, m.suffix);
  f.one(26, h.suffix, m.lemma);
  f.one(27, h.prefix, m.upos);
  f.one(28, h.upos, m.prefix);
  f.one(29, h.upos, m.upos, h.shape, m.shape);
  if ((h.feats | m.feats) != 0) {
    f.both(30, h.upos, h.feats, m.upos, m.feats);
    f.both(31, h.feats, m.tag);
    f.both(32, h.tag, m.feats);
    f.one(33, h.lemma, m.feats);
    f.one(34, h.feats, m.lemma);
  }
  // their classes
  if ((h.fine | m.fine) != 0) {
    f.both(110, h.middle, m.middle);
    f.both(111, h.fine, m.fine);
    f.both(112, h.fine, m.tag);
    f.both(113, h.tag, m.fine);
    f.one(114, h.middle, m.lemma);
    f.one(115, h.lemma, m.middle);
    f.one(116, h.coarse, h.tag, m.coarse, m.tag);
    f.one(117, h.middle, h.upos, m.middle, m.upos);
    f.one(118, h.upos, m.fine, atoms[modifier - 1].middle);
    f.one(119, h.upos, m.fine, atoms[modifier + 1].middle);
    f.one(120, h.fine, m.upos, atoms[head + 1].middle);
  }
  // their neighbours
  const Atom &hl = atoms[head - 1], &hr = atoms[head + 1];
  const Atom &ml = atoms[modifier - 1], &mr = atoms[modifier + 1];
  const Atom &hll = atoms[head - 2], &hrr = atoms[std::min(head + 2, atoms.words() + 2)];
  const Atom &mll = atoms[modifier - 2], &mrr = atoms[modifier + 2];
  f.both(40, h.tag, m.tag, hl.tag, ml.tag);
  f.both(41, h.tag, m.tag, hl.tag, mr.tag);
  f.both(42, h.tag, m.tag, hr.tag, ml.tag);
  f.both(43, h.tag, m.tag, hr.tag, mr.tag);
  f.both(44, h.tag, m.tag, hl.tag);
  f.both(45, h.tag, m.tag, hr.tag);
  f.both(46, h.tag, m.tag, ml.tag);
  f.both(47, h.tag, m.tag, mr.tag);
  f.both(48, h.upos, m.upos, ml.upos, mr.upos, hl.upos, hr.upos);
  f.one(49, h.tag, m.tag, ml.tag, mll.tag);
  f.one(50, h.tag, m.tag, mr.tag, mrr.tag);
  f.one(51, h.tag, m.tag, hl.tag, hll.tag);
  f.one(52, h.tag, m.tag, hr.tag, hrr.tag);
  f.both(53, h.upos, m.tag, mr.form);
  f.both(54, h.upos, m.tag, ml.form);
  f.both(55, m.upos, h.tag, hr.form);
  f.both(56, m.upos, h.tag, hl.form);
  f.one(57, h.lemma, m.upos, ml.form);
  f.one(58, h.lemma, m.upos, mr.form);
  f.one(59, h.upos, m.lemma, ml.form);
  f.one(60, h.upos, m.lemma, mr.form);
  f.one(61, h.upos, m.form, ml.upos, mr.upos);
  f.one(62, h.form, m.upos, hl.upos, hr.upos);
  f.one(63, h.key, m.key, ml.key, mr.key);
  f.one(64, h.key, m.key, hl.key, hr.key);
  // what stands between
  const Between b = atoms.between(head, modifier);
  const std::uint64_t pair = f.hash(70, h.tag, m.tag), coarse = f.hash(71, h.upos, m.upos);
  f.one(72, pair, cut(b.verbs, 4));
  f.one(73, coarse, cut(b.punctuation, 4), cut(b.conjunctions, 2));
  f.one(74, coarse, cut(b.commas, 3), cut(b.verbs, 3));
  f.one(75, coarse, cut(b.nouns, 4), cut(b.verbs, 2));
  f.one(76, pair, cut(b.punctuation, 2), cut(b.conjunctions, 1), cut(b.verbs, 1));
  f.one(77, m.form, h.upos, cut(b.verbs, 2), cut(b.commas, 1));
  f.one(78, h.form, m.upos, cut(b.verbs, 2), cut(b.commas, 1));
  const std::uint64_t brackets = bracket_code(atoms, head, modifier);
  f.one(79, coarse, brackets);
  f.one(80, m.form, brackets);
  std::uint64_t set = atoms.slots_between(head, modifier);
  f.one(81, pair, set);
  for (; set != 0; set &= set - 1) {
    const std::uint64_t slot = static_cast<std::uint64_t>(std::countr_zero(set)) + 1;
    f.one(82, pair, slot);
    f.both(83, coarse, slot);
  }
  const int distance = std::abs(head - modifier);
  if (distance <= 4) {  // the very words between
    std::uint64_t path = pair, keys = coarse;
    for (int i = std::min(head, modifier) + 1; i < std::max(head, modifier); ++i) {
      path = mix(path, atoms[i].tag);
      keys = mix(keys, atoms[i].key);
    }
    f.one(84, path);
    f.one(85, keys);
  }
  // the place in the sentence
  const int after = atoms.words() - modifier;
  f.both(90, coarse, cut(modifier, 3), cut(after, 3));
  f.one(91, coarse, atoms[atoms.words()].form, cut(after, 1));
  if (head == 0) {
    f.one(92, m.tag, cut(atoms.between(0, modifier).verbs, 3));
    f.one(93, m.tag, cut(atoms.between(modifier, atoms.words() + 1).verbs, 3));
    f.one(94, m.lemma, cut(modifier, 4));
    f.one(95, m.tag, cut(atoms.words(), 10));
    f.one(96, m.upos, atoms[1].key, atoms[atoms.words()].form);
  }
}

namespace {

// Three words a, b and c of a pair of arcs; `paired` is the one whose pair with c matters most.
void triple_features(const Atom& a, const Atom& b, const Atom& c, const Atom& paired,
                     FeatureMaker& f) {
  f.both(1, a.tag, b.tag, c.tag);
  f.both(2, a.upos, b.upos, c.upos);
  f.both(3, paired.tag, c.tag);
  f.both(4, paired.upos, c.upos);
  f.one(5, a.form, b.tag, c.tag);
  f.one(6, a.tag, b.form, c.tag);
  f.one(7, a.tag, b.tag, c.form);
  f.one(8, a.lemma, b.upos, c.upos);
  f.one(9, a.upos, b.lemma, c.upos);
  f.one(10, a.upos, b.upos, c.lemma);
  f.both(11, paired.form, c.tag);
  f.both(12, paired.tag, c.form);
  if ((a.middle | b.middle | c.middle) != 0) {
    f.one(30, a.middle, b.middle, c.middle);
    f.one(31, paired.middle, c.middle);
    f.one(32, paired.fine, c.fine);
    f.one(33, a.fine, b.key, c.middle);
    f.one(34, a.upos, b.fine, c.middle);
  }
}

}  // namespace

void sibling_features(const Atoms& atoms, int head, int inner, int outer, FeatureList& out) {
  const int any = outer != 0 ? outer : inner;
  const std::uint64_t direction = head < any ? 1 : 0;
  const Atom& h = atoms[head];
  if (inner == 0 || outer == 0) {  // the first, or the last, on its side
    const Atom& m = atoms[any];
    FeatureMaker f(out, (inner == 0 ? 8 : 10) + direction,
                   static_cast<std::uint64_t>(distance_bucket(head - any)));
    f.both(1, h.tag, m.tag);
    f.both(2, h.upos, m.upos);
    f.both(3, h.lemma, m.tag);
    f.both(4, h.tag, m.form);
    f.one(5, h.lemma, m.lemma);
    f.one(6, h.lemma);
    f.one(7, h.tag);
    const int step = direction != 0 ? 1 : -1;
    const Atom& next = atoms[any + step];
    f.one(8, h.tag, m.tag, next.tag);
    f.one(9, h.upos, m.key, next.key);
    f.one(10, h.tag, m.tag, atoms[any - step].tag);
    f.one(11, h.key, m.key);
    const Between b = atoms.between(head, any);
    f.one(12, h.upos, m.upos, cut(b.verbs, 2), cut(b.punctuation, 2));
    return;
  }
  const Atom &s = atoms[inner], &m = atoms[outer];
  FeatureMaker f(out, 12 + direction, static_cast<std::uint64_t>(distance_bucket(inner - outer)));
  triple_features(h, s, m, s, f);
  f.both(13, s.form, m.form);
  f.one(14, s.lemma, m.lemma, h.upos);
  f.one(15, h.lemma, s.key, m.key);
  f.one(16, h.key, s.key, m.key);
  f.one(17, h.lemma, s.lemma, m.upos);
  f.one(18, h.lemma, s.upos, m.lemma);
  const Between b = atoms.between(inner, outer);
  const std::uint64_t triple = f.hash(20, h.upos, s.upos, m.upos);
  f.one(21, triple, cut(b.verbs, 2), cut(b.punctuation, 2), cut(b.conjunctions, 1));
  f.one(22, triple, cut(b.commas, 2), cut(b.nouns, 2));
  const int step = direction != 0 ? 1 : -1;
  f.one(23, h.tag, s.tag, m.tag, atoms[outer - step].tag);
  f.one(24, h.tag, s.tag, m.tag, atoms[inner + step].tag);
  f.one(25, triple, atoms[outer - 1].key, atoms[outer + 1].key);
  f.one(26, triple, cut(distance_bucket(head - inner), 4), cut(distance_bucket(inner - outer), 6));
}

void grandparent_features(const Atoms& atoms, int upper, int head, int modifier, FeatureList& out) {
  const Atom &g = atoms[upper], &h = atoms[head], &m = atoms[modifier];
  // The order of the three, and whether the modifier stands between the other two.
  const std::uint64_t directions = (upper < head ? 1u : 0u) + (head < modifier ? 2u : 0u) +
                                   ((upper < modifier) != (head < modifier) ? 4u : 0u);
  FeatureMaker f(out, 16 + directions,
                 static_cast<std::uint64_t>(distance_bucket(head - modifier)));
  triple_features(g, h, m, g, f);
  f.one(13, g.form, m.form);
  f.one(14, g.lemma, m.lemma, h.upos);
  f.one(15, g.lemma, h.key, m.key);
  f.one(16, g.key, h.key, m.key);
  f.one(17, g.lemma, h.lemma, m.upos);
  f.one(18, g.upos, h.lemma, m.lemma);
  f.one(19, g.lemma, h.upos, m.lemma, h.suffix);
  const std::uint64_t triple = f.hash(20, g.upos, h.upos, m.upos);
  const Between b = atoms.between(upper, head);
  f.one(21, triple, cut(b.verbs, 2), cut(b.punctuation, 2), cut(b.conjunctions, 1));
  f.one(22, triple, cut(distance_bucket(upper - head), 8),
        cut(distance_bucket(head - modifier), 4));
  f.one(23, g.tag, h.tag, m.tag, atoms[modifier - 1].tag, atoms[modifier + 1].tag);
  f.one(24, triple, atoms[modifier + 1].key);
  f.one(25, triple, atoms[head - 1].key, atoms[head + 1].key);
}

void labelled_arc_features(const Atoms& atoms, int head, int modifier, FeatureList& out) {
  const Atom &h = atoms[head], &m = atoms[modifier];
  const std::uint64_t direction = head < modifier ? 1 : 0;
  FeatureMaker f(out, 60 + direction, static_cast<std::uint64_t>(distance_bucket(head - modifier)));
  f.both(0, h.upos, m.upos);
  f.both(1, h.tag, m.tag);
  f.one(2, m.form);
  f.one(3, h.upos, m.form);
  f.one(4, h.upos, m.lemma);
  f.one(5, h.lemma, m.upos);
  f.one(6, h.lemma, m.tag);
  f.one(7, h.lemma, m.lemma);
  f.one(8, h.upos, m.tag, atoms[modifier - 1].key);
  f.one(9, h.upos, m.tag, atoms[modifier + 1].key);
  f.one(10, h.tag, m.tag, atoms[modifier - 1].tag);
  f.one(11, h.tag, m.tag, atoms[modifier + 1].tag);
  f.one(12, h.upos, m.tag, m.suffix);
  if (m.feats != 0) f.one(13, h.tag, m.upos, m.feats);
  if ((h.fine | m.fine) != 0) {
    f.one(15, h.upos, m.fine);
    f.one(16, h.fine, m.upos);
    f.one(17, h.middle, m.middle);
    f.one(18, h.lemma, m.middle);
  }
  const Between b = atoms.between(head, modifier);
  f.one(14, h.upos, m.upos, static_cast<std::uint64_t>(std::min(b.verbs, 2)),
        static_cast<std::uint64_t>(std::min(b.commas, 2)));
}

}  // namespace entente::dependency
