// Features of ordered pairs of mentions.
#include <algorithm>
#include <string>

#include "tasks/relations/feature_words.h"
#include "tasks/relations/features.h"

namespace entente::relations {

FeatureMaker::Pair FeatureMaker::make_pair(const Mention& head, const Mention& tail) const {
  const bool forward = head.begin < tail.begin;
  Pair p;
  p.first = forward ? head : tail;
  p.second = forward ? tail : head;
  p.head = phrase(head);
  p.tail = phrase(tail);
  p.way = forward ? id("forward") : id("backward");
  p.words = p.second.begin - p.first.end;
  p.mentions = 0;
  for (const Mention& m : passage_->mentions) {
    p.mentions += m.begin >= p.first.end && m.end <= p.second.begin;
  }
  p.guesses = join(p.head.guess, p.tail.guess);
  p.looks = join(atoms_[head.end - 1].shape, atoms_[tail.end - 1].shape, p.head.gazetteer,
                 p.tail.gazetteer);
  return p;
}

void FeatureMaker::argument(const Mention& at, const Phrase& p, std::uint64_t slot,
                            Features& out) const {
  const Atom &first = atoms_[at.begin], &last = atoms_[at.end - 1];
  const Atom &left = atom(at.begin - 1), &right = atom(at.end);
  add(out, id("arg phrase"), slot, p.lower);
  add(out, id("arg shape"), slot, p.shape);
  add(out, id("arg tags"), slot, p.tags);
  add(out, id("arg guess"), slot, p.guess);
  add(out, id("arg length"), slot, std::min(at.end - at.begin, 5));
  add_bits(out, join(id("arg list"), slot), p.gazetteer);
  add_bits(out, join(id("arg first list"), slot), p.first);
  add_bits(out, join(id("arg last list"), slot), p.last);
  add(out, id("arg first"), slot, first.lower);
  add(out, id("arg last"), slot, last.lower);
  add(out, id("arg suffix3"), slot, last.suffix3);
  for (int i = at.begin; i < at.end; ++i) add(out, id("arg word"), slot, atoms_[i].lower);
  add(out, id("arg left"), slot, left.lower);
  add(out, id("arg right"), slot, right.lower);
  add(out, id("arg left tag"), slot, left.tag);
  add(out, id("arg right tag"), slot, right.tag);
  add(out, id("arg left2"), slot, atom(at.begin - 2).lower, left.lower);
  add(out, id("arg right2"), slot, right.lower, atom(at.end + 1).lower);
}

void FeatureMaker::distance(const Pair& p, Features& out) const {
  const int mentions = std::min(p.mentions, 4), words = bucket(p.words);
  add(out, id("way"), p.way);
  add(out, id("distance"), p.way, words);
  add(out, id("mentions"), p.way, mentions);
  add(out, id("distances"), p.way, words, mentions);
  add(out, id("guesses"), p.guesses);
  add(out, id("guesses way"), p.guesses, p.way, std::min(mentions, 2));
  add(out, id("guesses distance"), p.guesses, p.way, words);
  add(out, id("pair lists"), p.head.gazetteer, p.tail.gazetteer, p.way);
}

// What a noun or verb between the two means, with the word behind it: "slain by", "murder of".
void FeatureMaker::meanings(const Pair& p, int i, Features& out) const {
  const std::uint64_t next = i + 1 == p.second.begin   ? id("END")
                             : mention_at_[i + 1] >= 0 ? id("MENTION")
                                                       : atoms_[i + 1].lower;
  for (std::uint32_t c : atoms_[i].classes) {
    add(out, id("meaning"), p.way, c);
    add(out, id("meaning next"), p.way, c, next);
  }
}

// A word between the two that is in no mention.
void FeatureMaker::word_between(const Pair& p, int i, Features& out) const {
  const Atom& w = atoms_[i];
  const std::string& tag = passage_->tags[i];
  add(out, id("between"), p.way, w.lower);
  add(out, id("between head"), p.way, w.stem, p.head.guess);
  add(out, id("between tail"), p.way, w.stem, p.tail.guess);
  add(out, id("between looks"), p.way, w.lower, p.looks);
  if (tag.starts_with("VB")) add(out, id("verb"), p.way, w.stem);
  if (tag.starts_with("NN") && (w.gazetteer & Gazetteer::kRole)) {
    add(out, id("role between"), p.way);
    add(out, id("role near"), p.way, i - p.first.end <= 2, p.second.begin - i <= 2);
  }
}

// What stands between, other mentions as one sign each: "said in MENTION that".
void FeatureMaker::between(const Pair& p, Features& out) const {
  std::uint64_t sequence = id("sequence"), tags = id("tags"), content = id("content");
  std::uint64_t verbs = id("verbs"), last = p.way, last_stem = p.way;
  int length = 0;
  for (int i = p.first.end; i < p.second.begin; ++i) {
    const bool inside = mention_at_[i] >= 0;
    if (inside && i > p.first.end && mention_at_[i - 1] == mention_at_[i]) continue;
    const Atom& w = atoms_[i];
    const std::string& tag = passage_->tags[i];
    const std::uint64_t word = inside ? id("MENTION") : w.lower;
    ++length;
    sequence = mix(sequence, word);
    tags = mix(tags, inside ? word : w.tag);
    if (!tag.starts_with("JJ") && !tag.starts_with("RB") && tag != "DT" && tag != "CD") {
      content = mix(content, tag.starts_with("NNP") ? id("NNP") : word);
    }
    add(out, id("between bigram"), p.way, last, word);
    last = word;
    if (inside) {
      add(out, id("between phrase"), p.way, phrase_at(i).guess);
      continue;
    }
    word_between(p, i, out);
    meanings(p, i, out);
    if (tag.starts_with("VB")) verbs = mix(verbs, w.stem);
    if (!tag.starts_with("DT") && !tag.starts_with("JJ")) {
      add(out, id("stems"), p.way, last_stem, w.stem);
      last_stem = w.stem;
    }
  }
  add(out, id("between bigram"), p.way, last, id("END"));
  add(out, id("verbs"), p.way, verbs);
  if (length <= 10) {
    add(out, id("content"), p.way, content);
    add(out, id("content guesses"), p.way, content, p.guesses);
  }
  if (length <= 8) add(out, id("tag sequence"), p.way, tags);
  if (length > 6) return;
  add(out, id("sequence"), p.way, sequence);
  add(out, id("sequence head"), p.way, sequence, p.head.guess);
  add(out, id("sequence tail"), p.way, sequence, p.tail.guess);
  add(out, id("sequence looks"), p.way, sequence, p.looks);
  add(out, id("sequence tags"), p.way, sequence, p.head.tags, p.tail.tags);
}

void FeatureMaker::around(const Pair& p, Features& out) const {
  const Atom &before = atom(p.first.begin - 1), &after = atom(p.second.end);
  const int words = bucket(p.words);
  for (int d = 1; d <= 3; ++d) {
    add(out, id("before"), p.way, atom(p.first.begin - d).lower);
    add(out, id("after"), p.way, atom(p.second.end + d - 1).lower);
  }
  add(out, id("before1"), p.way, before.lower, words);
  add(out, id("after1"), p.way, after.lower, words);
  add(out, id("before after"), p.way, before.lower, after.lower);
  if (p.words > 0) {
    const Atom &x = atoms_[p.first.end], &y = atoms_[p.second.begin - 1];
    add(out, id("first between"), p.way, x.lower);
    add(out, id("last between"), p.way, y.lower);
    add(out, id("ends between"), p.way, x.lower, y.lower);
    add(out, id("before first"), p.way, before.lower, x.lower, p.words == 1);
    add(out, id("last after"), p.way, y.lower, after.lower, p.words == 1);
    add(out, id("before last"), p.way, before.lower, y.lower);
  }
  // "CNN reporter David McKinley", "David McKinley, a CNN reporter"
  add(out, id("role after"), p.way, (after.gazetteer & Gazetteer::kRole) != 0, words);
  add(out, id("role before"), p.way, (before.gazetteer & Gazetteer::kRole) != 0, words);
  add(out, id("start"), p.way, p.first.begin == 0,
      (atoms_[p.first.begin].flags & WordShape::kAllUpper) != 0);
  add(out, id("same"), p.head.lower == p.tail.lower);
}

void FeatureMaker::sentence(const Pair& p, Features& out) const {
  const int mentions = passage_->mention_count();
  int first = 0;  // mentions before the first of the two
  for (const Mention& m : passage_->mentions) first += m.end <= p.first.begin;
  const int second = first + 1 + p.mentions;
  add(out, id("count"), p.way, std::min(mentions, 6));
  add(out, id("places"), p.way, std::min(first, 4), std::min(second, 4), std::min(mentions, 4));
  for (int i = 0; i < passage_->size(); ++i) {
    const std::string& tag = passage_->tags[i];
    if (mention_at_[i] >= 0 || (!tag.starts_with("VB") && !tag.starts_with("NN"))) continue;
    const int where = i < p.first.begin ? 0 : i < p.second.begin ? 1 : 2;
    add(out, id("content word"), atoms_[i].stem, where, p.way);
    add(out, id("content word any"), atoms_[i].stem);
  }
}

// Another mention of the same name that stands nearer is the likelier argument.
void FeatureMaker::namesakes(const Pair& p, Features& out) const {
  const auto nearer = [&](const Mention& m, const Mention& other) {
    for (const Mention& o : passage_->mentions) {
      if (o.begin == m.begin || o.begin == other.begin) continue;
      if (atoms_[o.end - 1].lower != atoms_[m.end - 1].lower) continue;
      const int far = m.begin < other.begin ? other.begin - m.end : m.begin - other.end;
      const int near = o.begin < other.begin ? other.begin - o.end : o.begin - other.end;
      if (near < far) return 2;
      return 1;
    }
    return 0;
  };
  const int first = nearer(p.first, p.second), second = nearer(p.second, p.first);
  if (first) add(out, id("first namesake"), p.way, first);
  if (second) add(out, id("second namesake"), p.way, second);
}

void FeatureMaker::pair(const Mention& head, const Mention& tail, Features& out) {
  out.clear();
  add(out, id("bias"));
  const Pair p = make_pair(head, tail);
  argument(head, p.head, id("head"), out);
  argument(tail, p.tail, id("tail"), out);
  distance(p, out);
  between(p, out);
  around(p, out);
  sentence(p, out);
  namesakes(p, out);
}

}  // namespace entente::relations
