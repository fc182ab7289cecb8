#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/utf8.h"

namespace entente {

Place Source::place(std::size_t offset) const {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 = 0
  return {std::string(file), first_line + static_cast<int>(lines),
          static_cast<int>(offset - line_begin) + 1};
}

void Source::fail(std::size_t offset, const std::string& message) const {
  throw Error(message, place(offset));
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Is a number that from_chars refused as out of range too large (rather than too near to 0)?
bool is_huge(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    const bool negative = digits.front() == '-';
    if (digits.front() == '-' || digits.front() == '+') digits.remove_prefix(1);
    if (!parse_integer(digits)) return !negative;  // more digits than an int64 holds
    exponent = *parse_integer(digits) * (negative ? -1 : 1);
  }
  const std::size_t first = mantissa.find_first_of("123456789");
  std::size_t point = mantissa.find('.');
  if (point == std::string_view::npos) point = mantissa.size();
  return exponent > static_cast<std::int64_t>(first) - static_cast<std::int64_t>(point);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return std::nullopt;
  }
  // from_chars would also take "inf" and "nan".
  const std::size_t first = !text.empty() && text.front() == '-' ? 1 : 0;
  if (text.size() <= first || !(is_digit(text[first]) || text[first] == '.')) return std::nullopt;
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if (is_huge(text)) return std::nullopt;
    return 0.0;
  }
  return x;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (text.empty() || end != text.data() + text.size() || error != std::errc()) return std::nullopt;
  return x;
}

void append_number(std::string& out, double x) {
  char buffer[32];
  if (x == 0) x = 0;  // no "-0"
  // Whole numbers of ordinary size as such: "100000", not "1e+05".
  if (std::abs(x) < 1e15 && x == std::trunc(x)) {
    append_number(out, static_cast<std::int64_t>(x));
    return;
  }
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, x);
  (void)error;  // 32 characters hold every double
  out.append(buffer, end);
}

void append_number(std::string& out, std::int64_t x) {
  char buffer[24];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, x);
  (void)error;
  out.append(buffer, end);
}

bool is_utf8(std::string_view text) { return utf8_prefix(text) == text.size(); }

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out = "\"";
  for (char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  if (text.size() > kLongest) {
    while (!is_utf8(out) && out.size() > kLongest - 3) out.pop_back();  // do not cut a character
    out += "...";
  }
  return out + "\"";
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {  // C1
      out += ' ';
      ++i;
    } else if (text.substr(i).starts_with("\xEF\xBF\xBE") ||
               text.substr(i).starts_with("\xEF\xBF\xBF")) {  // no characters: XML forbids them
      out += ' ';
      i += 2;
    } else {
      out += byte < 0x20 || byte == 0x7F ? ' ' : c;
    }
  }
  return out;
}

Nearest::Nearest(std::string_view wanted)
    : wanted_(wanted.substr(0, 64)),
      best_distance_(std::max<std::size_t>(1, wanted_.size() / 3) + 1) {}

void Nearest::consider(std::string_view candidate) {
  const std::size_t n = wanted_.size(), m = candidate.size();
  if (m > n + best_distance_ || n > m + best_distance_) return;
  row_.resize(m + 1);
  std::iota(row_.begin(), row_.end(), std::size_t{0});
  std::vector<std::size_t> before, above = row_;  // the rows of i - 2 and i - 1
  for (std::size_t i = 1; i <= n; ++i) {
    row_[0] = i;
    for (std::size_t j = 1; j <= m; ++j) {
      const std::size_t change = above[j - 1] + (wanted_[i - 1] == candidate[j - 1] ? 0 : 1);
      row_[j] = std::min({change, above[j] + 1, row_[j - 1] + 1});
      // Two letters the wrong way round are one slip.
      if (i > 1 && j > 1 && wanted_[i - 1] == candidate[j - 2] &&
          wanted_[i - 2] == candidate[j - 1])
        row_[j] = std::min(row_[j], before[j - 2] + 1);
    }
    before = std::exchange(above, row_);
  }
  if (row_[m] >= best_distance_) return;
  best_distance_ = row_[m];
  best_ = candidate;
}

std::string Nearest::suggestion() const {
  return best_.empty() ? std::string() : " (did you mean " + quoted(best_) + "?)";
}

// Multiply-and-fold over eight bytes at a time: short names in a few cycles.
NameTable::Slot NameTable::slot_for(std::string_view name) {
  std::uint64_t h = 0x9E3779B97F4A7C15ull ^ name.size();
  const auto word_at = [&](std::size_t begin) {
    std::uint64_t word = 0;
    if (begin + 8 <= name.size()) {
      std::memcpy(&word, name.data() + begin, 8);
    } else {
      for (std::size_t i = begin; i < name.size(); ++i)
        word = word << 8 | static_cast<unsigned char>(name[i]);
    }
    return word;
  };
  for (std::size_t begin = 0; begin < name.size(); begin += 8) {
    h = (h ^ word_at(begin)) * 0xBF58476D1CE4E5B9ull;
    h ^= h >> 32;
  }
  h *= 0x94D049BB133111EBull;
  return {word_at(0), static_cast<std::uint32_t>(h >> 32), static_cast<std::uint32_t>(name.size())};
}

std::size_t NameTable::find_slot(const Slot& wanted, std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = wanted.hash & mask;
  for (; slots_[i].index >= 0; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.head != wanted.head || slot.size != wanted.size || slot.hash != wanted.hash) continue;
    if (wanted.size <= 8 || names_[slot.index] == name) break;
  }
  return i;
}

void NameTable::grow(std::size_t slots) {
  std::vector<Slot> old(slots);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.index < 0) continue;
    std::size_t i = slot.hash & (slots - 1);
    while (slots_[i].index >= 0) i = (i + 1) & (slots - 1);
    slots_[i] = slot;
  }
}

void NameTable::reserve(std::size_t names) {
  std::size_t slots = 16;
  while (slots < names * 2) slots *= 2;
  if (slots > slots_.size()) grow(slots);
  names_.reserve(names);
}

NameTable::Added NameTable::add(std::string_view name) {
  if (slots_.size() < (names_.size() + 1) * 2) grow(std::max<std::size_t>(16, slots_.size() * 2));
  Slot wanted = slot_for(name);
  Slot& slot = slots_[find_slot(wanted, name)];
  if (slot.index >= 0) return {slot.index, false};
  wanted.index = size();
  slot = wanted;
  names_.push_back(name);
  return {wanted.index, true};
}

int NameTable::find(std::string_view name) const {
  if (slots_.empty()) return -1;
  return slots_[find_slot(slot_for(name), name)].index;
}

}  // namespace entente
