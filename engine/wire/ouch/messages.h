// The messages of Nasdaq OUCH 4.2, field by field, without interpretation. Each struct has the
// layout of its message after the type letter: to copy the bytes is to parse them.
//
// Units: prices are counts of 0.0001 dollar, shares are whole shares, times are nanoseconds since
// midnight. Text is as on the wire, padded on the right with blanks. Single characters are the
// specification's codes.
//
// Source: Nasdaq O*U*C*H 4.2 specification; the bytes are in PROTOCOL.md.

#ifndef ENGINE_WIRE_OUCH_MESSAGES_H_
#define ENGINE_WIRE_OUCH_MESSAGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "absl/strings/string_view.h"
#include "engine/wire/big_endian.h"

namespace engine::ouch {

using Uint32 = BigEndianInteger<uint32_t>;
using Uint64 = BigEndianInteger<uint64_t>;
using Token = std::array<char, 14>;
using Stock = std::array<char, 8>;
using Firm = std::array<char, 4>;

// The price of an order without one.
inline constexpr uint32_t kMarketPrice = 0x7fffffff;

// Times in force that are no number of seconds.
inline constexpr uint32_t kImmediateOrCancel = 0;
inline constexpr uint32_t kMarketHours = 99'998;
inline constexpr uint32_t kSystemHours = 99'999;

// ---- From the client.

struct EnterOrder {
  static constexpr char kType = 'O';
  static constexpr absl::string_view kName = "enter_order";
  Token token = {};
  char side = 0;  // B S T E: buy, sell, sell short, sell short exempt.
  Uint32 shares = 0;
  Stock stock = {};
  Uint32 price = 0;
  Uint32 time_in_force = 0;
  Firm firm = {};
  char display = 0;
  char capacity = 0;
  char intermarket_sweep = 0;
  Uint32 minimum_quantity = 0;
  char cross_type = 0;
  char customer_type = 0;
};

struct ReplaceOrder {
  static constexpr char kType = 'U';
  static constexpr absl::string_view kName = "replace_order";
  Token existing_token = {};
  Token replacement_token = {};
  Uint32 shares = 0;  // What has executed included.
  Uint32 price = 0;
  Uint32 time_in_force = 0;
  char display = 0;
  char intermarket_sweep = 0;
  Uint32 minimum_quantity = 0;
};

struct CancelOrder {
  static constexpr char kType = 'X';
  static constexpr absl::string_view kName = "cancel_order";
  Token token = {};
  Uint32 shares = 0;  // Of the order from now on; 0: no more.
};

struct ModifyOrder {
  static constexpr char kType = 'M';
  static constexpr absl::string_view kName = "modify_order";
  Token token = {};
  char side = 0;
  Uint32 shares = 0;
};

// ---- From the server. All begin with the time.

struct SystemEvent {
  static constexpr char kType = 'S';
  static constexpr absl::string_view kName = "system_event";
  Uint64 timestamp_ns = 0;
  char event = 0;  // S E: start, end of day.
};

struct Accepted {
  static constexpr char kType = 'A';
  static constexpr absl::string_view kName = "accepted";
  Uint64 timestamp_ns = 0;
  Token token = {};
  char side = 0;
  Uint32 shares = 0;
  Stock stock = {};
  Uint32 price = 0;
  Uint32 time_in_force = 0;
  Firm firm = {};
  char display = 0;
  Uint64 order_reference = 0;
  char capacity = 0;
  char intermarket_sweep = 0;
  Uint32 minimum_quantity = 0;
  char cross_type = 0;
  char order_state = 0;  // L D: live, dead.
  char bbo_weight = 0;
};

struct Replaced {
  static constexpr char kType = 'U';
  static constexpr absl::string_view kName = "replaced";
  Uint64 timestamp_ns = 0;
  Token replacement_token = {};
  char side = 0;
  Uint32 shares = 0;
  Stock stock = {};
  Uint32 price = 0;
  Uint32 time_in_force = 0;
  Firm firm = {};
  char display = 0;
  Uint64 order_reference = 0;
  char capacity = 0;
  char intermarket_sweep = 0;
  Uint32 minimum_quantity = 0;
  char cross_type = 0;
  char order_state = 0;
  Token previous_token = {};
  char bbo_weight = 0;
};

struct Cancelled {
  static constexpr char kType = 'C';
  static constexpr absl::string_view kName = "cancelled";
  Uint64 timestamp_ns = 0;
  Token token = {};
  Uint32 decrement = 0;
  char reason = 0;
};

// Cancelled since it would have traded with an order of the same account.
struct SelfTradeCancelled {
  static constexpr char kType = 'D';
  static constexpr absl::string_view kName = "self_trade_cancelled";
  Uint64 timestamp_ns = 0;
  Token token = {};
  Uint32 decrement = 0;
  char reason = 0;
  Uint32 quantity_prevented = 0;
  Uint32 price = 0;
  char liquidity = 0;
};

struct Executed {
  static constexpr char kType = 'E';
  static constexpr absl::string_view kName = "executed";
  Uint64 timestamp_ns = 0;
  Token token = {};
  Uint32 shares = 0;
  Uint32 price = 0;
  char liquidity = 0;  // A R: added, removed.
  Uint64 match_number = 0;
};

struct BrokenTrade {
  static constexpr char kType = 'B';
  static constexpr absl::string_view kName = "broken_trade";
  Uint64 timestamp_ns = 0;
  Token token = {};
  Uint64 match_number = 0;
  char reason = 0;
};

struct Rejected {
  static constexpr char kType = 'J';
  static constexpr absl::string_view kName = "rejected";
  Uint64 timestamp_ns = 0;
  Token token = {};
  char reason = 0;
};

struct CancelPending {
  static constexpr char kType = 'P';
  static constexpr absl::string_view kName = "cancel_pending";
  Uint64 timestamp_ns = 0;
  Token token = {};
};

struct CancelRejected {
  static constexpr char kType = 'I';
  static constexpr absl::string_view kName = "cancel_rejected";
  Uint64 timestamp_ns = 0;
  Token token = {};
};

struct PriorityUpdate {
  static constexpr char kType = 'T';
  static constexpr absl::string_view kName = "priority_update";
  Uint64 timestamp_ns = 0;
  Token token = {};
  Uint32 price = 0;
  char display = 0;
  Uint64 order_reference = 0;
};

struct Modified {
  static constexpr char kType = 'M';
  static constexpr absl::string_view kName = "modified";
  Uint64 timestamp_ns = 0;
  Token token = {};
  char side = 0;
  Uint32 shares = 0;
};

using Inbound = std::variant<EnterOrder, ReplaceOrder, CancelOrder, ModifyOrder>;
using Outbound =
    std::variant<SystemEvent, Accepted, Replaced, Cancelled, SelfTradeCancelled, Executed,
                 BrokenTrade, Rejected, CancelPending, CancelRejected, PriorityUpdate, Modified>;

// Of one message, with its type.
template <typename Message>
inline constexpr size_t kBytesOf = 1 + sizeof(Message);

inline constexpr size_t kInboundBytesMax = kBytesOf<EnterOrder>;
inline constexpr size_t kOutboundBytesMax = kBytesOf<Replaced>;

}  // namespace engine::ouch

#endif  // ENGINE_WIRE_OUCH_MESSAGES_H_
