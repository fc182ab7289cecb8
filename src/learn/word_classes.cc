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

}  // namespace entente
