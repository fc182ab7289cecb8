#include "learn/word_classes.h"

#include "learn/hash.h"

namespace entente {

std::uint64_t word_class_key(std::string_view lower) {
  std::uint64_t h = 0x57C1A55E5ULL;
  for (const char c : lower) {
    const auto byte = static_cast<unsigned char>(c >= '0' && c <= '9' ? '0' : c);
    h = mix(h, byte + 1u);
  }
  return spread(h);
}

WordClasses::WordClasses(const ModelFile& file, const std::string& name) {
  if (file.has(name + "/table")) table_ = FlatTable<WordClass>(file, name + "/table");
}

std::vector<WordClass> read_word_classes(const std::string& path) {
  const ModelFile file(path);
  const WordClasses classes(file, "clusters");
  if (classes.empty()) file.fail("has no word classes: make them with `entente train clusters`");
  return {classes.entries().begin(), classes.entries().end()};
}

}  // namespace entente
