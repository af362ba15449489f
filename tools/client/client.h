// The client of a live run: what the venue sends becomes inputs of the strategy, what the strategy
// decides becomes requests. Sans-I/O: no clock, no sockets, no journal; its host has these.
//
//              limits, markets          feed open          complete, none in flight      lists
//              agree
//   starting ───────────────► opening ─────────► subscribing ───────────► listing ─────────────►
//   live
//                                ▲                    │                     │  ▲    unclear │ └──
//                                waiting ◄────────┴── feed closed ──────┴──┼──────────◄────────┤
//                                  (backing off) └──────────◄────────┘
//   Stop() ─► stopping: cancel all, list, until none is left ─► over
//
// listing: orders, fills and positions of the account are asked for, and the strategy hears what it
// missed. Only what is live sends new orders.

#ifndef TOOLS_CLIENT_CLIENT_H_
#define TOOLS_CLIENT_CLIENT_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/base/token_bucket.h"
#include "engine/types/ids.h"
#include "engine/wire/kalshi/client_replies.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "tools/client/backoff.h"
#include "tools/client/call.h"
#include "tools/client/feed.h"
#include "tools/client/order_link.h"
#include "tools/client/positions.h"
#include "tools/client/ticker_table.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace client {

// The outside of a client. It calls no function of the client in these.
class ClientHost {
 public:
  virtual ~ClientHost() = default;

  // Sends a request: its reply or failure comes once, later.
  virtual void Start(const Call& call) = 0;
  virtual void OpenFeed() = 0;
  virtual void CloseFeed() = 0;
  virtual void SendFrame(absl::string_view json) = 0;
  // A row for the strategy; its sequence and time are the host's to give.
  virtual void Hear(const strategy::Input& input, engine::Bytes attachment) = 0;
  // The venue's id of a live order that can rest is known: a cancel of it may follow. An order
  // whose id was known has ended.
  virtual void OnOrderLive(absl::string_view order_id) = 0;
  virtual void OnOrderEnded(absl::string_view order_id) = 0;
  // Whether the strategy's book of the market is good.
  virtual bool IsBookGood(engine::MarketId market) const = 0;
  // For people.
  virtual void Note(absl::string_view text) = 0;
};

struct ClientTerms {
  std::string run;  // Begins the ids of its orders; of no other run of the account.
  std::vector<std::string> tickers;  // At least one, each once.
  uint64_t seed = 1;                 // Of the times between attempts.
  bool cancels_on_disconnect = true;
};

enum class Phase : uint8_t {
  kStarting,
  kOpening,
  kSubscribing,
  kListing,
  kLive,
  kWaiting,
  kStopping,
  kOver,
};
absl::string_view PhaseName(Phase phase);

// Not thread-safe.
class Client final : private LinkHost, private FeedHost {
 public:
  // How long Stop() may take.
  static constexpr int64_t kStopNanos = 15'000'000'000;

  // `host` outlives it.
  Client(ClientTerms terms, ClientHost& host);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void Begin(engine::Timestamp now);
  // Cancels all orders of the account, if it was ever live, and ends when none is left.
  void Stop(engine::Timestamp now);

  void OnReply(const CallReply& reply, engine::Timestamp now);
  void OnCallFailed(uint64_t id, absl::string_view why, bool may_have_arrived,
                    engine::Timestamp now);
  void OnFeedOpen(engine::Timestamp now);
  void OnFrame(absl::string_view bytes, engine::Timestamp now);
  void OnFeedClosed(absl::string_view why, engine::Timestamp now);
  // A decision of the strategy: orders, amends and cancels; others do nothing.
  void Act(const strategy::Action& action, engine::Timestamp now);
  void OnTime(engine::Timestamp now);
  // When OnTime() has something to do; Max(): never.
  engine::Timestamp next_time() const;

  Phase phase() const { return phase_; }
  bool is_over() const { return phase_ == Phase::kOver; }
  // Why it is over, if something went wrong: orders may be left. Once it is over, calls do nothing.
  const absl::Status& status() const { return status_; }

