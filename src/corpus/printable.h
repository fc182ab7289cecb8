// Text that may be shown: control characters, which could move the cursor of a terminal or make an XML
// file invalid, become U+FFFD.
//
//   append_printable(out, text);          // keeps line breaks; tabs become spaces
//   std::string shown = printable(text);
//
// Controls are C0, DEL and C1 of Unicode. Linear; thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace entente {

void append_printable(std::string& out, std::string_view text);
std::string printable(std::string_view text);

}  // namespace entente
