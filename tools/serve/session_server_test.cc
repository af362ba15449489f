// Sessions of the text protocol over a network whose bytes are cut anywhere.

#include "tools/serve/session_server.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/text_gateway.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/os/network/network.h"

namespace tools {
namespace {

using engine::AccountId;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kLoginNanos = 1'000'000 * kMillisecond;

class SessionServerTest : public testing::TestWithParam<uint64_t>,
                          public engine::TextSessionHost,
                          public engine::TextLogins {
 protected:
  SessionServerTest() {
    exchange_.ListenWith(&venue_);
    venue_.Connect(exchange_);
    for (const uint32_t id : {6, 7}) gateway_.AddAccount(AccountId(id));
    address_ = network_.Listen("127.0.0.1:0").value().address;
  }

  absl::Status JournalStatus() const override { return absl::OkStatus(); }
  void PrintBook(const engine::MarketDefinition*, std::string& out) override { out += "BOOK\n"; }
  absl::StatusOr<engine::TextLogin> Login(absl::string_view name, absl::string_view) override {
    if (name == "six") return engine::TextLogin{.account = AccountId(6)};
    if (name == "seven") return engine::TextLogin{.account = AccountId(7)};
    return absl::PermissionDeniedError("login refused");
  }

  std::unique_ptr<MemoryPeer> Connect() { return sockets_.Connect(address_).value(); }

  void Turn() {
    network_.Turn(sockets_.Now() + kMillisecond, server_);
    EXPECT_TRUE(server_.TakeLines([] { return true; }).ok());
    server_.Send();
    server_.EndOverdue(sockets_.Now());
    exchange_.Release();
    server_.Send();
    EXPECT_TRUE(server_.status().ok()) << server_.status();
  }

  // Sends all of `lines` and receives until the replies contain `last`.
  static constexpr int kTurnsMax = 100'000;
  std::string Say(MemoryPeer& peer, const std::string& lines, absl::string_view last) {
    std::string replies;
    size_t sent = 0;
    for (int turn = 0; turn < kTurnsMax; ++turn) {
      sent += peer.Send(engine::AsBytes(lines).subspan(sent));
      Turn();
      replies += peer.Receive();
      if (sent == lines.size() && absl::StrContains(replies, last)) return replies;
    }
    ADD_FAILURE() << "no " << last << " in " << replies.substr(0, 200);
    return replies;
  }

  engine::ManualSteadyClock clock_;
  MemorySockets sockets_{clock_, GetParam()};
  Network network_{sockets_, {.output_bytes_max = 2 * engine::TextGateway::kReplyBytesEnd}};
  engine::MarketDirectory markets_ = engine::Conversation::Markets();
  engine::ToyExchange exchange_{1'000'000};
  engine::Venue venue_;
  engine::TextGateway gateway_{venue_, *this, *this, markets_};
  SessionServer server_{network_, gateway_, kLoginNanos};
  std::string address_;
};

INSTANTIATE_TEST_SUITE_P(Seeds, SessionServerTest, testing::Range<uint64_t>(1, 6));

TEST_P(SessionServerTest, TwoClientsTrade) {
  const auto six = Connect();
  const auto seven = Connect();
  EXPECT_EQ(Say(*six, "LOGIN six x\nSUBMIT 1 ACME SELL 10 5\n", "ACK"),
            "WELCOME six account=6\nACK 1 order=1\n");
  EXPECT_EQ(Say(*seven, "LOGIN seven x\nSUBMIT 1 ACME BUY 10 2\n", "FILL"),
            "WELCOME seven account=7\nACK 1 order=2\n"
            "FILL 1 2.0 @ 10.00 taker remaining=0.0 trade=2.1\n");
  EXPECT_EQ(Say(*six, "", "FILL"), "FILL 1 2.0 @ 10.00 maker remaining=3.0 trade=2.1\n");
}

// As `nc` does with a file: the client says no more, and hears all answers and then the end.
TEST_P(SessionServerTest, ClientThatSendsAFileReceivesAllAnswersAndTheEnd) {
  const auto peer = Connect();
  const std::string lines = "LOGIN six x\nSUBMIT 1 ACME SELL 10 5\nrubbish\nCANCEL 1";
  ASSERT_EQ(peer->Send(engine::AsBytes(lines)), lines.size());
  peer->EndOutput();
  std::string replies;
  for (int turn = 0; turn < kTurnsMax && !peer->has_ended(); ++turn) {
    Turn();
    replies += peer->Receive();
  }
  EXPECT_EQ(replies,
            "WELCOME six account=6\nACK 1 order=1\n"
            "ERROR line 2: expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found "
            "'rubbish'\nCANCELLED 1 5.0 requested\n");
  EXPECT_TRUE(peer->has_ended());
  EXPECT_EQ(gateway_.session_count(), 0u);
}

// As a port scanner does, or a client that is killed while it connects.
TEST_P(SessionServerTest, ClientThatLeavesBeforeItsLoginIsForgotten) {
  for (const absl::string_view sent : {"", "LOGIN si"}) {
    const auto peer = Connect();
    peer->Send(engine::AsBytes(sent));
    peer->EndOutput();
    for (int turn = 0; turn < kTurnsMax && !peer->has_ended(); ++turn) Turn();
    EXPECT_TRUE(peer->has_ended());
    EXPECT_EQ(gateway_.session_count(), 0u);
  }
}

TEST_P(SessionServerTest, RefusedLoginEndsTheConnection) {
  const auto peer = Connect();
  EXPECT_EQ(Say(*peer, "LOGIN eight x\nSUBMIT 1 ACME SELL 10 5\n", "ERROR"),
            "ERROR line 1: login refused\n");
  for (int turn = 0; turn < kTurnsMax && !peer->has_ended(); ++turn) Turn();
  EXPECT_TRUE(peer->has_ended());
  EXPECT_TRUE(exchange_.commands().empty());
}

// A client that sends without reading is no longer read; when it reads again, nothing is missing,
// and another client has been served all the time.
TEST_P(SessionServerTest, ClientThatDoesNotReadWaitsAloneAndLosesNothing) {
  const auto slow = Connect();
  const auto other = Connect();
  Say(*slow, "LOGIN six x\n", "WELCOME");
  Say(*other, "LOGIN seven x\n", "WELCOME");
  std::string lines;
  constexpr size_t kLines = 60'000;
  for (size_t i = 0; i < kLines; ++i)
    absl::StrAppend(&lines, "PRINT ", i, std::string(120, 'x'), "\n");
  size_t sent = 0;
  bool is_stuck = false;
  for (int idle = 0; !is_stuck;) {
    const size_t moved = slow->Send(engine::AsBytes(lines).subspan(sent));
    sent += moved;
    idle = moved == 0 ? idle + 1 : 0;
    is_stuck = idle > 200 || sent == lines.size();
    Turn();
  }
  ASSERT_LT(sent, lines.size()) << "everything was read";
  EXPECT_EQ(Say(*other, "CANCEL 5\n", "REJECT"), "REJECT 5 order_not_live\n");
  std::string replies;
  size_t count = 0;
  for (int turn = 0; turn < kTurnsMax && count < kLines; ++turn) {
    sent += slow->Send(engine::AsBytes(lines).subspan(sent));
    Turn();
    for (const char c : slow->Receive()) count += c == '\n' ? 1 : 0;
  }
  EXPECT_EQ(count, kLines);
}

// Fills of its resting orders go on: at some size of them the session ends, the orders stay.
TEST_P(SessionServerTest, ClientThatNeverReadsIsClosed) {
  const auto slow = Connect();
  const auto other = Connect();
  Say(*slow, "LOGIN six x\n", "WELCOME");
  Say(*other, "LOGIN six x\n", "WELCOME");
  uint64_t id = 0;
  constexpr size_t kBytesOfRound = 20'000 * sizeof("CANCELLED 10000 5.0 requested");
  for (size_t held = 0; held < engine::TextGateway::kReplyBytesEnd; held += kBytesOfRound / 2) {
    std::string lines;
    for (const uint64_t end = id + 20'000; id < end; ++id) {
      absl::StrAppend(&lines, "SUBMIT ", id, " ACME SELL 10 5\nCANCEL ", id, "\n");
    }
    absl::StrAppend(&lines, "CANCEL last", id, "\n");
    Say(*other, lines, absl::StrCat("last", id));
  }
  for (int turn = 0; turn < kTurnsMax && gateway_.session_count() == 2; ++turn) Turn();
  EXPECT_EQ(gateway_.session_count(), 1u);
  EXPECT_EQ(Say(*other, "CANCEL 5\n", "REJECT"), "REJECT 5 order_not_live\n");
}

TEST_P(SessionServerTest, ClientThatDisappearsLeavesItsOrders) {
  auto gone = Connect();
  Say(*gone, "LOGIN six x\nSUBMIT 1 ACME SELL 10 5\n", "ACK");
  gone->Reset();
  gone.reset();
  const auto seven = Connect();
  EXPECT_TRUE(absl::StrContains(Say(*seven, "LOGIN seven x\nSUBMIT 1 ACME BUY 10 2\n", "FILL"),
                                "trade=2.1"));
  const auto back = Connect();
  EXPECT_EQ(Say(*back, "LOGIN six x\nCANCEL 1\n", "CANCELLED"),
            "WELCOME six account=6\nCANCELLED 1 3.0 requested\n");
}

}  // namespace
}  // namespace tools
