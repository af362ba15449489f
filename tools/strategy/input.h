// What a strategy hears: one flat 64-byte row, a record of the journal of its run.
//
//   word 0  sequence      stamped when it is recorded
//   word 1  time          of receipt; the only clock that a strategy knows
//   word 2  venue_time    when it happened at the venue, in ns since 1970; 0 if it is not known
//   word 3  price
//   word 4  quantity
//   word 5  order         the number that the strategy gave its order
//   word 6  amount        a change of a quantity, a position, money, the value of a parameter
//   word 7  market        kind  side  detail  flags
//
// What needs text, such as the definition of a market, is the record's attachment.

#ifndef TOOLS_STRATEGY_INPUT_H_
#define TOOLS_STRATEGY_INPUT_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "journal/record.h"

namespace strategy {

// The number that a strategy gives an order, for as long as it runs. Zero: none.
using OrderNumber = engine::StrongInt<struct OrderNumberTag, uint64_t>;

// Do not renumber: in journals. Each line lists the fields that the kind reads besides market.
enum class InputKind : uint8_t {
  kMarket = 1,           // The attachment: a MarketDefinition (engine/messages).
  kParameter = 2,        // amount: the value. The attachment: the parameter's name.
  kConnection = 3,       // detail: a ConnectionState. Of no market: it concerns all.
  kBookClear = 4,        // A snapshot begins: all levels are gone, and the book is good again.
  kBookLevel = 5,        // side, price, quantity: all that is at the price now.
  kBookChange = 6,       // side, price, amount: how much more is at the price than before.
  kBookStale = 7,        // The book is wrong until the next snapshot.
  kTrade = 8,            // price, quantity, side: of the taker, or none.
  kOrderAccepted = 9,    // order.
  kOrderRefused = 10,    // order, detail: a Refusal. The order does not exist.
  kOrderFilled = 11,     // order, price, quantity, amount: the fee, in 10^-6 dollar.
  kOrderAmended = 12,    // order, price, quantity: what remains.
  kOrderCancelled = 13,  // order.
  kRequestRefused = 14,  // order, detail: a Refusal. An amend or a cancel that changed nothing.
  kOrderFound = 15,  // order, side, price, quantity, amount: what remains at the venue, and what
                     // was filled of it.
  kPosition = 16,    // amount: the position that the venue reports.
  kTime = 17,        // Nothing but its time.
  kSettled = 18,     // price: what a contract is worth from now on.
};
inline constexpr size_t kInputKindCount = 19;

// Do not renumber: in journals.
enum class ConnectionState : uint8_t {
  kDown = 0,        // Nothing can be sent, and what was sent may or may not have arrived.
  kConnecting = 1,  // The venue is asked what is there: kOrderFound, kPosition, books.
  kLive = 2,        // All of it was heard.
};

inline constexpr std::array<absl::string_view, 3> kConnectionNames = {"down", "connecting", "live"};

// Why the venue refused. Do not renumber: in journals.
enum class Refusal : uint8_t {
  kOther = 0,
  kUnknownOrder = 1,     // It has ended, or never was.
  kNoMoney = 2,          //
  kWouldTrade = 3,       // It was to add liquidity only.
  kMarketClosed = 4,     //
  kTooManyRequests = 5,  //
  kBadOrder = 6,         // Its price, quantity or terms.
  kNotSent = 7,          // The client did not send it: no connection, or a limit of its own.
};

inline constexpr std::array<absl::string_view, 8> kRefusalNames = {
    "other",         "unknown_order",     "no_money",  "would_trade",
    "market_closed", "too_many_requests", "bad_order", "not_sent"};

// A regular value type without padding.
struct Input {
  // The last row of what the venue published in one piece: only then does the strategy look.
  static constexpr uint8_t kLast = 1;

  engine::SequenceNumber sequence = {};
  engine::Timestamp time = {};
  int64_t venue_time = 0;
  engine::Price price = {};
  engine::Quantity quantity = {};
  OrderNumber order = {};
  int64_t amount = 0;
  engine::MarketId market = {};
  InputKind kind = {};
  engine::Side side = {};
  uint8_t detail = 0;
  uint8_t flags = 0;

  bool is_last() const { return (flags & kLast) != 0; }
  ConnectionState connection() const { return static_cast<ConnectionState>(detail); }
  Refusal refusal() const { return static_cast<Refusal>(detail); }

  friend bool operator==(const Input&, const Input&) = default;
};
static_assert(sizeof(Input) == sizeof(journal::Row));
static_assert(alignof(Input) == alignof(journal::Row));
static_assert(offsetof(Input, time) == offsetof(journal::Row, timestamp));
static_assert(std::has_unique_object_representations_v<Input>, "padding would reach digests");

// Views a row as an input, in place.
inline const Input& AsInput(const journal::Row& row) { return reinterpret_cast<const Input&>(row); }
inline Input ToInput(const journal::Row& row) { return std::bit_cast<Input>(row); }
inline journal::Row ToRow(const Input& input) { return std::bit_cast<journal::Row>(input); }

}  // namespace strategy

#endif  // TOOLS_STRATEGY_INPUT_H_
