#include "engine/messages/fields.h"

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/base/timestamp.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/money.h"

namespace engine {
namespace {

constexpr CommandFields FieldsOfKind(const CommandKindInfo& info) {
  const auto field = [](absl::string_view name, FieldType type, size_t offset, size_t size) {
    return Field{name, type, static_cast<uint8_t>(offset), static_cast<uint8_t>(size)};
  };
  return {field("sequence", FieldType::kNumber, offsetof(Command, sequence), 8),
          field("time", FieldType::kTime, offsetof(Command, timestamp), 8),
          field("kind", FieldType::kCommandKind, offsetof(Command, kind), 2),
          field("market", FieldType::kMarket, offsetof(Command, market), 4),
          field(info.order_id.name, info.order_id.type, offsetof(Command, order_id), 8),
          field("side", FieldType::kSide, offsetof(Command, side), 1),
          field("type", FieldType::kOrderType, offsetof(Command, type), 1),
          field("tif", FieldType::kTimeInForce, offsetof(Command, tif), 1),
          field(info.price.name, info.price.type, offsetof(Command, price), 8),
          field("quantity", FieldType::kQuantity, offsetof(Command, quantity), 8),
          field("account", FieldType::kNumber, offsetof(Command, account), 4),
          field("client_order_id", FieldType::kClientKey, offsetof(Command, client_order_id), 8),
          field("flags", FieldType::kFlags, offsetof(Command, flags), 1),
          field("group", FieldType::kNumber, offsetof(Command, group), 2)};
}

constexpr EventFields FieldsOfKind(const EventKindInfo& info) {
  const auto field = [](Meaning meaning, size_t offset, size_t size) {
    return Field{meaning.name, meaning.type, static_cast<uint8_t>(offset),
                 static_cast<uint8_t>(size)};
  };
  return {field({"sequence", FieldType::kNumber}, offsetof(Event, sequence), 8),
          field({"index", FieldType::kNumber}, offsetof(Event, index), 4),
          field({"kind", FieldType::kEventKind}, offsetof(Event, kind), 2),
          field({"market", FieldType::kMarket}, offsetof(Event, market), 4),
          field(info.order_id, offsetof(Event, order_id), 8),
          field(info.counter_order_id, offsetof(Event, counter_order_id), 8),
          field({"side", FieldType::kSide}, offsetof(Event, side), 1),
          field(info.price, offsetof(Event, price), 8),
          field(info.quantity, offsetof(Event, quantity), 8),
          field(info.quantity_remaining, offsetof(Event, quantity_remaining), 8),
          field({"account", FieldType::kNumber}, offsetof(Event, account), 4),
          field(info.detail, offsetof(Event, detail), 1)};
}

template <typename Fields, typename Infos>
constexpr auto FieldsOfAll(const Infos& infos) {
  std::array<Fields, std::tuple_size_v<Infos>> all;
  for (size_t kind = 0; kind < infos.size(); ++kind) all[kind] = FieldsOfKind(infos[kind]);
  return all;
}

constexpr auto kFieldsOfCommands = FieldsOfAll<CommandFields>(kCommandKinds);
constexpr auto kFieldsOfEvents = FieldsOfAll<EventFields>(kEventKinds);
constexpr CommandFields kFieldsUntilExpiry =
    FieldsOfKind(CommandKindInfo{.name = "new_order", .order_id = {"expires", FieldType::kTime}});

template <typename Value>
absl::Status Assign(absl::string_view name, const absl::StatusOr<Value>& parsed, auto bits_of,
                    uint64_t& bits) {
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(name, "=", parsed.status().message()));
  }
  bits = static_cast<uint64_t>(bits_of(*parsed));
  return absl::OkStatus();
}

int DecimalsOf(FieldType type, const MarketDefinition& market) {
  return type == FieldType::kPrice ? market.price_decimals : market.quantity_decimals;
}

// '#' and a count of units, or a decimal number if the market is known.
absl::Status ParseUnits(absl::string_view name, FieldType type, absl::string_view text,
                        const MarketDefinition* market, uint64_t& bits) {
  const auto refuse = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat(name, "=", text, why));
  };
  if (!text.empty() && text.front() == '#') {
    int64_t units = 0;
    if (IsSigned(type) ? !ParseInteger(text.substr(1), units)
                       : !ParseInteger(text.substr(1), bits)) {
      return refuse(" is not a whole number of units in range");
    }
    if (IsSigned(type)) bits = static_cast<uint64_t>(units);
    return absl::OkStatus();
  }
  if (market == nullptr) return refuse(" needs a known market, or a number of units such as #100");
  const int decimals = DecimalsOf(type, *market);
  const auto units = [](auto value) { return value.units(); };
  return IsSigned(type) ? Assign(name, ParsePrice(text, decimals), units, bits)
                        : Assign(name, ParseQuantity(text, decimals), units, bits);
}

}  // namespace

