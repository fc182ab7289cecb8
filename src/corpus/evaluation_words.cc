#include "corpus/evaluation_words.h"

#include <algorithm>

#include "corpus/utf8.h"

namespace entente::evaluation {

namespace {

void append_without_spaces(std::string& out, std::string_view form) {
  for (std::size_t i = 0; i < form.size();) {
    const Utf8Char c = decode_utf8(form, i);
    const auto length = static_cast<std::size_t>(std::max(c.length, 1));
    if (!unicode::is_space(c.code)) out += form.substr(i, length);
    i += length;
  }
}

// A stretch of words of both sides that must be compared word by word.
struct Stretch {
  int gold_begin, gold_end, system_begin, system_end;
};

// Walks over the words of both sides. Where a multiword token is met, the stretch is widened until
// both sides have a boundary at its end.
class Walk {
 public:
  Walk(const std::vector<WordPlace>& gold, const std::vector<WordPlace>& system)
      : gold_(gold), system_(system), to_gold_(system.size(), -1) {}

  std::vector<int> run() {
    while (g_ < size(gold_) && s_ < size(system_)) {
      const WordPlace &gold = gold_[g_], &system = system_[s_];
      if (gold.multiword || system.multiword) {
        align_stretch(find_stretch());
      } else if (gold.span == system.span) {
        to_gold_[s_++] = g_++;
      } else if (gold.span.begin <= system.span.begin) {
        ++g_;
      } else {
        ++s_;
      }
    }
    return std::move(to_gold_);
  }

 private:
  static int size(const std::vector<WordPlace>& words) { return static_cast<int>(words.size()); }

  // Does the stretch that ends at `end` end before word i?
  static bool beyond(const std::vector<WordPlace>& words, int i, std::int64_t end) {
    if (i >= size(words)) return true;
    return words[i].multiword ? words[i].span.begin >= end : words[i].span.end > end;
  }

  Stretch find_stretch() {
    // A plain word that starts before the multiword token has no partner.
    std::int64_t end = 0;
    if (gold_[g_].multiword) {
      end = gold_[g_].span.end;
      if (!system_[s_].multiword && system_[s_].span.begin < gold_[g_].span.begin) ++s_;
    } else {
      end = system_[s_].span.end;
      if (gold_[g_].span.begin < system_[s_].span.begin) ++g_;
    }
    Stretch out{g_, g_, s_, s_};
    while (!beyond(gold_, g_, end) || !beyond(system_, s_, end)) {
      const bool take_gold = g_ < size(gold_) && (s_ >= size(system_) ||
                                                  gold_[g_].span.begin <= system_[s_].span.begin);
      const WordPlace& next = take_gold ? gold_[g_++] : system_[s_++];
      if (next.multiword) end = std::max(end, next.span.end);
    }
    out.gold_end = g_;
    out.system_end = s_;
    return out;
  }

  // Longest common subsequence of the forms; equal forms pair up as early as they can.
  void align_stretch(const Stretch& t) {
    const int n = t.gold_end - t.gold_begin, m = t.system_end - t.system_begin;
    std::vector<std::string> gold_forms, system_forms;
    for (int i = 0; i < n; ++i)
      gold_forms.push_back(unicode::to_lower(gold_[t.gold_begin + i].word->form));
    for (int j = 0; j < m; ++j)
      system_forms.push_back(unicode::to_lower(system_[t.system_begin + j].word->form));
    std::vector<int> best(static_cast<std::size_t>(n + 1) * (m + 1), 0);  // of the suffixes
    const auto at = [&](int i, int j) -> int& { return best[i * (m + 1) + j]; };
    for (int i = n - 1; i >= 0; --i) {
      for (int j = m - 1; j >= 0; --j) {
        at(i, j) = std::max(at(i + 1, j), at(i, j + 1));
        if (gold_forms[i] == system_forms[j]) at(i, j) = std::max(at(i, j), at(i + 1, j + 1) + 1);
      }
    }
    for (int i = 0, j = 0; i < n && j < m;) {
      if (gold_forms[i] == system_forms[j]) {
        to_gold_[t.system_begin + j++] = t.gold_begin + i++;
      } else if (at(i, j) == at(i + 1, j)) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  const std::vector<WordPlace>&gold_, &system_;
  std::vector<int> to_gold_;
  int g_ = 0, s_ = 0;
};

}  // namespace

Side make_side(std::span<const Sentence> sentences) {
  Side side;
  const auto here = [&] { return static_cast<std::int64_t>(side.text.size()); };
  for (const Sentence& sentence : sentences) {
    const auto first_word = static_cast<int>(side.words.size());
    const std::int64_t begin = here();
    for (const Token& token : sentence.tokens) {
      CharacterRange span{here(), 0};
      append_without_spaces(side.text, sentence.token_form(token));
      span.end = here();
      side.tokens.push_back(span);
      for (int i = token.first; i <= token.last; ++i) {
        const Word& word = sentence.words[i];
        side.words.push_back({span, token.is_multiword(), &word,
                              word.head > 0 ? first_word + word.head - 1 : word.head - 1});
      }
    }
    side.sentences.push_back({begin, here()});
  }
  return side;
}

std::vector<int> align_words(const Side& gold, const Side& system) {
  return Walk(gold.words, system.words).run();
}

}  // namespace entente::evaluation
