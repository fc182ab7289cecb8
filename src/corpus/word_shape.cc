#include "corpus/word_shape.h"

#include "corpus/utf8.h"

namespace entente {
namespace {

// Lower-case letters, digits and so on by one letter; ASCII punctuation by itself.
char kind_of(char32_t c) {
  if (c < 0x80) {
    if (c >= 'a' && c <= 'z') return 'x';
    if (c >= 'A' && c <= 'Z') return 'X';
    if (c >= '0' && c <= '9') return 'd';
    return static_cast<char>(c);
  }
  if (unicode::is_upper(c)) return 'X';
  if (unicode::is_lower(c)) return 'x';
  if (unicode::is_letter(c)) return 'l';  // of a script without cases
  if (unicode::is_digit(c)) return 'd';
  return unicode::is_punctuation(c) ? 'p' : 's';
}

}  // namespace

void WordShape::add(char kind) {
  if (long_shape_.size() < kShape) long_shape_ += kind;
  if (shape_.size() < kShape && (shape_.empty() || shape_.back() != kind)) shape_ += kind;
}

void WordShape::read(std::string_view form) {
  lower_.clear();
  shape_.clear();
  long_shape_.clear();
  starts_.clear();
  flags_ = 0;
  bool upper = false, at_sign = false;
  for (std::size_t i = 0; i < form.size();) {
    const Utf8Char c = decode_utf8(form, i);
    starts_.push_back(static_cast<std::uint32_t>(lower_.size()));
    const char kind = c.length == 0 ? 's' : kind_of(c.code);
    if (c.length == 0) {
      lower_ += form[i];
    } else if (kind == 'X') {
      append_utf8(lower_, unicode::to_lower(c.code));
      upper = true;
      if (i == 0) flags_ |= kFirstUpper;
    } else {
      lower_.append(form, i, static_cast<std::size_t>(c.length));
    }
    if (kind == 'x') flags_ |= kLower;
    if (kind == 'd') flags_ |= kDigit;
    if (kind == '-') flags_ |= kHyphen;
    if (kind == '@' && i > 0) at_sign = true;
    add(kind);
    i += static_cast<std::size_t>(c.length == 0 ? 1 : c.length);
  }
  if (upper && !(flags_ & kLower)) flags_ |= kAllUpper;
  if (at_sign || lower_.starts_with("www.") || lower_.find("://") != std::string::npos) {
    flags_ |= kAddress;
  }
  length_ = static_cast<int>(starts_.size());
}

}  // namespace entente
