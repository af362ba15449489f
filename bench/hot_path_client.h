// The hot path of a live client, in its two halves, and the venue that answers it.
//
//   FeedReader        frame ─ decode ─► Delta
//   HotPathClient     Delta ─ row, book, signal ─► Action ─ link, a signature ─► bytes of a request
//
// Each half belongs to one thread: the same, or two that are connected by a ring.

#ifndef BENCH_HOT_PATH_CLIENT_H_
#define BENCH_HOT_PATH_CLIENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "bench/hot_path_scene.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "replay/driver.h"
#include "replay/output.h"
#include "tools/client/call.h"
#include "tools/client/order_link.h"
#include "tools/client/signatures/signature_table.h"
#include "tools/client/ticker_table.h"
#include "tools/strategy/input.h"
#include "tools/strategy/strategy_machine.h"

namespace bench {

// Time stands still, so that the signatures stay usable.
inline constexpr engine::Timestamp kHotPathNow =
    engine::Timestamp::FromNanos(1'781'159'489'957'000'000);

// A change of a level, as a frame has it. A value.
struct Delta {
  int64_t venue_time = 0;
  engine::Price price = {};
  int64_t change = 0;
  engine::MarketId market = {};
  engine::Side side = {};
};

// Not thread-safe. `tickers` outlives it.
class FeedReader {
 public:
  explicit FeedReader(const client::TickerTable& tickers) : tickers_(tickers) {}

  // REQUIRES: the frame is a delta.
  Delta Read(absl::string_view frame);

 private:
  const client::TickerTable& tickers_;
  engine::kalshi::FeedDecoder decoder_{/*use_yes_price=*/true};
  engine::kalshi::FeedFrame frame_;
};

// What a frame caused.
enum class HotPathRequest : uint8_t { kNone, kCreate, kAmend, kCancel };
inline constexpr size_t kHotPathRequestCount = 4;
absl::string_view NameOf(HotPathRequest request);

// Not thread-safe. The scene, the signatures and the tickers outlive it.
class HotPathClient final : private client::LinkHost {
 public:
  // `tickers`: those of the scene.
  HotPathClient(const HotPathScene& scene, const client::TickerTable& tickers,
                client::SignatureTable& signatures);

  // Until the strategy has decided: true if it wants something.
  bool Decide(const Delta& delta) {
    outputs_ = Apply({.venue_time = delta.venue_time,
                      .price = delta.price,
                      .amount = delta.change,
                      .market = delta.market,
                      .kind = strategy::InputKind::kBookChange,
                      .side = delta.side,
                      .flags = strategy::Input::kLast});
    return !outputs_.empty();
  }
  // Writes the request. REQUIRES: Decide() was true.
  void Request() { Act(outputs_); }

  // Since the last Answer().
  HotPathRequest last_request() const;
  // The venue does what it was asked for, until nothing more is.
  void Answer();

  // That all went well, and what the strategy has decided.
  engine::Digest Finish();

 private:
  static constexpr size_t kUuidBytes = 36;

  // What the venue is asked for.
  struct Question {
    uint64_t id = 0;
    client::CallKind kind = {};
    std::array<char, kUuidBytes> order_id = {};  // Of an amend and a cancel.
  };
  // What it answers about an order.
  struct Replies {
    std::string amended;
    std::string cancelled;
  };

  void Start(const client::Call& call) override;
  void Hear(const strategy::Input& input) override { heard_.push_back(input); }

  void Define();
  void SetBook(engine::MarketId market);
  void MakeReplies();
  absl::string_view ReplyTo(const Question& question);
  std::span<const replay::Output> Apply(strategy::Input input, engine::Bytes attachment = {});
  void Act(std::span<const replay::Output> outputs);
  void WriteRequest(const client::Call& call);

  const HotPathScene& scene_;
  const client::TickerTable& tickers_;
  client::SignatureTable& signatures_;
  strategy::StrategyMachine machine_;
  replay::Driver driver_{machine_};
  client::OrderLink link_;
  std::span<const replay::Output> outputs_;  // Of Decide().
  std::vector<Question> questions_;          // Since the last answer.
  std::vector<Question> answered_;  // Empty but within Answer(): memory that is used again.
  std::vector<strategy::Input> heard_;
  client::SignedTime signed_time_;
  std::string request_;
  std::vector<std::string> created_;                         // The replies to new orders, in turn.
  absl::flat_hash_map<absl::string_view, Replies> replies_;  // By the order.
  size_t orders_ = 0;                                        // That the venue has accepted.
};

// A table with the signatures of all requests of the scene's orders.
void KeepSignatures(const HotPathScene& scene, client::SignatureTable& signatures);

}  // namespace bench

#endif  // BENCH_HOT_PATH_CLIENT_H_
