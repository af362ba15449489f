// The orders of a run at the venue: actions of the strategy become calls; replies, fills and order
// messages become inputs. Sans-I/O: no clock, no sockets.
//
//   Action ─► Act ─► Call ─► venue ─► OnReply ─────┐
//                             │ fill, user_order   ├─► Input
//                             └─► OnFill, OnUserOrder
//
// What the strategy hears is exact:
// - each fill once, by trade and order id, whichever way it came first;
// - that an order was accepted once, by the first message that shows it;
// - the end of an order once, after all of its fills. That is its last fill if nothing remains,
//   kOrderRefused, kOrderCancelled, or kOrderAmended with a quantity of zero;
// - an answer to each request, once. The end of an order answers its request too.
//
// Replies and messages come in any order, as they do over several connections. So a fill that would
// end the order is held back while an amend is on its way: if the amend came first, the order goes
// on. And a cancel or amend of an order that the venue does not know is not answered before the
// order's end is.
//
// What is unclear (a lost reply, a 5xx, a fill of an order whose end was heard; for kPatienceNanos:
// an end or a fill that was announced and is not heard, another price or quantity than the one
// heard) makes is_unclear() true; the owner then reconciles with the venue's lists.

#ifndef TOOLS_CLIENT_ORDER_LINK_H_
#define TOOLS_CLIENT_ORDER_LINK_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/wire/kalshi/client_replies.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/portfolio_objects.h"
#include "tools/client/call.h"
#include "tools/client/linked_orders.h"
#include "tools/client/ticker_table.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace client {

// Where calls and inputs go. It keeps them for later: neither function calls the link.
class LinkHost {
 public:
  virtual ~LinkHost() = default;

  // `call` is valid during the call.
  virtual void Start(const Call& call) = 0;
  // Sets sequence and time.
  virtual void Hear(const strategy::Input& input) = 0;
  // The venue's id of a live order that can rest is known: a cancel of it can be prepared. An order
  // whose id was known has ended.
  virtual void OnOrderLive(absl::string_view /*order_id*/) {}
  virtual void OnOrderEnded(absl::string_view /*order_id*/) {}
};

// Not thread-safe. Memory grows with the orders that live at a time, and with the latest
// LinkedOrders::kEndedMax that have ended.
class OrderLink {
 public:
  // How long what the venue has announced may take.
  static constexpr int64_t kPatienceNanos = 2'000'000'000;
  // Ids of its calls have this bit; those of others must not.
  static constexpr uint64_t kCallBit = uint64_t{1} << 63;

  // `run` begins every client_order_id of this run: "<run>-<order number>". `tickers` and `host`
  // outlive the link.
  OrderLink(std::string run, const TickerTable& tickers, LinkHost& host);
  OrderLink(const OrderLink&) = delete;
  OrderLink& operator=(const OrderLink&) = delete;

  // A request replaces an earlier one of its order that is not answered, which is not heard any
  // more: the desk asks for one thing at a time, and again after a loss of the connection.
  // REQUIRES: kNewOrder with a number that is new, kAmend or kCancel.
  void Act(const strategy::Action& action, engine::Timestamp now);

  // True if the call was one of its own.
  bool OnReply(const CallReply& reply, engine::Timestamp now);
  bool OnCallFailed(uint64_t id, bool may_have_arrived, engine::Timestamp now);
  // Messages about orders of others do nothing.
  void OnFill(absl::string_view ticker, const engine::kalshi::FeedFill& fill,
              engine::Timestamp venue_time, engine::Timestamp now);
  void OnUserOrder(absl::string_view ticker, const engine::kalshi::FeedOrder& order,
                   engine::Timestamp now);
  // Repeats the cancel of an order that the desk has forgotten; what is overdue becomes unclear.
  void OnTime(engine::Timestamp now);
  // When OnTime() is to be called; Max(): no need.
  engine::Timestamp next_time() const;

  // Something is not known that only the venue's lists can tell.
  bool is_unclear() const { return is_unclear_; }

