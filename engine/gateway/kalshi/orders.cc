#include "engine/gateway/kalshi/orders.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/gateway/kalshi/refusals.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/order_note.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/exchange_objects.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/public_id.h"
#include "engine/wire/kalshi/queries.h"
#include "engine/wire/kalshi/query_string.h"

namespace engine {
namespace {

using kalshi::Count;
using kalshi::Error;
using kalshi::Result;
namespace errors = kalshi::errors;

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kSecondsMax = INT64_MAX / kSecondNanos;

// A time too far ahead is as far as times go.
Timestamp TimeOf(int64_t seconds) {
  return Timestamp::FromNanos(std::min(seconds, kSecondsMax) * kSecondNanos);
}

// An attachment with the client's id, or none.
std::vector<std::byte> NoteOf(absl::string_view client_order_id) {
  if (client_order_id.empty()) return {};
  return EncodeOrderNote(client_order_id);
}

OrderFlags FlagsOf(const kalshi::CreateOrder& order) {
  OrderFlags flags = OrderFlags().WithSelfTradePrevention(order.self_trade_prevention);
  if (order.post_only) flags = flags.WithPostOnly();
  if (order.reduce_only) flags = flags.WithReduceOnly();
  if (order.cancel_order_on_pause) flags = flags.WithCancelOnPause();
  return flags;
}

// Adds a trade of the taker.
void AddTrade(const Event& trade, kalshi::FillTotals& fills) {
  fills.count = fills.count + Count::Of(trade.quantity);
  fills.value +=
      Money::FromMicros(trade.price.units() * static_cast<int64_t>(trade.quantity.units()));
}

}  // namespace

// ---- Create.

KalshiReply KalshiOrders::Create(AccountId account, absl::string_view body) {
  const Result<kalshi::CreateOrder> order = decoder_.DecodeCreateOrder(body);
  if (!order.ok()) return ReplyOf(order.error());
  const Result<Outcome> outcome = Place(account, *order);
  if (!outcome.ok()) return ReplyOf(outcome.error());
  const kalshi::PublicId id = world_.ids.Of(outcome->order);
  return ReplyOf(201, kalshi::CreateReply{.order_id = id.text(),
                                          .client_order_id = order->client_order_id,
                                          .fills = outcome->fills,
                                          .remaining_count = outcome->remaining,
                                          .time = outcome->time});
}

KalshiReply KalshiOrders::CreateBatch(AccountId account, absl::string_view body, Spend spend) {
  const Result<std::vector<kalshi::BatchCreateEntry>> entries = decoder_.DecodeBatchCreate(body);
  if (!entries.ok()) return ReplyOf(entries.error());
  if (!spend(entries->size())) return ReplyOf(Error{errors::kTooManyRequests, {}});
  KalshiReply reply = {.status = 201};
  kalshi::ListWriter list(reply.body, "orders");
  for (const kalshi::BatchCreateEntry& entry : *entries) {
    const Result<Outcome> outcome =
        entry.order.ok() ? Place(account, *entry.order) : Result<Outcome>(entry.order.error());
    if (!outcome.ok()) {
      list.Add(kalshi::CreateRefusal{entry.client_order_id, outcome.error()});
      continue;
    }
    const kalshi::PublicId id = world_.ids.Of(outcome->order);
    list.Add(kalshi::CreateReply{.order_id = id.text(),
                                 .client_order_id = entry.client_order_id,
                                 .fills = outcome->fills,
                                 .remaining_count = outcome->remaining,
                                 .time = outcome->time});
  }
  list.Finish();
  return reply;
}

Result<KalshiOrders::Outcome> KalshiOrders::Place(AccountId account,
                                                  const kalshi::CreateOrder& order) {
  const Result<Command> command = CommandOf(account, order);
  if (!command.ok()) return command.error();
  const Result<KalshiApplied> applied = submitter_.Submit(*command, NoteOf(order.client_order_id));
  if (!applied.ok()) return applied.error();
  return OutcomeOf(account, OrderIdOf(applied->sequence), *applied);
}

Result<bool> KalshiOrders::CheckNewText(AccountId account, absl::string_view text) const {
  if (text.empty()) return true;
  if (!IsClientOrderText(text)) {
    return Error{errors::kInvalidOrder,
                 absl::StrCat("client_order_id: expected 1 to ", kClientOrderTextBytesMax,
                              " printable ASCII characters")};
  }
  const UsedTexts& used = world_.memory.TextsOf(account);
  if (used.Contains(text)) return Error{errors::kOrderAlreadyExists, {}};
  if (!used.has_room()) return Error{errors::kInvalidOrder, "the account has used too many ids"};
  return true;
}

Result<Command> KalshiOrders::CommandOf(AccountId account, const kalshi::CreateOrder& order) {
  const std::optional<KalshiListing> listing = world_.FindTicker(order.ticker);
  if (!listing.has_value()) return Error{errors::kMarketNotFound, {}};
  const Result<bool> text = CheckNewText(account, order.client_order_id);
  if (!text.ok()) return text.error();
  Command command;
  command.kind = CommandKind::kNewOrder;
  command.account = account;
  command.market = listing->definition->id;
  command.side = order.side;
  command.type = OrderType::kLimit;
  command.tif = order.time_in_force;
  command.flags = FlagsOf(order);
  command.price = order.price;
  command.quantity = order.count.ToQuantity();
  if (order.expiration_s.has_value()) {
    command.tif = TimeInForce::kGoodTillTime;
    command.set_expires_at(TimeOf(*order.expiration_s));
  }
  if (!order.order_group_id.empty()) {
    const std::optional<GroupId> group = world_.ids.GroupOf(account, order.order_group_id);
    if (!group.has_value()) return Error{errors::kNotFound, {}};
    command.set_group(*group);
  }
  return command;
}

Result<KalshiOrders::Outcome> KalshiOrders::OutcomeOf(AccountId account, OrderId order,
                                                      const KalshiApplied& applied) {
  Outcome outcome = {.order = order, .fills = {}, .remaining = {}, .time = applied.time};
  for (const Event& event : applied.events) {
    switch (event.kind) {
      case EventKind::kRejected:
        return RefusalOf(event.reject_reason());
      case EventKind::kAccepted:
      case EventKind::kAmended:
        if (event.order_id == order) outcome.remaining = Count::Of(event.quantity_remaining);
        break;
      case EventKind::kTrade:
        if (event.counter_order_id != order) break;
        AddTrade(event, outcome.fills);
        outcome.remaining = outcome.remaining - Count::Of(event.quantity);
        break;
      case EventKind::kBalance:
        if (event.order_id == order && event.account == account) outcome.fills.fees += event.fee();
        break;
      case EventKind::kCancelled:
        if (event.order_id != order) break;
        if (event.cancel_reason() == CancelReason::kFillOrKill) {
          return Error{errors::kFillOrKill, {}};
        }
        outcome.remaining = Count();
        break;
      default:
        break;
    }
  }
  return outcome;
}

// ---- Cancel.

Result<const PortfolioOrder*> KalshiOrders::Find(AccountId account, absl::string_view order_id,
                                                 absl::string_view ticker) const {
  if (!kalshi::IsUuid(order_id)) return Error{errors::kInvalidUuid, {}};
  const std::optional<OrderId> id = world_.ids.OrderOf(order_id);
  const PortfolioOrder* const order =
      id.has_value() ? world_.views.portfolio().FindOrder(*id) : nullptr;
  if (order == nullptr || order->account != account) return Error{errors::kNotFound, {}};
  if (ticker.empty()) return order;
  const std::optional<KalshiListing> listing = world_.FindTicker(ticker);
  if (!listing.has_value() || listing->definition->id != order->market) {
    return Error{errors::kOrderTickerMismatch, {}};
  }
  return order;
}

Result<KalshiOrders::Cancelled> KalshiOrders::CancelOne(AccountId account,
                                                        absl::string_view order_id,
                                                        absl::string_view ticker) {
  const Result<const PortfolioOrder*> order = Find(account, order_id, ticker);
  if (!order.ok()) return order.error();
  Cancelled cancelled = {.client_text = ClientTextOf(**order), .reduced_by = {}, .time = {}};
  Command command;
  command.kind = CommandKind::kCancel;
  command.account = account;
  command.market = (*order)->market;
  command.order_id = (*order)->id;
  const Result<KalshiApplied> applied = submitter_.Submit(command, {});
  if (!applied.ok()) return applied.error();
  for (const Event& event : applied->events) {
    if (event.kind == EventKind::kRejected) return RefusalOf(event.reject_reason());
    if (event.kind == EventKind::kCancelled && event.order_id == command.order_id &&
        event.cancel_reason() == CancelReason::kRequested) {
      cancelled.reduced_by = Count::Of(event.quantity);
      cancelled.time = applied->time;
      return cancelled;
    }
  }
  return Error{errors::kNotFound, {}};  // It had expired.
}

KalshiReply KalshiOrders::Cancel(AccountId account, absl::string_view order_id,
                                 absl::string_view query) {
  const Result<kalshi::PartOnly> part =
      kalshi::ParsePartOnly(kalshi::QueryString::Parse(query), "CancelOrder");
  if (!part.ok()) return ReplyOf(part.error());
  const Result<Cancelled> cancelled = CancelOne(account, order_id, part->market_ticker);
  if (!cancelled.ok()) return ReplyOf(cancelled.error());
  return ReplyOf(200, kalshi::CancelReply{.order_id = order_id,
                                          .client_order_id = cancelled->client_text,
                                          .reduced_by = cancelled->reduced_by,
                                          .time = cancelled->time});
}

KalshiReply KalshiOrders::CancelBatch(AccountId account, absl::string_view body, Spend spend) {
  const Result<std::vector<kalshi::CancelEntry>> entries = decoder_.DecodeBatchCancel(body);
  if (!entries.ok()) return ReplyOf(entries.error());
  if (!spend(entries->size())) return ReplyOf(Error{errors::kTooManyRequests, {}});
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "orders");
  for (const kalshi::CancelEntry& entry : *entries) {
    const Result<Cancelled> cancelled = CancelOne(account, entry.order_id, entry.market_ticker);
    if (!cancelled.ok()) {
      list.Add(kalshi::CancelRefusal{entry.order_id, cancelled.error()});
      continue;
    }
    list.Add(kalshi::CancelReply{.order_id = entry.order_id,
                                 .client_order_id = cancelled->client_text,
                                 .reduced_by = cancelled->reduced_by,
                                 .time = cancelled->time});
  }
  list.Finish();
  return reply;
}

