#include <cstddef>
#include <cstdint>

#include "fuzz/corpus_round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  entente::fuzz::conll04_round_trip({reinterpret_cast<const char*>(data), size});
  return 0;
}
