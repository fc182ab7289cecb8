#include "tasks/tokens/sentence_source.h"

#include <algorithm>

namespace entente::tokens {
namespace {

bool is_sign(CharClass kind, char sign) { return kind == class_of_ascii(sign); }

bool is_stop(CharClass k) {
  return k == kStop || is_sign(k, '.') || is_sign(k, '!') || is_sign(k, '?');
}

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
  info.line = c[begin].before == Gap::kLine || c[begin].before == Gap::kBlankLine;
  info.abbreviation = abbreviation(c, begin, end);
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
  line_begin_.clear();
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
    s.lines += t.line;
    sums_[i + 1] = s;
    line_begin_.push_back(i == 0 || t.line ? i : line_begin_.back());
  }
  for (int i = size() - 1; i >= 0; --i) {
    const bool stop = tokens_[i].kind == kStops || tokens_[i].kind == kDots;
    sums_[i].until_stop = stop ? 0 : sums_[i + 1].until_stop + 1;
  }
  paragraph_begin_ = paragraph_end_ = 0;
  find_blocks();
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
  // Lines: their lengths, but for the last, which may be short anyway.
  const Characters& c = *characters_;
  longest_line_ = 0;
  int count = 0, full = 0;
  const auto each = [&](auto use) {
    for (int i = paragraph_begin_ + 1; i < paragraph_end_; ++i) {
      if (tokens_[i].line) use(c[starts_[i] - 1].end - c[starts_[line_begin_[i - 1]]].begin);
    }
  };
  each([&](std::uint32_t length) {
    longest_line_ = std::max(longest_line_, length);
    ++count;
  });
  each([&](std::uint32_t length) { full += length * 5 >= longest_line_ * 4; });
  const int looks = full * 10 >= count * 9 ? 3 : full * 3 >= count * 2 ? 2 : 1;
  layout_ = count == 0 ? 0 : static_cast<std::uint64_t>(looks) * 4 + std::min(count, 3);
}

}  // namespace entente::tokens
