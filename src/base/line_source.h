// Lines from anywhere: what every reader of text files reads from.
//
//   for (std::string line; source.read_line(line);) use(line);
//   throw Error("expected 10 columns", source.place(1));
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "entente/error.h"

namespace entente {

class LineSource {
 public:
  virtual ~LineSource() = default;
  // The next line without its newline; false at the end.
  virtual bool read_line(std::string& line) = 0;
  virtual const std::string& name() const = 0;  // for messages
  virtual int line_number() const = 0;          // of the line last read, from 1

  Place place(int column) const {
    return {.file = name(), .line = line_number(), .column = column};
  }
};

// The lines of a text in memory.
class StringLines : public LineSource {
 public:
  StringLines(std::string text, std::string name)
      : text_(std::move(text)), name_(std::move(name)) {}

  bool read_line(std::string& line) override {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line.assign(text_, at_, end - at_);
    at_ = end + 1;
    ++line_;
    return true;
  }
  const std::string& name() const override { return name_; }
  int line_number() const override { return line_; }

 private:
  std::string text_, name_;
  std::size_t at_ = 0;
  int line_ = 0;
};

}  // namespace entente
