// Datagrams through the loopback interface of this machine.

#include "tools/os/network/datagrams.h"

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "tools/os/clocks.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/network/system_address.h"

namespace tools {
namespace {

constexpr absl::string_view kAnyPort = "127.0.0.1:0";

Endpoint At(absl::string_view address) { return Endpoint::Parse(address).value(); }

std::unique_ptr<DatagramReceiver> Receiver(absl::string_view address,
                                           const DatagramReceiverOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<DatagramReceiver>> receiver =
      DatagramReceiver::Open(At(address), options);
  EXPECT_TRUE(receiver.ok()) << receiver.status();
  return *std::move(receiver);
}

std::unique_ptr<DatagramSender> Sender(const Endpoint& destination,
                                       const DatagramSenderOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<DatagramSender>> sender =
      DatagramSender::Open(destination, options);
  EXPECT_TRUE(sender.ok()) << sender.status();
  return *std::move(sender);
}

void Send(DatagramSender& sender, const std::vector<std::string>& texts) {
  std::vector<engine::Bytes> datagrams;
  for (const std::string& text : texts) datagrams.push_back(engine::AsBytes(text));
  sender.Send(datagrams);
}

bool HasInput(const DatagramReceiver& receiver, int milliseconds) {
  pollfd input = {.fd = receiver.descriptor(), .events = POLLIN, .revents = 0};
  return ::poll(&input, 1, milliseconds) == 1;
}

// Returns `count` datagrams, or fewer if no more come.
std::vector<std::string> Receive(DatagramReceiver& receiver, size_t count) {
  std::vector<std::string> texts;
  while (texts.size() < count && HasInput(receiver, 5'000)) {
    for (const DatagramReceiver::Datagram& each : receiver.Receive()) {
      texts.emplace_back(engine::AsText(each.payload));
    }
  }
  return texts;
}

// Datagrams of these sizes, each of another letter.
std::vector<std::string> OfSizes(const std::vector<size_t>& sizes) {
  std::vector<std::string> texts;
  for (const size_t size : sizes) {
    texts.emplace_back(size, static_cast<char>('a' + texts.size() % 26));
  }
  return texts;
}

TEST(Datagrams, ArriveInOrder) {
  for (const absl::string_view address : {kAnyPort, absl::string_view("[::1]:0")}) {
    const auto receiver = Receiver(address);
    const auto sender = Sender(receiver->address());
    EXPECT_TRUE(receiver->Receive().empty());
    Send(*sender, {"one", "", "three"});
    EXPECT_EQ(Receive(*receiver, 3), std::vector<std::string>({"one", "", "three"}));
    EXPECT_TRUE(receiver->Receive().empty());
    EXPECT_EQ(sender->counters().sent, 3);
    EXPECT_EQ(sender->counters().dropped, 0);
    EXPECT_EQ(receiver->counters().received, 3);
  }
}

TEST(Datagrams, KeepTheirBoundsWithAndWithoutSegments) {
  std::vector<size_t> sizes = {0, 1, 1, 0, 9, 9, 9, 4, 5, 0, 0, 65'507, 65'507, 3, 40'000, 40'000};
  sizes.insert(sizes.end(), 150, 100);  // More than the system takes as one.
  sizes.push_back(99);
  sizes.push_back(100);
  sizes.insert(sizes.end(), 70, 1'400);
  const std::vector<std::string> texts = OfSizes(sizes);
  uint64_t calls = 0;
  for (const bool is_segmented : {false, true}) {
    const auto receiver = Receiver(kAnyPort, {.buffer_bytes = 4 << 20});
    const auto sender = Sender(receiver->address(), {.is_segmented = is_segmented});
    Send(*sender, texts);
    EXPECT_EQ(Receive(*receiver, texts.size()), texts);
    EXPECT_EQ(sender->counters().sent, texts.size());
    calls = sender->counters().calls;
  }
  EXPECT_LE(calls, 3);
}

TEST(Datagrams, LeaveInOneCallIfTheyAreSegments) {
  const auto receiver = Receiver(kAnyPort, {.buffer_bytes = 4 << 20});
  const auto sender = Sender(receiver->address());
  // Where the system has no UDP_SEGMENT, they leave in one sendmmsg(2).
  const bool has_segments = sender->is_segmented();
  const std::vector<std::string> texts = OfSizes(std::vector<size_t>(64, 1'000));
  Send(*sender, texts);
  EXPECT_EQ(Receive(*receiver, 64), texts);
  EXPECT_EQ(sender->is_segmented(), has_segments);
  EXPECT_EQ(sender->counters().calls, 1);
}

TEST(Datagrams, ReachEveryReceiverOfAGroup) {
  const Endpoint group = At("239.195.1.1:26477");
  const auto first = Receiver(group.ToString(), {.interface = "127.0.0.1"});
  const auto second = Receiver(group.ToString(), {.interface = "lo"});
  // Has the same port, and another group.
  const auto other = Receiver("239.195.1.2:26477", {.interface = "lo"});
  for (const absl::string_view interface : {"lo", "127.0.0.1"}) {
    const auto sender = Sender(group, {.interface = std::string(interface)});
    const std::vector<std::string> texts = OfSizes(std::vector<size_t>(10, 500));
    Send(*sender, texts);
    EXPECT_EQ(Receive(*first, texts.size()), texts);
    EXPECT_EQ(Receive(*second, texts.size()), texts);
  }
  EXPECT_FALSE(HasInput(*other, 20));
}

TEST(Datagrams, AreAnswered) {
  const auto server = Receiver(kAnyPort);
  const auto client = Receiver(kAnyPort);
  const auto other = Receiver(kAnyPort);
  EXPECT_TRUE(client->SendTo(SystemAddress::Of(server->address()), engine::AsBytes("ask")));
  ASSERT_TRUE(HasInput(*server, 5'000));
  for (const DatagramReceiver::Datagram& each : server->Receive()) {
    EXPECT_EQ(each.source->ToEndpoint(), client->address());
    EXPECT_TRUE(server->SendTo(*each.source, engine::AsBytes("answer")));
  }
  EXPECT_EQ(Receive(*client, 1), std::vector<std::string>({"answer"}));
  EXPECT_FALSE(HasInput(*other, 0));
  EXPECT_EQ(server->counters().answers, 1);
  EXPECT_FALSE(server->SendTo(SystemAddress::Of(client->address()),
                              engine::AsBytes(std::string(70'000, 'x'))));
  EXPECT_EQ(server->counters().answers_dropped, 1);
}

TEST(Datagrams, HaveTheTimeOfTheirArrivalIfAskedFor) {
  SystemClock clock;
  const engine::Timestamp before = clock.Now();
  for (const bool is_stamped : {false, true}) {
    const auto receiver = Receiver(kAnyPort, {.is_stamped = is_stamped});
    Send(*Sender(receiver->address()), {"x"});
    ASSERT_TRUE(HasInput(*receiver, 5'000));
    const auto datagrams = receiver->Receive();
    ASSERT_EQ(datagrams.size(), 1);
    if (is_stamped) {
      EXPECT_GE(datagrams[0].arrived, before);
      EXPECT_LE(datagrams[0].arrived, clock.Now());
    } else {
      EXPECT_EQ(datagrams[0].arrived, engine::Timestamp());
    }
  }
}

TEST(DatagramReceiver, CountsWhatTheSystemDropped) {
  const auto receiver = Receiver(kAnyPort, {.buffer_bytes = 1});
  const auto sender = Sender(receiver->address(), {.is_segmented = false});
  const std::vector<std::string> texts = OfSizes(std::vector<size_t>(100, 1'000));
  for (int round = 0; round < 2; ++round) {
    Send(*sender, texts);
    while (!receiver->Receive().empty()) continue;
    // The system says so with one that arrives.
    Send(*sender, {"last"});
    EXPECT_EQ(Receive(*receiver, 1), std::vector<std::string>({"last"}));
  }
  EXPECT_EQ(sender->counters().sent, 202);
  EXPECT_GT(receiver->counters().dropped_by_system, 100);
  EXPECT_EQ(receiver->counters().received + receiver->counters().dropped_by_system, 202);
}

TEST(DatagramReceiver, DropsWhatIsTooLong) {
  const auto receiver = Receiver(kAnyPort, {.batch_max = 2, .datagram_bytes_max = 10});
  Send(*Sender(receiver->address()),
       {std::string(11, 'x'), std::string(10, 'y'), std::string(60'000, 'z'), "", "a"});
  EXPECT_EQ(Receive(*receiver, 3), std::vector<std::string>({std::string(10, 'y'), "", "a"}));
  EXPECT_EQ(receiver->counters().oversized, 2);
  EXPECT_EQ(receiver->counters().received, 3);
}

// What is empty says that none are left, to a reader that waits for the next.
TEST(DatagramReceiver, ReturnsWhatFollowsThoseThatAreTooLong) {
  const auto receiver = Receiver(kAnyPort, {.batch_max = 2, .datagram_bytes_max = 1});
  Send(*Sender(receiver->address()), {"long", "long", "long", "long", "long", "a"});
  const auto datagrams = receiver->Receive();
  ASSERT_EQ(datagrams.size(), 1);
  EXPECT_EQ(engine::AsText(datagrams[0].payload), "a");
}

TEST(DatagramSender, CountsWhatTheSystemRefuses) {
  const auto receiver = Receiver(kAnyPort);
  const auto sender = Sender(receiver->address());
  Send(*sender, {"a", std::string(65'508, 'x'), std::string(65'508, 'y'), "b", "c"});
  EXPECT_EQ(Receive(*receiver, 3), std::vector<std::string>({"a", "b", "c"}));
  EXPECT_EQ(sender->counters().sent, 3);
  EXPECT_EQ(sender->counters().dropped, 2);
}

TEST(DatagramSender, IsNotStoppedByAReceiverThatIsGone) {
  auto receiver = Receiver(kAnyPort);
  const Endpoint address = receiver->address();
  const auto sender = Sender(address);
  receiver.reset();
  for (int i = 0; i < 3; ++i) Send(*sender, {"lost", "lost"});
  receiver = Receiver(address.ToString());
  Send(*sender, {"received"});
  EXPECT_EQ(Receive(*receiver, 1), std::vector<std::string>({"received"}));
}

TEST(Datagrams, ErrorsNameTheAddress) {
  const auto receiver = Receiver(kAnyPort);
  const std::string address = receiver->address().ToString();
  const absl::Status taken = DatagramReceiver::Open(At(address)).status();
  EXPECT_EQ(taken.code(), absl::StatusCode::kFailedPrecondition) << taken;
  EXPECT_TRUE(absl::StrContains(taken.message(), address)) << taken;

  const absl::Status foreign = DatagramReceiver::Open(At("192.0.2.1:26400")).status();
  EXPECT_TRUE(absl::StrContains(foreign.message(), "192.0.2.1:26400")) << foreign;

  const absl::Status no_port = DatagramSender::Open(At(kAnyPort)).status();
  EXPECT_EQ(no_port.code(), absl::StatusCode::kInvalidArgument) << no_port;
  EXPECT_TRUE(absl::StrContains(no_port.message(), kAnyPort)) << no_port;

  for (const absl::Status& status :
       {DatagramSender::Open(At("239.1.1.1:1"), {.interface = "no such"}).status(),
        DatagramReceiver::Open(At("239.1.1.1:1"), {.interface = "no such"}).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "'no such' is no interface")) << status;
  }
  for (const absl::Status& status : {DatagramSender::Open(At("unix:/x")).status(),
                                     DatagramReceiver::Open(At("unix:/x")).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
  const absl::Status away =
      DatagramSender::Open(At("239.1.1.1:1"), {.interface = "192.0.2.1"}).status();
  EXPECT_TRUE(absl::StrContains(away.message(), "239.1.1.1:1 by 192.0.2.1")) << away;
}

}  // namespace
}  // namespace tools
