#include "engine/messages/text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/fields.h"
#include "engine/messages/names.h"
#include "engine/messages/text_attachments.h"
#include "engine/messages/text_fields.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"

namespace engine {
namespace {

// Sets `id` to the market that the line names, else to `absent`, and `line` to that market's
// decimals.
absl::Status TakeMarket(FieldReader& line, const MarketDirectory& markets, MarketId absent,
                        MarketId& id) {
  id = absent;
  absl::string_view text;
  if (line.Take("market", text)) {
    const std::optional<MarketId> named = markets.ParseMarket(text);
    if (!named.has_value()) {
      return RefuseText("market=", text,
                        absl::StartsWith(text, "#")
                            ? " is not a market number"
                            : " is not defined; expected a symbol, or a number such as #1");
    }
    id = *named;
  }
  line.SetMarket(markets.Find(id));
  return absl::OkStatus();
}

// ---- The fields of a line after its verb and market. One function writes and reads them.

template <typename Line>
absl::Status FlagFields(Line& line, OrderFlags& flags) {
  if (!flags.is_defined()) {
    unsigned bits = flags.bits();
    return line.Number("flags", bits);  // Only a FieldWriter gets here.
  }
  uint8_t named = 0;
  for (const OrderFlags::NamedBit& flag : OrderFlags::kNamedBits) {
    bool is_set = (flags.bits() & flag.bit) != 0;
    RETURN_IF_ERROR(line.Flag(flag.name, is_set));
    if (is_set) named |= flag.bit;
  }
  SelfTradePrevention prevention = flags.self_trade_prevention();
  unsigned bits = 0;
  RETURN_IF_ERROR(line.Value("stp", FieldType::kSelfTradePrevention, prevention));
  RETURN_IF_ERROR(line.Number("flags", bits));
  if (bits > 255 || prevention > SelfTradePrevention::kCancelBoth) {
    return RefuseText("flags and stp must fit the byte of flags");
  }
  flags = OrderFlags::FromBits(static_cast<uint8_t>(bits | named));
  if (bits == 0) flags = flags.WithSelfTradePrevention(prevention);
  return absl::OkStatus();
}

// The expiry time is the same word as the order, but is known only after the time in force.
constexpr CommandWord kCommandOrder[] = {
    CommandWord::kOrder,    CommandWord::kSide,    CommandWord::kType,         CommandWord::kPrice,
    CommandWord::kQuantity, CommandWord::kTif,     CommandWord::kOrder,        CommandWord::kFlags,
    CommandWord::kGroup,    CommandWord::kAccount, CommandWord::kClientOrderId};

template <typename Line>
absl::Status CommandWords(Line& line, Command& command) {
  const bool is_order = command.kind == CommandKind::kNewOrder;
  bool is_after_tif = false;
  for (const CommandWord word : kCommandOrder) {
    const Field& field = FieldsOf(command)[static_cast<size_t>(word)];
    uint64_t absent = 0;
    switch (word) {
      case CommandWord::kOrder:
        if ((field.type == FieldType::kTime) != is_after_tif) continue;
        break;
      case CommandWord::kSide:
        if (is_order && IsValid(command.side)) continue;  // The verb is the side.
        break;
      case CommandWord::kType:
        if (is_order) absent = static_cast<uint64_t>(kDefaultOrderType);
        break;
      case CommandWord::kTif:
        if (is_order) absent = static_cast<uint64_t>(DefaultTimeInForce(command.type));
        is_after_tif = true;
        break;
      case CommandWord::kFlags:
        RETURN_IF_ERROR(FlagFields(line, command.flags));
        continue;
      default:
        break;
    }
    RETURN_IF_ERROR(line.Word(field, command, absent));
  }
  return absl::OkStatus();
}

template <typename Line>
absl::Status EventWords(Line& line, Event& event) {
  bool is_after_side = false;
  for (const EventWord word : kEventWordOrder) {
    const Field& field = FieldsOf(event)[static_cast<size_t>(word)];
    if (word == EventWord::kCounter && (field.type == FieldType::kMoney) != is_after_side) continue;
    RETURN_IF_ERROR(line.Word(field, event));
    if (word != EventWord::kSide) continue;
    line.MarketHere();
    is_after_side = true;
  }
  return absl::OkStatus();
}

}  // namespace

// ---- Commands

std::string MessageText::Format(const Command& command, Bytes attachment) const {
  std::string verb;
  if (command.sequence != SequenceNumber()) {
    verb = absl::StrCat(command.sequence.value(), " ", command.timestamp.ToString(), " ");
  }
  const bool is_order = command.kind == CommandKind::kNewOrder;
  const bool names_side = is_order && IsValid(command.side);
  const std::string kind = NameOf(command.kind);
  const bool is_known = !KnownNameOf(command.kind).empty();
  absl::StrAppend(&verb, names_side ? NameOf(command.side) : is_known ? kind : "command");

  // A definition's fields use its own decimals; the market may not exist yet.
  const bool defines = command.kind == CommandKind::kDefineMarket;
  const MarketDefinition* market = defines ? nullptr : markets_.Find(command.market);
  FieldWriter line(std::move(verb), market);
  if (!is_known) line.Field("kind", kind);
  if (defines) {
    CHECK_OK(line.Value("id", FieldType::kNumber, command.market));
  } else if (command.market != DefaultMarketOf(command.kind)) {
    line.Field("market", FieldText(FieldType::kMarket, command.market.value(), market));
  }
  WriteAttachment(line, command, attachment);
  Command written = command;
  CHECK_OK(CommandWords(line, written));
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
    RETURN_IF_ERROR(line.Value("kind", FieldType::kCommandKind, command.kind));
  } else if (ParseName(verb, command.side) && IsValid(command.side)) {
    command.kind = CommandKind::kNewOrder;
  } else if (command.side = {}; !ParseName(verb, command.kind)) {
    return RefuseText("'", verb,
                      "' is not a command; expected bid, ask, cancel, reduce, replace, amend or "
                      "another kind of command");
  }

  if (command.kind == CommandKind::kDefineMarket) {
    RETURN_IF_ERROR(line.Value("id", FieldType::kNumber, command.market));
  } else {
    RETURN_IF_ERROR(TakeMarket(line, markets_, DefaultMarketOf(command.kind), command.market));
  }
  ASSIGN_OR_RETURN(parsed.attachment, TakeAttachment(line, command));
  RETURN_IF_ERROR(CommandWords(line, command));
  RETURN_IF_ERROR(line.Finish(verb));
  return parsed;
}

// ---- Events

std::string MessageText::Format(const Event& event) const {
  const bool is_known = !KnownNameOf(event.kind).empty();
  const std::string kind = NameOf(event.kind);
  const MarketDefinition* market = markets_.Find(event.market);
  FieldWriter line(
      absl::StrCat(event.sequence.value(), ".", event.index, " ", is_known ? kind : "event"),
      market);
  if (!is_known) line.Field("kind", kind);
  if (event.market != DefaultMarketOf(event.kind))
    line.SetMarketText(FieldText(FieldType::kMarket, event.market.value(), market));
  Event written = event;
  CHECK_OK(EventWords(line, written));
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
    RETURN_IF_ERROR(line.Value("kind", FieldType::kEventKind, event.kind));
  } else if (!ParseName(verb, event.kind)) {
    return RefuseText("'", verb, "' is not an event");
  }
  RETURN_IF_ERROR(TakeMarket(line, markets_, DefaultMarketOf(event.kind), event.market));
  RETURN_IF_ERROR(EventWords(line, event));
  RETURN_IF_ERROR(line.Finish(verb));
  return event;
}

}  // namespace engine
