#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "corpus/propbank/document.h"
#include "entente/error.h"

// What is read is written, read and written again the same; and survives as a Document's sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace entente;
  const auto again = [](const std::string& text, const char* name, bool strict) {
    std::string out;
    StringLines lines(text, name);
    propbank::Reader reader(lines);
    try {
      for (propbank::PropSentence s; reader.read(s);) {
        propbank::append_columns(out, s);
        Sentence sentence;
        propbank::to_document(s, sentence);
        propbank::from_document(sentence);
      }
    } catch (const Error&) {
      ENTENTE_CHECK(!strict);
    }
    return out;
  };
  const std::string once = again({reinterpret_cast<const char*>(data), size}, "input", false);
  ENTENTE_CHECK(again(once, "written", true) == once);
  return 0;
}
