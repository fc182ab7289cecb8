#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "cli/problem_stream.h"
#include "entente/error.h"

namespace entente::cli {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    char name[] = "/tmp/entente_files_XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string get(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  std::string folder_;
};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST_F(Files, LinesAreReadWholeWhateverTheirLength) {
  Random r(3);
  std::vector<std::string> lines;
  std::string text;
  for (int i = 0; i < 200; ++i) {
    lines.emplace_back(static_cast<std::size_t>(r.chance(0.1) ? r.below(200000) : r.below(50)),
                       'a' + i % 26);
    text += lines.back() + "\n";
  }
  lines.push_back("no newline at the end");
  InputFile in(put("lines", text + lines.back()));
  std::string line;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ASSERT_TRUE(in.read_line(line));
    ASSERT_EQ(line, lines[i]);
    ASSERT_EQ(in.line_number(), static_cast<int>(i) + 1);
  }
  EXPECT_FALSE(in.read_line(line));
  EXPECT_EQ(in.bytes_read(), in.size());
}

TEST_F(Files, RestIsWhatLinesLeft) {
  InputFile in(put("f", "one\ntwo\nthree"));
  std::string line;
  in.read_line(line);
  EXPECT_EQ(in.read_rest(), "two\nthree");
  EXPECT_EQ(read_whole_file(put("empty", "")), "");
}

TEST_F(Files, TroubleIsOneClearLine) {
  EXPECT_EQ(message_of([&] { InputFile in(path("none.json")); }),
            path("none.json") + ": cannot read: no such file");
  EXPECT_EQ(message_of([&] { InputFile in(folder_); }), folder_ + ": cannot read: is a directory");
  EXPECT_EQ(message_of([&] { OutputFile out(folder_); }),
            folder_ + ": cannot write: is a directory");
  EXPECT_EQ(message_of([&] { OutputFile out(path("no/such")); }),
            path("no/such") + ": cannot write: no such directory");
  EXPECT_EQ(message_of([&] { write_whole_file("/dev/full", "x"); }),
            "/dev/full: cannot write: no space left on device");
}

TEST_F(Files, OutputAppearsOnlyWhenCommitted) {
  put("out", "old");
  {
    OutputFile out(path("out"));
    out.write("half");
    EXPECT_EQ(get("out"), "old");
  }
  EXPECT_EQ(get("out"), "old");
  EXPECT_EQ(entries(), 1u);  // no temporary file is left
  {
    OutputFile out(path("out"));
    out.write("new");
    out.commit();
  }
  EXPECT_EQ(get("out"), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, OutputKeepsModesAndLinks) {
  put("target", "old");
  ::chmod(path("target").c_str(), 0640);
  fs::create_symlink("target", path("link"));
  write_whole_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(get("target"), "new");
  EXPECT_EQ(static_cast<unsigned>(fs::status(path("target")).permissions()), 0640u);
  write_whole_file("/dev/null", "written, and not replaced by a file");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, StreamsGiveFilesWholeAndJsonLinesOneByOne) {
  const std::string a = put("a.json", "{\n}"), b = put("b.jsonl", "{1}\n\n  \r\n{2}\n{3}"),
                    c = put("c.lp", "Max");
  ProblemStream stream({a, b, c}, std::nullopt);
  EXPECT_TRUE(stream.may_be_many());
  std::vector<std::string> seen;
  for (ProblemText p; stream.next(p);) {
    seen.push_back(p.text + "@" + fs::path(p.file).filename().string() + ":" +
                   std::to_string(p.line));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"{\n}@a.json:1", "{1}@b.jsonl:1", "{2}@b.jsonl:4",
                                            "{3}@b.jsonl:5", "Max@c.lp:1"}));
  EXPECT_DOUBLE_EQ(stream.fraction_read(), 1.0);
}

TEST_F(Files, StreamsGoOnAfterABadFile) {
  ProblemStream stream({path("none.json"), put("empty.jsonl", "\n\n"), put("a.json", "{}")},
                       std::nullopt);
  ProblemText p;
  EXPECT_THROW(stream.next(p), Error);
  EXPECT_THROW(stream.next(p), Error);
  EXPECT_TRUE(stream.next(p));
  EXPECT_FALSE(stream.next(p));
}

TEST_F(Files, FormatsAreKnownByEndingOrName) {
  EXPECT_TRUE(input_format_from_path("x.JSONL").lines);
  EXPECT_EQ(input_format_from_path("x.wcsp").format, Format::wcsp);
  EXPECT_THROW(input_format_from_path("x.txt"), Error);
  EXPECT_THROW(input_format_from_name("yaml"), Error);
  EXPECT_FALSE(ProblemStream({"a.json"}, std::nullopt).may_be_many());
  EXPECT_TRUE(ProblemStream({"a.jsonl"}, std::nullopt).may_be_many());
  EXPECT_TRUE(ProblemStream({"-"}, std::nullopt).may_be_many());
}

}  // namespace
}  // namespace entente::cli
