#include "tasks/tokens/token_source.h"

#include <algorithm>
#include <array>

#include "tasks/tokens/patterns.h"
#include "tasks/tokens/templates.h"

namespace entente::tokens {
namespace {

std::size_t index_of(const Characters& c, int k) {
  return (std::size_t{c[k - 1].kind} * kClasses + c[k].kind) * 2 + (c[k].before != Gap::kNone);
}

// "-----": nothing can be told from its middle, and it may be long.
bool is_within_run(const Characters& c, int k) {
  constexpr int kSides = 4;
  if (k < kSides || k + kSides > c.size()) return false;
  for (int i = k - kSides; i < k + kSides; ++i) {
    if (c[i].code != c[k].code) return false;
  }
  return true;
}

bool is_bracket_or_picture(const Character& c) {
  return c.kind == kSymbol || c.code == '>' || c.code == '%' || c.code == '`';
}

int length_bucket(int n) { return n < 8 ? n : n < 12 ? 8 : n < 20 ? 9 : n < 40 ? 10 : 11; }

}  // namespace

bool GapTable::is_open(const Characters& c, int k) const {
  const Gap before = c[k].before;
  if (before != Gap::kNone && before != Gap::kOneSpace) return false;
  constexpr char32_t kJoiner = 0x200D;
  if (before == Gap::kNone && c[k - 1].code == kJoiner) return false;
  return open_[index_of(c, k)] != 0 && !is_within_run(c, k);
}

std::vector<std::uint8_t> GapTable::learn(std::span<const Paragraph> paragraphs) {
  std::vector<std::int64_t> all(kSize), ends(kSize);
  Characters c;
  for (const Paragraph& p : paragraphs) {
    c.read(p.text);
    std::size_t token = 0;
    for (int k = 1; k < c.size(); ++k) {
      const bool is_end = token < p.tokens.size() && p.tokens[token].end <= c[k].begin;
      all[index_of(c, k)] += 1;
      ends[index_of(c, k)] += is_end;
      if (is_end) ++token;
    }
  }
  std::vector<std::uint8_t> open(kSize);
  for (int left = 0; left < kClasses; ++left) {
    for (int right = 0; right < kClasses; ++right) {
      const std::size_t at = (static_cast<std::size_t>(left) * kClasses + right) * 2;
      const bool words = is_word_class(static_cast<CharClass>(left)) &&
                         is_word_class(static_cast<CharClass>(right));
      const double rate =
          all[at] == 0 ? 0 : static_cast<double>(ends[at]) / static_cast<double>(all[at]);
      open[at] = right != kMark && (all[at] < 20 ? !words || ends[at] > 0 : rate > 0.0005);
      // Words with spaces in them: only where the treebank has them as a habit.
      const std::int64_t joined = all[at + 1] - ends[at + 1];
      open[at + 1] = joined >= 10 && joined * 200 > all[at + 1];
    }
  }
  return open;
}

void TokenSource::start(const Characters& characters) {
  characters_ = &characters;
  starts_.assign(1, 0);
}

// Whether the full stop at the end of chunk [begin, end) is one of its own whatever the model says:
// "Sweden." An abbreviation that the training text does not have is short (in EWT: five letters at
// most), so long words are none; nor are words known without it, or at the very end of a text.
bool TokenSource::ends_with_stop(int begin, int end) const {
  constexpr int kLong = 6, kMiddling = 4;
  const Characters& c = *characters_;
  const int stop = end - 1;
  if (stop <= begin || c[stop].code != '.' || !gaps_.is_open(c, stop)) return false;
  if (is_bracket_or_picture(c[stop - 1])) return true;
  int first = stop;
  while (first > begin && is_letter(c[first - 1].kind)) --first;
  const CharClass before = first == begin ? kSpace : c[first - 1].kind;
  if (before != kSpace && before != kOpenQuote && before != class_of_ascii('(') &&
      before != class_of_ascii('"') && before != class_of_ascii('-')) {
    return false;
  }
  const int letters = stop - first;
  if (letters < 2 || lexicon_.find(c.hash(first, end)).count() > 0 ||
      abbreviation(c, first, end) != Abbreviation::kNone) {
    return false;
  }
  const bool last = end == c.size() || c[end].before == Gap::kBlankLine;
  const bool known = lexicon_.find(c.hash(first, stop)).count() > 0;
  return letters >= kLong || last || (letters >= kMiddling && known);
}

// Where the next pattern that is one token starts, if one does before the next space; else the full
// stop that ends the chunk, if it is surely one; else the end of the text.
int TokenSource::end_of_chunk(int begin) const {
  const Characters& c = *characters_;
  int end = begin + 1;
  while (end < c.size() && c[end].before == Gap::kNone && end - begin < kLongestChunk) ++end;
  for (int k = begin + 1; k < end; ++k) {
    if (c[k - 1].code == '@' || c[k - 1].code == '#') continue;
    if (pattern_end(c, k, end) > k) return k;
  }
  const bool whole = end == c.size() || c[end].before != Gap::kNone;
  return whole && ends_with_stop(begin, end) ? end - 1 : c.size();
}

int TokenSource::pattern_end_at(int begin) const {
  const Characters& c = *characters_;
  int end = begin + 1;
  while (end < c.size() && c[end].before == Gap::kNone && end - begin < kLongestChunk) ++end;
  return pattern_end(c, begin, end);
}

bool TokenSource::next_chunk() {
  const Characters& c = *characters_;
  const int begin = starts_.back();
  if (begin >= c.size()) return false;
  starts_.assign(1, begin);
  is_cut_ = false;
  if (const int stop = pattern_end_at(begin); stop > begin) {
    starts_.push_back(stop);
    return true;
  }
  const int limit = end_of_chunk(begin);
  for (int k = begin + 1;; ++k) {
    if (k == limit) {
      starts_.push_back(k);
      break;
    }
    is_cut_ = pieces() == kMostPieces;
    if (is_cut_) break;
    if (gaps_.is_open(c, k)) {
      starts_.push_back(k);
    } else if (c[k].before != Gap::kNone) {
      starts_.push_back(k);
      break;
    }
  }
  if (pieces() > 1) describe_chunk();
  return true;
}

void TokenSource::describe_chunk() {
  const Characters& c = *characters_;
  const int begin = starts_.front(), end = starts_.back();
  const CharClass at = class_of_ascii('@'), dot = class_of_ascii('.');
  const CharClass slash = class_of_ascii('/');
  bool slashes = false, has_at = false;
  int dots = 0, letters = 0;
  for (int k = begin; k < std::min(end, begin + 200); ++k) {
    const CharClass kind = c[k].kind;
    slashes |= k > begin && kind == slash && c[k - 1].kind == slash;
    has_at |= kind == at && k > begin && k + 1 < end;
    dots += kind == dot && k + 1 < end && is_letter(c[k + 1].kind);
    letters += is_letter(kind);
  }
  const bool www = end - begin > 4 && c[begin].code == 'w' && c[begin + 1].code == 'w';
  chunk_kind_ = (slashes ? 1 : 0) + (has_at ? 2 : 0) + std::min(dots, 2) * 4 + (www ? 16 : 0) +
                (letters == 0 ? 32 : 0);
  previous_kind_ = c.kind(begin - 1);
  next_word_ = end < c.size() && c[end].before != Gap::kBlankLine ? c.hash(end, run_right(end)) : 0;
}

int TokenSource::run_left(int end) const {
  int k = end;
  while (k > starts_.front() && end - k < 24 && is_word_class((*characters_)[k - 1].kind)) --k;
  return k;
}

int TokenSource::run_right(int begin) const {
  int k = begin;
  while (k < characters_->size() && k - begin < 24 && is_word_class((*characters_)[k].kind) &&
         (k == begin || (*characters_)[k].before == Gap::kNone)) {
    ++k;
  }
  return k;
}

void TokenSource::window(int k, Features& out) const {
  const Characters& c = *characters_;
  const int begin = starts_.front(), end = starts_.back();
  std::array<std::uint64_t, 12> code, kind;  // around the place: [6] stands after it
  for (int o = -6; o < 6; ++o) {
    const bool inside = k + o >= begin && k + o < end;
    code[o + 6] = inside ? c[k + o].code : 0;
    kind[o + 6] = inside ? c[k + o].kind : 0;
  }
  Templates t(0x100, out);
  for (int o = 0; o < 12; ++o) t.add(code[o]);
  for (int o = 2; o < 10; ++o) t.add(kind[o]);
  t.add(code[5], code[6]);
  t.add(code[4], code[5], code[6]);
  t.add(code[5], code[6], code[7]);
  t.add(code[4], code[5], code[6], code[7]);
  t.add(code[3], code[4], code[5], code[6]);
  t.add(code[5], code[6], code[7], code[8]);
  t.add(kind[5], kind[6]);
  t.add(kind[4], kind[5], kind[6]);
  t.add(kind[5], kind[6], kind[7]);
  t.add(kind[4], kind[5], kind[6], kind[7]);
  t.add(kind[3], kind[4], kind[5], kind[6], kind[7], kind[8]);
  const std::uint64_t next = c.kind(end), here = mix(kind[5], kind[6]);
  t.add(here, next);
  t.add(here, next, next_word_);
  t.add(here, previous_kind_, next);
  t.add(here, chunk_kind_);
  t.add(here, chunk_kind_, next, end - k < 3);
  t.add(here, std::min(end - k, 6), std::min(k - begin, 6));
  t.add(here, std::min(end - k, 6), next, kind[4]);
}

void TokenSource::words(int k, Features& out) const {
  const Characters& c = *characters_;
  const int begin = starts_.front(), end = starts_.back();
  const std::uint64_t here = mix(c[k - 1].kind, c[k].kind);
  const std::uint64_t left = c.hash(begin, k), right = c.hash(k, end), whole = c.hash(begin, end);
  // The words on both sides, over one sign of punctuation: "well" and "known" at both sides of '-'.
  const int left_end = is_word_class(c[k - 1].kind) ? k : k - 1;
  const int right_begin = is_word_class(c[k].kind) ? k : k + 1;
  const int left_begin = run_left(left_end), right_end = run_right(std::min(right_begin, end));
  const std::uint64_t left_word = c.hash(left_begin, left_end);
  const std::uint64_t right_word =
      right_begin < right_end ? c.hash(right_begin, right_end) : std::uint64_t{0};
  const auto count = [&](std::uint64_t h) { return lexicon_.find(h).count(); };
  Templates t(0x200, out);
  t.add(left);
  t.add(right);
  t.add(whole, k - begin);
  t.add(c.shape(begin, k), c.shape(k, end));
  t.add(c.shape(begin, k), here);
  t.add(here, c.shape(k, end));
  t.add(here, left_word);
  t.add(here, right_word);
  t.add(here, left_word, right_word);
  t.add(here, count(left), count(right));
  t.add(here, count(left_word), count(right_word));
  t.add(here, count(whole), whole != left);
  t.add(here, std::min(left_end - left_begin, 6), std::min(right_end - right_begin, 6));
  t.add(here, count(mix(left_word, right_word)), lexicon_.find(left_word).tag(),
        lexicon_.find(right_word).tag());
}

void TokenSource::cut(int j, Features& out) const {
  window(starts_[j], out);
  words(starts_[j], out);
}

void TokenSource::segment(int i, int j, Features& out) const {
  const Characters& c = *characters_;
  const int begin = starts_[i], end = starts_[j];
  const std::uint64_t edges = (i == 0 ? 1 : 0) + (j == pieces() ? 2 : 0);
  const std::uint64_t hash = c.hash(begin, end), shape = c.shape(begin, end);
  const WordFacts facts = lexicon_.find(hash);
  const std::uint64_t next = c.kind(end), ends = mix(c[begin].kind, c[end - 1].kind);
  Templates t(0x300, out);
  t.add(hash);
  t.add(shape, edges);
  t.add(shape, length_bucket(end - begin));
  t.add(facts.count(), edges);
  t.add(facts.count(), facts.tag(), ends);
  t.add(ends, length_bucket(end - begin), edges, next);
  t.add(j - i, ends, chunk_kind_);
}

}  // namespace entente::tokens
