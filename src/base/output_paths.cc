#include "base/output_paths.h"

#include <sys/stat.h>

#include <string>

#include "entente/error.h"

namespace entente {

namespace {

std::string plain(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return std::string(path);
}

// By name, or, where both are there already, by what the names lead to.
bool is_one_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  const bool there = ::stat(a.c_str(), &first) == 0;
  if (there && !S_ISREG(first.st_mode)) return false;
  if (a == b) return true;
  return there && ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

}  // namespace

void expect_apart(std::initializer_list<std::string_view> paths) {
  for (const std::string_view* a = paths.begin(); a != paths.end(); ++a) {
    for (const std::string_view* b = a + 1; b != paths.end(); ++b) {
      if (a->empty() || b->empty()) continue;
      if (*a == "-" && *b == "-") throw Error("two outputs cannot both go to standard output");
      if (*a != "-" && *b != "-" && is_one_file(plain(*a), plain(*b)))
        throw Error("is asked for twice: two outputs cannot be one file",
                    {.file = std::string(*a)});
    }
  }
}

void expect_kept(std::span<const std::string> inputs, std::string_view output) {
  for (const std::string& input : inputs) {
    if (input != "-" && output != "-" && !output.empty() &&
        is_one_file(plain(input), plain(output)))
      throw Error("is read: what is written cannot take its place", {.file = std::string(output)});
  }
}

}  // namespace entente