KalshiReply KalshiOrders::CancelAll(AccountId account) {
  Command command;
  command.kind = CommandKind::kMassCancel;
  command.account = account;
  const Result<KalshiApplied> applied = submitter_.Submit(command, {});
  if (!applied.ok()) return ReplyOf(applied.error());
  const RejectReason reason = applied->reason();
  if (reason != RejectReason::kNone) return ReplyOf(RefusalOf(reason));
  return {.status = 204};
}

// ---- Amend and decrease.

Result<Command> KalshiOrders::AmendOf(const PortfolioOrder& order,
                                      const kalshi::AmendOrder& amend) {
  if (amend.side != order.side) return Error{errors::kOrderSideMismatch, {}};
  const std::string client_text = ClientTextOf(order);
  if (!amend.client_order_id.empty() && amend.client_order_id != client_text) {
    return Error{errors::kOrderIdMismatch, {}};
  }
  const absl::string_view updated = amend.updated_client_order_id;
  // So that an amend that is refused for its expiration has changed nothing. The last record's time
  // may be ahead of a clock that was set back.
  const int64_t expiration_s = amend.expiration_s.value_or(0);
  const Timestamp now = std::max(submitter_.Now(), world_.views.time());
  if (expiration_s != 0 && TimeOf(expiration_s) <= now) {
    return Error{errors::kExpirationInPast, {}};
  }
  if (updated != client_text) {
    const Result<bool> text = CheckNewText(order.account, updated);
    if (!text.ok()) return text.error();
  }
  Command command;
  command.kind = CommandKind::kAmend;
  command.account = order.account;
  command.market = order.market;
  command.order_id = order.id;
  command.price = amend.price;
  command.quantity = amend.count.ToQuantity();
  return command;
}

