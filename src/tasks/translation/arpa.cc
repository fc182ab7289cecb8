// Language models in ARPA's format.
#include <cmath>

#include "base/files.h"
#include "base/text.h"
#include "entente/error.h"
#include "tasks/translation/lm_builder.h"

namespace entente::translation {

namespace {

class ArpaReader {
 public:
  explicit ArpaReader(LineSource& file) : file_(file) {}

  LanguageModel read() {
    read_counts();
    for (int n = 1; n <= order(); ++n) read_section(n);
    expect_line("\\end\\", "\\end\\");
    return builder_.build(true);
  }

 private:
  int order() const { return static_cast<int>(expected_.size()); }
  [[noreturn]] void fail(const std::string& message, int column = 1) const {
    throw Error(message, file_.place(column));
  }
  bool next() {  // the next line that is not empty
    while (file_.read_line(line_)) {
      while (!line_.empty() && (line_.back() == '\r' || line_.back() == ' ')) line_.pop_back();
      if (!line_.empty()) return true;
    }
    line_.clear();
    return false;
  }
  void expect_line(std::string_view wanted, const char* said) {
    if (line_ != wanted) fail(std::string("expected ") + said + ", found " + quoted(line_));
  }

  void read_counts() {
    do {
      if (!next()) fail("expected an ARPA language model: there is no \\data\\ line");
    } while (line_ != "\\data\\");
    while (next() && line_.starts_with("ngram ")) {
      const std::size_t equals = std::min(line_.find('='), line_.size() - 1);
      const std::string_view line = line_;
      const std::int64_t n = parse_integer(line.substr(6, equals - 6)).value_or(-1);
      const std::int64_t count = parse_integer(line.substr(equals + 1)).value_or(-1);
      if (n != order() + 1 || count < 0) {
        fail("expected `ngram " + std::to_string(order() + 1) + "=count`, found " + quoted(line_));
      }
      if (n > kMaxOrder) {
        fail("n-grams of more than " + std::to_string(kMaxOrder) + " words are not supported");
      }
      expected_.push_back(static_cast<std::size_t>(count));
    }
    if (expected_.empty()) fail("expected `ngram 1=count`, found " + quoted(line_));
    builder_ = LmBuilder(order());
  }

  void read_section(int n) {
    const std::string header = "\\" + std::to_string(n) + "-grams:";
    expect_line(header, header.c_str());
    std::size_t read = 0;
    while (next() && line_[0] != '\\') {
      read_gram(n);
      ++read;
    }
    if (read != expected_[n - 1]) {
      fail("expected " + std::to_string(expected_[n - 1]) + " " + std::to_string(n) +
           "-grams, found " + std::to_string(read));
    }
  }

  void read_gram(int n) {
    const std::string_view line = line_;
    std::size_t at = 0;
    const auto field = [&]() -> std::string_view {
      at = std::min(line.find_first_not_of(" \t", at), line.size());
      const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
      const std::string_view out = line.substr(at, end - at);
      at = end;
      return out;
    };
    const auto number = [&](std::string_view text, const char* what) {
      const auto value = parse_number(text);
      if (!value) {
        fail(std::string("expected ") + what + ", found " + quoted(text),
             static_cast<int>(at - text.size()) + 1);
      }
      return static_cast<float>(*value);
    };
    LmBuilder::Gram gram;
    gram.entry.probability = number(field(), "a log probability");
    for (int k = n - 1; k >= 0; --k) {
      const std::string_view text = field();
      if (text.empty()) {
        fail("expected " + std::to_string(n) + " words", static_cast<int>(at) + 1);
      }
      gram.words[k] = hash_of(text);
    }
    if (const std::string_view text = field(); !text.empty()) {
      gram.entry.back_off = number(text, "a back-off weight");
    }
    if (const std::string_view text = field(); !text.empty()) {
      fail("expected the end of the line, found " + quoted(text),
           static_cast<int>(at - text.size()) + 1);
    }
    gram.entry.flags = 2;
    if (!builder_.add(n, gram)) fail("this n-gram came before");
  }

  LineSource& file_;
  std::string line_;
  std::vector<std::size_t> expected_;
  LmBuilder builder_{1};
};

}  // namespace

LanguageModel read_arpa(LineSource& file) { return ArpaReader(file).read(); }

}  // namespace entente::translation
