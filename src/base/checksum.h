// A quick checksum of large data: XXH64 (Collet 2012), 64 bits, several gigabytes a second.
//
//   if (checksum(bytes) != stored) ...      // a bit was lost on the way
//
// It finds accidents, not forgeries. Little-endian machines only, as model files are. Linear; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace entente {

std::uint64_t checksum(std::span<const std::byte> data);

}  // namespace entente