  struct Counts {
    uint64_t disconnects = 0;
    uint64_t listings = 0;
    uint64_t calls = 0;
    uint64_t calls_failed = 0;
    uint64_t refused_here = 0;  // Orders and amends without tokens or connection.
  };
  const Counts& counts() const { return counts_; }
  const OrderLink& orders() const { return link_; }
  const Feed& feed() const { return feed_; }
  const TickerTable& tickers() const { return tickers_; }

 private:
  // LinkHost and FeedHost.
  void Start(const Call& call) override;
  void Hear(const strategy::Input& input) override;
  void OnOrderLive(absl::string_view order_id) override { host_.OnOrderLive(order_id); }
  void OnOrderEnded(absl::string_view order_id) override { host_.OnOrderEnded(order_id); }
  void SendFrame(absl::string_view json) override { host_.SendFrame(json); }
  void OnOwnFill(const engine::kalshi::FeedFrame& frame) override;
  void OnOwnOrder(const engine::kalshi::FeedFrame& frame) override;
  void OnResultsMissed() override { results_missed_ = true; }
  void Note(absl::string_view text) override { host_.Note(text); }

  void SetConnection(strategy::ConnectionState state);
  void Disconnect(absl::string_view why);
  void Fail(absl::Status status);

  // Questions: one at a time.
  void Ask(CallKind kind);
  void AskNext(CallKind kind);  // The first page of another.
  void Pause(int64_t nanos);    // The same question again, later.
  void OnAnswer(const CallReply& reply);
  void OnRefusedQuestion(const CallReply& reply);
  absl::Status TakeAnswer(absl::string_view body);
  absl::Status TakeMarkets(absl::string_view body);
  absl::Status TakeOrders(absl::string_view body);
  absl::Status TakeFills(absl::string_view body);
  absl::Status TakePositions(absl::string_view body);
  absl::Status TakeDataTime(absl::string_view body);
  void OnListedToEnd();

  // Takes what time or an answer has made possible.
  void Advance();
  void BeginListing();
  void ClearLists();
  void ListAgain(CallKind first, int64_t nanos);
  void TakePositionsOver();
  void Refuse(const strategy::Action& action, strategy::Refusal refusal);
  void SendWaiting();
  void SendNow(const Call& call);
  bool is_asking() const { return question_id_ != 0 || wake_ != engine::Timestamp::Max(); }

  const ClientTerms terms_;
  ClientHost& host_;
  TickerTable tickers_;
  Feed feed_;
  OrderLink link_;
  Positions positions_;
  engine::kalshi::ReplyReader replies_;
  Backoff backoff_;
  engine::TokenBucket writes_;

  Phase phase_ = Phase::kStarting;
  strategy::ConnectionState connection_ = strategy::ConnectionState::kDown;
  absl::Status status_;
  Counts counts_;
  engine::Timestamp now_;                                 // Of the call that is handled.
  engine::Timestamp wake_ = engine::Timestamp::Max();     // The end of waiting, or of a pause.
  engine::Timestamp give_up_ = engine::Timestamp::Max();  // The end of stopping.
  engine::Timestamp next_check_;                          // Of books.

  absl::flat_hash_map<uint64_t, Call> in_flight_;  // Writes, by id.
  std::deque<Call> waiting_;                       // Cancels without tokens.

  // The question that is asked; its id is 0 if none is.
  CallKind question_ = CallKind::kLimits;
  uint64_t question_id_ = 0;
  uint64_t last_question_ = 0;
  std::string cursor_;       // Of its next page.
  size_t first_ticker_ = 0;  // Of the markets that it asks for.
  int attempts_ = 0;         // Of the question.
  int listings_unequal_ = 0;
  bool needs_cancel_ = false;  // All orders of the account are to be cancelled before it is live.
  bool results_missed_ = false;
  bool has_positions_ = false;  // Some report was taken over.
  bool has_report_ = false;     // Of this listing: the fills are listed once more.
  uint64_t fills_listed_ = 0;
  engine::Timestamp live_since_ = engine::Timestamp::Max();  // Max(): it never was.
  std::optional<int64_t> since_;  // When the run had no order yet, in the venue's seconds.
  engine::Timestamp newest_;      // Venue time of what was heard of own orders.
  std::vector<bool> is_defined_;
  std::vector<bool> is_settled_;
};

}  // namespace client

#endif  // TOOLS_CLIENT_CLIENT_H_
