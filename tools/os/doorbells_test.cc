// A thread that waits for a bell and for input notices both, and loses neither.

#include "tools/os/doorbells.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tools/os/input.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr int64_t kForEver = int64_t{3600} * 1'000'000'000;

// A pipe whose reading end is an Input.
class Pipe {
 public:
  Pipe() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    writing_ = ends[1];
    input_ = Input::Open("/dev/fd/" + std::to_string(ends[0])).value();
    close(ends[0]);
  }
  ~Pipe() { close(writing_); }

  void Say() { EXPECT_EQ(write(writing_, "x", 1), 1); }
  const Input& input() const { return *input_; }

 private:
  int writing_ = -1;
  std::unique_ptr<Input> input_;
};

TEST(InputDoorbell, ARingBeforeTheWaitIsNotLost) {
  const auto bell = InputDoorbell::Make(0).value();
  const Pipe pipe;
  bell->Ring();
  bell->WaitOrInput(pipe.input(), kForEver);
  bell->Ring();
  bell->Wait(kForEver);
}

TEST(InputDoorbell, InputEndsTheWait) {
  const auto bell = InputDoorbell::Make(10).value();
  Pipe pipe;
  pipe.Say();
  bell->WaitOrInput(pipe.input(), kForEver);
  EXPECT_TRUE(pipe.input().IsReady());
}

TEST(InputDoorbell, EveryRingOfAnotherThreadWakes) {
  constexpr uint64_t kRounds = 20'000;
  const auto bell = InputDoorbell::Make(0).value();
  const auto answer = InputDoorbell::Make(0).value();
  const Pipe pipe;
  std::atomic<uint64_t> asked = 0;
  std::atomic<uint64_t> answered = 0;
  const Thread other(
      "other",
      [&] {
        for (uint64_t round = 1; round <= kRounds; ++round) {
          while (asked.load() < round) bell->WaitOrInput(pipe.input(), kForEver);
          answered.store(round);
          answer->Ring();
        }
      },
      [] {});
  for (uint64_t round = 1; round <= kRounds; ++round) {
    asked.store(round);
    bell->Ring();
    while (answered.load() < round) answer->Wait(kForEver);
  }
  EXPECT_EQ(answered.load(), kRounds);
}

}  // namespace
}  // namespace tools
