// The orders of a run as the link keeps them, found by number, by the venue's id and by call.
//
// An order whose end was heard is kept for messages that come late, the latest 65,536 of them.

#ifndef TOOLS_CLIENT_LINKED_ORDERS_H_
#define TOOLS_CLIENT_LINKED_ORDERS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/id_table.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace client {

// Where the amend or cancel of an order stands.
enum class RequestState : uint8_t {
  kNone,
  kWaiting,   // For the venue's id of the order.
  kSent,      //
  kNotFound,  // The venue knows no such order: how it ended is to be heard yet.
  kLost,      // What became of it only the venue's lists can tell.
};

// A fill of an order.
struct OrderFill {
  engine::Price price = {};
  engine::Quantity quantity = {};
  engine::Money fee = {};
  engine::Timestamp venue_time = {};
};

struct OrderTerms {
  engine::Price price = {};
  engine::Quantity total = {};  // Filled and resting.

  friend bool operator==(const OrderTerms&, const OrderTerms&) = default;
};

// An order as a list of the venue has it.
struct ListedOrder {
  bool is_resting = false;
  engine::Price price = {};
  engine::Quantity filled = {};
  engine::Quantity remaining = {};

  OrderTerms terms() const { return {.price = price, .total = filled + remaining}; }
};

struct LinkedOrder {
  strategy::OrderNumber number = {};
  engine::MarketId market = {};
  engine::Side side = {};
  bool can_rest = true;  // False: it trades or ends immediately.
  std::string id = {};   // The venue's; empty: not known yet.

  // What the strategy has heard.
  bool is_live = true;  // It has not heard of its end.
  bool is_accepted = false;
  // It has heard of its end, and then found it. It has asked for a cancel and knows the order no
  // more, so that the cancel is repeated until it succeeds.
  bool is_orphan = false;
  engine::Price price = {};
  engine::Quantity total = {};
  engine::Quantity filled = {};
  std::vector<engine::Digest> trades = {};  // Of its fills, those held back included.

  // What the venue has reported.
  engine::Quantity counted = {};                // So much was filled at least.
  bool has_ended = false;                       // With how much filled may not be known.
  std::optional<engine::Quantity> end_at = {};  // The same; so much was filled in all.
  std::optional<OrderTerms> terms = {};         // By the last message, if it rested then.
  std::vector<OrderFill> held = {};  // Until it is known whether the amend made it larger.

  // Its amend or cancel. An order has one at a time.
  RequestState request = RequestState::kNone;
  strategy::Action asked = {};

  uint64_t create_call = 0;  // In flight; zero: none.
  uint64_t request_call = 0;
  // When what it waits for is overdue.
  engine::Timestamp deadline = engine::Timestamp::Max();

  // While the venue's lists are read.
  std::optional<ListedOrder> listed = {};
  std::vector<OrderFill> listed_fills = {};  // Those that were not heard.

  // Whether an amend may have changed it, or may yet.
  bool has_open_amend() const {
    return asked.kind == strategy::ActionKind::kAmend &&
           (request == RequestState::kSent || request == RequestState::kLost);
  }
  OrderTerms heard_terms() const { return {.price = price, .total = total}; }
  // All fills that are known, whether they were heard or not.
  engine::Quantity known_fills() const;
  // False if the trade is known.
  bool AddTrade(const engine::Digest& trade);
};

// Not thread-safe: owned by the link. A pointer is valid until the next Add() or End().
class LinkedOrders {
 public:
  static constexpr size_t kEndedMax = 65'536;

  LinkedOrders() = default;
  LinkedOrders(const LinkedOrders&) = delete;
  LinkedOrders& operator=(const LinkedOrders&) = delete;

  // REQUIRES: its number is not known.
  LinkedOrder& Add(LinkedOrder order);
  // Makes room for the next order if there is none, so that Add() allocates nothing.
  void Prepare();
  // Null if there is none.
  LinkedOrder* Find(strategy::OrderNumber number);
  LinkedOrder* FindId(absl::string_view id);
  // REQUIRES: the order has no id; no other order has this one.
  void SetId(LinkedOrder& order, absl::string_view id);

  // A call is in flight until it is taken or dropped.
  void AddCall(uint64_t call, const LinkedOrder& order);
  LinkedOrder* TakeCall(uint64_t call);
  void DropCalls();

  // From now on it is kept for late messages only.
  void End(LinkedOrder& order);
  // Its end was heard, but it exists.
  void Revive(LinkedOrder& order);

  size_t live_count() const { return live_count_; }
  // In no order that means anything, with gaps: a number that is zero.
  std::deque<LinkedOrder>& all() { return orders_; }

 private:
  static constexpr size_t kPrepared = 16;

  LinkedOrder* At(uint32_t slot) {
    return slot == engine::IdTable::kNone ? nullptr : &orders_[slot];
  }
  void ForgetOldest();

  std::deque<LinkedOrder> orders_;
  std::vector<uint32_t> free_;
  engine::IdTable by_number_;
  absl::flat_hash_map<std::string, uint32_t> by_id_;
  engine::IdTable by_call_;
  // In the order of their ends. A number whose order was revived may be there twice.
  std::deque<strategy::OrderNumber> ended_;
  size_t live_count_ = 0;
};

}  // namespace client

#endif  // TOOLS_CLIENT_LINKED_ORDERS_H_
