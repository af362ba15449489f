#include "tools/serve/testing/kalshi_hostile.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

uint64_t CountOf(absl::string_view text, absl::string_view part) {
  uint64_t count = 0;
  for (size_t at = text.find(part); at != absl::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

int KalshiHeard::status() const {
  int status = 0;
  const bool is_answer = absl::StartsWith(bytes, "HTTP/1.1 ") && bytes.size() >= 12 &&
                         engine::ParseInteger(absl::string_view(bytes).substr(9, 3), status);
  return is_answer ? status : 0;
}

KalshiHostile::KalshiHostile() {
  for (const uint32_t account : {1, 2}) {
    config_.kalshi.tiers.push_back({engine::AccountId(account), "prestige"});
  }
  Start();
  begun_at_ = venue_->server.counts().commands;
  trader_ = Connect();
}

void KalshiHostile::TearDown() {
  ExpectTrades();
  const uint64_t expected = 2 * trades_ + acknowledged_;
  if (may_be_refused_) {
    EXPECT_GE(commands(), expected);
  } else {
    EXPECT_EQ(commands(), expected);
  }
}

uint64_t KalshiHostile::commands() const { return venue_->server.counts().commands - begun_at_; }

void KalshiHostile::ExpectTrades() {
  const uint64_t before = commands();
  const std::string path = "/trade-api/v2/portfolio/events/orders";
  const std::string body = Order("bid", "1", "0.01", absl::StrCat("trader-", ++trades_));
  const KalshiAnswer created = Send(*trader_, Request(kOneKey, "POST", path, body));
  ASSERT_EQ(created.status, 201) << created.body;
  const std::string order = absl::StrCat(path, "/", IdIn(created));
  const KalshiAnswer cancelled = Send(*trader_, Request(kOneKey, "DELETE", order));
  ASSERT_EQ(cancelled.status, 200) << cancelled.body;
  EXPECT_EQ(commands(), before + 2);
}

KalshiHeard KalshiHostile::Talk(MemoryPeer& peer, absl::string_view bytes) {
  KalshiHeard heard;
  engine::Bytes rest = engine::AsBytes(bytes);
  for (int quiet = 0; quiet < 40;) {
    const size_t sent = peer.Send(rest);
    rest = rest.subspan(sent);
    venue_->Turn();
    const std::string part = peer.Receive();
    heard.bytes += part;
    heard.has_ended = peer.has_ended() || peer.is_reset();
    if (heard.has_ended) break;
    quiet = sent == 0 && part.empty() ? quiet + 1 : 0;
  }
  acknowledged_ += CountOf(heard.bytes, "HTTP/1.1 201");
  return heard;
}

KalshiHeard KalshiHostile::Talk(absl::string_view bytes) {
  const std::unique_ptr<MemoryPeer> peer = Connect();
  return Talk(*peer, bytes);
}

void KalshiHostile::ExpectSessions(size_t count) {
  for (int turn = 0; turn < 10'000 && venue_->server.counts().sessions > count; ++turn) {
    venue_->Turn();
  }
  EXPECT_EQ(venue_->server.counts().sessions, count);
}

std::unique_ptr<MemoryPeer> KalshiHostile::OpenSocket(absl::string_view key) {
  std::unique_ptr<MemoryPeer> peer = Connect();
  EXPECT_EQ(Send(*peer, Upgrade(key)).status, 101);
  return peer;
}

}  // namespace tools
