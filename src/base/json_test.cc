#include "base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"

namespace entente {
namespace {

// What is said of a text that is not JSON.
std::string complaint(std::string_view text) {
  try {
    Json json;
    json.parse({text, "f", 1});
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(Json, ReadsEveryKindOfValue) {
  const std::string text =
      " {\"a\": [1, -2.5e3, true, false, null], \"b\": {}, \"c\": [] , \"d\":\"\"} ";
  Json json;
  json.parse({text, "f", 1});
  const JsonValue root = json.root();
  ASSERT_TRUE(root.is(JsonType::object));
  EXPECT_EQ(root.size(), 4u);
  auto member = root.members().begin();
  EXPECT_EQ((*member).key.string(), "a");
  const JsonValue list = (*member).value;
  EXPECT_EQ(list.size(), 5u);
  auto element = list.elements().begin();
  EXPECT_EQ((*element).number(), 1);
  EXPECT_EQ((*++element).number(), -2500);
  EXPECT_EQ((*element).integer(), -2500);
  EXPECT_TRUE((*++element).boolean());
  EXPECT_FALSE((*++element).boolean());
  EXPECT_TRUE((*++element).is(JsonType::null));
  EXPECT_FALSE(++element != list.elements().end());
  ++member;
  EXPECT_EQ((*member).value.size(), 0u);
  ++member;
  EXPECT_EQ((*member).value.size(), 0u);
  ++member;
  EXPECT_EQ((*member).value.string(), "");
}

TEST(Json, DecodesEscapes) {
  Json json;
  const std::string text = R"(["\"\\\/\b\f\n\r\t", "\u0041\u00e9\u20AC\ud83d\uDE00", "é€😀"])";
  json.parse({text, "f", 1});
  auto element = json.root().elements().begin();
  EXPECT_EQ((*element).string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ((*++element).string(), "Aé€😀");
  EXPECT_EQ((*++element).string(), "é€😀");
}

TEST(Json, ComplaintsNameThePlace) {
  const struct {
    std::string_view text, message;
  } cases[] = {
      {"", "f:1:1: expected a JSON value, found the end of the text"},
      {"[1,\n 2,\n]", "f:3:1: expected a JSON value, found \"]\""},
      {"[1 2]", "f:1:4: expected \",\" or \"]\" in this array"},
      {"{\"a\" 1}", "f:1:6: expected \":\" after the key"},
      {"{a: 1}", "f:1:2: expected a key in quotes"},
      {"{\"a\": 1,}", "f:1:9: expected a key in quotes"},
      {"[1] x", "f:1:5: expected nothing after the end of the JSON value"},
      {"\"abc", "f:1:1: this string has no end"},
      {"[\"a\nb\"]", "f:1:4: a control character must be written as an escape"},
      {"[\"\\x\"]", "f:1:3: unknown escape"},
      {"[\"\\u12g4\"]", "f:1:3: expected four hexadecimal digits after \\u"},
      {"[\"\\ud800\"]", "f:1:3: half of a surrogate pair"},
      {"[\"\xff\"]", "f:1:2: this string is not UTF-8"},
      {"[\"\xc0\x80\"]", "f:1:2: this string is not UTF-8"},
      {"[01]", "f:1:2: a number must not begin with 0"},
      {"[-]", "f:1:3: expected a digit"},
      {"[1.]", "f:1:4: expected a digit"},
      {"[1e]", "f:1:4: expected a digit"},
      {"[.5]", "f:1:2: expected a JSON value, found \".\""},
      {"[-Infinity]", "f:1:2: -Infinity is not JSON: write null"},
      {"[nul]", "f:1:2: expected null"},
      {"[", "f:1:2: expected a JSON value, found the end of the text"},
  };
  for (const auto& c : cases) EXPECT_EQ(complaint(c.text), c.message) << c.text;
  EXPECT_EQ(complaint(std::string(64, '[') + std::string(64, ']')), "read");
  EXPECT_EQ(complaint(std::string(100000, '[')), "f:1:65: nested more than 64 deep");
}

TEST(Json, NumbersOutOfRange) {
  Json json;
  json.parse({"[1e400, -1e400, 1e-400, 0.5, 1e99999999999999999999]", "f", 1});
  auto e = json.root().elements().begin();
  EXPECT_THROW((*e).number(), Error);
  EXPECT_THROW((*++e).number(), Error);
  EXPECT_EQ((*++e).number(), 0);
  EXPECT_THROW((*++e).integer(), Error);
  EXPECT_THROW((*++e).number(), Error);
}

TEST(Json, WritesWhatItReads) {
  JsonWriter w;
  w.begin_object().key("a\"\n\x01").number(0.1).key("b").begin_array().boolean(true).null();
  w.line(2).integer(-3).string("é").end_array().key("c").begin_object().end_object().end_object();
  EXPECT_EQ(w.text(), "{\"a\\\"\\n\\u0001\": 0.1, \"b\": [true, null,\n  -3, \"é\"], \"c\": {}}");
  EXPECT_EQ(complaint(w.text()), "read");
  EXPECT_THROW(JsonWriter().string("\xff"), Error);
}

TEST(Text, NumbersRoundTripExactly) {
  Random r(5);
  for (int i = 0; i < 20000; ++i) {
    double x = std::bit_cast<double>(r.next());
    if (i % 2) x = r.normal() * std::pow(10, r.between(-5, 20));
    if (!std::isfinite(x)) continue;
    std::string text;
    append_number(text, x);
    const auto back = parse_number(text);
    ASSERT_TRUE(back) << text;
    EXPECT_EQ(*back, x) << text;
  }
  std::string text;
  append_number(text, -0.0);
  append_number(text, 100000.0);
  EXPECT_EQ(text, "0100000");
}

TEST(Text, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", "-", "+", "+-1", "inf", "nan", "-inf", "1x", "0x10", "1e", "--1", "1 "})
    EXPECT_FALSE(parse_number(text)) << text;
  EXPECT_EQ(parse_number("+1.5"), 1.5);
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_FALSE(parse_number(std::string(400, '9')));
}

TEST(Text, SuggestsTheNearestName) {
  Nearest nearest("at_most_on");
  for (const char* name : {"at_least_one", "at_most_one", "equal"}) nearest.consider(name);
  EXPECT_EQ(nearest.suggestion(), " (did you mean \"at_most_one\"?)");
  Nearest swapped("onec");
  swapped.consider("at most");
  swapped.consider("once");
  EXPECT_EQ(swapped.suggestion(), " (did you mean \"once\"?)");
  Nearest far("zzz");
  far.consider("equal");
  EXPECT_EQ(far.suggestion(), "");
}

TEST(Text, NameTableNumbersNamesInOrder) {
  NameTable table;
  for (int i = 0; i < 10000; ++i)
    EXPECT_EQ(table.add(table.keep("n" + std::to_string(i))).index, i);
  for (int i = 0; i < 10000; ++i) {
    EXPECT_EQ(table.find("n" + std::to_string(i)), i);
    EXPECT_FALSE(table.add("n" + std::to_string(i)).fresh);
  }
  EXPECT_EQ(table.find("n10000"), -1);
  EXPECT_EQ(NameTable().find("x"), -1);
}

}  // namespace
}  // namespace entente
