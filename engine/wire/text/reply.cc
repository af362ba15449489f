#include "engine/wire/text/reply.h"

#include "absl/strings/str_cat.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/money.h"
#include "engine/types/price.h"

namespace engine {
namespace {

std::string Text(Quantity quantity, const MarketDefinition& market) {
  return FormatQuantity(quantity, market.quantity_decimals);
}

std::string Text(Price price, const MarketDefinition& market) {
  return FormatPrice(price, market.price_decimals);
}

}  // namespace

void AppendAck(uint64_t id, OrderId order, std::string& out) {
  absl::StrAppend(&out, "ACK ", id, " order=", order.value(), "\n");
}

void AppendFill(uint64_t id, const Event& trade, FillParty party, Quantity remaining,
                const MarketDefinition& market, std::string& out) {
  absl::StrAppend(&out, "FILL ", id, " ", Text(trade.quantity, market));
  absl::StrAppend(&out, " @ ", Text(trade.price, market),
                  party == FillParty::kMaker ? " maker" : " taker",
                  " remaining=", Text(remaining, market));
  absl::StrAppend(&out, " trade=", trade.sequence.value(), ".", trade.index, "\n");
}

void AppendCancelled(uint64_t id, const Event& cancelled, const MarketDefinition& market,
                     std::string& out) {
  absl::StrAppend(&out, "CANCELLED ", id, " ", Text(cancelled.quantity, market), " ");
  absl::StrAppend(&out, NameOf(cancelled.cancel_reason()), "\n");
}

void AppendModified(uint64_t id, const Event& amended, Quantity remaining,
                    const MarketDefinition& market, std::string& out) {
  absl::StrAppend(&out, "MODIFIED ", id, " ", Text(amended.quantity, market));
  absl::StrAppend(&out, " @ ", Text(amended.price, market), " remaining=", Text(remaining, market));
  absl::StrAppend(&out, " priority=", NameOf(amended.priority()), "\n");
}

void AppendReduced(uint64_t id, const Event& reduced, const MarketDefinition& market,
                   std::string& out) {
  absl::StrAppend(&out, "REDUCED ", id, " ", Text(reduced.quantity, market));
  absl::StrAppend(&out, " remaining=", Text(reduced.quantity_remaining, market), "\n");
}

void AppendReplaced(uint64_t id, uint64_t new_id, const Event& replaced,
                    const MarketDefinition& market, std::string& out) {
  absl::StrAppend(&out, "REPLACED ", id, " ", new_id, " ", Text(replaced.quantity, market));
  absl::StrAppend(&out, " @ ", Text(replaced.price, market), " order=", replaced.order_id.value(),
                  "\n");
}

void AppendBalance(const Event& balance, std::string& out) {
  absl::StrAppend(&out, "BALANCE ", balance.balance().ToString(),
                  " change=", balance.change().ToString(), " fee=", balance.fee().ToString());
  absl::StrAppend(&out, " reserved=", balance.reserved().ToString());
  if (balance.order_id != OrderId()) absl::StrAppend(&out, " order=", balance.order_id.value());
  out += "\n";
}

void AppendPosition(const Event& position, const MarketDefinition& market, std::string& out) {
  absl::StrAppend(&out, "POSITION ", market.symbol, " ",
                  FormatPrice(Price::FromUnits(position.position()), market.quantity_decimals),
                  "\n");
}

void AppendReject(uint64_t id, absl::string_view reason, std::string& out) {
  absl::StrAppend(&out, "REJECT ", id, " ", reason, "\n");
}

void AppendDefined(const MarketDefinition& market, std::string& out) {
  absl::StrAppend(&out, "DEFINED ", market.symbol, " market=", market.id.value());
  absl::StrAppend(&out, " price_decimals=", market.price_decimals,
                  " quantity_decimals=", market.quantity_decimals, "\n");
}

void AppendError(uint64_t line, absl::string_view what, std::string& out) {
  absl::StrAppend(&out, "ERROR line ", line, ": ", what, "\n");
}

void AppendMarketError(absl::string_view symbol, absl::string_view what, std::string& out) {
  absl::StrAppend(&out, "ERROR market ", symbol, ": ", what, "\n");
}

void AppendEnd(std::string& out) { out += "END\n"; }

}  // namespace engine
