// An answer drawn under its sentence, as text and as a picture.
#pragma once

#include <string>
#include <vector>

#include "cli/examples.h"

namespace entente::cli {

struct Filler {
  std::string role;
  Interval words{};
};

// The words on lines of at most `width` columns, and under each line brackets with the roles.
std::string draw_text(const std::vector<std::string>& words, const std::vector<Filler>& fillers,
                      int width);
std::string draw_svg(const std::vector<std::string>& words, const std::vector<Filler>& fillers,
                     const std::string& title);

}  // namespace entente::cli
