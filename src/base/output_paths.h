// Outputs of one command that must not be one file: the last would be all that is left, or both
// stand mixed on standard output. Nor may they take the place of what the command reads.
//
//   expect_apart({a.output, a.certificate});   // "-" is standard output, "" is not asked for
//   expect_kept(a.paths, {a.output, a.certificate});
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace entente {

// Throws Error where two are the same. Devices may be named as often as one likes.
void expect_apart(std::initializer_list<std::string_view> paths);
// Error if an output would take the place of one of these inputs ("-": standard input, if it comes
// from a file), however it is spelled and through whatever links.
void expect_kept(std::span<const std::string> inputs,
                 std::initializer_list<std::string_view> outputs);

}  // namespace entente
