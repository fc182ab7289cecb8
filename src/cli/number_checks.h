// Checks of options that are numbers; CLI11's own print the largest double in full.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

namespace entente::cli {

inline CLI::Validator number_check(bool zero, const char* wanted) {
  return CLI::Validator(
      [zero, wanted](std::string& text) {
        double number = 0;
        const bool good =
            CLI::detail::lexical_cast(text, number) && (zero ? number >= 0 : number > 0);
        return good ? std::string() : fmt::format("{} is not {}", text, wanted);
      },
      "");
}
inline CLI::Validator above_zero() { return number_check(false, "a number above 0"); }
inline CLI::Validator zero_or_more() { return number_check(true, "a number of 0 or more"); }

}  // namespace entente::cli