const CommandFields& FieldsOf(CommandKind kind, TimeInForce tif) {
  if (kind == CommandKind::kNewOrder && tif == TimeInForce::kGoodTillTime) {
    return kFieldsUntilExpiry;
  }
  return kFieldsOfCommands[kind <= kLastCommandKind ? static_cast<size_t>(kind) : 0];
}

const EventFields& FieldsOf(EventKind kind) {
  return kFieldsOfEvents[kind <= kLastEventKind ? static_cast<size_t>(kind) : 0];
}

namespace {

template <typename Fields>
const Field* Find(absl::string_view name, const Fields& general, const Fields& fields) {
  for (size_t word = 0; word < fields.size(); ++word) {
    if (fields[word].name == name) return &fields[word];
    if (general[word].name == name && fields[word].name != "group") return &general[word];
  }
  return nullptr;
}

}  // namespace

const Field* FindField(absl::string_view name, const CommandFields& fields) {
  return Find(name, kFieldsOfCommands[0], fields);
}

const Field* FindField(absl::string_view name, const EventFields& fields) {
  return Find(name == "counter" ? "from" : name, kFieldsOfEvents[0], fields);
}

std::span<const absl::string_view> NamesOf(FieldType type) {
  switch (type) {
    case FieldType::kCommandKind:
      return NamesOf(CommandKind());
    case FieldType::kEventKind:
      return NamesOf(EventKind());
    case FieldType::kSide:
      return NamesOf(Side());
    case FieldType::kOrderType:
      return NamesOf(OrderType());
    case FieldType::kTimeInForce:
      return NamesOf(TimeInForce());
    case FieldType::kRejectReason:
      return NamesOf(RejectReason());
    case FieldType::kCancelReason:
      return NamesOf(CancelReason());
    case FieldType::kPriorityOutcome:
      return NamesOf(PriorityOutcome());
    case FieldType::kMarketState:
      return NamesOf(MarketState());
    case FieldType::kExchangeState:
      return NamesOf(ExchangeState());
    case FieldType::kAccountStanding:
      return NamesOf(AccountStanding());
    case FieldType::kSelfTradePrevention:
      return NamesOf(SelfTradePrevention());
    case FieldType::kMarketKind:
      return NamesOf(MarketKind());
    default:
      return {};
  }
}

std::string FieldText(FieldType type, uint64_t bits, const MarketDefinition* market) {
  const auto number = static_cast<int64_t>(bits);
  switch (type) {
    case FieldType::kTime:
      return Timestamp::FromNanos(number).ToString();
    case FieldType::kMoney:
      return Money::FromMicros(number).ToString();
    case FieldType::kPrice:
    case FieldType::kPosition:
      return market == nullptr ? absl::StrCat("#", number)
                               : FormatPrice(Price::FromUnits(number), DecimalsOf(type, *market));
    case FieldType::kQuantity:
      return market == nullptr
                 ? absl::StrCat("#", bits)
                 : FormatQuantity(Quantity::FromUnits(bits), market->quantity_decimals);
    case FieldType::kMarket:
      return market == nullptr ? absl::StrCat("#", bits) : market->symbol;
    default:
      return NameIn(NamesOf(type), bits);
  }
}

absl::Status ParseFieldText(absl::string_view name, FieldType type, size_t size,
                            absl::string_view text, const MarketDefinition* market,
                            uint64_t& bits) {
  switch (type) {
    case FieldType::kTime:
      return Assign(
          name, Timestamp::Parse(text), [](Timestamp time) { return time.nanos(); }, bits);
    case FieldType::kMoney:
      return Assign(
          name, Money::Parse(text), [](Money money) { return money.micros(); }, bits);
    case FieldType::kPrice:
    case FieldType::kPosition:
    case FieldType::kQuantity:
      return ParseUnits(name, type, text, market, bits);
    default:
      break;
  }
  const uint64_t max = UINT64_MAX >> (64 - 8 * size);
  const auto names = NamesOf(type);
  if (ParseNameIn(names, text, max, bits)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, "=", text,
                   names.empty() ? " is not a whole number in range" : " is not one of its names"));
}

}  // namespace engine
