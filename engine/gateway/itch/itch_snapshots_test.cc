#include "engine/gateway/itch/itch_snapshots.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/gateway/itch/testing/feed_stage.h"
#include "engine/gateway/session_gateway.h"
#include "engine/types/side.h"
#include "engine/wire/mold/testing/packets.h"
#include "engine/wire/soup/login.h"
#include "engine/wire/soup/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

std::string Packet(SoupType type, absl::string_view payload = {}) {
  std::string packet;
  AppendSoupPacket(type, AsBytes(payload), packet);
  return packet;
}

std::string Login(const SoupLoginRequest& request) {
  std::string packet;
  AppendSoupLoginRequest(request, packet);
  return packet;
}

// What a client has received, as the letters of packets, and the messages among them.
struct Received {
  std::string types;
  std::string messages;  // Each after its length.
};

Received Split(absl::string_view bytes) {
  Received received;
  SoupReader reader;
  reader.Feed(AsBytes(bytes));
  SoupPacket packet;
  while (true) {
    const auto more = reader.Next(packet);
    CHECK_OK(more.status());
    if (!*more) return received;
    // A run of the same is one letter.
    const char type = static_cast<char>(packet.type);
    if (!absl::EndsWith(received.types, std::string(1, type))) received.types.push_back(type);
    if (packet.type == SoupType::kSequencedData) {
      absl::StrAppend(&received.messages, Framed({std::string(AsText(packet.payload))}));
    }
  }
}

class ItchSnapshotsTest : public ::testing::Test {
 protected:
  ItchSnapshotsTest() {
    stage_.TradeFor(500, 1);
    snapshots_.OnTime(stage_.now);
  }

  size_t Connect() {
    ids_.push_back(snapshots_.Open());
    texts_.emplace_back();
    is_closed_.push_back(false);
    return ids_.size() - 1;
  }
  void Send(size_t client, absl::string_view bytes) {
    CHECK_OK(snapshots_.OnBytes(ids_[client], AsBytes(bytes)));
  }
  size_t LoggedIn() {
    const size_t client = Connect();
    Send(client, Login({.user = "ONE", .password = "secret-1"}));
    return client;
  }
  // A turn of the loop, in which a client that is not `silent` takes what it is offered.
  void Turn(int64_t nanos = 0, bool is_silent = false) {
    stage_.Wait(nanos);
    snapshots_.OnTime(stage_.now);
    if (!is_silent) {
      for (const SessionId id : ids_) snapshots_.Resume(id);
    }
    snapshots_.TakeReady([&](SessionId id, absl::string_view replies) {
      for (size_t client = 0; client < ids_.size(); ++client) {
        if (ids_[client] != id) continue;
        const bool takes = !is_silent;
        if (takes) absl::StrAppend(&texts_[client], replies);
        is_closed_[client] = is_closed_[client] || snapshots_.is_over(id);
        return takes;
      }
      return false;
    });
  }
  Received Of(size_t client) const { return Split(texts_[client]); }

  FeedStage stage_;
  ItchSnapshots snapshots_{
      *stage_.publisher,
      {{.user = "ONE", .password = "secret-1"}, {.user = "TWO", .password = "secret-2"}}};
  std::vector<SessionId> ids_;
  std::vector<std::string> texts_;
  std::vector<bool> is_closed_;
};

TEST_F(ItchSnapshotsTest, ALoginGetsTheSnapshotAndTheEnd) {
  const size_t client = LoggedIn();
  Turn();
  EXPECT_EQ(Of(client).types, "ASZ");
  EXPECT_TRUE(Of(client).messages == stage_.SnapshotNow());
  EXPECT_TRUE(is_closed_[client]);
  // The last message says which message of the feed comes next.
  EXPECT_TRUE(absl::StrContains(Of(client).messages,
                                absl::StrCat("G", stage_.publisher->next_sequence(), " ")));
  const auto accepted = ParseSoupLoginAccepted(AsBytes(texts_[client].substr(3, 30)));
  ASSERT_TRUE(accepted.ok()) << accepted.status();
  EXPECT_EQ(*accepted, (SoupLoginAccepted{.session = "SESSION-1", .sequence = 1}));
}

