#include "base/ordered.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include "base/random.h"

namespace entente {
namespace {

// Some work whose length differs from job to job, so that threads finish out of order.
int busy(int job) {
  Random r(static_cast<std::uint64_t>(job));
  std::uint64_t sum = 0;
  for (int i = r.below(2000); i >= 0; --i) sum += r.next();
  return job * 2 + (sum == 1 ? 1 : 0);
}

std::vector<int> run_jobs(int threads, int jobs, int end_at) {
  int next = 0;
  std::vector<int> out;
  run_ordered<int, int>(
      threads,
      [&](int& job) {
        job = next;
        return next++ < jobs;
      },
      [](int, int& job) { return busy(job); },
      [&](int result) {
        out.push_back(result);
        return result < end_at;
      });
  return out;
}

TEST(OrderedRun, ResultsComeInTheOrderOfTheJobs) {
  for (int threads : {1, 2, 3, 8}) {
    const std::vector<int> out = run_jobs(threads, 500, 1 << 30);
    ASSERT_EQ(out.size(), 500u);
    for (int i = 0; i < 500; ++i) EXPECT_EQ(out[i], 2 * i);
  }
}

TEST(OrderedRun, NothingComesAfterTheEnd) {
  for (int threads : {1, 2, 4}) EXPECT_EQ(run_jobs(threads, 500, 200).size(), 101u);
}

TEST(OrderedRun, NoJobsNoResults) { EXPECT_TRUE(run_jobs(3, 0, 10).empty()); }

TEST(OrderedRun, FewJobsAreInFlight) {
  int next = 0;
  std::atomic<int> taken = 0, emitted = 0, most = 0;
  run_ordered<int, int>(
      2,
      [&](int& job) {
        job = next;
        ++taken;
        most = std::max(most.load(), taken.load() - emitted.load());
        return next++ < 2000;
      },
      [](int, int& job) { return busy(job); },
      [&](int) {
        ++emitted;
        return true;
      });
  EXPECT_LE(most.load(), 16 * 2 + 1);
}

TEST(OrderedRun, ExceptionsOfEveryPartComeOut) {
  for (int threads : {1, 2, 4}) {
    for (int part = 0; part < 3; ++part) {
      int next = 0;
      auto fail_if = [](bool now) {
        if (now) throw std::runtime_error("now");
      };
      EXPECT_THROW((run_ordered<int, int>(
                       threads,
                       [&](int& job) {
                         job = next++;
                         fail_if(part == 0 && job == 50);
                         return job < 100;
                       },
                       [&](int, int& job) {
                         fail_if(part == 1 && job == 50);
                         return busy(job);
                       },
                       [&](int result) {
                         fail_if(part == 2 && result == 100);
                         return true;
                       })),
                   std::runtime_error);
    }
  }
}

}  // namespace
}  // namespace entente
