#include "base/checksum.h"

#include <bit>
#include <cstring>

namespace entente {

namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u, kPrime2 = 0xC2B2AE3D27D4EB4Fu,
                        kPrime3 = 0x165667B19E3779F9u, kPrime4 = 0x85EBCA77C2B2AE63u,
                        kPrime5 = 0x27D4EB2F165667C5u;

template <typename T>
T load(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::uint64_t mix(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

// The last bytes, fewer than 32, and a good stir.
std::uint64_t finish(std::uint64_t hash, const std::byte* p, std::size_t left) {
  for (; left >= 8; p += 8, left -= 8) {
    hash = std::rotl(hash ^ mix(0, load<std::uint64_t>(p)), 27) * kPrime1 + kPrime4;
  }
  if (left >= 4) {
    hash = std::rotl(hash ^ (load<std::uint32_t>(p) * kPrime1), 23) * kPrime2 + kPrime3;
    p += 4;
    left -= 4;
  }
  for (; left > 0; ++p, --left) {
    hash = std::rotl(hash ^ (std::to_integer<std::uint64_t>(*p) * kPrime5), 11) * kPrime1;
  }
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> data) {
  const std::byte* p = data.data();
  std::size_t left = data.size();
  std::uint64_t hash = kPrime5;
  if (left >= 32) {
    std::uint64_t lanes[4] = {kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
    for (; left >= 32; p += 32, left -= 32) {
      for (int i = 0; i < 4; ++i) lanes[i] = mix(lanes[i], load<std::uint64_t>(p + 8 * i));
    }
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
           std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) hash = (hash ^ mix(0, lane)) * kPrime1 + kPrime4;
  }
  return finish(hash + data.size(), p, left);
}

}  // namespace entente
