// What SentenceSource tells of a place between two tokens, and of a whole sentence: its features.
#include <algorithm>

#include "tasks/tokens/sentence_source.h"
#include "tasks/tokens/templates.h"

namespace entente::tokens {
namespace {

int distance(int n) {
  return n < 5 ? n : n < 7 ? 5 : n < 10 ? 6 : n < 15 ? 7 : n < 25 ? 8 : n < 40 ? 9 : 10;
}

std::uint64_t few(std::uint32_t n) { return std::min<std::uint32_t>(n, 3); }

}  // namespace

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

void SentenceSource::lines(int i, Features& out) const {
  const Info &p = token(i - 1), &q = token(i), &b = token(i - 2), &r = token(i + 1);
  Templates t(0x580, out);
  // What stands before numbers came later than these features.
  const auto code = [](Abbreviation a) {
    return a == Abbreviation::kNumbered ? std::uint64_t{0} : static_cast<std::uint64_t>(a);
  };
  const std::uint64_t short_forms = code(p.abbreviation) * 4 + code(b.abbreviation);
  t.add(short_forms, p.kind, q.kind);
  t.add(short_forms, q.facts.opens(), q.capital);
  t.add(short_forms, q.facts.tag(), q.capital);
  t.add(short_forms, q.facts.tag(), q.facts.opens(), r.facts.tag());
  t.add(short_forms, q.hash);
  t.add(short_forms, q.capital, q.facts.capital(), q.facts.count());
  t.add(short_forms, p.hash, q.capital, q.facts.capital());
  if (layout_ == 0) return;
  if (!q.line) {
    t.add(1, layout_, p.kind, q.kind);
    return;
  }
  const Characters& c = *characters_;
  const std::uint32_t length = c[starts_[i] - 1].end - c[starts_[line_begin_[i - 1]]].begin;
  const std::uint64_t size = length < 20   ? 0
                             : length < 40 ? 1
                             : length < 60 ? 2
                             : length < 80 ? 3
                                           : 4;
  const std::uint64_t rest = length * 5 >= longest_line_ * 4 ? 3
                             : length * 2 >= longest_line_   ? 2
                                                             : 1;
  const std::uint64_t line = rest * 8 + size;
  const int tokens = i - line_begin_[i - 1];
  // How long the line that starts here is.
  int next = i + 1;
  while (next < paragraph_end_ && !tokens_[next].line && next - i < 40) ++next;
  const std::uint64_t title = is_title(line_begin_[i - 1], i) ? 1 : 0;
  t.add(2, title, p.kind, q.capital, size);
  t.add(2, title, p.kind, q.kind, is_title(i, next));
  t.add(2, title, line_begin_[i - 1] == paragraph_begin_, p.kind, q.capital);
  t.add(2, line, layout_);
  t.add(2, line, p.kind, q.kind);
  t.add(2, line, p.kind, q.capital, q.facts.capital());
  t.add(2, rest, layout_, p.kind, q.kind);
  t.add(2, rest, p.facts.tag(), q.facts.tag());
  t.add(2, rest, p.kind, q.facts.opens(), q.capital);
  t.add(2, size, distance(tokens), distance(next - i), q.capital);
  t.add(2, layout_, q.capital, p.kind, token(line_begin_[i - 1]).capital);
  t.add(2, p.hash, q.capital);
  t.add(2, q.hash, p.kind);
  t.add(2, style_, layout_, q.capital, p.kind);
}

void SentenceSource::cut(int j, Features& out) const {
  neighbours(begin_ + j, out);
  surroundings(begin_ + j, out);
  lines(begin_ + j, out);
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
  // Lines that begin within it.
  if (layout_ != 0) {
    const std::uint32_t within = sums_[end].lines - sums_[begin + 1].lines;
    t.add(layout_, few(within), last.kind);
    t.add(layout_, few(within), first.line, length);
  }
}

}  // namespace entente::tokens
