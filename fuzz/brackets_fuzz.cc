// Trees in brackets: what is read comes back the same after writing.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "corpus/layers/constituency/brackets.h"
#include "entente/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace entente;
  StringLines lines(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
  BracketReader reader(lines, {.keep_traces = size % 2 == 0, .keep_functions = size % 3 == 0});
  try {
    for (PhraseTree tree; reader.read(tree);) {
      const std::string text = to_brackets(tree);
      StringLines again(text, "again");
      BracketReader second(again, {.keep_traces = true, .keep_functions = true});
      PhraseTree same;
      ENTENTE_CHECK(second.read(same));
      ENTENTE_CHECK(same.words == tree.words && same.tags == tree.tags);
      ENTENTE_CHECK(to_brackets(same) == text);
    }
  } catch (const Error&) {
  }
  return 0;
}
