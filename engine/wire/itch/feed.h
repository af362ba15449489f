// The ITCH feed of the exchange: the messages that its commands and events cause.
//
//   market_defined                     R, and H with the trading state
//   market_state, exchange_state       H of each market whose trading state changes
//   accepted, of what then rests       A
//   trade                              E; C at another price than the order's; P of no order, or of
//                                      one that the feed does not show
//   cancelled, reduced                 D; X of a part
//   replaced, amended to a new place   U; D, then A of what rests, if it trades on arrival
//   amended in its place               X
//   the first command, the end         S
//
// The messages are a function of the journal, and so are stock locates, order references and match
// numbers. PROTOCOL.md, section 5, specifies each field, and what happens to markets, orders and
// trades that ITCH cannot express.

#ifndef ENGINE_WIRE_ITCH_FEED_H_
#define ENGINE_WIRE_ITCH_FEED_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/base/dense_id_table.h"
#include "engine/base/id_table.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/packet.h"

namespace engine {

// What UDP carries at least, so that a packet of MoldUDP64 has room for any message.
inline constexpr size_t kItchPacketBytesMin =
    kMoldHeaderBytes + kMoldLengthBytes + kItchMessageBytesMax;

// Not thread-safe: owned by the reader of the log. It receives all events from the beginning; an
// event that contradicts earlier ones is a programming error (CHECK). Allocates nothing once the
// maximum number of simultaneously resting orders has been reached.
class ItchFeed {
 public:
  // The stock locates end there.
  static constexpr size_t kMarketsMax = std::numeric_limits<uint16_t>::max();

  // Receives a message as a frame (ItchFramed), which is valid during the call.
  using Send = absl::FunctionRef<void(Bytes frame)>;

  struct Counters {
    uint64_t messages = 0;
    uint64_t markets_left_out = 0;  // Beyond kMarketsMax.
    uint64_t orders_not_shown = 0;  // Their price or quantity is beyond ITCH's.
    uint64_t trades_left_out = 0;   // Likewise.
  };

  // The messages' times count from each midnight, of which `midnight` is one.
  explicit ItchFeed(Timestamp midnight) : midnight_(midnight) {}

  // Takes all events of the next command, or a part of them.
  void Take(const Command& command, Bytes attachment, std::span<const Event> events, Send send);

  // The last command has no further events: its order is added if it rests. Take() does this for
  // the command before.
  void CompleteCommand(Send send);

  // Ends the stream.
  void End(Send send);

  // Sends what a receiver that joins late needs before the feed's next message: the markets with
  // their trading states, the orders that rest, and last, as GLIMPSE has it, ItchSnapshotEnd. The
  // messages are not of the feed and are not counted. Orders ascend by references, so those of a
  // level come in order of priority. Allocates. REQUIRES: the last command is complete.
  void Snapshot(Send send) const;

  const Counters& counters() const { return counters_; }

 private:
  struct Market {
    ItchStockDirectory directory = {};  // As it was sent.
    int price_decimals = 0;
    MarketState state = {};
    char trading_state = 0;  // As the feed has shown it.
    uint16_t locate = 0;
  };
  // Of a resting order, what its next messages and snapshots need.
  struct Order {
    uint64_t reference = 0;  // 0: it is not shown, or the place is free.
    uint32_t price = 0;
    uint32_t remaining = 0;
    uint32_t next_free = 0;
    uint16_t locate = 0;
    Side side = {};
  };
  // The order of the current command, until its events are complete.
  struct Arrival {
    OrderId id = {};  // Zero: there is none.
    const Market* market = nullptr;
    Side side = {};
    Price price = {};
    Quantity remaining = {};
    uint64_t replaces = 0;  // The reference of a shown order whose end was not sent yet.
  };

  void Begin(Send send);
  void TakeEvent(const Event& event, Bytes attachment, Send send);
  void Define(Bytes attachment, Send send);
  void SetExchangeState(ExchangeState state, Send send);
  void ShowTradingState(Market& market, Send send);
  void Arrive(const Event& event, const Market& market, uint64_t replaces);
  void Trade(const Event& event, const Market& market, Send send);
  void Execute(const Event& event, const Market& market, Send send);
  void Print(const Event& event, const Market& market, Send send);
  // A resting order now has less; zero removes it.
  void Lower(OrderId order, Quantity remaining, const Market& market, Send send);
  void Delete(uint64_t reference, const Market& market, Send send);
  // Shows an arrival that rests, if ITCH can express it.
  Order Show(const Arrival& arrival, Send send);

  Market* FindMarket(MarketId market);
  Order& Find(OrderId order);
  void Add(OrderId id, const Order& order);
  // Returns its reference.
  uint64_t Remove(OrderId order);

  ItchStockTradingAction TradingActionOf(const Market& market) const;
  ItchAddOrder AddOrderOf(const Order& order) const;
  ItchSystemEvent SystemEventOf(char code) const {
    return {.header = HeaderOf(0), .event_code = code};
  }
  ItchHeader HeaderOf(uint16_t locate) const {
    return {.stock_locate = locate, .tracking_number = 0, .timestamp_ns = time_ns_};
  }
  template <typename T>
  void Write(const T& message, Send send);

  const Timestamp midnight_;
  bool has_begun_ = false;
  ExchangeState exchange_state_ = ExchangeState::kActive;
  IdTable market_places_;
  std::vector<Market> markets_;  // By stock locate less 1.

  DenseIdTable order_places_;  // Indices into the pool.
  std::vector<Order> pool_;
  uint32_t free_first_ = DenseIdTable::kNone;

  SequenceNumber sequence_;  // Of the command whose events arrive.
  uint64_t time_ns_ = 0;     // Of that command, since midnight.
  Arrival arrival_;
  uint64_t match_number_ = 0;  // Of the last trade.
  Counters counters_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_FEED_H_