TEST_F(ItchSnapshotsTest, WhatIsNotReleasedIsNotInIt) {
  const std::string before = stage_.SnapshotNow();
  stage_.Order(Side::kBid, 1, 5);
  const size_t client = LoggedIn();
  Turn();
  EXPECT_TRUE(Of(client).messages == before);
}

TEST_F(ItchSnapshotsTest, LoginsAreChecked) {
  const std::map<std::string, SoupLoginRequest> requests = {
      {"JA1", {.user = "ONE", .password = "secret-2"}},
      {"JA2", {.user = "NONE", .password = "secret-1"}},
      {"JA3", {}},
      {"JS1", {.user = "ONE", .password = "secret-1", .session = "YESTERDAY"}},
      {"JS2", {.user = "ONE", .password = "secret-1", .session = "SESSION-1", .sequence = 2}},
      {"A1", {.user = "two", .password = "SECRET-2", .session = "SESSION-1", .sequence = 1}},
      {"A2", {.user = "TWO", .password = "secret-2"}}};
  for (const auto& [answer, request] : requests) {
    const size_t client = Connect();
    Send(client, Login(request));
    Turn(kSecond);
    EXPECT_EQ(texts_[client][2], answer[0]) << answer;
    if (answer[0] == 'J') {
      EXPECT_EQ(texts_[client].substr(2), answer.substr(0, 2));
    }
    EXPECT_EQ(snapshots_.has_logged_in(ids_[client]), answer[0] == 'A') << answer;
    EXPECT_TRUE(is_closed_[client]) << answer;
  }
}

TEST_F(ItchSnapshotsTest, WithoutLoginsEveryoneMayLogIn) {
  ItchSnapshots open(*stage_.publisher, {});
  const SessionId id = open.Open();
  ASSERT_TRUE(open.OnBytes(id, AsBytes(Login({.user = "ANY", .password = "thing"}))).ok());
  EXPECT_TRUE(open.has_logged_in(id));
}

TEST_F(ItchSnapshotsTest, OneIsSharedAndOneIsMadeInASecond) {
  const size_t first = LoggedIn();
  const size_t second = LoggedIn();
  Turn();
  EXPECT_EQ(snapshots_.made_count(), 1u);
  EXPECT_TRUE(texts_[first] == texts_[second]);
  // Of those who come within the second, each waits for its end.
  stage_.TradeFor(10, 2);
  const size_t third = LoggedIn();
  Turn(kSecond / 4);
  stage_.TradeFor(10, 3);
  const size_t fourth = LoggedIn();
  Turn(kSecond / 4);
  EXPECT_EQ(Of(third).types, "A");
  EXPECT_EQ(Of(fourth).types, "A");
  EXPECT_LE(snapshots_.next_time(), stage_.now + kSecond / 2);
  Turn(kSecond / 2);
  EXPECT_EQ(snapshots_.made_count(), 2u);
  EXPECT_EQ(Of(third).types, "ASZ");
  EXPECT_TRUE(texts_[third] == texts_[fourth]);
  EXPECT_TRUE(Of(third).messages == stage_.SnapshotNow());
}

TEST_F(ItchSnapshotsTest, NoneIsMadeForThoseWhoAreGone) {
  for (int i = 0; i < 100; ++i) snapshots_.Close(ids_[LoggedIn()]);
  Turn(2 * kSecond);
  EXPECT_EQ(snapshots_.made_count(), 0u);
  EXPECT_EQ(snapshots_.session_count(), 0u);
}

TEST_F(ItchSnapshotsTest, SlowReadersKeepAFewSnapshotsInMemory) {
  std::vector<size_t> slow;
  for (size_t i = 0; i <= ItchSnapshots::kSnapshotsMax; ++i) {
    slow.push_back(LoggedIn());
    Turn(kSecond, /*is_silent=*/true);
    EXPECT_EQ(is_closed_[slow[0]], i == ItchSnapshots::kSnapshotsMax);
    // Those that read nothing are still there.
    for (const size_t client : slow) Send(client, Packet(SoupType::kClientHeartbeat));
    stage_.TradeFor(10, 10 + i);
  }
  EXPECT_EQ(snapshots_.made_count(), ItchSnapshots::kSnapshotsMax + 1);
  Turn();
  EXPECT_FALSE(absl::StrContains(Of(slow[0]).types, "Z"));
  EXPECT_EQ(Of(slow[1]).types, "ASZ");
}

