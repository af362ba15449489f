// The fields of a command by name, for `--where` and `--fields`.
//
//   sequence time kind market side type tif price quantity order account client_order_id
//   flags group attachment

#ifndef TOOLS_CLI_READ_COMMAND_FIELDS_H_
#define TOOLS_CLI_READ_COMMAND_FIELDS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace tools {

enum class CommandField {
  kSequence,
  kTime,
  kKind,
  kMarket,
  kSide,
  kType,
  kTif,
  kPrice,
  kQuantity,
  kOrder,
  kAccount,
  kClientOrderId,
  kFlags,
  kGroup,
  kAttachment,
};

// In the order of the enumeration.
inline constexpr std::array<absl::string_view, 15> kCommandFieldNames = {
    "sequence", "time",  "kind",    "market",          "side",  "type",  "tif",       "price",
    "quantity", "order", "account", "client_order_id", "flags", "group", "attachment"};

inline absl::string_view NameOf(CommandField field) {
  return kCommandFieldNames[static_cast<size_t>(field)];
}
std::optional<CommandField> FindCommandField(absl::string_view name);

// "price,quantity". Errors: INVALID_ARGUMENT that lists the known fields.
absl::StatusOr<std::vector<CommandField>> ParseCommandFields(absl::string_view text);

// Appends the field as text; "-" for a field that is zero. Prices and quantities are in the
// decimals of their market, or '#' and a count of units if the market is unknown.
void AppendField(CommandField field, const engine::Command& command, engine::Bytes attachment,
                 const engine::MarketDirectory& markets, std::string& out);

// Parts of AppendField() that other formats share. `market` is null if unknown.
std::string PriceText(engine::Price price, const engine::MarketDefinition* market);
std::string QuantityText(engine::Quantity quantity, const engine::MarketDefinition* market);
std::string MarketText(engine::MarketId id, const engine::MarketDefinition* market);

}  // namespace tools

#endif  // TOOLS_CLI_READ_COMMAND_FIELDS_H_