  // Reconciliation. The owner drops all calls in flight, opens the feed, begins, and fetches lists
  // that are not older than the feed; messages may come meanwhile.
  void BeginReconciling();
  // Each of the account's orders since the run began, of any status. One that moved from page to
  // page may be given twice.
  void OnOrder(const engine::kalshi::Order& order);
  // Each of the account's fills since the run began, in any order.
  void OnListedFill(const engine::kalshi::Fill& fill);
  // The strategy hears what it has missed: fills, kOrderFound of what rests, the end of what does
  // not. An order that is in no list has not arrived: kOrderRefused with kNotSent. Should it arrive
  // later, it is found. Then nothing is unclear any more.
  // False: orders or fills are of an earlier moment than what is known. Nothing has happened, but
  // the lists are to be given again. Another price or quantity than the one heard is believed after
  // kPatienceNanos.
  bool EndReconciling(engine::Timestamp now);

  // Orders whose end the strategy has not heard.
  size_t live_count() const { return orders_.live_count(); }
  // Orders of the account that rest and are none of this run, as the last reconciliation found.
  size_t foreign_count() const { return foreign_count_; }

 private:
  struct ListedFill {
    std::string order_id;
    engine::Digest trade;
    OrderFill fill;
  };
  struct Deadline {
    engine::Timestamp at;
    strategy::OrderNumber order;
  };

  void Create(const strategy::Action& action);
  void Request(const strategy::Action& action);
  void SendRequest(LinkedOrder& order);
  void OnCreateReply(LinkedOrder& order, const CallReply& reply, engine::Timestamp now);
  void OnRequestReply(LinkedOrder& order, const CallReply& reply, engine::Timestamp now);
  // False: the body says something else.
  bool OnAmended(LinkedOrder& order, absl::string_view body);
  bool OnCancelled(LinkedOrder& order, absl::string_view body);
  void OnRequestRefused(LinkedOrder& order, strategy::Refusal refusal);
  // What became of its create or request is not known.
  void Lose(LinkedOrder& order, bool is_create);

  // The order of a message; null if it is of others.
  LinkedOrder* OrderOf(absl::string_view client_order_id, absl::string_view order_id);
  void LearnId(LinkedOrder& order, absl::string_view id);
  // After everything that may have brought the order further: lets it hear what was held back, end,
  // or wait.
  void Settle(LinkedOrder& order, engine::Timestamp now);
  // Whether the order waits for something that the venue has announced.
  static bool Waits(const LinkedOrder& order);
  void Watch(LinkedOrder& order, engine::Timestamp now);
  void End(LinkedOrder& order);
  // The strategy has heard of its end, but it rests: the strategy finds it.
  void FindAgain(LinkedOrder& order, engine::Price price, engine::Quantity remaining);

  // Whether it is known better than the lists have it.
  bool IsNewerThanLists(const LinkedOrder& order) const;
  bool HasOtherTerms(const LinkedOrder& order) const;
  void AddListedFills();
  void ClearLists();
  void ReconcileLive(LinkedOrder& order, engine::Timestamp now);
  void ReconcileEnded(LinkedOrder& order, engine::Timestamp now);

  // What the strategy hears.
  strategy::Input InputOf(const LinkedOrder& order, strategy::InputKind kind) const;
  void HearAccepted(LinkedOrder& order);
  void HearFills(LinkedOrder& order, std::vector<OrderFill> fills);
  void HearFill(LinkedOrder& order, const OrderFill& fill);
  // Also the answer to its amend.
  void HearAmended(LinkedOrder& order, engine::Price price, engine::Quantity total);
  void HearFound(LinkedOrder& order);
  void HearRefused(const strategy::Action& action, strategy::Refusal refusal);

  const std::string run_;
  const TickerTable& tickers_;
  LinkHost& host_;
  engine::kalshi::ReplyReader reader_;
  LinkedOrders orders_;
  uint64_t last_call_ = kCallBit;
  // Of the latest call: memory that is used again.
  Call call_;
  std::string client_order_id_;
  // In the order of their times. One that its order does not have any more is void.
  std::deque<Deadline> deadlines_;
  bool is_unclear_ = false;
  size_t foreign_count_ = 0;
  engine::Timestamp believe_at_ = engine::Timestamp::Max();
  // Of the lists that are being read.
  std::set<std::string> foreign_;
  std::vector<ListedFill> listed_fills_;
};

}  // namespace client

#endif  // TOOLS_CLIENT_ORDER_LINK_H_
