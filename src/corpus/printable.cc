#include "corpus/printable.h"

namespace entente {

void append_printable(std::string& out, std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (c == '\t') {
      out += ' ';
    } else if ((c < 0x20 && c != '\n') || c == 0x7F) {
      out += kReplacement;
    } else if (c == 0xC2 && next >= 0x80 && next < 0xA0) {  // C1
      out += kReplacement;
      ++i;
    } else {
      out += text[i];
    }
  }
}

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text);
  return out;
}

}  // namespace entente
