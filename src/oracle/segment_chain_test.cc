#include "oracle/segment_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.h"
#include "kit/cases.h"

namespace entente {
namespace {

// A row with some of its places open, and the scores it was given.
struct Row {
  SegmentChain chain;
  int pieces = 0;
  std::vector<double> cuts;                        // of cut j; 0 at both ends
  std::map<std::pair<int, int>, double> segments;  // between cuts
};

Row random_row(Random& random, int most_pieces, int window) {
  Row row{.chain = SegmentChain(window),
          .pieces = random.between(1, most_pieces),
          .cuts = {0},
          .segments = {}};
  SegmentChain& chain = row.chain;
  chain.begin(row.pieces);
  for (int place = 1; place < row.pieces; ++place) {
    if (random.chance(0.2)) continue;
    row.cuts.push_back(static_cast<float>(random.normal()));
    chain.open(place, static_cast<float>(row.cuts.back()));
  }
  row.cuts.push_back(0);
  const auto long_score = static_cast<float>(random.normal());
  chain.close(long_score);
  for (int j = 1; j <= chain.last(); ++j) {
    for (int i = 0; i < j; ++i) row.segments[{i, j}] = long_score;
    for (int i = j - 1; chain.is_short(i, j); --i) {
      chain.segment(i, j) = static_cast<float>(random.normal(0, 2));
      row.segments[{i, j}] = chain.segment(i, j);
    }
  }
  return row;
}

// visit(cuts that a segmentation ends its segments with) for every segmentation.
template <typename Visit>
void each_segmentation(const SegmentChain& chain, Visit visit) {
  const int n = chain.last();
  for (unsigned mask = 0; mask < 1u << (n - 1); ++mask) {
    std::vector<int> ends;
    for (int j = 1; j < n; ++j) {
      if (mask >> (j - 1) & 1) ends.push_back(j);
    }
    ends.push_back(n);
    visit(ends);
  }
}

template <typename Use>
void each_segment(const std::vector<int>& ends, Use use) {
  int begin = 0;
  for (const int end : ends) {
    use(begin, end);
    begin = end;
  }
}

TEST(SegmentChain, SumsAgreeWithEnumeration) {
  Random random(1);
  for (int trial = 0; trial < random_cases(300); ++trial) {
    Row row = random_row(random, 9, random.between(1, 9));
    SegmentChain& chain = row.chain;
    double total = 0;
    std::map<std::pair<int, int>, double> segments;
    std::map<int, double> cuts, longs;
    each_segmentation(chain, [&](const std::vector<int>& ends) {
      double score = 0;
      each_segment(ends, [&](int i, int j) { score += row.segments.at({i, j}) + row.cuts[j]; });
      const double weight = std::exp(score);
      total += weight;
      each_segment(ends, [&](int i, int j) {
        segments[{i, j}] += weight;
        cuts[j] += weight;
        if (!chain.is_short(i, j)) longs[j] += weight;
      });
    });
    ASSERT_NEAR(chain.sums(), std::log(total), 1e-5);
    for (int j = 1; j <= chain.last(); ++j) {
      ASSERT_NEAR(chain.cut_probability(j), cuts[j] / total, 1e-5);
      ASSERT_NEAR(chain.long_probability(j), longs[j] / total, 1e-5);
      for (int i = 0; i < j; ++i) {
        ASSERT_NEAR(chain.segment_probability(i, j), segments.at({i, j}) / total, 1e-5);
      }
    }
  }
}

TEST(SegmentChain, CutsHaveTheMostToGain) {
  Random random(2);
  for (int trial = 0; trial < random_cases(300); ++trial) {
    Row row = random_row(random, 9, random.between(1, 9));
    SegmentChain& chain = row.chain;
    const auto price = static_cast<float>(random.uniform(0.1, 0.6));
    chain.sums();
    std::vector<int> found;
    chain.best_cuts(price, found);
    // Long segments are never taken to be right.
    const auto gain = [&](const std::vector<int>& ends) {
      double sum = 0;
      each_segment(ends, [&](int i, int j) {
        sum += (chain.is_short(i, j) ? chain.segment_probability(i, j) : 0) - price;
      });
      return sum;
    };
    double best = -1e9;
    std::map<int, int> cut_at;
    for (int j = 1; j <= chain.last(); ++j) cut_at[chain.place(j)] = j;
    each_segmentation(chain,
                      [&](const std::vector<int>& ends) { best = std::max(best, gain(ends)); });
    ASSERT_EQ(found.back(), row.pieces);
    std::vector<int> cuts;
    for (const int place : found) cuts.push_back(cut_at.at(place));
    ASSERT_NEAR(gain(cuts), best, 1e-5);
  }
}

// Rows too long to enumerate: each piece is in just one segment.
TEST(SegmentChain, ProbabilitiesOfSegmentsOverAPieceAddUpToOne) {
  Random random(3);
  for (int trial = 0; trial < random_cases(100); ++trial) {
    Row row = random_row(random, 60, random.between(1, 6));
    SegmentChain& chain = row.chain;
    chain.sums();
    for (int cut = 0; cut < chain.last(); ++cut) {
      double sum = 0;
      for (int i = 0; i <= cut; ++i) {
        for (int j = cut + 1; j <= chain.last(); ++j) sum += chain.segment_probability(i, j);
      }
      ASSERT_NEAR(sum, 1, 1e-3);
    }
  }
}

TEST(SegmentChain, HugeScoresStayFinite) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    Row row = random_row(random, 12, 5);
    for (int j = 1; j <= row.chain.last(); ++j) {
      for (int i = j - 1; row.chain.is_short(i, j); --i) row.chain.segment(i, j) *= 1000;
    }
    ASSERT_TRUE(std::isfinite(row.chain.sums()));
    for (int j = 1; j <= row.chain.last(); ++j) {
      ASSERT_GE(row.chain.cut_probability(j), 0);
      ASSERT_LE(row.chain.cut_probability(j), 1 + 1e-3);
    }
  }
}

}  // namespace
}  // namespace entente
