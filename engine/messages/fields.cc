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

constexpr Field At(size_t offset, size_t size, Meaning meaning) {
  return {meaning.name, meaning.type, static_cast<uint8_t>(offset), static_cast<uint8_t>(size)};
}

constexpr CommandFields FieldsOfKind(const CommandKindInfo& info) {
  return {At(offsetof(Command, sequence), 8, {"sequence", FieldType::kNumber}),
          At(offsetof(Command, timestamp), 8, {"time", FieldType::kTime}),
          At(offsetof(Command, kind), 1, {"kind", FieldType::kCommandKind}),
          At(offsetof(Command, market), 4, {"market", FieldType::kMarket}),
          At(offsetof(Command, order_id), 8, info.order_id),
          At(offsetof(Command, side), 1, {"side", FieldType::kSide}),
          At(offsetof(Command, type), 1, {"type", FieldType::kOrderType}),
          At(offsetof(Command, tif), 1, {"tif", FieldType::kTimeInForce}),
          At(offsetof(Command, price), 8, info.price),
          At(offsetof(Command, quantity), 8, {"quantity", FieldType::kQuantity}),
          At(offsetof(Command, account), 4, {"account", FieldType::kNumber}),
          At(offsetof(Command, client_order_id), 8, {"client_order_id", FieldType::kClientKey}),
          At(offsetof(Command, flags), 1, {"flags", FieldType::kFlags}),
          {.name = "group",
           .type = FieldType::kNumber,
           .offset = offsetof(Command, group_low),
           .size = 3,
           .top_offset = offsetof(Command, group_high)}};
}

constexpr EventFields FieldsOfKind(const EventKindInfo& info) {
  return {At(offsetof(Event, sequence), 8, {"sequence", FieldType::kNumber}),
          At(offsetof(Event, index), 4, {"index", FieldType::kNumber}),
          At(offsetof(Event, kind), 2, {"kind", FieldType::kEventKind}),
          At(offsetof(Event, market), 4, {"market", FieldType::kMarket}),
          At(offsetof(Event, order_id), 8, info.order_id),
          At(offsetof(Event, counter_order_id), 8, info.counter_order_id),
          At(offsetof(Event, side), 1, {"side", FieldType::kSide}),
          At(offsetof(Event, price), 8, info.price),
          At(offsetof(Event, quantity), 8, info.quantity),
          At(offsetof(Event, quantity_remaining), 8, info.quantity_remaining),
          At(offsetof(Event, account), 4, {"account", FieldType::kNumber}),
          At(offsetof(Event, detail), 1, info.detail)};
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

template <typename Fields>
const Field* Find(absl::string_view name, const Fields& general, const Fields& fields) {
  for (size_t word = 0; word < fields.size(); ++word) {
    if (fields[word].name == name) return &fields[word];
    if (general[word].name == name && fields[word].name != "group") return &general[word];
  }
  return nullptr;
}

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

const Field* FindField(absl::string_view name, const CommandFields& fields) {
  return Find(name, kFieldsOfCommands[0], fields);
}

const Field* FindField(absl::string_view name, const EventFields& fields) {
  return Find(name == "counter" ? "from" : name, kFieldsOfEvents[0], fields);
}

std::span<const absl::string_view> NamesOf(FieldType type) {
  // By type, from kCommandKind on.
  static const auto kNames = std::to_array<Names>(
      {NamesOf(CommandKind()), NamesOf(EventKind()), NamesOf(Side()), NamesOf(OrderType()),
       NamesOf(TimeInForce()), NamesOf(RejectReason()), NamesOf(CancelReason()),
       NamesOf(PriorityOutcome()), NamesOf(MarketState()), NamesOf(ExchangeState()),
       NamesOf(AccountStanding()), NamesOf(SelfTradePrevention()), NamesOf(MarketKind())});
  static_assert(kNames.size() == static_cast<size_t>(FieldType::kMarketKind) -
                                     static_cast<size_t>(FieldType::kCommandKind) + 1);
  if (type < FieldType::kCommandKind) return {};
  return kNames[static_cast<size_t>(type) - static_cast<size_t>(FieldType::kCommandKind)];
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
                   names.empty() ? absl::StrCat(" is not a whole number from 0 to ", max)
                                 : " is not one of its names"));
}

}  // namespace engine
