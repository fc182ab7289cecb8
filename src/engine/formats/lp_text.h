// The text of a CPLEX LP file, piece by piece: names, numbers, operators, and where sections begin.
//
//   LpText text(source);
//   while (!text.at_section()) { double sign = text.take_sign(); ... }
//
// It always stands at the next piece: blanks and comments are passed over. What cannot be one fails at its place.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"
#include "engine/formats/lp_names.h"

namespace entente {

class LpText {
 public:
  enum class Section { none, constraints, bounds, binary, general, end };

  explicit LpText(const Source& source) : source_(source), text_(source.text) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    skip();
  }

  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  std::size_t offset() const { return at_; }
  bool at_number() const { return is_digit(peek()) || peek() == '.'; }
  bool at_name() const { return !done() && is_lp_name_byte(peek()) && !at_number(); }
  bool at_operator() const { return peek() == '<' || peek() == '>' || peek() == '='; }
  // Is the next piece the first word of a section? Only at the beginning of a line, and not before a colon.
  bool at_section() const;
  // Is what follows a constant and then an operator?
  bool starts_with_constant();

  Section next_section();
  // The next name, without moving, and without case.
  std::string word_ahead() const { return lp_lower_case(name_ahead()); }
  std::string_view take_name();
  std::string_view take_title();  // "name:" if there is one
  double take_number();
  double take_sign();
  double take_constant();  // a number with its sign, or infinity
  char take_operator();    // '<', '>' or '='
  void move(std::size_t bytes) {
    at_ += bytes;
    skip();
  }

  // What stands here is none of what was expected.
  [[noreturn]] void unexpected(std::string_view expected) const;
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    source_.fail(offset, message);
  }
  Place place(std::size_t offset) const { return source_.place(offset); }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  void skip();
  bool at_line_begin() const;
  std::string_view name_ahead() const;

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace entente