KalshiReply KalshiOrders::Amend(AccountId account, absl::string_view order_id,
                                absl::string_view body) {
  const Result<kalshi::AmendOrder> amend = decoder_.DecodeAmendOrder(body);
  if (!amend.ok()) return ReplyOf(amend.error());
  const Result<const PortfolioOrder*> order = Find(account, order_id, amend->ticker);
  if (!order.ok()) return ReplyOf(order.error());
  const Result<Command> command = AmendOf(**order, *amend);
  if (!command.ok()) return ReplyOf(command.error());
  const std::string client_text = amend->updated_client_order_id.empty()
                                      ? ClientTextOf(**order)
                                      : std::string(amend->updated_client_order_id);
  const Result<KalshiApplied> applied =
      submitter_.Submit(*command, NoteOf(amend->updated_client_order_id));
  if (!applied.ok()) return ReplyOf(applied.error());
  const Result<Outcome> outcome = OutcomeOf(account, command->order_id, *applied);
  if (!outcome.ok()) return ReplyOf(outcome.error());
  if (amend->expiration_s.has_value() && outcome->remaining != Count()) {
    const Result<KalshiApplied> expiry = SetExpiry(*command, *amend->expiration_s);
    if (!expiry.ok()) return ReplyOf(expiry.error());
  }
  return ReplyOf(200, kalshi::CreateReply{.order_id = order_id,
                                          .client_order_id = client_text,
                                          .fills = outcome->fills,
                                          .remaining_count = outcome->remaining,
                                          .time = outcome->time});
}

