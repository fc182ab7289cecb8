#include "bench/toulbar2.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "engine/walk.h"
#include "entente/error.h"
#include "entente/formats.h"

extern char** environ;

namespace entente::bench {

namespace {

// A file that is gone when this is.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / "entente-XXXXXX.wcsp").string()) {
    const int file = mkstemps(path_.data(), 5);
    if (file < 0) throw Error("cannot make the file " + path_);
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t n = write(file, text.data() + done, text.size() - done);
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    close(file);
    if (done < text.size()) {
      unlink(path_.c_str());
      throw Error("cannot write the file " + path_);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Standard output of a command found on the PATH; errors are thrown away.
std::string output_of(std::vector<std::string> command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error("cannot make a pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (failed == 0) {
    char buffer[8192];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(n));
    int status = 0;
    waitpid(child, &status, 0);
  }
  close(ends[0]);
  if (failed != 0) throw Error("cannot run " + command[0]);
  return text;
}

// One state a group and a free variable, in their order, as the file was written.
std::vector<std::uint8_t> to_assignment(const Graph& g, const std::vector<int>& states) {
  std::vector<std::uint8_t> z(g.variable_count(), 0);
  std::size_t next = 0;
  bool fits = true;
  auto take = [&](int size) {
    const int state = next < states.size() ? states[next] : -1;
    ++next;
    fits &= state >= 0 && state < size;
    return fits ? state : 0;
  };
  walk(
      g, [&](int v) { z[v] = take(2) == 1; },
      [&](Group group) { z[group.first + take(group.size)] = 1; });
  if (!fits) z.clear();
  return z;
}

double number_after(const std::string& line, std::string_view word) {
  const std::size_t at = line.rfind(word);
  return at == std::string::npos ? 0.0 : std::strtod(line.c_str() + at + word.size(), nullptr);
}

}  // namespace

bool toulbar2_installed() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/toulbar2").c_str(), X_OK) == 0) return true;
  }
  return false;
}

Toulbar2Answer run_toulbar2(const Graph& graph, double time_limit) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  Toulbar2Answer answer;
  const TemporaryFile file(write_graph(graph, Format::wcsp));
  std::vector<std::string> command{"toulbar2", file.path(), "-s=1"};
  if (time_limit < 1e6)  // whole seconds, at least one
    command.push_back("-timer=" + std::to_string(static_cast<int>(std::ceil(time_limit))));
  std::istringstream lines(output_of(command));
  std::vector<int> states;
  double preprocessing = 0, total = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("New solution:")) {
      states.clear();
      if (!std::getline(lines, line)) break;
      std::istringstream numbers(line);
      for (int s; numbers >> s;) states.push_back(s);
    } else if (line.starts_with("Preprocessing time:")) {
      preprocessing =
          number_after(line, "Preprocessing time:");  // in microseconds, the total is not
    } else if (line.starts_with("Optimum:")) {
      answer.proved = true;
      total = number_after(line, " and ");
    }
  }
  answer.reported = std::max(preprocessing, total);
  if (!states.empty()) answer.assignment = to_assignment(graph, states);
  answer.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return answer;
}

}  // namespace entente::bench
