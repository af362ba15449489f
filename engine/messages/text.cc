#include "engine/messages/text.h"

#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/messages/text_fields.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"

namespace engine {
namespace {

void PrintMarket(FieldWriter& line, MarketId id, const MarketDefinition* market, MarketId unsaid) {
  if (id == unsaid) return;
  line.Field("market", market ? market->symbol : absl::StrCat("#", id.value()));
}

// Sets `id` to the market that the line names, or to `unsaid`, and the decimals that follow from
// it.
absl::Status TakeMarket(FieldReader& line, const MarketDirectory& markets, MarketId unsaid,
                        MarketId& id) {
  id = unsaid;
  absl::string_view text;
  if (line.Take("market", text)) {
    uint32_t number = 0;
    if (!text.empty() && text.front() == '#') {
      if (!absl::SimpleAtoi(text.substr(1), &number)) {
        return RefuseText("market=", text, " is not a market number");
      }
      id = MarketId(number);
    } else if (const MarketDefinition* named = markets.FindSymbol(text)) {
      id = named->id;
    } else {
      return RefuseText("market=", text,
                        " is not defined; expected a symbol, or a number such as #1");
    }
  }
  line.SetMarket(markets.Find(id));
  return absl::OkStatus();
}

// The type and time in force that an order has when its line does not say.
constexpr OrderType kUnsaidType = OrderType::kLimit;
constexpr TimeInForce UnsaidTif(OrderType type) {
  return type == OrderType::kMarket ? TimeInForce::kImmediateOrCancel
                                    : TimeInForce::kGoodTillCancelled;
}

// ---- The attachment of define_market: id=, symbol= and its fields in the market's own decimals.

void PrintDefinition(FieldWriter& line, const MarketDefinition& definition) {
  line.Field("symbol", definition.symbol);
  line.Field("price_decimals", absl::StrCat(definition.price_decimals));
  line.Field("quantity_decimals", absl::StrCat(definition.quantity_decimals));
  line.Field("tick", FormatPrice(definition.tick, definition.price_decimals));
  line.Field("price_min", FormatPrice(definition.price_min, definition.price_decimals));
  line.Field("price_max", FormatPrice(definition.price_max, definition.price_decimals));
  line.Field("lot", FormatQuantity(definition.lot, definition.quantity_decimals));
}

absl::StatusOr<std::vector<std::byte>> TakeDefinition(FieldReader& line, MarketId id) {
  MarketDefinition definition{.id = id};
  absl::string_view symbol;
  if (!line.Take("symbol", symbol)) return RefuseText("'define_market' needs symbol=");
  definition.symbol = std::string(symbol);
  RETURN_IF_ERROR(line.Number("price_decimals", definition.price_decimals));
  RETURN_IF_ERROR(line.Number("quantity_decimals", definition.quantity_decimals));
  // The limits are read in the decimals that stand beside them, so these must be sound first.
  RETURN_IF_ERROR(Validate({.id = definition.id,
                            .symbol = definition.symbol,
                            .price_decimals = definition.price_decimals,
                            .quantity_decimals = definition.quantity_decimals}));
  line.SetMarket(&definition);
  RETURN_IF_ERROR(line.PriceField("tick", definition.tick));
  RETURN_IF_ERROR(line.PriceField("price_min", definition.price_min));
  RETURN_IF_ERROR(line.PriceField("price_max", definition.price_max));
  RETURN_IF_ERROR(line.QuantityField("lot", definition.lot));
  line.SetMarket(nullptr);
  RETURN_IF_ERROR(Validate(definition));
  return EncodeMarketDefinition(definition);
}

}  // namespace

// Time concerns no market, so it does not mean the default one either.
MarketId MessageText::UnsaidMarket(CommandKind kind) const {
  return kind == CommandKind::kAdvanceTime ? MarketId() : default_market_;
}

MarketId MessageText::UnsaidMarket(EventKind kind) const {
  return kind == EventKind::kTimeAdvanced ? MarketId() : default_market_;
}

// ---- Commands

std::string MessageText::Format(const Command& command, Bytes attachment) const {
  std::string verb;
  if (command.sequence != SequenceNumber()) {
    verb = absl::StrCat(command.sequence.value(), " ", command.timestamp.ToString(), " ");
  }
  const bool is_order = command.kind == CommandKind::kNewOrder;
  const bool names_side = is_order && IsValid(command.side);
  const std::string kind = NameOf(command.kind);
  const bool is_known =
      command.kind >= CommandKind::kDefineMarket && command.kind <= CommandKind::kAdvanceTime;
  absl::StrAppend(&verb, names_side ? NameOf(command.side) : is_known ? kind : "command");

  // A definition's own fields come with its own decimals; the market may not exist yet.
  const bool defines = command.kind == CommandKind::kDefineMarket;
  const MarketDefinition* market = defines ? nullptr : markets_.Find(command.market);
  FieldWriter line(std::move(verb), market);
  if (!is_known) line.Field("kind", kind);
  if (defines) {
    line.Number("id", command.market.value());
    const auto definition = DecodeMarketDefinition(attachment);
    if (definition.ok() && definition->id == command.market) {
      PrintDefinition(line, *definition);
    } else if (!attachment.empty()) {
      line.Field("attachment", ToHex(attachment));
    }
  } else {
    PrintMarket(line, command.market, market, UnsaidMarket(command.kind));
  }
  line.Number("order", command.order_id.value());
  if (!names_side) line.Enumerator("side", command.side);
  const OrderType unsaid_type = is_order ? kUnsaidType : OrderType{};
  line.Enumerator("type", command.type, unsaid_type);
  line.PriceField("price", command.price);
  line.QuantityField("quantity", command.quantity);
  line.Enumerator("tif", command.tif, is_order ? UnsaidTif(command.type) : TimeInForce{});
  line.Number("account", command.account.value());
  line.Number("client_order_id", command.client_order_id.value());
  const auto& reserved = command.reserved;
  line.Number("reserved", reserved[0] | reserved[1] << 8 | reserved[2] << 16);
  return line.Take();
}

absl::StatusOr<ParsedCommand> MessageText::ParseCommand(absl::string_view text) const {
  std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  ParsedCommand parsed;
  Command& command = parsed.command;

  uint64_t sequence = 0;
  if (words.size() > 1 && absl::SimpleAtoi(words.front(), &sequence)) {
    if (sequence == 0) return RefuseText("sequence number 0 is before the first");
    command.sequence = SequenceNumber(sequence);
    ASSIGN_OR_RETURN(command.timestamp, Timestamp::Parse(words[1]));
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty()) return RefuseText("an empty line is no command");
  const absl::string_view verb = words.front();
  words.erase(words.begin());
  ASSIGN_OR_RETURN(FieldReader line, FieldReader::Split(words));

  if (verb == "command") {
    RETURN_IF_ERROR(line.Enumerator("kind", command.kind));
  } else if (ParseName(verb, command.side) && IsValid(command.side)) {
    command.kind = CommandKind::kNewOrder;
  } else if (command.side = {}; !ParseName(verb, command.kind)) {
    return RefuseText("'", verb,
                      "' is no command; expected bid, ask, cancel, reduce, replace, amend, "
                      "define_market or advance_time");
  }

  const bool is_order = command.kind == CommandKind::kNewOrder;
  if (command.kind == CommandKind::kDefineMarket) {
    RETURN_IF_ERROR(line.Identifier("id", command.market));
    absl::string_view hex;
    if (line.Take("attachment", hex)) {
      if (hex.size() % 2 != 0 || !absl::c_all_of(hex, absl::ascii_isxdigit)) {
        return RefuseText("attachment=", hex, " is not hexadecimal");
      }
      const std::string bytes = absl::HexStringToBytes(hex);
      parsed.attachment.assign(AsBytes(bytes).begin(), AsBytes(bytes).end());
    } else {
      ASSIGN_OR_RETURN(parsed.attachment, TakeDefinition(line, command.market));
    }
  } else {
    RETURN_IF_ERROR(TakeMarket(line, markets_, UnsaidMarket(command.kind), command.market));
  }
  RETURN_IF_ERROR(line.Identifier("order", command.order_id));
  RETURN_IF_ERROR(line.Enumerator("side", command.side));
  if (is_order) command.type = kUnsaidType;
  RETURN_IF_ERROR(line.Enumerator("type", command.type));
  RETURN_IF_ERROR(line.PriceField("price", command.price));
  RETURN_IF_ERROR(line.QuantityField("quantity", command.quantity));
  if (is_order) command.tif = UnsaidTif(command.type);
  RETURN_IF_ERROR(line.Enumerator("tif", command.tif));
  RETURN_IF_ERROR(line.Identifier("account", command.account));
  RETURN_IF_ERROR(line.Identifier("client_order_id", command.client_order_id));
  uint32_t reserved = 0;
  RETURN_IF_ERROR(line.Number("reserved", reserved));
  for (size_t i = 0; i < command.reserved.size(); ++i) {
    command.reserved[i] = static_cast<uint8_t>(reserved >> (8 * i));
  }
  RETURN_IF_ERROR(line.Finish(verb));
  return parsed;
}

// ---- Events

std::string MessageText::Format(const Event& event) const {
  const bool is_trade = event.kind == EventKind::kTrade;
  const bool is_known =
      event.kind >= EventKind::kMarketDefined && event.kind <= EventKind::kRejected;
  const std::string kind = NameOf(event.kind);
  const MarketDefinition* market = markets_.Find(event.market);
  FieldWriter line(
      absl::StrCat(event.sequence.value(), ".", event.index, " ", is_known ? kind : "event"),
      market);
  if (!is_known) line.Field("kind", kind);
  line.Number(is_trade ? "maker" : "order", event.order_id.value());
  line.Number(is_trade ? "taker" : "from", event.counter_order_id.value());
  line.Enumerator("side", event.side);
  PrintMarket(line, event.market, market, UnsaidMarket(event.kind));
  line.PriceField("price", event.price);
  line.QuantityField("quantity", event.quantity);
  line.QuantityField("remaining", event.quantity_remaining);
  line.Number("account", event.account.value());
  switch (event.kind) {
    case EventKind::kRejected:
      line.Enumerator("reason", event.reject_reason());
      break;
    case EventKind::kCancelled:
      line.Enumerator("reason", event.cancel_reason());
      break;
    case EventKind::kAmended:
      line.Enumerator("priority", event.priority());
      break;
    default:
      line.Number("detail", event.detail);
  }
  return line.Take();
}

absl::StatusOr<Event> MessageText::ParseEvent(absl::string_view text) const {
  std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (words.size() < 2)
    return RefuseText("'", text, "' is no event; expected <sequence>.<index> <verb>");
  Event event;
  const std::pair<absl::string_view, absl::string_view> name =
      absl::StrSplit(words[0], absl::MaxSplits('.', 1));
  uint64_t sequence = 0;
  if (!absl::SimpleAtoi(name.first, &sequence) || !absl::SimpleAtoi(name.second, &event.index)) {
    return RefuseText("'", words[0], "' does not name an event; expected <sequence>.<index>");
  }
  event.sequence = SequenceNumber(sequence);
  const absl::string_view verb = words[1];
  words.erase(words.begin(), words.begin() + 2);
  ASSIGN_OR_RETURN(FieldReader line, FieldReader::Split(words));
  if (verb == "event") {
    RETURN_IF_ERROR(line.Enumerator("kind", event.kind));
  } else if (!ParseName(verb, event.kind)) {
    return RefuseText("'", verb, "' is no event");
  }
  const bool is_trade = event.kind == EventKind::kTrade;
  RETURN_IF_ERROR(line.Identifier(is_trade ? "maker" : "order", event.order_id));
  RETURN_IF_ERROR(line.Identifier(is_trade ? "taker" : "from", event.counter_order_id));
  RETURN_IF_ERROR(line.Enumerator("side", event.side));
  RETURN_IF_ERROR(TakeMarket(line, markets_, UnsaidMarket(event.kind), event.market));
  RETURN_IF_ERROR(line.PriceField("price", event.price));
  RETURN_IF_ERROR(line.QuantityField("quantity", event.quantity));
  RETURN_IF_ERROR(line.QuantityField("remaining", event.quantity_remaining));
  RETURN_IF_ERROR(line.Identifier("account", event.account));
  RejectReason reject_reason = {};
  CancelReason cancel_reason = {};
  PriorityOutcome priority = {};
  switch (event.kind) {
    case EventKind::kRejected:
      RETURN_IF_ERROR(line.Enumerator("reason", reject_reason));
      event.detail = static_cast<uint8_t>(reject_reason);
      break;
    case EventKind::kCancelled:
      RETURN_IF_ERROR(line.Enumerator("reason", cancel_reason));
      event.detail = static_cast<uint8_t>(cancel_reason);
      break;
    case EventKind::kAmended:
      RETURN_IF_ERROR(line.Enumerator("priority", priority));
      event.detail = static_cast<uint8_t>(priority);
      break;
    default: {
      uint32_t detail = 0;
      RETURN_IF_ERROR(line.Number("detail", detail));
      event.detail = static_cast<uint8_t>(detail);
    }
  }
  RETURN_IF_ERROR(line.Finish(verb));
  return event;
}

}  // namespace engine
