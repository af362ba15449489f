// The fields of a command by name, for `--fields`.
//
//   sequence time kind market order side type tif price quantity account client_order_id
//   flags group attachment, and for the kinds that have them expires amount window_ns

#ifndef TOOLS_CLI_READ_COMMAND_FIELDS_H_
#define TOOLS_CLI_READ_COMMAND_FIELDS_H_

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

// "price,quantity". Errors: INVALID_ARGUMENT that lists the known fields.
absl::StatusOr<std::vector<std::string>> ParseFieldNames(absl::string_view text);

// Appends the field as text; "-" for a field that is zero or that the kind does not have. Prices
// and quantities are in the decimals of their market, or '#' and a count of units if the market is
// unknown.
void AppendField(absl::string_view name, const engine::Command& command, engine::Bytes attachment,
                 const engine::MarketDirectory& markets, std::string& out);

// The same texts of single values. `market` is null if unknown.
std::string PriceText(engine::Price price, const engine::MarketDefinition* market);
std::string QuantityText(engine::Quantity quantity, const engine::MarketDefinition* market);
std::string MarketText(engine::MarketId id, const engine::MarketDefinition* market);

}  // namespace tools

#endif  // TOOLS_CLI_READ_COMMAND_FIELDS_H_
