# What a build from nothing costs, and how it is kept down: precompiled headers, and less optimisation where time is
# not spent. Measured with `python3 tools/compile_times.py build`, which reads ninja's log.

set(STL_HEADERS <algorithm> <array> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory> <numeric>
  <optional> <span> <string> <string_view> <unordered_map> <utility> <vector>)
set(FMT_HEADERS <fmt/format.h>)

# Every target has its own: flags and definitions must be the same for whoever uses it.
function(precompile target)
  if(ENTENTE_PCH)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      # Without the time of day in it, so that ccache knows the same header again.
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endif()
endfunction()

# The command's own code waits for files and terminals. Under a sanitizer benchmarks, readers and writers are compiled
# without optimisation too: they cost most to compile and least to run.
function(optimize_less)
  if(TARGET entente_cli_parts)
    target_compile_options(entente_cli_parts PRIVATE $<IF:$<CONFIG:Debug>,-O0,-O1>)
    target_compile_options(entente_corpus PRIVATE $<$<CONFIG:Debug>:-O0>)
    target_compile_options(entente_bench PRIVATE $<$<CONFIG:Debug>:-O0>)
    if(ENTENTE_SANITIZE MATCHES "thread")  # few tests run there: they want threads, not speed
      target_compile_options(entente_language PRIVATE -O0)
      target_compile_options(entente_schema PRIVATE -O0)
      target_compile_options(entente_bench PRIVATE -g0 -fno-sanitize=thread)  # no test there runs it
    endif()
  endif()
endfunction()
