// What a word looks like: lower case, ends and beginnings in characters, capitals, digits, shape.
//
//   WordShape w;
//   w.read("Al-Zaman");
//   w.lower();            // "al-zaman"
//   w.suffix(3);          // "man"      (of the lower-case word; all of it if it is shorter)
//   w.prefix(2);          // "al"
//   w.flags();            // WordShape::kFirstUpper | kHyphen | kLower
//   w.shape();            // "Xx-Xx": runs of one kind are one letter, at most 12 of them
//   w.long_shape();       // "Xx-Xxxxx"
//
// Bytes that are not UTF-8 count as one character each. Linear in the word; no heap use once warm.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace entente {

class WordShape {
 public:
  enum Flag : unsigned {
    kFirstUpper = 1,
    kAllUpper = 2,  // upper-case letters and no lower-case ones
    kDigit = 4,
    kHyphen = 8,
    kLower = 16,
    kAddress = 32,  // a mail or web address
    kFlags = 64,    // how many values flags() has
  };

  void read(std::string_view form);

  std::string_view lower() const { return lower_; }
  int length() const { return length_; }  // characters
  unsigned flags() const { return flags_; }
  std::string_view shape() const { return shape_; }
  std::string_view long_shape() const { return long_shape_; }
  // The first or last n characters of lower().
  std::string_view prefix(int n) const {
    return n >= length_ ? lower() : lower().substr(0, starts_[n]);
  }
  std::string_view suffix(int n) const {
    return n >= length_ ? lower() : lower().substr(starts_[length_ - n]);
  }

 private:
  static constexpr std::size_t kShape = 12;

  void add(char kind);

  std::string lower_, shape_, long_shape_;
  std::vector<std::uint32_t> starts_;  // of the characters in lower_
  int length_ = 0;
  unsigned flags_ = 0;
};

}  // namespace entente
