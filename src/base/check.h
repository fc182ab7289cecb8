// CHECK(condition): a broken invariant of ours, never the user's fault. Says where and aborts.
#pragma once

#include <cstdio>
#include <cstdlib>

#define ENTENTE_CHECK(condition)                                                             \
  do {                                                                                       \
    if (!(condition)) [[unlikely]] {                                                         \
      std::fprintf(stderr, "%s:%d: broken invariant: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
