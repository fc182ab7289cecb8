#include "base/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/signals.h"
#include "entente/error.h"

namespace entente {

namespace {

std::string reason(int error) {
  switch (error) {
    case ENOENT:
      return "no such file";
    case EISDIR:
      return "is a directory";
    case EACCES:
      return "permission denied";
    default: {
      std::string text = std::strerror(error);
      if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
        text[0] = static_cast<char>(text[0] + 32);
      return text;
    }
  }
}

constexpr std::size_t kChunk = 1 << 16;

}  // namespace

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "<stdin>" : path) {
  fd_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) throw Error("cannot read: " + reason(errno), {.file = name_});
  struct stat info {};
  if (::fstat(fd_, &info) != 0) return;
  if (S_ISDIR(info.st_mode)) {
    if (fd_ != STDIN_FILENO) ::close(fd_);
    throw Error("cannot read: is a directory", {.file = name_});
  }
  if (S_ISREG(info.st_mode)) size_ = info.st_size;
}

InputFile::~InputFile() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
}

std::size_t InputFile::read_some(char* data, std::size_t size) {
  ssize_t got = 0;
  do {
    if (size_ < 0) {  // may have to wait: for input, or for a signal
      pollfd wait[2] = {{fd_, POLLIN, 0}, {stop_descriptor(), POLLIN, 0}};
      ::poll(wait, 2, -1);
      if (stop_flag().load()) break;
    }
    got = ::read(fd_, data, size);
  } while (got < 0 && errno == EINTR && !stop_flag().load());
  if (got < 0 && errno != EINTR) throw Error("cannot read: " + reason(errno), {.file = name_});
  if (got <= 0) return 0;
  bytes_.fetch_add(got, std::memory_order_relaxed);
  return static_cast<std::size_t>(got);
}

bool InputFile::fill() {
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  const std::size_t old = buffer_.size();
  buffer_.resize(old + kChunk);
  const std::size_t got = read_some(buffer_.data() + old, kChunk);
  buffer_.resize(old + got);
  return got > 0;
}

bool InputFile::read_line(std::string& line) {
  std::size_t searched = begin_;
  while (true) {
    std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line.assign(buffer_, begin_, end - begin_);
      begin_ = end + 1;
      ++line_;
      return true;
    }
    searched = buffer_.size() - begin_;  // fill() moves what is left to the front
    if (!fill()) break;
  }
  if (begin_ == buffer_.size() || stop_flag().load()) return false;
  line.assign(buffer_, begin_);
  begin_ = buffer_.size();
  ++line_;
  return true;
}

std::string InputFile::read_rest() {
  while (fill()) {
  }
  std::string out = buffer_.substr(begin_);
  buffer_.clear();
  begin_ = 0;
  return out;
}

std::string read_whole_file(const std::string& path) { return InputFile(path).read_rest(); }

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path == "-") {
    path_ = "<stdout>";
    fd_ = STDOUT_FILENO;
    return;
  }
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(info.st_mode)) {  // a device or a pipe: there is nothing to rename
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail(errno);
    return;
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(errno);
  // Through a symbolic link, the file it points to is replaced, not the link.
  target_ = path;
  if (exists) {
    if (char* real = ::realpath(path.c_str(), nullptr)) {
      target_ = real;
      std::free(real);
    }
  }
  std::string pattern = target_ + ".XXXXXX";
  std::vector<char> name(pattern.begin(), pattern.end());
  name.push_back('\0');
  fd_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd_ < 0) fail(errno == ENOENT ? ENOTDIR : errno);
  temporary_ = name.data();
  remove_if_killed(temporary_);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(fd_, exists ? info.st_mode & 07777 : 0666 & ~mask);
}

OutputFile::~OutputFile() {
  if (fd_ > STDOUT_FILENO) ::close(fd_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  keep_if_killed(temporary_);
}

void OutputFile::fail(int error) const {
  std::string why = error == ENOTDIR ? "no such directory" : reason(error);
  throw Error("cannot write: " + why, {.file = path_});
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    ssize_t done = ::write(fd_, text.data(), text.size());
    if (done < 0) {
      if (errno == EINTR) continue;
      if (errno == EPIPE) throw BrokenPipe();
      fail(errno);
    }
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

void OutputFile::commit() {
  if (fd_ > STDOUT_FILENO) {
    const int fd = fd_;
    fd_ = -1;
    if (::close(fd) != 0) fail(errno);
  }
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  keep_if_killed(temporary_);
  temporary_.clear();
}

void write_whole_file(const std::string& path, std::string_view text) {
  OutputFile out(path);
  out.write(text);
  out.commit();
}

}  // namespace entente
