#include "corpus/layers/frames/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/corpus.h"
#include "corpus/printable.h"
#include "corpus/word_offsets.h"

namespace entente {

namespace {

std::string_view between(std::string_view text, WordPlace place) {
  return text.substr(static_cast<std::size_t>(place.begin),
                     static_cast<std::size_t>(place.end - place.begin));
}

bool lies_in(const Token& token, std::string_view text) {
  return token.begin >= 0 && token.end >= token.begin &&
         static_cast<std::size_t>(token.end) <= text.size();
}

bool space_between(const Sentence& sentence, const Token& before, const Token& after) {
  if (before.begin >= 0 && after.begin >= 0) return after.begin > before.end;
  return has_space_after(sentence, before);
}

bool overlaps(const Lane& lane, const FrameMark& mark) {
  return std::any_of(lane.begin(), lane.end(), [&](const FrameMark& other) {
    return mark.first <= other.last && other.first <= mark.last;
  });
}

}  // namespace

std::vector<Piece> pieces_of(const Sentence& sentence, std::string_view text,
                             std::vector<int>& piece_of_word) {
  std::vector<Piece> out;
  piece_of_word.assign(sentence.words.size(), 0);
  const std::vector<WordPlace> places = word_offsets(sentence, text);
  const auto add = [&](std::string_view form, bool space) {
    out.push_back({printable(form), space && !out.empty()});
    std::replace(out.back().text.begin(), out.back().text.end(), '\n', ' ');
  };
  if (sentence.tokens.empty()) {
    for (int i = 0; i < sentence.size(); ++i) {
      piece_of_word[i] = i;
      add(sentence.words[i].form, true);
    }
  }
  for (std::size_t t = 0; t < sentence.tokens.size(); ++t) {
    const Token& token = sentence.tokens[t];
    const bool space = t > 0 && space_between(sentence, sentence.tokens[t - 1], token);
    const bool known = lies_in(token, text);
    const bool split = known && places[token.first] != places[token.last];
    if (!split)
      add(known ? between(text, {token.begin, token.end}) : sentence.token_form(token), space);
    for (int i = token.first; i <= token.last; ++i) {
      if (split) add(between(text, places[i]), space && i == token.first);
      piece_of_word[i] = static_cast<int>(out.size()) - 1;
    }
  }
  return out;
}

std::vector<Lane> lanes_of(const FrameInstance& frame, const std::vector<int>& piece_of_word) {
  std::vector<Lane> out(1);
  for (const auto& [first, last] : runs_of(frame.target)) {
    const FrameMark mark{piece_of_word[first], piece_of_word[last], -1};
    if (!overlaps(out[0], mark)) out[0].push_back(mark);  // two words of one piece
  }
  for (std::size_t a = 0; a < frame.arguments.size(); ++a) {
    const FrameArgument& argument = frame.arguments[a];
    const FrameMark mark{piece_of_word[argument.words.begin], piece_of_word[argument.words.end - 1],
                         static_cast<int>(a)};
    auto lane = std::find_if(out.begin(), out.end(),
                             [&](const Lane& other) { return !overlaps(other, mark); });
    if (lane == out.end()) lane = out.insert(out.end(), Lane());
    lane->push_back(mark);
  }
  for (Lane& lane : out) {
    std::sort(lane.begin(), lane.end(),
              [](const FrameMark& a, const FrameMark& b) { return a.first < b.first; });
  }
  return out;
}

std::string_view label_of(const FrameInstance& frame, const FrameMark& mark) {
  return mark.is_target() ? std::string_view(frame.frame) : frame.arguments[mark.argument].role;
}

std::vector<std::pair<int, int>> runs_of(const std::vector<int>& words) {
  std::vector<std::pair<int, int>> out;
  for (int word : words) {
    if (out.empty() || word != out.back().second + 1) {
      out.emplace_back(word, word);
    } else {
      out.back().second = word;
    }
  }
  return out;
}

std::string text_of_words(const Sentence& sentence, std::string_view text, int first, int last) {
  std::vector<int> piece_of_word;
  const std::vector<Piece> pieces = pieces_of(sentence, text, piece_of_word);
  std::string out;
  for (int p = piece_of_word[first]; p <= piece_of_word[last]; ++p) {
    if (pieces[p].space_before && !out.empty()) out += ' ';
    out += pieces[p].text;
  }
  return out;
}

std::string verdict_of(const FrameInstance& frame) {
  if (frame.proven) return fmt::format("value {:.2f}, proven best", frame.value);
  return fmt::format("value {:.2f}, {}", frame.value,
                     frame.wish_dropped ? "a required role cannot be had"
                                        : fmt::format("at most {:.2f}", frame.bound));
}

std::string details_of(const FrameInstance& frame, const FrameMark& mark) {
  if (mark.is_target())
    return fmt::format("{}, evoked by {}, probability {:.2f}", frame.frame,
                       frame.lexical_unit.empty() ? "these words" : frame.lexical_unit,
                       frame.score);
  const FrameArgument& argument = frame.arguments[mark.argument];
  std::string out = fmt::format("{}, {} role of {}, score {:.2f}", argument.role,
                                argument.core ? "core" : "other", frame.frame, argument.score);
  if (!frame.explanation.empty()) out += fmt::format(", margin {:.2f}", argument.margin);
  return out;
}

bool has_frames(const Document& document) {
  return std::any_of(document.sentences.begin(), document.sentences.end(),
                     [](const Sentence& s) { return !s.frames.empty(); });
}

}  // namespace entente
