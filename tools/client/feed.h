// What the venue sends over its WebSocket: books, trades, own fills and orders, results. Sans-I/O.
//
//   socket open ─► Begin ─► subscribe ─► acknowledgements, snapshots ─► is_complete()
//                                                 │
//   OnFrame ─► seq as expected? ── no ─► books are stale ─► get_snapshot
//                   └─ yes ─► Input · own fill · own order
//
// Frames of a subscription are numbered. One that was seen already is left out; after one that is
// missing no change of a book counts until its next snapshot.

#ifndef TOOLS_CLIENT_FEED_H_
#define TOOLS_CLIENT_FEED_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/wire/kalshi/commands.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "tools/client/ticker_table.h"
#include "tools/strategy/input.h"

namespace client {

// The owner of a feed. It calls no function of the feed in these.
class FeedHost {
 public:
  virtual ~FeedHost() = default;

  virtual void SendFrame(absl::string_view json) = 0;
  // Its time and sequence are the host's to give.
  virtual void Hear(const strategy::Input& input) = 0;
  virtual void OnOwnFill(const engine::kalshi::FeedFrame& frame) = 0;
  virtual void OnOwnOrder(const engine::kalshi::FeedFrame& frame) = 0;
  // Results of markets may have been missed.
  virtual void OnResultsMissed() = 0;
  // For people.
  virtual void Note(absl::string_view text) = 0;
};

// Not thread-safe. An error of any call means: this connection is of no use, open another.
class Feed {
 public:
  // Silence after which the venue is asked for a sign of life, and how long that, an
  // acknowledgement or a snapshot may take.
  static constexpr int64_t kSilenceNanos = 5'000'000'000;
  static constexpr int64_t kPatienceNanos = 5'000'000'000;

  // Both outlive it.
  Feed(const TickerTable& tickers, FeedHost& host);
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  // The connection is open.
  void Begin(engine::Timestamp now);
  // The connection has ended: all books are stale.
  void End();

  absl::Status OnFrame(absl::string_view bytes, engine::Timestamp now);
  absl::Status OnTime(engine::Timestamp now);
  // When OnTime() has something to do; Max(): never.
  engine::Timestamp next_time() const;

  // Whether all subscriptions and books are there.
  bool is_complete() const { return acks_missing_ == 0 && books_missing_ == 0; }
  // Whether the market's book is as the venue published it.
  bool has_book(engine::MarketId market) const { return has_book_[TickerTable::IndexOf(market)]; }
  // The owner knows that the book is wrong: asks for it again.
  void AskForBook(engine::MarketId market, engine::Timestamp now);

  // Frames that were repeated, and gaps, since it was made.
  uint64_t repeated() const { return repeated_; }
  uint64_t gaps() const { return gaps_; }

 private:
  struct Subscription {
    engine::kalshi::Channel channel = {};
    int64_t last_seq = 0;
  };

  void Subscribe(std::vector<engine::kalshi::Channel> channels, bool names_markets);
  void Send(const engine::kalshi::SocketCommand& command);
  absl::Status OnSubscribed(const engine::kalshi::FeedFrame& frame);
  // Whether the frame is the next of its subscription, or one after a gap; false: it was seen.
  bool IsNew(const engine::kalshi::FeedFrame& frame, engine::Timestamp now);
  void OnGap(const Subscription& subscription, engine::Timestamp now);
  void OnSnapshot(const engine::kalshi::FeedFrame& frame, engine::MarketId market);
  void OnDelta(const engine::kalshi::FeedFrame& frame, engine::MarketId market);
  void OnTrade(const engine::kalshi::FeedFrame& frame, engine::MarketId market);
  void OnLifecycle(const engine::kalshi::FeedFrame& frame, engine::MarketId market);
  void SetStale(engine::MarketId market);
  void AskForBooks(const std::vector<absl::string_view>& tickers, engine::Timestamp now);

  const TickerTable& tickers_;
  FeedHost& host_;
  engine::kalshi::FeedDecoder decoder_;
  engine::kalshi::FeedFrame frame_;
  std::string json_;
  std::vector<Subscription> subscriptions_;  // By sid; venues count up from 1.
  std::vector<bool> has_book_;               // By index of the market.
  size_t books_missing_ = 0;
  size_t acks_missing_ = 0;
  int64_t books_sid_ = 0;
  int64_t last_id_ = 0;
  bool is_open_ = false;
  bool was_asked_ = false;  // For a sign of life.
  engine::Timestamp heard_;
  // Until then acknowledgements and snapshots have to be there.
  engine::Timestamp patience_ = engine::Timestamp::Max();
  uint64_t repeated_ = 0;
  uint64_t gaps_ = 0;
};

}  // namespace client

#endif  // TOOLS_CLIENT_FEED_H_
