// Arrays that are read all over the place: memory in huge pages where the system offers them.
//
//   LargeArray<float> weights(1 << 23);         // a std::vector in all else
//
// A table of tens of megabytes read at random misses the translation buffer at nearly every step
// with pages of 4 kB; with huge ones it does not. Small arrays are allocated as usual.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace entente {

template <typename T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <typename U>
  LargeAllocator(const LargeAllocator<U>& /*other*/) {}

  static constexpr std::size_t kPage = std::size_t{1} << 21;
  static std::align_val_t alignment(std::size_t count) {
    return std::align_val_t{count * sizeof(T) >= kPage ? kPage : alignof(std::max_align_t)};
  }
  T* allocate(std::size_t count) {
    void* memory = ::operator new(count * sizeof(T), alignment(count));
    // Only a wish: where it is refused the array is slower and no less right.
    if (count * sizeof(T) >= kPage) madvise(memory, count * sizeof(T), MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) { ::operator delete(memory, alignment(count)); }
  template <typename U>
  bool operator==(const LargeAllocator<U>& /*other*/) const {
    return true;
  }
};

template <typename T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

// The same without setting what resize() makes: for whoever writes every element, on several threads
// maybe, and need not wait for one that clears them all.
template <typename T>
struct UnsetAllocator : LargeAllocator<T> {
  UnsetAllocator() = default;
  template <typename U>
  UnsetAllocator(const UnsetAllocator<U>& /*other*/) {}
  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
};

template <typename T>
using UnsetArray = std::vector<T, UnsetAllocator<T>>;

}  // namespace entente
