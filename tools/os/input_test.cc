#include "tools/os/input.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "engine/base/bytes.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

class InterruptedInputTest : public ::testing::Test {
 protected:
  InterruptedInputTest() {
    EXPECT_EQ(pipe(ends_.data()), 0);
    input_ = Input::OpenUntilInterrupt("/dev/fd/" + std::to_string(ends_[0])).value();
  }
  ~InterruptedInputTest() override {
    input_.reset();
    close(ends_[0]);
    close(ends_[1]);
  }

  std::array<int, 2> ends_ = {};
  std::unique_ptr<Input> input_;
};

TEST_F(InterruptedInputTest, HasWhatCameBeforeTheInterrupt) {
  ASSERT_EQ(write(ends_[1], "abc", 3), 3);
  EXPECT_EQ(engine::AsText(*input_->Read()), "abc");
  EXPECT_FALSE(input_->IsReady());
  EXPECT_FALSE(input_->interrupted());
  ASSERT_EQ(write(ends_[1], "d", 1), 1);
  EXPECT_TRUE(input_->IsReady());
  ASSERT_EQ(raise(SIGTERM), 0);
  EXPECT_TRUE(input_->interrupted());
  EXPECT_TRUE(input_->Read()->empty());
}

TEST_F(InterruptedInputTest, WakesAReadThatWaits) {
  // Whether the signal comes before the wait or during it is not known, and makes no difference.
  std::thread other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(getpid(), SIGINT);
  });
  EXPECT_TRUE(input_->Read()->empty());
  EXPECT_TRUE(input_->interrupted());
  EXPECT_TRUE(input_->IsReady());
  other.join();
}

TEST_F(InterruptedInputTest, WakesAWaitThatIsLong) {
  std::thread other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(getpid(), SIGINT);
  });
  EXPECT_TRUE(input_->IsReady(1'000'000'000));
  EXPECT_TRUE(input_->interrupted());
  other.join();
}

TEST_F(InterruptedInputTest, ASecondInterruptEndsTheProgram) {
  EXPECT_EXIT(
      {
        raise(SIGINT);
        raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace tools
