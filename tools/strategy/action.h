// What a strategy decides: one flat 64-byte output of its machine.
//
//   word 0  sequence      of the input that caused it
//   word 1  order         the number of the order, given by the strategy
//   word 2  price         or the value of a metric
//   word 3  quantity      what is to rest or trade; of an amend, the new total, filled part
//   included word 4  expires       0, or when the order is to end, in ns since 1970 word 5  ...
//   zero; words 3 to 6 are the text of a log line or the name of a metric word 6  market side  tif
//   flags  zero word 7  index         kind  detail

#ifndef TOOLS_STRATEGY_ACTION_H_
#define TOOLS_STRATEGY_ACTION_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/base/sequence_number.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "replay/output.h"
#include "tools/strategy/input.h"

namespace strategy {

// Do not renumber: in event streams.
enum class ActionKind : uint16_t {
  kNewOrder = 1,  // order, market, side, price, quantity, tif, flags, expires.
  kAmend = 2,     // order, market, side, price, quantity.
  kCancel = 3,    // order, market, side.
  kLog = 4,       // Text, up to kTextBytes bytes; detail: whether the next output continues it.
  kMetric = 5,    // price: the value; the name, up to kTextBytes bytes.
  kStopped = 6,   // detail: a StopReason. No new order leaves from now on.
};
inline constexpr size_t kActionKindCount = 7;

// Do not renumber.
enum class StopReason : uint8_t {
  kAsked = 1,  // By the strategy.
  kLoss = 2,   // The limit of loss.
};

// A regular value type without padding.
struct Action {
  static constexpr size_t kTextBytes = 32;

  engine::SequenceNumber sequence = {};
  OrderNumber order = {};
  engine::Price price = {};
  engine::Quantity quantity = {};
  int64_t expires = 0;
  uint64_t unused = 0;
  engine::MarketId market = {};
  engine::Side side = {};
  engine::TimeInForce tif = {};
  engine::OrderFlags flags = {};
  uint8_t also_unused = 0;
  uint32_t index = 0;
  ActionKind kind = {};
  std::array<std::byte, 2> detail = {};

  friend bool operator==(const Action&, const Action&) = default;
};
static_assert(sizeof(Action) == sizeof(replay::Output));
static_assert(offsetof(Action, index) == offsetof(replay::Output, index));
static_assert(offsetof(Action, kind) == offsetof(replay::Output, kind));
static_assert(std::has_unique_object_representations_v<Action>, "padding would reach digests");

// Of the text in a replay::Output.
inline constexpr size_t kTextOffset = offsetof(Action, quantity);

inline Action ToAction(const replay::Output& output) { return std::bit_cast<Action>(output); }

}  // namespace strategy

#endif  // TOOLS_STRATEGY_ACTION_H_
