// The replies of the text protocol: each function appends one line, with its line feed, to `out`.
// PROTOCOL.md, section 3, lists the replies.
//
// `id` is the client's id. Numbers have the decimals of their market.

#ifndef ENGINE_WIRE_TEXT_REPLY_H_
#define ENGINE_WIRE_TEXT_REPLY_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/quantity.h"
#include "engine/wire/text/request.h"

namespace engine {

enum class FillParty { kMaker, kTaker };

// ACK 1 order=17
void AppendAck(uint64_t id, OrderId order, std::string& out);

// FILL 1 100 @ 320.1400 taker remaining=0 trade=18.1
// `remaining` is the remaining quantity of the order of `id`.
void AppendFill(uint64_t id, const Event& trade, FillParty party, Quantity remaining,
                const MarketDefinition& market, std::string& out);

// CANCELLED 1 40 immediate_or_cancel
void AppendCancelled(uint64_t id, const Event& cancelled, const MarketDefinition& market,
                     std::string& out);

// MODIFIED 1 100 @ 320.1400 remaining=40 priority=kept
void AppendModified(uint64_t id, const Event& amended, Quantity remaining,
                    const MarketDefinition& market, std::string& out);

// REDUCED 1 60 remaining=40
void AppendReduced(uint64_t id, const Event& reduced, const MarketDefinition& market,
                   std::string& out);

// REPLACED 1 2 100 @ 320.1400 order=19
void AppendReplaced(uint64_t id, uint64_t new_id, const Event& replaced,
                    const MarketDefinition& market, std::string& out);

// BALANCE 99.982500 change=-0.537500 fee=0.017500 reserved=0.000000 order=17
// Dollars; the fee is part of the change. No order= if no order caused the change.
void AppendBalance(const Event& balance, std::string& out);

// POSITION RAIN -1.00
// YES contracts, NO contracts below zero.
void AppendPosition(const Event& position, const MarketDefinition& market, std::string& out);

// REJECT 1 order_not_live
// The exchange's reason, or the session's own.
void AppendReject(uint64_t id, RejectReason reason, std::string& out);
void AppendReject(uint64_t id, absl::string_view reason, std::string& out);

// DEFINED AAPL market=1 price_decimals=4 quantity_decimals=0
void AppendDefined(const MarketDefinition& market, std::string& out);

// ERROR line 7: expected BUY or SELL, found 'BYE'
void AppendError(uint64_t line, absl::string_view what, std::string& out);

// ERROR market AAPL: symbol_already_defined
void AppendMarketError(absl::string_view symbol, absl::string_view what, std::string& out);

// WELCOME desk-1 account=7
void AppendWelcome(absl::string_view name, AccountId account, std::string& out);

// POLICY disk
void AppendPolicy(TextAckPolicy policy, std::string& out);

// END
void AppendEnd(std::string& out);

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_REPLY_H_
