// Names in LP files. The format allows few characters; the others, and whatever would read as
// something else at that place, are written ~xx (the byte in hexadecimal). Files that begin with
// kLpHeader use this, other files' names are taken as they are.
//
//   encode_lp_name("role=null") == "role~3dnull"
//
// Row names are the rule's name and #number, so that many rows can share a rule.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace entente {

inline constexpr std::string_view kLpHeader = "\\ Entente: ~xx in a name is the byte xx\n";

std::string encode_lp_name(std::string_view name);
// nullopt if it is not what encode_lp_name writes.
std::optional<std::string> decode_lp_name(std::string_view text);

// Words that begin a section or mean something in "Bounds", in lower case.
bool is_lp_keyword(std::string_view lower_case);
std::string lp_lower_case(std::string_view text);
// May this byte stand in a name when reading?
bool is_lp_name_byte(char c);

}  // namespace entente
