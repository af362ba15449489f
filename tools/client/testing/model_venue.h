// A venue that keeps orders and fills and nothing else: trades happen by chance. What a client
// believes is compared with it.

#ifndef TOOLS_CLIENT_TESTING_MODEL_VENUE_H_
#define TOOLS_CLIENT_TESTING_MODEL_VENUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/queries.h"
#include "engine/wire/kalshi/requests.h"
#include "tools/client/call.h"

namespace client {

// Not thread-safe.
class ModelVenue {
 public:
  struct Order {
    std::string id = {};
    std::string client_order_id = {};
    std::string ticker = {};
    engine::Side side = {};
    engine::Price price = {};
    engine::kalshi::Count total = {};
    engine::kalshi::Count filled = {};
    engine::kalshi::OrderStatus status = engine::kalshi::OrderStatus::kResting;
    engine::Timestamp changed = {};

    bool is_resting() const { return status == engine::kalshi::OrderStatus::kResting; }
    engine::kalshi::Count remaining() const {
      return is_resting() ? total - filled : engine::kalshi::Count();
    }
  };
  struct Fill {
    std::string trade_id = {};
    std::string order_id = {};
    std::string client_order_id = {};
    std::string ticker = {};
    engine::Side side = {};
    engine::Price price = {};
    engine::kalshi::Count count = {};
    engine::Money fee = {};
    engine::Timestamp time = {};
  };
  struct Reply {
    int status = 0;
    std::string body = {};
  };

  explicit ModelVenue(uint64_t seed) : prng_(seed) {}

  // Executes the call. Some are refused by chance.
  Reply Execute(const Call& call, engine::Timestamp now);
  // An order that rests trades, expires or is cancelled.
  void ActByItself(engine::Timestamp now);
  // No call is refused by chance any more.
  void BeKind() { is_kind_ = true; }

  // What the feed has to say since the last call, in order.
  std::vector<Order> TakeOrderMessages() { return std::exchange(order_messages_, {}); }
  std::vector<Fill> TakeFillMessages() { return std::exchange(fill_messages_, {}); }

  // As the lists were at a time.
  std::vector<Order> OrdersAt(engine::Timestamp time) const;
  std::vector<Fill> FillsAt(engine::Timestamp time) const;

  const std::vector<Fill>& fills() const { return fills_; }

 private:
  Reply Create(absl::string_view body, engine::Timestamp now);
  Reply Amend(Order* order, absl::string_view body, engine::Timestamp now);
  Reply Cancel(Order* order, engine::Timestamp now);
  Reply OrderReply(int status, const Order& order, engine::kalshi::Count filled_before) const;
  static Reply Refuse(const engine::kalshi::ErrorKind& kind, absl::string_view details = "");

  // Trades up to all of what remains, by chance, as one or some fills.
  void TradeSome(Order& order, engine::Timestamp now);
  void End(Order& order, engine::kalshi::OrderStatus status, engine::Timestamp now);
  void Changed(Order& order, engine::Timestamp now);

  engine::Prng prng_;
  engine::kalshi::RequestDecoder decoder_;
  bool is_kind_ = false;
  std::deque<Order> orders_;
  std::map<std::string, Order*, std::less<>> by_id_;
  std::map<std::string, Order*, std::less<>> by_client_id_;
  std::vector<Order> history_;  // Each change, in order.
  std::vector<Fill> fills_;
  std::vector<Order> order_messages_;
  std::vector<Fill> fill_messages_;
};

}  // namespace client

#endif  // TOOLS_CLIENT_TESTING_MODEL_VENUE_H_
