#include "engine/wire/text/reply.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/wire/text/reply_line.h"

namespace engine {
namespace {

// A line holds the longest possible id, numbers and reason with room to spare.
ReplyLine& Write(ReplyLine& line, Quantity quantity, const MarketDefinition& market) {
  return line.Decimal(quantity.units(), market.quantity_decimals);
}

ReplyLine& Write(ReplyLine& line, Price price, const MarketDefinition& market) {
  return line.SignedDecimal(price.units(), market.price_decimals);
}

// Writes the name, or the number of a value without a name (from a newer engine).
template <typename Enum>
ReplyLine& WriteName(ReplyLine& line, Enum value) {
  const absl::string_view name = KnownNameOf(value);
  return name.empty() ? line.Number(static_cast<uint64_t>(value)) : line.Text(name);
}

}  // namespace

void AppendAck(uint64_t id, OrderId order, std::string& out) {
  ReplyLine line;
  line.Text("ACK ").Number(id).Text(" order=").Number(order.value()).EndInto(out);
}

void AppendFill(uint64_t id, const Event& trade, FillParty party, Quantity remaining,
                const MarketDefinition& market, std::string& out) {
  ReplyLine line;
  line.Text("FILL ").Number(id).Text(" ");
  Write(line, trade.quantity, market).Text(" @ ");
  Write(line, trade.price, market);
  line.Text(party == FillParty::kMaker ? " maker remaining=" : " taker remaining=");
  Write(line, remaining, market).Text(" trade=").Number(trade.sequence.value());
  line.Text(".").Number(trade.index).EndInto(out);
}

void AppendCancelled(uint64_t id, const Event& cancelled, const MarketDefinition& market,
                     std::string& out) {
  ReplyLine line;
  line.Text("CANCELLED ").Number(id).Text(" ");
  Write(line, cancelled.quantity, market).Text(" ");
  WriteName(line, cancelled.cancel_reason()).EndInto(out);
}

void AppendModified(uint64_t id, const Event& amended, Quantity remaining,
                    const MarketDefinition& market, std::string& out) {
  ReplyLine line;
  line.Text("MODIFIED ").Number(id).Text(" ");
  Write(line, amended.quantity, market).Text(" @ ");
  Write(line, amended.price, market).Text(" remaining=");
  Write(line, remaining, market).Text(" priority=");
  WriteName(line, amended.priority()).EndInto(out);
}

void AppendReduced(uint64_t id, const Event& reduced, const MarketDefinition& market,
                   std::string& out) {
  ReplyLine line;
  line.Text("REDUCED ").Number(id).Text(" ");
  Write(line, reduced.quantity, market).Text(" remaining=");
  Write(line, reduced.quantity_remaining, market).EndInto(out);
}

void AppendReplaced(uint64_t id, uint64_t new_id, const Event& replaced,
                    const MarketDefinition& market, std::string& out) {
  ReplyLine line;
  line.Text("REPLACED ").Number(id).Text(" ").Number(new_id).Text(" ");
  Write(line, replaced.quantity, market).Text(" @ ");
  Write(line, replaced.price, market).Text(" order=").Number(replaced.order_id.value());
  line.EndInto(out);
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

void AppendReject(uint64_t id, RejectReason reason, std::string& out) {
  ReplyLine line;
  line.Text("REJECT ").Number(id).Text(" ");
  WriteName(line, reason).EndInto(out);
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

void AppendWelcome(absl::string_view name, AccountId account, std::string& out) {
  absl::StrAppend(&out, "WELCOME ", name, " account=", account.value(), "\n");
}

void AppendPolicy(TextAckPolicy policy, std::string& out) {
  constexpr absl::string_view kNames[] = {"none", "written", "disk"};
  absl::StrAppend(&out, "POLICY ", kNames[static_cast<size_t>(policy)], "\n");
}

void AppendEnd(std::string& out) { out += "END\n"; }

}  // namespace engine
