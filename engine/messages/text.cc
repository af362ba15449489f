#include "engine/messages/text.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/names.h"
#include "engine/messages/text_attachments.h"
#include "engine/messages/text_fields.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"

namespace engine {
namespace {

std::string MarketText(MarketId id, const MarketDefinition* market) {
  return market != nullptr ? market->symbol : absl::StrCat("#", id.value());
}

// Sets `id` to the market that the line names, else to `unsaid`, and `line` to that market's
// decimals.
absl::Status TakeMarket(FieldReader& line, const MarketDirectory& markets, MarketId unsaid,
                        MarketId& id) {
  id = unsaid;
  absl::string_view text;
  if (line.Take("market", text)) {
    uint32_t number = 0;
    if (!text.empty() && text.front() == '#') {
      if (!ParseInteger(text.substr(1), number)) {
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

// The type and time in force of an order whose line names none.
constexpr OrderType kUnsaidType = OrderType::kLimit;
constexpr TimeInForce UnsaidTif(OrderType type) {
  return type == OrderType::kMarket ? TimeInForce::kImmediateOrCancel
                                    : TimeInForce::kGoodTillCancelled;
}

// Kinds without a market. Their words hold something else: money, times, groups.
bool ConcernsNoMarket(CommandKind kind) {
  switch (kind) {
    case CommandKind::kAdvanceTime:
    case CommandKind::kResumeExchange:
    case CommandKind::kPauseExchange:
    case CommandKind::kHaltExchange:
    case CommandKind::kOpenAccount:
    case CommandKind::kDeposit:
    case CommandKind::kWithdraw:
    case CommandKind::kSetRiskLimits:
    case CommandKind::kDefineGroup:
    case CommandKind::kResetGroup:
      return true;
    default:
      return false;
  }
}

bool ConcernsNoMarket(EventKind kind) {
  switch (kind) {
    case EventKind::kTimeAdvanced:
    case EventKind::kExchangeState:
    case EventKind::kAccountOpened:
    case EventKind::kLimitsSet:
    case EventKind::kGroupDefined:
    case EventKind::kGroupReset:
    case EventKind::kGroupTripped:
      return true;
    default:
      return false;
  }
}

// ---- The fields of a line after its verb and market. One function writes and reads them.

template <typename Line>
absl::Status FlagFields(Line& line, OrderFlags& flags) {
  if (!flags.is_defined()) {
    unsigned bits = flags.bits();
    return line.Number("flags", bits);  // Only a FieldWriter gets here.
  }
  bool post_only = flags.post_only();
  bool reduce_only = flags.reduce_only();
  bool cancel_on_pause = flags.cancel_on_pause();
  SelfTradePrevention prevention = flags.self_trade_prevention();
  unsigned bits = 0;
  RETURN_IF_ERROR(line.Flag("post_only", post_only));
  RETURN_IF_ERROR(line.Flag("reduce_only", reduce_only));
  RETURN_IF_ERROR(line.Flag("cancel_on_pause", cancel_on_pause));
  RETURN_IF_ERROR(line.Enumerator("stp", prevention));
  RETURN_IF_ERROR(line.Number("flags", bits));
  if (bits > 255 || prevention > SelfTradePrevention::kCancelBoth) {
    return RefuseText("flags and stp must fit the byte of flags");
  }
  flags =
      OrderFlags::FromBits(static_cast<uint8_t>(bits))
          .WithSelfTradePrevention(
              bits != 0 ? OrderFlags::FromBits(static_cast<uint8_t>(bits)).self_trade_prevention()
                        : prevention);
  if (post_only) flags = flags.WithPostOnly();
  if (reduce_only) flags = flags.WithReduceOnly();
  if (cancel_on_pause) flags = flags.WithCancelOnPause();
  return absl::OkStatus();
}

// The word that is a price in most kinds, an amount or a window in the others.
template <typename Line>
absl::Status CommandPriceField(Line& line, Command& command) {
  switch (command.kind) {
    case CommandKind::kDeposit:
    case CommandKind::kWithdraw: {
      Money amount = command.amount();
      RETURN_IF_ERROR(line.MoneyField("amount", amount));
      command.set_amount(amount);
      return absl::OkStatus();
    }
    case CommandKind::kDefineGroup: {
      auto window = static_cast<uint64_t>(command.window_nanos());
      RETURN_IF_ERROR(line.Number("window_ns", window));
      command.set_window_nanos(static_cast<int64_t>(window));
      return absl::OkStatus();
    }
    default:
      return line.PriceField("price", command.price);
  }
}

template <typename Line>
absl::Status CommandFields(Line& line, Command& command) {
  const bool is_order = command.kind == CommandKind::kNewOrder;
  const auto word_is_a_time = [&] { return is_order && command.tif == TimeInForce::kGoodTillTime; };
  if (!word_is_a_time()) RETURN_IF_ERROR(line.Identifier("order", command.order_id));
  if (!is_order || !IsValid(command.side)) {  // Else the verb is the side.
    RETURN_IF_ERROR(line.Enumerator("side", command.side));
  }
  RETURN_IF_ERROR(line.Enumerator("type", command.type, is_order ? kUnsaidType : OrderType()));
  RETURN_IF_ERROR(CommandPriceField(line, command));
  RETURN_IF_ERROR(line.QuantityField("quantity", command.quantity));
  RETURN_IF_ERROR(
      line.Enumerator("tif", command.tif, is_order ? UnsaidTif(command.type) : TimeInForce()));
  if (word_is_a_time()) {
    Timestamp expires_at = command.expires_at();
    RETURN_IF_ERROR(line.TimeField("expires", expires_at));
    command.set_expires_at(expires_at);
  }
  RETURN_IF_ERROR(FlagFields(line, command.flags));
  RETURN_IF_ERROR(line.Identifier("group", command.group));
  RETURN_IF_ERROR(line.Identifier("account", command.account));
  return line.Identifier("client_order_id", command.client_order_id);
}

template <typename Line>
absl::Status MoneyWords(Line& line, Event& event) {
  Money change = event.change();
  Money fee = event.fee();
  Money balance = event.balance();
  Money reserved = event.reserved();
  RETURN_IF_ERROR(line.MoneyField("change", change));
  RETURN_IF_ERROR(line.MoneyField("fee", fee));
  RETURN_IF_ERROR(line.MoneyField("balance", balance));
  RETURN_IF_ERROR(line.MoneyField("reserved", reserved));
  event.price = Price::FromUnits(change.micros());
  event.quantity = Quantity::FromUnits(static_cast<uint64_t>(fee.micros()));
  event.counter_order_id = OrderId(static_cast<uint64_t>(balance.micros()));
  event.quantity_remaining = Quantity::FromUnits(static_cast<uint64_t>(reserved.micros()));
  return absl::OkStatus();
}

template <typename Line, typename Enum>
absl::Status Detail(Line& line, absl::string_view name, Enum value, Event& event) {
  RETURN_IF_ERROR(line.Enumerator(name, value));
  event.detail = static_cast<uint8_t>(value);
  return absl::OkStatus();
}

template <typename Line>
absl::Status DetailField(Line& line, Event& event) {
  switch (event.kind) {
    case EventKind::kRejected:
      return Detail(line, "reason", event.reject_reason(), event);
    case EventKind::kCancelled:
      return Detail(line, "reason", event.cancel_reason(), event);
    case EventKind::kAmended:
      return Detail(line, "priority", event.priority(), event);
    case EventKind::kMarketState:
      return Detail(line, "state", event.market_state(), event);
    case EventKind::kExchangeState:
      return Detail(line, "state", event.exchange_state(), event);
    default: {
      unsigned detail = event.detail;
      RETURN_IF_ERROR(line.Number("detail", detail));
      event.detail = static_cast<uint8_t>(detail);
      return absl::OkStatus();
    }
  }
}

absl::string_view OrderName(EventKind kind) {
  switch (kind) {
    case EventKind::kTrade:
      return "maker";
    case EventKind::kGroupDefined:
    case EventKind::kGroupReset:
    case EventKind::kGroupTripped:
      return "group";
    default:
      return "order";
  }
}

template <typename Line>
absl::Status EventFields(Line& line, Event& event) {
  RETURN_IF_ERROR(line.Identifier(OrderName(event.kind), event.order_id));
  const bool is_trade = event.kind == EventKind::kTrade;
  if (is_trade) RETURN_IF_ERROR(line.Identifier("taker", event.counter_order_id));
  if (!is_trade && event.kind != EventKind::kBalance) {
    RETURN_IF_ERROR(line.Identifier("from", event.counter_order_id));
  }
  RETURN_IF_ERROR(line.Enumerator("side", event.side));
  line.MarketHere();
  if (event.kind == EventKind::kBalance) {
    RETURN_IF_ERROR(MoneyWords(line, event));
  } else {
    RETURN_IF_ERROR(event.kind == EventKind::kPosition ? line.PositionField("position", event.price)
                                                       : line.PriceField("price", event.price));
    RETURN_IF_ERROR(event.kind == EventKind::kMassCancelled
                        ? line.CountField("orders", event.quantity)
                        : line.QuantityField("quantity", event.quantity));
    RETURN_IF_ERROR(line.QuantityField("remaining", event.quantity_remaining));
  }
  RETURN_IF_ERROR(line.Identifier("account", event.account));
  return DetailField(line, event);
}

}  // namespace

// A kind without a market does not refer to the default market either.
MarketId MessageText::UnsaidMarket(CommandKind kind) const {
  return ConcernsNoMarket(kind) ? MarketId() : default_market_;
}

MarketId MessageText::UnsaidMarket(EventKind kind) const {
  return ConcernsNoMarket(kind) ? MarketId() : default_market_;
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
      command.kind >= CommandKind::kDefineMarket && command.kind <= kLastCommandKind;
  absl::StrAppend(&verb, names_side ? NameOf(command.side) : is_known ? kind : "command");

  // A definition's fields use its own decimals; the market may not exist yet.
  const bool defines = command.kind == CommandKind::kDefineMarket;
  const MarketDefinition* market = defines ? nullptr : markets_.Find(command.market);
  FieldWriter line(std::move(verb), market);
  if (!is_known) line.Field("kind", kind);
  if (defines) {
    CHECK_OK(line.Identifier("id", command.market));
  } else if (command.market != UnsaidMarket(command.kind)) {
    line.Field("market", MarketText(command.market, market));
  }
  WriteAttachment(line, command, attachment);
  Command written = command;
  CHECK_OK(CommandFields(line, written));
  return line.Take();
}

absl::StatusOr<ParsedCommand> MessageText::ParseCommand(absl::string_view text) const {
  std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  ParsedCommand parsed;
  Command& command = parsed.command;

  uint64_t sequence = 0;
  if (words.size() > 1 && ParseInteger(words.front(), sequence)) {
    if (sequence == 0) return RefuseText("sequence number 0 is before the first");
    command.sequence = SequenceNumber(sequence);
    ASSIGN_OR_RETURN(command.timestamp, Timestamp::Parse(words[1]));
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty()) return RefuseText("an empty line is not a command");
  const absl::string_view verb = words.front();
  words.erase(words.begin());
  ASSIGN_OR_RETURN(FieldReader line, FieldReader::Split(words));

  if (verb == "command") {
    RETURN_IF_ERROR(line.Enumerator("kind", command.kind));
  } else if (ParseName(verb, command.side) && IsValid(command.side)) {
    command.kind = CommandKind::kNewOrder;
  } else if (command.side = {}; !ParseName(verb, command.kind)) {
    return RefuseText("'", verb,
                      "' is not a command; expected bid, ask, cancel, reduce, replace, amend or "
                      "another kind of command");
  }

  if (command.kind == CommandKind::kDefineMarket) {
    RETURN_IF_ERROR(line.Identifier("id", command.market));
  } else {
    RETURN_IF_ERROR(TakeMarket(line, markets_, UnsaidMarket(command.kind), command.market));
  }
  ASSIGN_OR_RETURN(parsed.attachment, TakeAttachment(line, command));
  RETURN_IF_ERROR(CommandFields(line, command));
  RETURN_IF_ERROR(line.Finish(verb));
  return parsed;
}

// ---- Events

std::string MessageText::Format(const Event& event) const {
  const bool is_known = event.kind >= EventKind::kMarketDefined && event.kind <= kLastEventKind;
  const std::string kind = NameOf(event.kind);
  const MarketDefinition* market = markets_.Find(event.market);
  FieldWriter line(
      absl::StrCat(event.sequence.value(), ".", event.index, " ", is_known ? kind : "event"),
      market);
  if (!is_known) line.Field("kind", kind);
  if (event.market != UnsaidMarket(event.kind))
    line.SetMarketText(MarketText(event.market, market));
  Event written = event;
  CHECK_OK(EventFields(line, written));
  return line.Take();
}

absl::StatusOr<Event> MessageText::ParseEvent(absl::string_view text) const {
  std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (words.size() < 2)
    return RefuseText("'", text, "' is not an event; expected <sequence>.<index> <verb>");
  Event event;
  const std::pair<absl::string_view, absl::string_view> name =
      absl::StrSplit(words[0], absl::MaxSplits('.', 1));
  uint64_t sequence = 0;
  if (!ParseInteger(name.first, sequence) || !ParseInteger(name.second, event.index)) {
    return RefuseText("'", words[0], "' does not name an event; expected <sequence>.<index>");
  }
  event.sequence = SequenceNumber(sequence);
  const absl::string_view verb = words[1];
  words.erase(words.begin(), words.begin() + 2);
  ASSIGN_OR_RETURN(FieldReader line, FieldReader::Split(words));
  if (verb == "event") {
    RETURN_IF_ERROR(line.Enumerator("kind", event.kind));
  } else if (!ParseName(verb, event.kind)) {
    return RefuseText("'", verb, "' is not an event");
  }
  RETURN_IF_ERROR(TakeMarket(line, markets_, UnsaidMarket(event.kind), event.market));
  RETURN_IF_ERROR(EventFields(line, event));
  RETURN_IF_ERROR(line.Finish(verb));
  return event;
}

}  // namespace engine
