// Bad input, said once and clearly.
//
//   throw Error("unknown variable \"x7\"", {.file = "p.json", .line = 3, .column = 14});
//   // what(): p.json:3:14: unknown variable "x7"
//
// Error is for input a user can mend (exit code 2 in the command). A mathematical outcome such as
// "infeasible" is a Status in the Solution; a broken invariant inside the engine is a CHECK.
#pragma once

#include <stdexcept>
#include <string>

namespace entente {

// A place in a file. line and column count from 1; 0 means "not known".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Place place = {})
      : std::runtime_error(format(message, place)), message_(message), place_(std::move(place)) {}

  const std::string& message() const { return message_; }
  const Place& place() const { return place_; }

  // The same error, said of another place (readers of one line know only the column).
  Error at(Place place) const { return Error(message_, std::move(place)); }

 private:
  static std::string format(const std::string& message, const Place& place) {
    std::string out;
    if (!place.file.empty()) out += place.file + ":";
    if (place.line > 0) out += std::to_string(place.line) + ":";
    if (place.column > 0) out += std::to_string(place.column) + ":";
    return out.empty() ? message : out + " " + message;
  }

  std::string message_;
  Place place_;
};

}  // namespace entente
