// JSON, read and written.
//
//   Json json;
//   json.parse({text, "p.json", 1});                    // throws Error with file:line:column
//   for (JsonValue v : json.root().elements()) sum += v.number();
//   for (auto [key, value] : json.root().members()) if (key.string() == "name") ...
//
//   JsonWriter w;
//   w.begin_object().key("value").number(0.5).key("list").begin_array().end_array().end_object();
//   std::cout << w.text();                              // {"value": 0.5, "list": []}
//
// Reading checks the whole text (RFC 8259, UTF-8 included) and leaves one 16-byte record a value; a
// JsonValue knows its place, so that every complaint about its meaning can name it. Numbers and
// escapes are decoded when asked for. Values stay valid while the Json and the text live. Depth is
// limited and nothing recurses. Linear time; parse() again reuses the memory. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace entente {

enum class JsonType : std::uint8_t { null, boolean, number, string, array, object };
// "a number", "an array", ...
std::string_view json_type_name(JsonType type);

class JsonValue;

class Json {
 public:
  static constexpr int kMaxDepth = 64;

  void parse(const Source& source);
  JsonValue root();
  const Source& source() const { return source_; }

 private:
  friend class JsonValue;
  friend class JsonParser;
  struct Node {
    std::uint32_t begin;  // offset of the first byte
    std::uint32_t end;  // scalars: one past the last byte; containers: how many elements or members
    std::uint32_t next;  // index of the value after this one and all it contains
    JsonType type;
    bool escaped;  // strings: holds a backslash
  };
  std::string_view decode(const Node& node);

  Source source_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> open_;  // parse: containers not yet closed
  std::deque<std::string> decoded_;  // strings that had escapes
};

class JsonValue {
 public:
  JsonValue(Json* json, std::uint32_t index) : json_(json), index_(index) {}

  JsonType type() const { return node().type; }
  bool is(JsonType t) const { return node().type == t; }
  std::uint32_t index() const { return index_; }  // JsonValue(json, index) is this value again
  std::size_t offset() const { return node().begin; }
  std::size_t size() const { return node().end; }  // arrays, objects: elements, members

  // These fail at the value's place if it is of another type; `what` names it in the message.
  double number(std::string_view what = "a number") const;
  std::int64_t integer(std::string_view what = "an integer") const;
  std::string_view string(std::string_view what = "a string") const;
  // A string's text as it stands, escapes and all; empty for other values.
  std::string_view raw_string() const {
    const Json::Node& n = node();
    if (n.type != JsonType::string) return {};
    return json_->source_.text.substr(n.begin + 1, n.end - n.begin - 2);
  }
  bool boolean() const;
  const JsonValue& expect(JsonType type, std::string_view what) const;

  [[noreturn]] void fail(const std::string& message) const;
  Place place() const { return json_->source_.place(offset()); }

  class Elements;
  class Members;
  Elements elements() const;  // arrays only
  Members members() const;    // objects only

 private:
  const Json::Node& node() const { return json_->nodes_[index_]; }

  Json* json_;
  std::uint32_t index_;
};

class JsonValue::Elements {
 public:
  struct Iterator {
    Json* json;
    std::uint32_t index;
    JsonValue operator*() const { return {json, index}; }
    Iterator& operator++() {
      index = json->nodes_[index].next;
      return *this;
    }
    bool operator!=(const Iterator& o) const { return index != o.index; }
  };
  Iterator begin() const { return {json_, begin_}; }
  Iterator end() const { return {json_, end_}; }

 private:
  friend class JsonValue;
  Elements(Json* json, std::uint32_t begin, std::uint32_t end)
      : json_(json), begin_(begin), end_(end) {}
  Json* json_;
  std::uint32_t begin_, end_;
};

struct JsonMember {
  JsonValue key, value;
};

class JsonValue::Members {
 public:
  struct Iterator {
    Json* json;
    std::uint32_t index;
    JsonMember operator*() const { return {{json, index}, {json, index + 1}}; }
    Iterator& operator++() {
      index = json->nodes_[index + 1].next;
      return *this;
    }
    bool operator!=(const Iterator& o) const { return index != o.index; }
  };
  Iterator begin() const { return {json_, begin_}; }
  Iterator end() const { return {json_, end_}; }

 private:
  friend class JsonValue;
  Members(Json* json, std::uint32_t begin, std::uint32_t end)
      : json_(json), begin_(begin), end_(end) {}
  Json* json_;
  std::uint32_t begin_, end_;
};

inline JsonValue Json::root() { return {this, 0}; }

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);
  JsonWriter& string(std::string_view text);  // throws Error if it is not UTF-8
  JsonWriter& number(double x);               // must be finite
  JsonWriter& integer(std::int64_t x);
  JsonWriter& boolean(bool x);
  JsonWriter& null();
  // The next value, key or closing bracket starts a new line with this indentation.
  JsonWriter& line(int indentation);

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  JsonWriter& open(char c);
  JsonWriter& close(char c);
  void separate(bool closing = false);
  void quote(std::string_view text);

  std::string text_;
  bool comma_ = false;  // the next value needs one before it
  int line_ = -1;       // indentation asked for by line()
};

}  // namespace entente
