// Weights learned by several processes are those that one learns, whatever their number. What MPI is
// on a cluster are forked processes here, with shared memory between them.
#include "base/processes.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "tasks/ccg/test_kit.h"

namespace entente::ccg {
namespace {

constexpr int kBits = 8, kWeights = (1 << kBits) + 1;

// What all of them see.
struct Shared {
  pthread_barrier_t barrier;
  double message[kWeights];
  double learned[8][kWeights];
};

class Forked : public Processes {
 public:
  Forked(Shared& shared, int rank, int size) : shared_(shared), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void broadcast(std::span<double> numbers, int from) override {
    if (rank_ == from) std::copy(numbers.begin(), numbers.end(), shared_.message);
    pthread_barrier_wait(&shared_.barrier);
    if (rank_ != from)
      std::copy(shared_.message, shared_.message + numbers.size(), numbers.begin());
    pthread_barrier_wait(&shared_.barrier);
  }

 private:
  Shared& shared_;
  int rank_, size_;
};

class ManyProcesses : public WorldTest {
 protected:
  void SetUp() override {
    void* memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    shared_ = static_cast<Shared*>(memory);
  }
  void TearDown() override { munmap(shared_, sizeof(Shared)); }

  // Each learns from its own sentences only.
  void learn(std::span<const PackedSentence> all, const WeightsOptions& options, int rank,
             int size) {
    Forked forked(*shared_, rank, size);
    set_processes(&forked);
    std::vector<PackedSentence> mine;
    for (const PackedSentence& s : all) {
      if (is_mine(s.number)) mine.push_back(s);
    }
    Monitor quiet;
    const std::vector<double> weights = train_weights(mine, options, quiet);
    std::copy(weights.begin(), weights.end(), shared_->learned[rank]);
    set_processes(nullptr);
  }
  Shared* shared_ = nullptr;
};

TEST_F(ManyProcesses, LearnTheSameWeightsToTheLastBit) {
  const std::vector<PackedSentence> sentences = pack_all();
  for (const auto& [loss, size] : {std::pair{"f1", 2}, {"corpus_f1", 3}}) {
    WeightsOptions options;
    options.bits = kBits;
    options.loss = parse_loss(loss);
    options.iterations = 2;
    Monitor quiet;
    const std::vector<double> alone = train_weights(sentences, options, quiet);
    pthread_barrierattr_t shared;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared_->barrier, &shared, size);
    std::vector<pid_t> children;
    for (int rank = 0; rank < size; ++rank) {
      children.push_back(fork());
      ASSERT_GE(children.back(), 0);
      if (children.back() == 0) {
        learn(sentences, options, rank, size);
        _exit(0);
      }
    }
    for (const pid_t child : children) {
      int status = 1;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
    for (int rank = 0; rank < size; ++rank)
      EXPECT_TRUE(std::equal(alone.begin(), alone.end(), shared_->learned[rank])) << loss;
    pthread_barrier_destroy(&shared_->barrier);
  }
}

}  // namespace
}  // namespace entente::ccg