// A second command: no order trades between the two, for the reply to the first is not sent yet.
Result<KalshiApplied> KalshiOrders::SetExpiry(const Command& amend, int64_t expiration_s) {
  Command command;
  command.kind = CommandKind::kSetExpiry;
  command.account = amend.account;
  command.market = amend.market;
  command.order_id = amend.order_id;
  if (expiration_s != 0) command.price = Price::FromUnits(TimeOf(expiration_s).nanos());
  const Result<KalshiApplied> applied = submitter_.Submit(command, {});
  if (!applied.ok()) return applied.error();
  if (applied->reason() != RejectReason::kNone) return RefusalOf(applied->reason());
  return applied;
}

KalshiReply KalshiOrders::Decrease(AccountId account, absl::string_view order_id,
                                   absl::string_view body) {
  const Result<kalshi::DecreaseOrder> decrease = decoder_.DecodeDecreaseOrder(body);
  if (!decrease.ok()) return ReplyOf(decrease.error());
  const Result<const PortfolioOrder*> order = Find(account, order_id, decrease->market_ticker);
  if (!order.ok()) return ReplyOf(order.error());
  const std::string client_text = ClientTextOf(**order);
  Command command;
  command.kind = decrease->is_to ? CommandKind::kReduceTo : CommandKind::kReduce;
  command.account = account;
  command.market = (*order)->market;
  command.order_id = (*order)->id;
  command.quantity = decrease->count.ToQuantity();
  const Result<KalshiApplied> applied = submitter_.Submit(command, {});
  if (!applied.ok()) return ReplyOf(applied.error());
  Count remaining;
  for (const Event& event : applied->events) {
    if (event.kind == EventKind::kRejected) return ReplyOf(RefusalOf(event.reject_reason()));
    if (event.kind == EventKind::kReduced) remaining = Count::Of(event.quantity_remaining);
  }
  return ReplyOf(200, kalshi::DecreaseReply{.order_id = order_id,
                                            .client_order_id = client_text,
                                            .remaining_count = remaining,
                                            .time = applied->time});
}

}  // namespace engine
