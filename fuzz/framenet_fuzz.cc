#include <cstddef>
#include <cstdint>

#include "fuzz/framenet_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  entente::fuzz::framenet_check({reinterpret_cast<const char*>(data), size});
  return 0;
}
