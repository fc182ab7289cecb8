#include "base/output_paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "entente/error.h"

namespace entente {

namespace {

// What a path leads to, if there is something: "-" among the inputs is what standard input was made of.
bool status_of(const std::string& path, struct stat& info) {
  return (path == "-" ? ::fstat(STDIN_FILENO, &info) : ::stat(path.c_str(), &info)) == 0;
}

// By what the names lead to, through links and other spellings, where both are there already; else by name. Devices and
// pipes hold nothing that could be lost.
bool is_one_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  const bool there = status_of(a, first);
  if (there && !S_ISREG(first.st_mode) && !S_ISDIR(first.st_mode)) return false;
  if (a == b) return true;
  const bool both = status_of(b, second);
  if (there || both)
    return there && both && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  std::error_code error;
  const auto plain_a = std::filesystem::weakly_canonical(std::filesystem::absolute(a), error);
  const auto plain_b = std::filesystem::weakly_canonical(std::filesystem::absolute(b), error);
  return !error && plain_a == plain_b;
}

}  // namespace

void expect_apart(std::initializer_list<std::string_view> paths) {
  for (const std::string_view* a = paths.begin(); a != paths.end(); ++a) {
    for (const std::string_view* b = a + 1; b != paths.end(); ++b) {
      if (a->empty() || b->empty()) continue;
      if (*a == "-" && *b == "-") throw Error("two outputs cannot both go to standard output");
      if (*a != "-" && *b != "-" && is_one_file(std::string(*a), std::string(*b)))
        throw Error("is asked for twice: two outputs cannot be one file",
                    {.file = std::string(*a)});
    }
  }
}

void expect_kept(std::span<const std::string> inputs,
                 std::initializer_list<std::string_view> outputs) {
  for (const std::string_view output : outputs) {
    if (output == "-" || output.empty()) continue;
    for (const std::string& input : inputs) {
      if (!input.empty() && is_one_file(input, std::string(output)))
        throw Error("is read: what is written cannot take its place",
                    {.file = std::string(output)});
    }
  }
}

}  // namespace entente
