// For tests: the seeds of a fuzzer with random changes, judged as the fuzzer judges. Repeatable.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "kit/cases.h"

namespace entente::fuzz {

inline std::vector<std::string> seeds(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ENTENTE_SOURCE_DIR) +
                                                               "/fuzz/seeds/" + folder))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    out.push_back(text.str());
  }
  return out;
}

inline void change(std::string& text, const std::vector<std::string>& all, Random& r) {
  static constexpr std::string_view kBytes = " \n\t{}[],:\"!#~<>=+-*.\\0123456789exnul\x80\xff";
  const auto place = [&] { return r.below(static_cast<int>(text.size()) + 1); };
  const int at = place();
  switch (r.below(6)) {
    case 0:
      text.insert(at, 1, kBytes[r.below(static_cast<int>(kBytes.size()))]);
      break;
    case 1:
      text.erase(at, r.between(1, 8));
      break;
    case 2:
      if (at < static_cast<int>(text.size()))
        text[at] = kBytes[r.below(static_cast<int>(kBytes.size()))];
      break;
    case 3:
      text.insert(at, text.substr(place(), r.between(1, 40)));
      break;
    case 4: {
      const std::string& other = all[r.below(static_cast<int>(all.size()))];
      text.insert(at, other.substr(r.below(static_cast<int>(other.size())), r.between(1, 40)));
      break;
    }
    default: {
      static const char* const kWords[] = {
          "1000000000", "-1", "9223372036854775807", "1e308", "1e-400", "0", "null", "\"x\""};
      text.insert(at, kWords[r.below(8)]);
    }
  }
}

// Runs `judge` on changed seeds; it returns whether the text was read.
template <class Judge>
void run_mutated(std::vector<std::string> texts, std::uint64_t seed, int everyday,
                 const Judge& judge) {
  ASSERT_FALSE(texts.empty());
  Random r(seed);
  for (const std::string& text : texts) EXPECT_TRUE(judge(text)) << text;
  const int count = random_cases(everyday);
  int read = 0;
  for (int i = 0; i < count; ++i) {
    std::string text = texts[r.below(static_cast<int>(texts.size()))];
    for (int changes = r.between(1, 4); changes > 0; --changes) change(text, texts, r);
    read += judge(text) ? 1 : 0;
  }
  // Neither all nor none: the run sees both sides.
  EXPECT_GT(read, in_full() ? count / 200 : 0);
  EXPECT_LT(read, count);
}

}  // namespace entente::fuzz
