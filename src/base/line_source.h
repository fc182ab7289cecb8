// Lines from anywhere: what every reader of text files reads from.
//
//   for (std::string line; source.read_line(line);) use(line);
//   throw Error("expected 10 columns", source.place(1));
#pragma once

#include <string>

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

}  // namespace entente
