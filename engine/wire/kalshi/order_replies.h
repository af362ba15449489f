// The replies to writes of orders and order groups: values, and their JSON. See market_objects.h.

#ifndef ENGINE_WIRE_KALSHI_ORDER_REPLIES_H_
#define ENGINE_WIRE_KALSHI_ORDER_REPLIES_H_

#include <cstdint>
#include <optional>
#include <span>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine::kalshi {

// The fills that a write led to. The averages are per contract, rounded half up to 10^-4 dollar;
// they are written if there was a fill.
struct FillTotals {
  Count count = {};
  Money value = {};  // The sum of price x count, of the YES leg.
  Money fees = {};
};

// Also of an amend.
struct CreateReply {
  absl::string_view order_id = {};
  absl::string_view client_order_id = {};  // Written even if empty.
  FillTotals fills = {};
  Count remaining_count = {};
  Timestamp time = {};
};
void Write(const CreateReply& reply, JsonWriter& json);

struct CancelReply {
  absl::string_view order_id = {};
  absl::string_view client_order_id = {};
  Count reduced_by = {};
  Timestamp time = {};
};
void Write(const CancelReply& reply, JsonWriter& json);

struct DecreaseReply {
  absl::string_view order_id = {};
  absl::string_view client_order_id = {};
  Count remaining_count = {};
  Timestamp time = {};
};
void Write(const DecreaseReply& reply, JsonWriter& json);

// Entries of a batch that were refused; the others are a CreateReply or a CancelReply. An order
// that was never created has no order_id: clients take an entry with one for an order.
struct CreateRefusal {
  absl::string_view client_order_id = {};
  const Error& error;
};
void Write(const CreateRefusal& refusal, JsonWriter& json);

struct CancelRefusal {
  absl::string_view order_id = {};
  const Error& error;
};
void Write(const CancelRefusal& refusal, JsonWriter& json);

struct GroupCreated {
  absl::string_view order_group_id = {};
  int32_t subaccount = 0;
};
void Write(const GroupCreated& group, JsonWriter& json);

// An element of "order_groups".
struct OrderGroup {
  absl::string_view id = {};
  Count contracts_limit = {};
  bool is_auto_cancel_enabled = true;
};
void Write(const OrderGroup& group, JsonWriter& json);

// The reply about one group.
struct OrderGroupDetails {
  OrderGroup group = {};
  std::span<const absl::string_view> order_ids = {};
};
void Write(const OrderGroupDetails& details, JsonWriter& json);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_ORDER_REPLIES_H_
