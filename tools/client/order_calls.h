// The language of orders at the venue: what an action of the strategy is as a call, and what an
// error of the venue means to the strategy.

#ifndef TOOLS_CLIENT_ORDER_CALLS_H_
#define TOOLS_CLIENT_ORDER_CALLS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/client_replies.h"
#include "tools/client/call.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace client {

// Of a new order, and with DELETE of all orders.
inline constexpr absl::string_view kOrdersPath = "/trade-api/v2/portfolio/events/orders";

// Whether the venue knows such orders: all but those for a day.
bool IsSendable(engine::TimeInForce tif);

// The calls, without an id. Prices are in 10^-4 dollar, quantities in 0.01 contract. An order that
// expires does so at the end of the second: the venue knows no shorter time. A call that is not
// needed any more may be given as `memory`: then nothing is allocated if its texts had room.
// REQUIRES: IsSendable(action.tif).
Call CreateCall(const strategy::Action& action, absl::string_view ticker,
                absl::string_view client_order_id, Call memory = {});
// `order_id`: the venue's, a UUID.
Call AmendCall(const strategy::Action& action, absl::string_view ticker, absl::string_view order_id,
               Call memory = {});
Call CancelCall(absl::string_view order_id, Call memory = {});

// Of an amend and a cancel of the order.
std::string AmendPath(absl::string_view order_id);
std::string CancelPath(absl::string_view order_id);

// "<run>-<number>". `memory`: of a text that is not needed any more.
std::string ClientOrderId(absl::string_view run, strategy::OrderNumber number,
                          std::string memory = {});
// OrderNumber() if the text is none of the run's.
strategy::OrderNumber NumberOf(absl::string_view run, absl::string_view client_order_id);

// Whether the status of a reply leaves open what the venue did: neither 2xx nor 4xx.
bool IsUnclear(int status);
// Of a reply with a status 4xx.
strategy::Refusal RefusalOf(int status, const engine::kalshi::ReadError& error);

}  // namespace client

#endif  // TOOLS_CLIENT_ORDER_CALLS_H_
