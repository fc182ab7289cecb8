#include "tasks/tokens/treebank_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/random.h"
#include "corpus/corpus.h"

namespace entente::tokens {
namespace {

// Readers of columns without tokens give words only.
std::vector<Token> tokens_of(const Sentence& s) {
  if (!s.tokens.empty()) return s.tokens;
  std::vector<Token> tokens(s.words.size());
  for (int i = 0; i < s.size(); ++i) tokens[i].first = tokens[i].last = i;
  return tokens;
}

bool is_one_of(std::string_view form, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), form) != list.end();
}

// How people write it: no space between these two.
bool usually_attached(std::string_view left, std::string_view right) {
  return is_one_of(right,
                   {".", ",", ";", ":", "!", "?", ")", "]", "}", "%", "...", "…", "»", "”"}) ||
         is_one_of(left, {"(", "[", "{", "«", "“", "„"});
}

// How the lines of a paragraph are broken.
enum class Layout { kPlain, kWrapped, kLines, kTitles };

constexpr std::array<std::string_view, 14> kEnding = {"U.S.", "p.m.", "a.m.", "Inc.",  "etc.",
                                                      "Ltd.", "Co.",  "U.K.", "Corp.", "D.C.",
                                                      "Jr.",  "B.C.", "Dec.", "U.N."};
constexpr std::array<std::string_view, 12> kTitle = {
    "Prof.", "Dr.", "Gen.", "Sen.", "Gov.", "Rev.", "Lt.", "Col.", "Rep.", "Mrs.", "Mr.", "St."};

class Writer {
 public:
  Writer(bool has_spaces, bool english, std::uint64_t seed)
      : has_spaces_(has_spaces), english_(english), random_(seed) {}

  void add(const Sentence& s) {
    if (out_.empty() || s.new_document || s.new_paragraph ||
        out_.back().tokens.size() > Paragraph::kLongest) {
      start(-1, Layout::kPlain);
    }
    write(s);
  }

  // A paragraph again, in another layout.
  void copy(std::span<const Sentence* const> sentences, int of) {
    constexpr Layout kLayouts[] = {Layout::kWrapped, Layout::kLines, Layout::kTitles,
                                   Layout::kPlain};
    start(of, kLayouts[random_.below(4)]);
    width_ = static_cast<std::size_t>(random_.between(40, 90));
    for (const Sentence* s : sentences) write(*s);
  }

  std::size_t size() const { return out_.size(); }
  std::vector<Paragraph> take() { return std::move(out_); }

 private:
  void start(int of, Layout layout) {
    out_.emplace_back().copy_of = of;
    layout_ = layout;
    space_ = false;
    line_begin_ = 0;
  }

  void put(std::string_view form, const Sentence& s, int first, int last, bool ends) {
    Paragraph& p = out_.back();
    if (space_) {
      const bool wrap =
          layout_ == Layout::kWrapped && p.text.size() + form.size() - line_begin_ >= width_;
      const bool line = new_sentence_ && (layout_ == Layout::kLines || layout_ == Layout::kTitles);
      p.text += wrap || line ? '\n' : ' ';
      if (wrap || line) line_begin_ = p.text.size();
    }
    new_sentence_ = false;
    const auto begin = static_cast<std::uint32_t>(p.text.size());
    p.text += form;
    p.tokens.push_back({begin, static_cast<std::uint32_t>(p.text.size()), &s, first, last, ends});
  }

  void write(const Sentence& s) {
    const std::vector<Token> tokens = tokens_of(s);
    const bool attach = !has_spaces_ && random_.chance(0.5);
    const bool changed = english_ && out_.back().copy_of >= 0;
    std::size_t end = tokens.size();
    new_sentence_ = true;
    // Titles and verse: no full stop at the end.
    const bool stop = end > 1 && s.token_form(tokens[end - 1]) == ".";
    if (layout_ == Layout::kTitles && stop && end < 12) --end;
    const bool capitals = layout_ == Layout::kTitles && tokens.size() < 12 && random_.chance(0.5);
    for (std::size_t k = 0; k < end; ++k) {
      const Token& t = tokens[k];
      std::string_view form = s.token_form(t);
      if (form.empty()) continue;
      const std::string& tag = s.words[t.first].upos;
      bool ends = k + 1 == end, space = has_space_after(s, t);
      if (changed && !t.is_multiword()) {
        if (tag == "PROPN" && k > 0 && s.words[tokens[k - 1].first].upos != "PROPN" && space_ &&
            random_.chance(0.06)) {
          put(kTitle[random_.below(kTitle.size())], s, t.first, t.first, false);
          space_ = true;
        }
        const bool last = k + 2 == tokens.size() && end == tokens.size() && stop;
        if ((tag == "NOUN" || tag == "PROPN") && random_.chance(last ? 0.25 : 0.02) &&
            (last || (space && k + 1 < end))) {
          form = kEnding[random_.below(kEnding.size())];
          if (last) {
            ends = true;
            space = has_space_after(s, tokens[k + 1]);
          }
        }
      }
      std::string title;
      if (capitals && form.size() > 3 && form[0] >= 'a' && form[0] <= 'z') {
        title = form;
        title[0] = static_cast<char>(title[0] - 'a' + 'A');
        form = title;
      }
      put(form, s, t.first, t.last, ends);
      space_ = space || (ends && k + 1 < tokens.size() && has_space_after(s, tokens.back()));
      if (attach && k + 1 < tokens.size() && usually_attached(form, s.token_form(tokens[k + 1]))) {
        space_ = false;
      }
      if (ends) break;
    }
  }

  bool has_spaces_, english_, space_ = false, new_sentence_ = false;
  Layout layout_ = Layout::kPlain;
  std::size_t width_ = 0, line_begin_ = 0;
  Random random_;
  std::vector<Paragraph> out_;
};

// Does it split "don't" the way English treebanks do, or have "the" for its most usual article?
bool is_english(std::span<const Sentence> sentences) {
  std::int64_t words = 0, the = 0;
  for (const Sentence& s : sentences) {
    for (const Word& w : s.words) {
      ++words;
      the += w.form == "the";
    }
  }
  return the * 50 > words;
}

}  // namespace

std::vector<Paragraph> paragraphs_of(std::span<const Sentence> sentences, std::uint64_t seed,
                                     double copies) {
  const bool has_spaces = std::any_of(sentences.begin(), sentences.end(), [](const Sentence& s) {
    return std::any_of(s.tokens.begin(), s.tokens.end(),
                       [&](const Token& t) { return !has_space_after(s, t); });
  });
  Writer writer(has_spaces, copies > 0 && is_english(sentences), seed);
  std::vector<std::vector<const Sentence*>> contents;
  for (const Sentence& s : sentences) {
    writer.add(s);
    contents.resize(writer.size());
    contents.back().push_back(&s);
  }
  Random random(seed + 1);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (random.chance(copies)) writer.copy(contents[i], static_cast<int>(i));
  }
  return writer.take();
}

}  // namespace entente::tokens
