// Files read as a stream of lines or whole, and files that appear only when they are complete.
//
//   InputFile in("problems.jsonl");            // "-" is standard input
//   std::string line;
//   while (in.read_line(line)) use(line);
//
//   OutputFile out("answer.json");             // "-" is standard output
//   out.write(text);
//   out.commit();                              // without it the old file stays as it was
//
// A subclass may give other bytes than the file's own (corpus/gzip.h) by overriding read_some().
// All trouble is an Error of one line ("p.json: no such file"). A reader that was closed early
// (`| head`) is a BrokenPipe. One thread at a time, but bytes_read() may be asked by any.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "base/line_source.h"

namespace entente {

class BrokenPipe : public std::exception {};

class InputFile : public LineSource {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile() override;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const override { return name_; }  // "<stdin>" for "-"
  // The next line without its newline. False at the end, or after a caught signal.
  bool read_line(std::string& line) override;
  std::string read_rest();
  int line_number() const override { return line_; }
  std::int64_t size() const { return size_; }  // -1 if not known (a pipe)
  std::int64_t bytes_read() const { return bytes_.load(std::memory_order_relaxed); }

 protected:
  // Up to `size` bytes from where reading has come to; 0 at the end, or after a caught signal.
  virtual std::size_t read_some(char* data, std::size_t size);

 private:
  bool fill();

  std::string name_, buffer_;
  std::size_t begin_ = 0;
  int fd_ = -1;
  int line_ = 0;
  std::int64_t size_ = -1;
  std::atomic<std::int64_t> bytes_{0};
};

std::string read_whole_file(const std::string& path);

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_, target_, temporary_;  // temporary_ empty: written directly
  int fd_ = -1;
};

void write_whole_file(const std::string& path, std::string_view text);

}  // namespace entente
