// Outputs of one command that must not be one file: the last would be all that is left, or both
// stand mixed on standard output.
//
//   expect_apart({a.output, a.certificate});   // "-" is standard output, "" is not asked for
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace entente {

// Throws Error where two are the same. Devices may be named as often as one likes.
void expect_apart(std::initializer_list<std::string_view> paths);
// Error if `output` would take the place of one of these inputs.
void expect_kept(std::span<const std::string> inputs, std::string_view output);

}  // namespace entente
