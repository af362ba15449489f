// Translates the frames of a capture into commands to mirrored markets, so that each book is the
// capture's after every frame.
//
//   orderbook_snapshot    what makes the book equal to it     a level is one order
//   orderbook_delta       new order, reduce, amend or cancel
//   trade                 execute without an order: the deltas have its quantity
//   a gap in seq          pause each market of the sid; its next snapshot opens it again
//   all others            counted

#ifndef ENGINE_WIRE_KALSHI_CAPTURE_TRANSLATOR_H_
#define ENGINE_WIRE_KALSHI_CAPTURE_TRANSLATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/capture_frame.h"

namespace engine::kalshi {

// A frame whose seq is not that of the one before it on its sid, and one.
struct CaptureGap {
  uint64_t line = 0;
  int64_t sid = 0;
  int64_t expected = 0;
  int64_t found = 0;
};

struct CaptureCounters {
  static constexpr size_t kGapsKept = 20;
  static constexpr size_t kTypesMax = 50;

  uint64_t frames = 0;
  std::map<std::string, uint64_t> types = {};  // The first kTypesMax of them.
  uint64_t other_types = 0;                    // Frames of all further types.
  uint64_t commands = 0;
  uint64_t gaps = 0;
  std::vector<CaptureGap> first_gaps = {};  // At most kGapsKept.
  uint64_t restarts = 0;                    // A seq of 1 after others: a connection of its own.
  uint64_t stale_deltas = 0;       // Of a book that is not known: after a gap, before a snapshot.
  uint64_t impossible_deltas = 0;  // Below zero. The book is not known from there on.
  uint64_t refused_frames = 0;     // Of tickers that are no symbols of a market.
};

// Not thread-safe: owned by the reader of the capture. `sink` and `clock` outlive it.
class CaptureTranslator {
 public:
  // Sets `clock` to the time of each frame that has one, before its commands.
  CaptureTranslator(CommandSink& sink, ManualClock& clock) : sink_(sink), clock_(clock) {}

  // Of the frames from here on that have none of their own.
  void SetTime(Timestamp time) { clock_.Set(time); }

  // Errors: those of the sink.
  absl::Status Take(const CaptureFrame& frame, uint64_t line);

  const CaptureCounters& counters() const { return counters_; }

 private:
  struct Resting {
    OrderId order;
    Quantity quantity;
  };
  using Levels = std::map<std::pair<Side, Price>, Resting>;
  struct Market {
    MarketId id;
    int64_t sid = 0;         // Of its last snapshot.
    bool is_known = false;   // Its book is that of the capture.
    bool is_paused = false;  // In the journal, since its book is not known.
    Levels levels;
  };

  void CountType(absl::string_view type);
  absl::Status CheckSequence(const CaptureFrame& frame, uint64_t line);
  // Null if its ticker cannot be a symbol.
  absl::StatusOr<Market*> MarketOf(absl::string_view ticker);
  absl::Status Snapshot(const CaptureFrame& frame, Market& market);
  absl::Status Delta(const CaptureFrame& frame, Market& market);
  absl::Status Trade(const CaptureFrame& frame, const Market& market);
  absl::Status Forget(Market& market);
  absl::Status SetLevel(Market& market, Side side, Price price, Quantity quantity);
  absl::StatusOr<SequenceNumber> Submit(const Command& command);

  CommandSink& sink_;
  ManualClock& clock_;
  std::map<std::string, Market, std::less<>> markets_;  // By ticker.
  std::map<int64_t, int64_t> last_seq_;                 // By sid.
  uint32_t market_count_ = 0;
  CaptureCounters counters_;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_CAPTURE_TRANSLATOR_H_
