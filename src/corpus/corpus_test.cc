#include "corpus/corpus.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>

#include "base/files.h"
#include "corpus/gzip.h"
#include "corpus/test_kit.h"
#include "entente/error.h"

namespace entente {
namespace {

std::string row(int id, const std::string& form, bool space = true) {
  return std::to_string(id) + "\t" + form + "\t_\t_\t_\t_\t_\t_\t_\t" +
         (space ? "_" : "SpaceAfter=No") + "\n";
}

// The pieces of text that the tokens claim, joined by bars.
std::string pieces(const Document& d) {
  std::string out;
  for (const Sentence& s : d.sentences) {
    for (const Token& t : s.tokens)
      out += d.text.substr(static_cast<std::size_t>(t.begin),
                           static_cast<std::size_t>(t.end - t.begin)) +
             "|";
  }
  return out;
}

TEST(Corpus, TextIsJoinedBySpacesAndParagraphsByBlankLines) {
  const Document d = read_document(row(1, "Go", false) + row(2, "!") + "\n" + row(1, "So", false) +
                                   "\n" + row(1, "on") + "\n# newpar\n" + row(1, "New") +
                                   "\n# newdoc id = x\n# newpar id = y\n" + row(1, "Doc") + "\n");
  EXPECT_EQ(d.text, "Go! Soon\n\nNew\n\nDoc\n");
  EXPECT_EQ(pieces(d), "Go|!|So|on|New|Doc|");
  EXPECT_EQ(d.sentences[0].begin, 0);
  EXPECT_EQ(d.sentences[0].end, 3);
  EXPECT_EQ(d.sentences[1].begin, 4);
}

TEST(Corpus, TheTextLineIsTakenWhereItFits) {
  const std::string words = row(1, "New York") + row(2, "a") + row(3, "b", false) + row(4, "c");
  EXPECT_EQ(read_document("# text = New  York a  bc\n" + words + "\n").text, "New  York a  bc\n");
  EXPECT_EQ(pieces(read_document("# text = New  York a  bc\n" + words + "\n")), "New  York|a|b|c|");
  EXPECT_EQ(read_document("# text = something else\n" + words + "\n").text, "New York a bc\n");
  EXPECT_EQ(read_document("# text = New York a bcd\n" + words + "\n").text, "New York a bc\n");
  EXPECT_EQ(sentence_text(read_document(words + "\n").sentences[0]), "New York a bc");
}

TEST(Corpus, MultiwordTokensAreOnePieceOfText) {
  const Document d = read_document("1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n" + row(1, "de") +
                                   row(2, "le") + row(3, "!") + "\n");
  EXPECT_EQ(d.text, "du!\n");
  EXPECT_EQ(pieces(d), "du|!|");
}

TEST(Corpus, EveryTokenOfATreebankIsFoundInItsText) {
  const std::vector<std::string> files = treebanks();
  if (files.empty()) GTEST_SKIP() << "no treebanks at ../shared/data/ud or ENTENTE_DATA";
  for (const std::string& path : files) {
    if (path.find("-dev") == std::string::npos) continue;
    const Document d = read_corpus(path);
    std::int64_t last = 0;
    for (const Sentence& s : d.sentences) {
      ASSERT_LE(last, s.begin);
      for (const Token& t : s.tokens) {
        ASSERT_LE(s.begin, t.begin);
        ASSERT_LE(t.end, s.end);
        ASSERT_GT(t.end, t.begin);
      }
      last = s.end;
    }
    EXPECT_EQ(last + 1, static_cast<std::int64_t>(d.text.size())) << path;
  }
}

// A folder that goes when the test does.
class Gzip : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("entente_gzip_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::string zipped(const std::string& text) {
    z_stream z{};
    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(text.size() + 1000, '\0');
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    z.avail_in = static_cast<uInt>(text.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, Z_FINISH);
    out.resize(out.size() - z.avail_out);
    deflateEnd(&z);
    return out;
  }
  std::string file(const std::string& bytes) {
    const std::string path = (folder_ / "file").string();
    write_whole_file(path, bytes);
    return path;
  }
  std::string error_of(const std::string& bytes) {
    try {
      CorpusFile in(file(bytes));
      in.read_rest();
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

TEST_F(Gzip, PlainAndZippedFilesReadTheSame) {
  std::string text;
  for (int i = 0; i < 40000; ++i) text += "line " + std::to_string(i * 7919 % 1000) + "\n";
  for (const std::string& bytes :
       {text, zipped(text), zipped(text.substr(0, 500)) + zipped(text.substr(500)),
        zipped(text) + std::string(512, '\0')}) {
    CorpusFile whole(file(bytes));
    EXPECT_TRUE(whole.read_rest() == text);
    CorpusFile lines(file(bytes));
    std::string joined;
    for (std::string line; lines.read_line(line);) joined += line + "\n";
    EXPECT_TRUE(joined == text);
    EXPECT_EQ(lines.line_number(), 40000);
  }
}

TEST_F(Gzip, SmallFilesAreReadToo) {
  for (const std::string text : {"", "a", "\x1F", "\n"}) {
    CorpusFile in(file(text)), packed(file(zipped(text)));
    EXPECT_EQ(packed.read_rest(), text);
  }
}

TEST_F(Gzip, CutAndDamagedFilesAreErrors) {
  const std::string text(100000, 'x');
  const std::string bytes = zipped(text + "some other text");
  for (std::size_t cut : {std::size_t{3}, std::size_t{15}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_EQ(error_of(bytes.substr(0, cut)), "the gzipped data is cut short") << cut;
  EXPECT_EQ(error_of(bytes + "tail"), "there is something else after the gzipped data");
  std::string damaged = bytes;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] + 1);
  EXPECT_TRUE(error_of(damaged).starts_with("the gzipped data is damaged")) << error_of(damaged);
}

}  // namespace
}  // namespace entente
