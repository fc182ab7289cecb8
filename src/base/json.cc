#include "base/json.h"

#include <array>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/utf8.h"

namespace entente {

std::string_view json_type_name(JsonType type) {
  static constexpr std::string_view names[] = {"null",     "true or false", "a number",
                                               "a string", "an array",      "an object"};
  return names[static_cast<int>(type)];
}

namespace {

// Bytes a string may hold without a second look: not a quote, backslash, control or non-ASCII byte.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Four hex digits at `p`, -1 if they are not.
int hex4(std::string_view text, std::size_t p) {
  if (p + 4 > text.size()) return -1;
  int code = 0;
  for (std::size_t i = p; i < p + 4; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

}  // namespace

// Fills a Json's nodes: one pass, a stack of open containers instead of recursion.
class JsonParser {
 public:
  explicit JsonParser(Json& json) : json_(json), source_(json.source_), text_(json.source_.text) {}

  void run() {
    if (text_.size() >= std::numeric_limits<std::uint32_t>::max())
      source_.fail(0, "a JSON text of 4 GB or more cannot be read");
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    space();
    value();
    while (!json_.open_.empty()) after_value();
    space();
    if (at_ < text_.size()) source_.fail(at_, "expected nothing after the end of the JSON value");
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') break;
      ++at_;
    }
  }
  std::uint32_t add(JsonType type, std::size_t begin) {
    const auto index = static_cast<std::uint32_t>(json_.nodes_.size());
    json_.nodes_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_),
                            index + 1, type, false});
    return index;
  }

  // One value, or the opening of a container (whose first element or key has then been read too).
  void value() {
    for (;;) {
      const std::size_t begin = at_;
      switch (peek()) {
        case '"':
          return string();
        case '{':
        case '[':
          if (!open(text_[at_])) return;
          continue;  // at the container's first value
        case 't':
          return word("true", JsonType::boolean);
        case 'f':
          return word("false", JsonType::boolean);
        case 'n':
          return word("null", JsonType::null);
        default:
          if (peek() == '-' || is_digit(peek())) return number();
          source_.fail(begin, at_ < text_.size()
                                  ? "expected a JSON value, found " + quoted(text_.substr(at_, 1))
                                  : "expected a JSON value, found the end of the text");
      }
    }
  }

  // Returns false if the container is empty, and closed.
  bool open(char c) {
    if (json_.open_.size() >= Json::kMaxDepth)
      source_.fail(at_, "nested more than " + std::to_string(Json::kMaxDepth) + " deep");
    const bool object = c == '{';
    const std::size_t begin = at_++;
    const std::uint32_t index = add(object ? JsonType::object : JsonType::array, begin);
    json_.nodes_[index].end = 0;
    space();
    if (peek() == (object ? '}' : ']')) {
      ++at_;
      return false;
    }
    json_.open_.push_back(index);
    json_.nodes_[index].end = 1;
    if (object) key();
    return true;
  }

  void key() {
    if (peek() != '"') source_.fail(at_, "expected a key in quotes");
    string();
    space();
    if (peek() != ':') source_.fail(at_, "expected \":\" after the key");
    ++at_;
    space();
  }

  // After a value inside a container: a comma and the next one, or the end of the container.
  void after_value() {
    const std::uint32_t index = json_.open_.back();
    const bool object = json_.nodes_[index].type == JsonType::object;
    space();
    if (peek() == ',') {
      ++at_;
      space();
      ++json_.nodes_[index].end;
      if (object) key();
      return value();
    }
    if (peek() != (object ? '}' : ']'))
      source_.fail(at_, object ? "expected \",\" or \"}\" in this object"
                               : "expected \",\" or \"]\" in this array");
    ++at_;
    json_.nodes_[index].next = static_cast<std::uint32_t>(json_.nodes_.size());
    json_.open_.pop_back();
  }

  void word(std::string_view expected, JsonType type) {
    if (text_.substr(at_, expected.size()) != expected)
      source_.fail(at_, "expected " + std::string(expected));
    const std::size_t begin = at_;
    at_ += expected.size();
    add(type, begin);
  }

  void number() {
    const std::size_t begin = at_;
    if (peek() == '-') ++at_;
    if (peek() == 'I') source_.fail(begin, "-Infinity is not JSON: write null");
    if (!is_digit(peek())) source_.fail(at_, "expected a digit");
    if (text_[at_++] == '0' && is_digit(peek()))
      source_.fail(begin, "a number must not begin with 0");
    digits();
    if (peek() == '.') {
      ++at_;
      if (!is_digit(peek())) source_.fail(at_, "expected a digit");
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '-' || peek() == '+') ++at_;
      if (!is_digit(peek())) source_.fail(at_, "expected a digit");
      digits();
    }
    add(JsonType::number, begin);
  }
  void digits() {
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  }

  void string() {
    const std::size_t begin = at_++;
    bool escaped = false, ascii = true;
    for (;;) {
      while (at_ < text_.size() && kPlain[static_cast<unsigned char>(text_[at_])]) ++at_;
      if (at_ >= text_.size()) source_.fail(begin, "this string has no end");
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') break;
      if (c == '\\') {
        escaped = true;
        escape();
      } else if (c >= 0x80) {
        ascii = false;
        ++at_;
      } else {
        source_.fail(at_, "a control character must be written as an escape");
      }
    }
    if (!ascii && !is_utf8(text_.substr(begin + 1, at_ - begin - 1)))
      source_.fail(begin, "this string is not UTF-8");
    ++at_;
    json_.nodes_[add(JsonType::string, begin)].escaped = escaped;
  }

  void escape() {
    const std::size_t begin = at_++;
    const char c = peek();
    ++at_;
    if (c != '\0' && std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) return;
    if (c != 'u') source_.fail(begin, "unknown escape");
    const int code = hex4(text_, at_);
    if (code < 0) source_.fail(begin, "expected four hexadecimal digits after \\u");
    at_ += 4;
    if (code < 0xD800 || code >= 0xE000) return;
    // A surrogate pair: both halves, in order.
    const int low = text_.substr(at_, 2) == "\\u" ? hex4(text_, at_ + 2) : -1;
    if (code >= 0xDC00 || low < 0xDC00 || low >= 0xE000)
      source_.fail(begin, "half of a surrogate pair");
    at_ += 6;
  }

  Json& json_;
  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

