// The kernel stamps bytes when they arrive, however late they are read.

#include "tools/os/network/testing/arrival_stamps.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

#include "gtest/gtest.h"
#include "tools/os/clocks.h"

namespace tools {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

int64_t NowNanos() { return SystemClock().Now().nanos(); }

// Two ends of a TCP connection over the loopback.
class ArrivalStampsTest : public testing::Test {
 protected:
  void SetUp() override {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(listen(listener, 1), 0);
    ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
    sender_ = socket(AF_INET, SOCK_STREAM, 0);
    ASSERT_EQ(connect(sender_, reinterpret_cast<sockaddr*>(&address), size), 0);
    receiver_ = accept(listener, nullptr, nullptr);
    ASSERT_GE(receiver_, 0);
    close(listener);
  }
  ~ArrivalStampsTest() override {
    close(sender_);
    close(receiver_);
  }

  int sender_ = -1;
  int receiver_ = -1;
};

TEST_F(ArrivalStampsTest, StampIsOfTheArrivalAndNotOfTheReading) {
  ASSERT_TRUE(KeepArrivalStamps(receiver_).ok());
  std::optional<int64_t> stamp = 0;
  int64_t before = 0;
  int64_t after = 0;
  for (int attempts = 0; attempts < 500; ++attempts) {
    before = NowNanos();
    ASSERT_EQ(send(sender_, "tick", 4, 0), 4);
    usleep(20'000);
    after = NowNanos();
    stamp = AwaitArrival(receiver_, 10 * kSecondNanos);
    ASSERT_TRUE(stamp.has_value());
    if (*stamp != 0) break;
    char bytes[4];
    ASSERT_EQ(recv(receiver_, bytes, sizeof(bytes), MSG_WAITALL), 4);
  }
  EXPECT_LE(before, *stamp);
  EXPECT_LE(*stamp, after);
  EXPECT_EQ(AwaitArrival(receiver_, 0), stamp) << "the bytes are still there";
}

TEST_F(ArrivalStampsTest, NothingArrivesInTime) {
  ASSERT_TRUE(KeepArrivalStamps(receiver_).ok());
  EXPECT_EQ(AwaitArrival(receiver_, 0), std::nullopt);
  EXPECT_EQ(AwaitArrival(receiver_, 1'000), std::nullopt);
}

TEST_F(ArrivalStampsTest, DescriptorThatIsNoSocketIsRefused) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(KeepArrivalStamps(ends[0]).ok());
  EXPECT_EQ(AwaitArrival(ends[0], 0), std::nullopt);
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(KeepArrivalStamps(-1).ok());
}

}  // namespace
}  // namespace tools
