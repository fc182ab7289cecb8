#include "corpus/layers/frames/comments.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "entente/error.h"

namespace entente {

namespace {

constexpr std::string_view kStart = "# frame = ";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// A word of the sentence, counted from 1; returned from 0.
int word_at(std::string_view text, const Sentence& sentence) {
  const auto number = parse_integer(text);
  if (!number || *number < 1 || *number > sentence.size()) {
    throw Error("a frame speaks of word " + quoted(text) +
                ", which the sentence does not have");
  }
  return static_cast<int>(*number) - 1;
}

FrameInstance read_frame(std::string_view text, const Sentence& sentence) {
  const std::vector<std::string_view> fields = split(text, '\t');
  if (fields.size() < 3) {
    throw Error("expected # frame = NAME <tab> LEXICAL UNIT <tab> WORDS <tab> ROLE:FIRST-LAST ...");
  }
  FrameInstance frame;
  frame.frame = fields[0];
  frame.lexical_unit = fields[1];
  for (std::string_view word : split(fields[2], ',')) {
    frame.target.push_back(word_at(word, sentence));
  }
  for (std::size_t i = 3; i < fields.size(); ++i) {
    const std::size_t colon = fields[i].rfind(':'), dash = fields[i].rfind('-');
    if (colon == std::string_view::npos || dash == std::string_view::npos || dash < colon) {
      throw Error("expected ROLE:FIRST-LAST, found " + quoted(fields[i]));
    }
    FrameArgument& argument = frame.arguments.emplace_back();
    argument.role = fields[i].substr(0, colon);
    argument.words.begin = word_at(fields[i].substr(colon + 1, dash - colon - 1), sentence);
    argument.words.end = word_at(fields[i].substr(dash + 1), sentence) + 1;
    if (argument.words.empty()) throw Error("a role ends before it begins");
  }
  return frame;
}

}  // namespace

void append_frame_comments(const Sentence& sentence, std::string& out) {
  for (const FrameInstance& f : sentence.frames) {
    out += kStart;
    out += f.frame + "\t" + f.lexical_unit + "\t";
    for (std::size_t i = 0; i < f.target.size(); ++i) {
      out += (i > 0 ? "," : "") + std::to_string(f.target[i] + 1);
    }
    for (const FrameArgument& a : f.arguments) {
      out += "\t" + a.role + ":" + std::to_string(a.words.begin + 1) + "-" +
             std::to_string(a.words.end);
    }
    out += "\n";
  }
}

void read_frame_comments(Sentence& sentence) {
  std::erase_if(sentence.comments, [&](const std::string& comment) {
    if (!comment.starts_with(kStart)) return false;
    sentence.frames.push_back(
        read_frame(std::string_view(comment).substr(kStart.size()), sentence));
    return true;
  });
}

}  // namespace entente
