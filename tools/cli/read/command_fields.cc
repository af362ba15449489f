#include "tools/cli/read/command_fields.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"

namespace tools {
namespace {

using engine::Command;
using engine::MarketDefinition;

template <typename Value>
std::string NumberText(Value value) {
  return value == Value() ? "" : absl::StrCat(value.value());
}

template <typename Enum>
std::string EnumText(Enum value) {
  return value == Enum() ? "" : engine::NameOf(value);
}

std::string Text(CommandField field, const Command& command, engine::Bytes attachment,
                 const MarketDefinition* market) {
  switch (field) {
    case CommandField::kSequence:
      return absl::StrCat(command.sequence.value());
    case CommandField::kTime:
      return command.timestamp.ToString();
    case CommandField::kKind:
      return engine::NameOf(command.kind);
    case CommandField::kMarket:
      return command.market == engine::MarketId() ? "" : MarketText(command.market, market);
    case CommandField::kSide:
      return EnumText(command.side);
    case CommandField::kType:
      return EnumText(command.type);
    case CommandField::kTif:
      return EnumText(command.tif);
    case CommandField::kPrice:
      return command.price == engine::Price() ? "" : PriceText(command.price, market);
    case CommandField::kQuantity:
      return command.quantity.is_zero() ? "" : QuantityText(command.quantity, market);
    case CommandField::kOrder:
      return NumberText(command.order_id);
    case CommandField::kAccount:
      return NumberText(command.account);
    case CommandField::kClientOrderId:
      return NumberText(command.client_order_id);
    case CommandField::kFlags:
      return command.flags.bits() == 0 ? "" : absl::StrCat(command.flags.bits());
    case CommandField::kGroup:
      return NumberText(command.group);
    case CommandField::kAttachment:
      return engine::ToHex(attachment);
  }
  return "";
}

}  // namespace

std::optional<CommandField> FindCommandField(absl::string_view name) {
  const auto found = absl::c_find(kCommandFieldNames, name);
  if (found == kCommandFieldNames.end()) return std::nullopt;
  return static_cast<CommandField>(found - kCommandFieldNames.begin());
}

absl::StatusOr<std::vector<CommandField>> ParseCommandFields(absl::string_view text) {
  std::vector<CommandField> fields;
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    const std::optional<CommandField> field = FindCommandField(name);
    if (!field.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat("'", name, "' is not a field; expected ",
                                                     absl::StrJoin(kCommandFieldNames, ", ")));
    }
    fields.push_back(*field);
  }
  return fields;
}

void AppendField(CommandField field, const Command& command, engine::Bytes attachment,
                 const engine::MarketDirectory& markets, std::string& out) {
  const std::string text = Text(field, command, attachment, markets.Find(command.market));
  out += text.empty() ? "-" : text;
}

std::string PriceText(engine::Price price, const MarketDefinition* market) {
  return market != nullptr ? engine::FormatPrice(price, market->price_decimals)
                           : absl::StrCat("#", price.units());
}

std::string QuantityText(engine::Quantity quantity, const MarketDefinition* market) {
  return market != nullptr ? engine::FormatQuantity(quantity, market->quantity_decimals)
                           : absl::StrCat("#", quantity.units());
}

std::string MarketText(engine::MarketId id, const MarketDefinition* market) {
  return market != nullptr ? market->symbol : absl::StrCat("#", id.value());
}

}  // namespace tools
