#include "engine/formats/lp_text.h"

#include <string>

#include "entente/ids.h"

namespace entente {

void LpText::skip() {
  while (!done()) {
    const char c = text_[at_];
    if (c == '\\') {
      while (!done() && text_[at_] != '\n') ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at_;
    } else {
      break;
    }
  }
}

bool LpText::at_line_begin() const {
  std::size_t i = at_;
  while (i > 0 && (text_[i - 1] == ' ' || text_[i - 1] == '\t')) --i;
  return i == 0 || text_[i - 1] == '\n' || text_[i - 1] == '\r' || text_[i - 1] == '\xBF';
}

std::string_view LpText::name_ahead() const {
  std::size_t end = at_;
  while (end < text_.size() && is_lp_name_byte(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

std::string_view LpText::take_name() {
  const std::string_view name = name_ahead();
  if (!is_utf8(name)) source_.fail(at_, "this name is not UTF-8");
  move(name.size());
  return name;
}

bool LpText::at_section() const {
  if (done()) return true;
  if (!at_name() || !at_line_begin()) return false;
  const std::string word = lp_lower_case(name_ahead());
  if (!is_lp_keyword(word) || word == "free" || word.starts_with("inf")) return false;
  std::size_t i = at_ + word.size();
  while (i < text_.size() && (text_[i] == ' ' || text_[i] == '\t')) ++i;
  return i >= text_.size() || text_[i] != ':';
}

LpText::Section LpText::next_section() {
  if (done()) source_.fail(at_, "expected \"End\"");
  if (!at_section())
    source_.fail(at_, "expected a section such as \"Subject To\", \"Binary\" or \"End\"");
  const std::size_t begin = at_;
  const std::string word = lp_lower_case(name_ahead());
  if (word == "subject" || word == "such") {
    move(word.size());
    if (lp_lower_case(name_ahead()) != (word == "subject" ? "to" : "that"))
      source_.fail(begin, "expected \"Subject To\"");
    move(word == "subject" ? 2 : 4);
    return Section::constraints;
  }
  move(word.size());
  if (word == "st" || word == "s.t." || word == "st.") return Section::constraints;
  if (word.starts_with("bound")) return Section::bounds;
  if (word.starts_with("bin")) return Section::binary;
  if (word.starts_with("gen") || word.starts_with("int")) return Section::general;
  if (word == "end") return Section::end;
  if (word.starts_with("max") || word.starts_with("min")) source_.fail(begin, "a second objective");
  source_.fail(begin, "the section " + quoted(text_.substr(begin, word.size())) +
                          " is not supported: every variable must be 0 or 1 and every row linear");
}

void LpText::unexpected(std::string_view expected) const {
  if (peek() == '[' || peek() == '^' || peek() == '*' || peek() == '/')
    source_.fail(at_, "quadratic terms are not supported");
  if (text_.substr(at_, 2) == "->") source_.fail(at_, "indicator rows are not supported");
  source_.fail(at_, "expected " + std::string(expected) +
                        (done() ? ", found the end of the text"
                                : ", found " + quoted(text_.substr(at_, 1))));
}

double LpText::take_number() {
  std::size_t end = at_;
  const auto digits = [&] {
    while (end < text_.size() && is_digit(text_[end])) ++end;
  };
  digits();
  if (end < text_.size() && text_[end] == '.') {
    ++end;
    digits();
  }
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
    // "2e" is 2 times a variable called e.
    if (exponent < text_.size() && is_digit(text_[exponent])) {
      end = exponent;
      digits();
    }
  }
  const auto x = parse_number(text_.substr(at_, end - at_));
  if (!x) source_.fail(at_, "this is no number a double can hold");
  if (*x > 1e90) source_.fail(at_, "this number is larger than 1e90");
  move(end - at_);
  return *x;
}

double LpText::take_sign() {
  double sign = 1;
  while (peek() == '+' || peek() == '-') {
    if (text_.substr(at_, 2) == "->") unexpected("a number");
    if (peek() == '-') sign = -sign;
    move(1);
  }
  return sign;
}

double LpText::take_constant() {
  const double sign = take_sign();
  if (at_number()) return sign * take_number();
  const std::string word = lp_lower_case(name_ahead());
  if (word != "inf" && word != "infinity") unexpected("a number");
  move(word.size());
  return sign * kInfinity;
}

char LpText::take_operator() {
  if (!at_operator()) unexpected("<=, >= or =");
  const char first = peek();
  ++at_;
  char which = first;
  if (peek() == '=' || (first == '=' && (peek() == '<' || peek() == '>'))) {
    if (first == '=') which = peek();
    ++at_;
  }
  skip();
  return which;
}

std::string_view LpText::take_title() {
  if (!at_name()) return {};
  const std::string_view name = name_ahead();
  const std::size_t before = at_;
  move(name.size());
  if (peek() == ':') {
    move(1);
    if (!is_utf8(name)) source_.fail(before, "this name is not UTF-8");
    return name;
  }
  at_ = before;
  return {};
}

bool LpText::starts_with_constant() {
  const std::size_t before = at_;
  take_sign();
  bool result = false;
  if (at_number()) {
    take_number();
    result = at_operator();
  } else if (at_name()) {
    const std::string word = lp_lower_case(name_ahead());
    move(word.size());
    result = (word == "inf" || word == "infinity") && at_operator();
  }
  at_ = before;
  return result;
}

}  // namespace entente
