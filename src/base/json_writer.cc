#include <cmath>

#include "base/check.h"
#include "base/json.h"
#include "base/utf8.h"

namespace entente {

void JsonWriter::separate(bool closing) {
  if (comma_ && !closing) text_ += line_ >= 0 ? "," : ", ";
  if (line_ >= 0) {
    text_ += '\n';
    text_.append(line_, ' ');
    line_ = -1;
  }
  comma_ = true;
}

JsonWriter& JsonWriter::open(char c) {
  separate();
  text_ += c;
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char c) {
  separate(true);
  text_ += c;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ": ";
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  separate();
  quote(text);
  return *this;
}

JsonWriter& JsonWriter::number(double x) {
  ENTENTE_CHECK(std::isfinite(x));
  separate();
  append_number(text_, x);
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t x) {
  separate();
  append_number(text_, x);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool x) {
  separate();
  text_ += x ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::line(int indentation) {
  line_ = indentation;
  return *this;
}

void JsonWriter::quote(std::string_view text) {
  if (!is_utf8(text)) throw Error("the text " + quoted(text) + " is not UTF-8");
  static constexpr char kHex[] = "0123456789abcdef";
  text_ += '"';
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (c == '\n') {
      text_ += "\\n";
    } else if (c == '\t') {
      text_ += "\\t";
    } else if (byte < 0x20) {
      text_ += "\\u00";
      text_ += kHex[byte >> 4];
      text_ += kHex[byte & 15];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

}  // namespace entente