void Json::parse(const Source& source) {
  source_ = source;
  nodes_.clear();
  open_.clear();
  decoded_.clear();
  nodes_.reserve(source.text.size() / 12);  // what problems need; other texts may grow it
  JsonParser(*this).run();
}

// The text was checked by the parser, so every escape is well formed.
std::string_view Json::decode(const Node& node) {
  const std::string_view raw = source_.text.substr(node.begin + 1, node.end - node.begin - 2);
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out += raw[i];
      continue;
    }
    switch (raw[++i]) {
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        auto code = static_cast<unsigned>(hex4(raw, i + 1));
        i += 4;
        if (code >= 0xD800 && code < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10) +
                 (static_cast<unsigned>(hex4(raw, i + 3)) - 0xDC00);
          i += 6;
        }
        append_utf8(out, code);
        break;
      }
      default:
        out += raw[i];
    }
  }
  return decoded_.emplace_back(std::move(out));
}

void JsonValue::fail(const std::string& message) const { json_->source_.fail(offset(), message); }

const JsonValue& JsonValue::expect(JsonType type, std::string_view what) const {
  if (!is(type)) {
    fail("expected " + std::string(what) + ", found " + std::string(json_type_name(this->type())));
  }
  return *this;
}

double JsonValue::number(std::string_view what) const {
  const Json::Node& n = node();
  if (n.type != JsonType::number) expect(JsonType::number, what);
  const auto x = parse_number(json_->source_.text.substr(n.begin, n.end - n.begin));
  if (!x) fail("this number is too large");
  return *x;
}

std::int64_t JsonValue::integer(std::string_view what) const {
  const Json::Node& n = node();
  if (n.type != JsonType::number) expect(JsonType::number, what);
  const std::string_view text = json_->source_.text.substr(n.begin, n.end - n.begin);
  if (const auto x = parse_integer(text)) return *x;
  const double x = number(what);  // 2.0 and 1e3 are integers too
  if (x != std::trunc(x) || std::abs(x) > 1e15) fail("expected " + std::string(what));
  return static_cast<std::int64_t>(x);
}

std::string_view JsonValue::string(std::string_view what) const {
  const Json::Node& n = node();
  if (n.type != JsonType::string) expect(JsonType::string, what);
  if (n.escaped) return json_->decode(n);
  return json_->source_.text.substr(n.begin + 1, n.end - n.begin - 2);
}

bool JsonValue::boolean() const {
  expect(JsonType::boolean, "true or false");
  return json_->source_.text[offset()] == 't';
}

JsonValue::Elements JsonValue::elements() const {
  ENTENTE_CHECK(is(JsonType::array));
  return {json_, index_ + 1, node().next};
}

JsonValue::Members JsonValue::members() const {
  ENTENTE_CHECK(is(JsonType::object));
  return {json_, index_ + 1, node().next};
}

}  // namespace entente
