#include "tasks/tokens/sentence_source.h"

#include <algorithm>

#include "tasks/tokens/templates.h"

namespace entente::tokens {
namespace {

bool is_sign(CharClass kind, char sign) { return kind == class_of_ascii(sign); }

bool is_stop(CharClass k) {
  return k == kStop || is_sign(k, '.') || is_sign(k, '!') || is_sign(k, '?');
}

int distance(int n) {
  return n < 5 ? n : n < 7 ? 5 : n < 10 ? 6 : n < 15 ? 7 : n < 25 ? 8 : n < 40 ? 9 : 10;
}

std::uint64_t few(std::uint32_t n) { return std::min<std::uint32_t>(n, 3); }

}  // namespace

SentenceSource::Kind SentenceSource::kind_of(const Characters& c, int begin, int end) {
  const CharClass first = c[begin].kind, last = c[end - 1].kind;
  const int size = end - begin;
  if (is_word_class(first)) {
    bool digits = true, upper = true, lower_inside = true;
    for (int k = begin; k < std::min(end, begin + 100); ++k) {
      const CharClass kind = c[k].kind;
      if (is_sign(kind, '@') || is_sign(kind, '/')) {
        if (size > 4 && !digits) return kAddress;
      }
      digits &= !is_letter(kind);
      upper &= kind != kLower;
      lower_inside &= k == begin || kind != kUpper;
    }
    if (is_sign(last, '.') || is_sign(last, ')')) {
      return digits || (size == 2 && first == kLower) ? kNumbered : kAbbreviation;
    }
    if (digits) return kNumber;
    if (first == kUpper) {
      return size == 1 ? kInitial : lower_inside ? kCapitalised : upper ? kCapitals : kMixed;
    }
    return lower_inside ? kSmall : kMixed;
  }
  if (is_stop(first)) {
    if (size == 1) return kStops;
    return is_stop(last) ? (is_sign(first, '.') && is_sign(last, '.') ? kDots : kStops) : kFace;
  }
  if (first == kEllipsis) return kDots;
  if (size > 1 && first != last) return kFace;
  if (is_sign(first, ',')) return kComma;
  if (is_sign(first, ':')) return kColon;
  if (is_sign(first, ';')) return kSemicolon;
  if (first == kDash || is_sign(first, '-')) return kHyphen;
  if (first == kOpenQuote || is_sign(first, '(') || is_sign(first, '[')) return kOpen;
  if (first == kCloseQuote || is_sign(first, ')') || is_sign(first, ']')) return kClose;
  if (is_sign(first, '"') || is_sign(first, '\'') || is_sign(first, '`')) return kQuote;
  return kOther;
}

SentenceSource::Info SentenceSource::describe(int begin, int end) const {
  const Characters& c = *characters_;
  Info info;
  info.hash = 0;
  info.facts = lexicon_.find_or_guess(c, begin, end);
  // A word the lexicon does not know has no name of its own.
  info.hash = info.facts.count() > 0 ? c.hash(begin, end) : LexiconView::suffix_key(c, begin, end);
  info.kind = kind_of(c, begin, end);
  info.space = c[begin].before != Gap::kNone;
  info.capital = c[begin].kind == kUpper;
  info.first = c[begin].kind;
  info.last = c[end - 1].kind;
  info.length = static_cast<std::uint8_t>(std::min(end - begin, 255));
  return info;
}

void SentenceSource::start(const Characters& characters, std::span<const int> token_ends) {
  characters_ = &characters;
  starts_.assign(1, 0);
  tokens_.clear();
  for (const int end : token_ends) {
    tokens_.push_back(describe(starts_.back(), end));
    starts_.push_back(end);
  }
  sums_.assign(tokens_.size() + 1, {});
  constexpr std::uint32_t kVerb = 16, kAux = 4, kFinite = 32;
  for (int i = 0; i < size(); ++i) {
    const Info& t = tokens_[i];
    Sums s = sums_[i];
    const std::uint32_t tag = t.facts.tag();
    s.verbs += (tag & 31) == kVerb || (tag & 31) == kAux;
    s.finite += (tag & kFinite) != 0;
    s.capitals += t.capital;
    s.words += is_letter(static_cast<CharClass>(t.first));
    s.open += t.kind == kOpen;
    s.close += t.kind == kClose;
    s.quotes += t.kind == kQuote;
    const bool stop = t.kind == kStops || t.kind == kDots;
    s.stops += stop;
    s.since_stop = stop ? 0 : s.since_stop + 1;
    sums_[i + 1] = s;
  }
  for (int i = size() - 1; i >= 0; --i) {
    const bool stop = tokens_[i].kind == kStops || tokens_[i].kind == kDots;
    sums_[i].until_stop = stop ? 0 : sums_[i + 1].until_stop + 1;
  }
  paragraph_begin_ = paragraph_end_ = 0;
}

bool SentenceSource::starts_paragraph(int i) const {
  return (*characters_)[starts_[i]].before == Gap::kBlankLine;
}

void SentenceSource::focus(int begin, int end) {
  begin_ = begin;
  end_ = end;
  if (begin >= paragraph_begin_ && end <= paragraph_end_) return;
  paragraph_begin_ = begin;
  for (paragraph_end_ = end; paragraph_end_ < size(); ++paragraph_end_) {
    if (starts_paragraph(paragraph_end_)) break;
  }
  describe_paragraph();
}

void SentenceSource::describe_paragraph() {
  const Sums &a = sums_[paragraph_begin_], &b = sums_[paragraph_end_];
  const std::uint32_t words = b.words - a.words, capitals = b.capitals - a.capitals;
  const std::uint32_t stops = b.stops - a.stops;
  const std::uint64_t cases = capitals == 0              ? 0
                              : capitals * 20 < words    ? 1
                              : capitals * 3 < words     ? 2
                              : capitals * 3 < words * 2 ? 3
                                                         : 4;
  const auto tokens = static_cast<std::uint32_t>(paragraph_end_ - paragraph_begin_);
  const std::uint64_t stopped = stops == 0            ? 0
                                : stops * 40 < tokens ? 1
                                : stops * 15 < tokens ? 2
                                                      : 3;
  style_ = cases * 4 + stopped;
}

const SentenceSource::Info& SentenceSource::token(int i) const {
  static const Info kNone;
  return i < paragraph_begin_ || i >= paragraph_end_ ? kNone : tokens_[i];
}

void SentenceSource::neighbours(int i, Features& out) const {
  const Info &a = token(i - 3), &b = token(i - 2), &p = token(i - 1), &q = token(i),
             &r = token(i + 1), &s = token(i + 2);
  const std::uint64_t kinds = mix(p.kind, q.kind + 64 * q.space);
  const std::uint64_t ta = a.facts.tag(), tb = b.facts.tag(), tp = p.facts.tag(),
                      tq = q.facts.tag(), tr = r.facts.tag(), ts = s.facts.tag();
  Templates t(0x400, out);
  t.add();
  t.add(p.hash);
  t.add(q.hash);
  t.add(b.hash);
  t.add(r.hash);
  t.add(q.hash, q.capital);
  t.add(p.hash, q.hash);
  t.add(b.hash, p.hash);
  t.add(q.hash, r.hash);
  t.add(b.hash, kinds);
  t.add(p.hash, kinds);
  t.add(q.hash, kinds);
  t.add(r.hash, kinds);
  t.add(b.hash, p.hash, q.kind);
  t.add(p.kind, q.hash, r.hash);
  t.add(kinds);
  t.add(kinds, b.kind);
  t.add(kinds, r.kind);
  t.add(kinds, b.kind, r.kind);
  t.add(kinds, a.kind, b.kind, r.kind, s.kind);
  t.add(kinds, a.kind, b.kind);
  t.add(kinds, r.kind, s.kind);
  t.add(tp, tq);
  t.add(tp, tq, kinds);
  t.add(tb, tp, tq, kinds);
  t.add(tp, tq, tr, kinds);
  t.add(tb, tp, tq, tr);
  t.add(tq, tr, ts, p.kind, q.capital);
  t.add(ta, tb, tp, q.kind);
  t.add(tq, tr, kinds);
  t.add(tb, tp, kinds);
  t.add(tq, p.kind, q.capital);
  t.add(kinds, q.facts.capital());
  t.add(p.kind, q.capital, q.facts.capital(), q.facts.opens());
  t.add(p.kind, q.capital, q.facts.opens(), p.facts.closes());
  t.add(q.kind, p.kind, p.facts.closes(), p.facts.count());
  t.add(q.kind, q.facts.count(), q.facts.capital(), p.kind);
  t.add(kinds, p.last, q.first);
  t.add(kinds, std::min<int>(p.length, 5), std::min<int>(q.length, 5));
  t.add(p.kind, b.hash, q.capital, q.facts.capital());
  t.add(kinds, p.facts.capital(), r.facts.capital(), r.capital);
}

void SentenceSource::surroundings(int i, Features& out) const {
  const Info &p = token(i - 1), &q = token(i);
  const Sums &here = sums_[i], &from = sums_[paragraph_begin_], &to = sums_[paragraph_end_];
  const std::uint64_t kinds = mix(p.kind, q.kind + 64 * q.space);
  const int before = i - paragraph_begin_, after = paragraph_end_ - i;
  const std::uint64_t since = distance(std::min<int>(static_cast<int>(here.since_stop), before));
  const std::uint64_t until = distance(std::min<int>(static_cast<int>(here.until_stop), after));
  const std::uint64_t ahead = here.until_stop >= static_cast<std::uint32_t>(after);
  const Sums& lately = sums_[std::max(paragraph_begin_, i - 40)];
  const int open = std::clamp(
      static_cast<int>(here.open - lately.open) - static_cast<int>(here.close - lately.close), -1,
      2);
  const std::uint64_t quote = (here.quotes - from.quotes) & 1;
  const std::uint64_t quotes_left = std::min<std::uint32_t>(2, to.quotes - here.quotes);
  int capitals_before = 0, capitals_after = 0;
  while (capitals_before < 4 && token(i - 1 - capitals_before).capital) ++capitals_before;
  while (capitals_after < 4 && token(i + capitals_after).capital) ++capitals_after;
  Templates t(0x500, out);
  t.add(kinds, style_);
  t.add(kinds, style_, q.facts.capital());
  t.add(kinds, since, until);
  t.add(kinds, until, ahead);
  t.add(kinds, since);
  t.add(kinds, distance(before), distance(after));
  t.add(kinds, distance(before));
  t.add(kinds, distance(after));
  t.add(kinds, distance(before + after));
  t.add(kinds, open, quote, quotes_left);
  t.add(kinds, capitals_before, capitals_after);
  t.add(q.hash, distance(before));
  t.add(p.hash, distance(before));
  t.add(q.hash, distance(after));
  t.add(p.kind, q.kind, style_, p.facts.tag(), q.facts.tag());
  const Sums& near = sums_[std::max(paragraph_begin_, i - 8)];
  const Sums& next = sums_[std::min(paragraph_end_, i + 8)];
  t.add(kinds, few(here.finite - near.finite), few(next.finite - here.finite));
  t.add(kinds, few(here.verbs - near.verbs), few(next.verbs - here.verbs), q.facts.tag());
}

void SentenceSource::cut(int j, Features& out) const {
  neighbours(begin_ + j, out);
  surroundings(begin_ + j, out);
}

void SentenceSource::segment(int i, int j, Features& out) const {
  const int begin = begin_ + i, end = begin_ + j;
  const Info &first = tokens_[begin], &last = tokens_[end - 1];
  const Sums &a = sums_[begin], &b = sums_[end];
  const std::uint64_t length = distance(j - i);
  const std::uint64_t edges = (begin == paragraph_begin_ ? 1 : 0) + (end == paragraph_end_ ? 2 : 0);
  const std::uint64_t finite = few(b.finite - a.finite), verbs = few(b.verbs - a.verbs);
  const std::uint32_t words = b.words - a.words, capitals = b.capitals - a.capitals;
  const std::uint64_t cases = words == 0 ? 0 : 1 + capitals * 4 / words;
  const std::uint64_t stops = few(b.stops - a.stops);
  Templates t(0x600, out);
  t.add(length, edges);
  t.add(length, last.kind, first.kind);
  t.add(length, last.kind, finite);
  t.add(length, first.facts.tag(), verbs, last.kind);
  t.add(length, cases, last.kind);
  t.add(static_cast<int>(b.open - a.open) - static_cast<int>(b.close - a.close),
        (b.quotes - a.quotes) & 1, last.kind);
  t.add(stops, last.kind, length);
  t.add(first.kind, last.kind, edges, verbs);
  t.add(first.hash, last.kind, distance(j - i) / 3);
}

}  // namespace entente::tokens
