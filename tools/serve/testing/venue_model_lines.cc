// The lines of a session, as commands or answers of the session itself.

#include <cstdint>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/text/decimal_word.h"
#include "engine/wire/text/line_reader.h"
#include "engine/wire/text/reply.h"
#include "engine/wire/text/words.h"
#include "tools/serve/testing/venue_model.h"

namespace tools {

using engine::Command;
using engine::CommandKind;
using engine::MarketDefinition;

void VenueModel::OnLine(Session& session, absl::string_view line) {
  ++session.line_number;
  if (line.size() > engine::kTextLineBytesMax) {
    return Error(session, "expected at most 512 bytes, found more");
  }
  const auto request = engine::ParseTextRequest(line);
  if (!request.ok()) return Error(session, request.status().message());
  std::visit([&](const auto& typed) { On(session, typed); }, *request);
}

void VenueModel::On(Session& session, const engine::SubmitRequest& request) {
  Command command;
  command.side = request.side;
  command.type = engine::OrderType::kLimit;
  command.tif = request.tif;
  if (request.tif == engine::TimeInForce::kGoodTillTime) {
    command.set_expires_at(request.expires_at);
  }
  command.flags = request.options.flags;
  command.set_group(request.options.group);
  SubmitOrder(session, request.id, request.symbol, request.price, request.quantity, command);
}

void VenueModel::On(Session& session, const engine::MarketRequest& request) {
  Command command;
  command.side = request.side;
  command.type = engine::OrderType::kMarket;
  command.tif = engine::TimeInForce::kImmediateOrCancel;
  command.flags = request.options.flags;
  command.set_group(request.options.group);
  const engine::DecimalWord no_price = {.text = "0", .is_read = true};
  SubmitOrder(session, request.id, request.symbol, no_price, request.quantity, command);
}

void VenueModel::SubmitOrder(Session& session, uint64_t id, absl::string_view symbol,
                             const engine::DecimalWord& price, const engine::DecimalWord& quantity,
                             Command command) {
  std::string refusal;
  const MarketDefinition* const market = machine_.markets().FindSymbol(symbol);
  if (market == nullptr) {
    engine::AppendReject(id, engine::RejectReason::kUnknownMarket, refusal);
    return Say(session, refusal);
  }
  const auto price_read = engine::ToPrice(price, market->price_decimals);
  if (!price_read.ok()) return Error(session, price_read.status().message());
  const auto quantity_read = engine::ToQuantity(quantity, market->quantity_decimals);
  if (!quantity_read.ok()) return Error(session, quantity_read.status().message());
  if (accounts_[session.login->account].used.contains(id)) {
    engine::AppendReject(id, "duplicate_id", refusal);
    return Say(session, refusal);
  }
  command.kind = CommandKind::kNewOrder;
  command.market = market->id;
  command.client_order_id = engine::ClientOrderId(id);
  command.price = *price_read;
  command.quantity = *quantity_read;
  Submit(session.login->account, command, &session);
}

void VenueModel::On(Session& session, const engine::CancelRequest& request) {
  const Order* const order = FindOrder(session.login->account, request.id);
  if (order == nullptr) {
    std::string refusal;
    engine::AppendReject(request.id, engine::RejectReason::kOrderNotLive, refusal);
    return Say(session, refusal);
  }
  Command command;
  command.kind = CommandKind::kCancel;
  command.market = order->market->id;
  command.order_id = order->id;
  command.client_order_id = engine::ClientOrderId(request.id);
  Submit(session.login->account, command, &session);
}

void VenueModel::On(Session& session, const engine::ModifyRequest& request) {
  const Order* const order = FindOrder(session.login->account, request.id);
  if (order == nullptr) {
    std::string refusal;
    engine::AppendReject(request.id, engine::RejectReason::kOrderNotLive, refusal);
    return Say(session, refusal);
  }
  const auto price = engine::ToPrice(request.price, order->market->price_decimals);
  if (!price.ok()) return Error(session, price.status().message());
  const auto quantity = engine::ToQuantity(request.quantity, order->market->quantity_decimals);
  if (!quantity.ok()) return Error(session, quantity.status().message());
  Command command;
  command.kind = CommandKind::kAmend;
  command.market = order->market->id;
  command.order_id = order->id;
  command.client_order_id = engine::ClientOrderId(request.id);
  command.price = *price;
  command.quantity = *quantity;
  Submit(session.login->account, command, &session);
}

void VenueModel::On(Session& session, const engine::PrintRequest& request) {
  const MarketDefinition* const market =
      request.symbol.empty() ? nullptr : machine_.markets().FindSymbol(request.symbol);
  if (!request.symbol.empty() && market == nullptr) {
    return Error(session,
                 absl::StrCat("expected a market, found ", engine::QuotedWord(request.symbol)));
  }
  std::string book;
  AppendModelBook(machine_, market, book);
  engine::AppendEnd(book);
  Say(session, book);
  session.rests = true;
  resting_.push_back(&session);
}

void VenueModel::On(Session& session, const engine::PolicyRequest&) {
  Error(session, "this session has one acknowledgement policy");
}

}  // namespace tools
