// Texts that are words and numbers between white space (UAI, wcsp), read one by one.
//
//   Words words(source);
//   std::int64_t n = words.integer("the number of variables", 0, 1000);
//
// Every complaint names the place and what was expected there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"

namespace entente {

class Words {
 public:
  explicit Words(const Source& source) : source_(source) { skip(); }

  bool done() const { return at_ >= source_.text.size(); }
  std::size_t offset() const { return at_; }  // of the next word
  char peek() const { return done() ? '\0' : source_.text[at_]; }
  std::size_t left() const { return source_.text.size() - at_; }  // bytes
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    source_.fail(offset, message);
  }

  std::string_view word(std::string_view what) {
    if (done()) fail(at_, "expected " + std::string(what) + ", found the end of the text");
    std::size_t end = at_;
    while (end < source_.text.size() && !is_space(source_.text[end])) ++end;
    const std::string_view out = source_.text.substr(at_, end - at_);
    last_ = at_;
    at_ = end;
    skip();
    return out;
  }
  std::int64_t integer(std::string_view what, std::int64_t least, std::int64_t most) {
    const std::string_view text = word(what);
    const auto x = parse_integer(text.starts_with('+') ? text.substr(1) : text);
    if (!x) fail(last_, "expected " + std::string(what) + ", found " + quoted(text));
    if (*x < least || *x > most)
      fail(last_, std::string(what) + " must be between " + std::to_string(least) + " and " +
                      std::to_string(most));
    return *x;
  }
  double number(std::string_view what) {
    const std::string_view text = word(what);
    const auto x = parse_number(text);
    if (!x) fail(last_, "expected " + std::string(what) + ", found " + quoted(text));
    return *x;
  }
  std::size_t last() const { return last_; }  // offset of the last word read

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip() {
    while (!done() && is_space(source_.text[at_])) ++at_;
  }

  const Source& source_;
  std::size_t at_ = 0, last_ = 0;
};

}  // namespace entente
