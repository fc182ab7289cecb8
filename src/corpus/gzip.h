// Files that may be gzipped, read as a stream of lines; "-" is standard input.
//
//   CorpusFile file("en_ewt-train.conllu.gz");
//   for (std::string line; file.read_line(line);) use(line);
//
// Whether a file is gzipped is seen from its first bytes, not its name; one of several members is
// read as their concatenation. A file that is cut short, damaged or followed by something else is
// an Error. size() and bytes_read() are of the file as it lies on disk, for progress. Memory: two
// buffers of 64 kB and the longest line. One thread at a time.
#pragma once

#include <memory>
#include <string>

#include "base/files.h"

namespace entente {

class CorpusFile : public InputFile {
 public:
  explicit CorpusFile(const std::string& path);
  ~CorpusFile() override;

 protected:
  std::size_t read_some(char* data, std::size_t size) override;

 private:
  struct Inflater;
  bool refill();        // of packed_; false at the end of the file
  bool start_member();  // after one member: is there another?
  [[noreturn]] void fail(const std::string& message) const;

  std::string packed_;  // bytes of the file not yet given out or inflated
  std::size_t packed_at_ = 0;
  bool started_ = false, ended_ = false;
  std::unique_ptr<Inflater> inflater_;  // null: the file is plain
};

}  // namespace entente
