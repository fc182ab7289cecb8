// Small things about text that the commands share: JSON strings and numbers, numbers for people,
// near names for typos, columns that line up.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace entente::cli {

// Always valid JSON: invalid UTF-8 becomes U+FFFD, and a number that is not finite becomes null.
void append_json(std::string& out, std::string_view text);
void append_json(std::string& out, double number);  // shortest digits that read back the same

std::string error_json(std::string_view message);  // {"error": "..."}, a line

std::string readable(double number);           // six significant digits
std::string readable_count(long long number);  // 12,345

// How wide the text is on a terminal: code points, which is right for what we print.
int width_of(std::string_view text);
std::string padded(std::string_view text, int width);

// The candidate nearest to a mistyped name, empty if none is near.
std::string_view nearest(std::string_view name, std::span<const std::string> candidates);

}  // namespace entente::cli
