// The requests that change orders: create, cancel, amend, decrease, one by one and in batches.
//
//   body ─► kalshi::RequestDecoder ─► command ─► KalshiSubmitter ─► events ─► reply
//
// A command is applied within its submission, so a reply is made immediately; the session holds it
// until the command is released.

#ifndef ENGINE_GATEWAY_KALSHI_ORDERS_H_
#define ENGINE_GATEWAY_KALSHI_ORDERS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/reply.h"
#include "engine/gateway/kalshi/submitter.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/views/portfolio_rows.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/order_replies.h"
#include "engine/wire/kalshi/requests.h"

namespace engine {

// Not thread-safe: owned by the gateway. Both references outlive it.
class KalshiOrders {
 public:
  KalshiOrders(const KalshiWorld& world, KalshiSubmitter& submitter)
      : world_(world), submitter_(submitter) {}

  // `order_id`: as the client writes it; `body` and `query`: of the request.
  KalshiReply Create(AccountId account, absl::string_view body);
  // Before the first order of a batch, `spend` is asked whether there are tokens for all of them.
  using Spend = absl::FunctionRef<bool(size_t order_count)>;
  KalshiReply CreateBatch(AccountId account, absl::string_view body, Spend spend);
  KalshiReply Cancel(AccountId account, absl::string_view order_id, absl::string_view query);
  KalshiReply CancelBatch(AccountId account, absl::string_view body, Spend spend);
  KalshiReply CancelAll(AccountId account);
  KalshiReply Amend(AccountId account, absl::string_view order_id, absl::string_view body);
  KalshiReply Decrease(AccountId account, absl::string_view order_id, absl::string_view body);

 private:
  // What became of an order that was entered or amended.
  struct Outcome {
    OrderId order;
    kalshi::FillTotals fills;
    kalshi::Count remaining;
    Timestamp time;
  };
  struct Cancelled {
    std::string client_text;
    kalshi::Count reduced_by;
    Timestamp time;
  };

  kalshi::Result<Outcome> Place(AccountId account, const kalshi::CreateOrder& order);
  kalshi::Result<Command> CommandOf(AccountId account, const kalshi::CreateOrder& order);
  // Whether the account may give an order that id; an empty one always.
  kalshi::Result<bool> CheckNewText(AccountId account, absl::string_view text) const;
  kalshi::Result<Cancelled> CancelOne(AccountId account, absl::string_view order_id,
                                      absl::string_view ticker);
  // The account's order of that id, in the market `ticker` if it is not empty. Valid until a
  // submission, which may release commands.
  kalshi::Result<const PortfolioOrder*> Find(AccountId account, absl::string_view order_id,
                                             absl::string_view ticker) const;
  std::string ClientTextOf(const PortfolioOrder& order) const {
    return std::string(world_.views.portfolio().ClientTextOf(order));
  }
  kalshi::Result<Command> AmendOf(const PortfolioOrder& order, const kalshi::AmendOrder& amend);
  // Of the order that `amend` has amended; 0 removes it.
  kalshi::Result<KalshiApplied> SetExpiry(const Command& amend, int64_t expiration_s);
  static kalshi::Result<Outcome> OutcomeOf(AccountId account, OrderId order,
                                           const KalshiApplied& applied);

  const KalshiWorld& world_;
  KalshiSubmitter& submitter_;
  kalshi::RequestDecoder decoder_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_ORDERS_H_
