#include <cstddef>
#include <cstdint>

#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  entente::fuzz::round_trip({reinterpret_cast<const char*>(data), size}, entente::Format::json);
  return 0;
}