TEST_F(ItchSnapshotsTest, OneThatReadsInPiecesGetsAllOfIt) {
  for (int i = 0; i < 5'000; ++i) stage_.Order(Side::kBid, 10 + i, 1);
  stage_.Release();
  const size_t client = LoggedIn();
  snapshots_.OnTime(stage_.now);
  int pieces = 0;
  while (!is_closed_[client]) {
    snapshots_.Resume(ids_[client]);
    bool is_taken = false;
    snapshots_.TakeReady([&](SessionId id, absl::string_view replies) {
      if (replies.size() > 0 && std::exchange(is_taken, true)) return false;
      pieces += replies.empty() ? 0 : 1;
      absl::StrAppend(&texts_[client], replies);
      is_closed_[client] = snapshots_.is_over(id);
      return true;
    });
  }
  EXPECT_GT(pieces, 3);
  EXPECT_EQ(Of(client).types, "ASZ");
  EXPECT_TRUE(Of(client).messages == stage_.SnapshotNow());
}

TEST_F(ItchSnapshotsTest, ASilentClientThatDoesNotReadIsEnded) {
  const size_t client = LoggedIn();
  for (int second = 0; second < 14; ++second) Turn(kSecond, /*is_silent=*/true);
  EXPECT_FALSE(snapshots_.is_over(ids_[client]));
  EXPECT_EQ(snapshots_.next_time(), stage_.now + kSecond);
  Turn(kSecond, /*is_silent=*/true);
  EXPECT_TRUE(snapshots_.is_over(ids_[client]));
}

TEST_F(ItchSnapshotsTest, WhatNoClientSendsEndsIt) {
  for (const std::string& bytes :
       {std::string("\0\0", 2), std::string("\xff\xff"), Packet(SoupType::kClientHeartbeat),
        Packet(SoupType::kUnsequencedData, "x"), Packet(SoupType::kLoginRequest, "short"),
        std::string("GET / HTTP/1.1\r\n\r\n")}) {
    const size_t client = Connect();
    Send(client, bytes);
    Turn();
    EXPECT_TRUE(is_closed_[client]) << bytes;
    EXPECT_FALSE(snapshots_.has_logged_in(ids_[client]));
  }
  for (const SoupType type :
       {SoupType::kUnsequencedData, SoupType::kLogoutRequest, SoupType::kSequencedData}) {
    const size_t client = LoggedIn();
    Send(client, Packet(type));
    Send(client, "more");
    Turn(kSecond);
    EXPECT_TRUE(is_closed_[client]);
    EXPECT_FALSE(absl::StrContains(Of(client).types, "S"));
  }
}

TEST_F(ItchSnapshotsTest, AClientThatSendsNoMoreStillReads) {
  const size_t quiet = Connect();
  EXPECT_TRUE(snapshots_.OnEnd(ids_[quiet]).ok());
  const size_t client = LoggedIn();
  EXPECT_TRUE(snapshots_.OnEnd(ids_[client]).ok());
  EXPECT_TRUE(snapshots_.has_held(ids_[client]));
  Turn();
  EXPECT_TRUE(is_closed_[quiet]);
  EXPECT_EQ(Of(client).types, "ASZ");
}

TEST_F(ItchSnapshotsTest, AnyBytesAreSafe) {
  Prng prng(1);
  for (int i = 0; i < 2'000; ++i) {
    const size_t client = prng.Below(2) == 0 ? Connect() : LoggedIn();
    std::string bytes;
    const uint64_t size = prng.Below(60);
    for (uint64_t at = 0; at < size; ++at) bytes.push_back(static_cast<char>(prng.Below(256)));
    if (prng.Below(2) == 0 && bytes.size() > 1) bytes[0] = '\0';
    Send(client, bytes);
    if (prng.Below(2) == 0) Turn(static_cast<int64_t>(prng.Below(kSecond)));
    snapshots_.Close(ids_[client]);
  }
  EXPECT_EQ(snapshots_.session_count(), 0u);
}

}  // namespace
}  // namespace engine
