#include <cstddef>
#include <cstdint>

#include "fuzz/schema_judge.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  entente::fuzz::schema_judge({reinterpret_cast<const char*>(data), size});
  return 0;
}
