// The fast path of FeedDecoder: a delta or a trade whose members come in the order in which the
// venue writes them, compared as bytes.
//
//   {"type":"orderbook_delta","sid":1,"seq":2,"msg":{"market_ticker":"X","market_id":"f5ed",
//    "price_dollars":"0.4700","delta_fp":"-3.00","side":"yes","ts":"2026-06-11T06:31:29.957081Z",
//    "ts_ms":1781159489957}}
//
//   {"type":"trade","sid":1,"seq":2,"msg":{"trade_id":"t","market_ticker":"X",
//    "yes_price_dollars":"0.5200","no_price_dollars":"0.4800","count_fp":"1.00","taker_side":"yes",
//    "taker_outcome_side":"yes","taker_book_side":"bid","is_block_trade":false,"ts":2,"ts_ms":2000}}
//
// A delta may lack ts_ms, and may end with client_order_id and subaccount. Everything else is for
// the general path: blanks, escapes, text that is not ASCII, other members, other forms of numbers.

#ifndef ENGINE_WIRE_KALSHI_FEED_FAST_PATH_H_
#define ENGINE_WIRE_KALSHI_FEED_FAST_PATH_H_

#include <array>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/wire/kalshi/book_messages.h"

namespace engine::kalshi {

struct FeedFrame;

// Midnights of days, as texts of times begin with them. It remembers the last one, and computes
// others.
class Midnights {
 public:
  static constexpr size_t kDateBytes = 11;  // "2026-06-11T"

  // The midnight that `date` begins with; false if it is none. REQUIRES: kDateBytes bytes.
  bool Find(const char* date, Timestamp& midnight);

 private:
  std::array<char, kDateBytes> date_ = {'1', '9', '7', '0', '-', '0', '1', '-', '0', '1', 'T'};
  Timestamp midnight_;  // Of date_.
};

// Not thread-safe.
class FeedFastPath {
 public:
  explicit FeedFastPath(const FeedForm& form) : form_(form) {}

  // Reads a frame as the general path would; its ticker is a view of `bytes`. False: the general
  // path has to, and `frame` is unspecified. REQUIRES: `frame` is empty.
  bool Read(absl::string_view bytes, FeedFrame& frame);

 private:
  const FeedForm form_;
  Midnights midnights_;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_FEED_FAST_PATH_H_
