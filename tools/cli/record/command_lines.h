// Parses lines of a table as commands: CSV with a header, or JSON objects, as `export` and
// `cat --json` write them. Both have the same fields:
//
//   sequence time time_ns kind market market_id order side type tif price price_units quantity
//   quantity_units account client_order_id flags group expires amount window_ns attachment
//   schema post_only reduce_only cancel_on_pause stp
//
// A market's definition is an object in JSON, and columns in CSV: "definition.symbol" and the other
// names of its fields. Without a market_id, the market is definition.id.
//
// A field that is empty or missing is zero, but a new order is then a limit order, gtc; a market
// order is ioc. If a value is given in two forms (a price, and its
// count of units), they must agree; either is enough. Decimal numbers require a market defined
// earlier.

#ifndef TOOLS_CLI_RECORD_COMMAND_LINES_H_
#define TOOLS_CLI_RECORD_COMMAND_LINES_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"

namespace tools {

// Parses a line without its line end. Returns nullopt for a line without a command (a header, an
// empty line). Any bytes are safe. Sequence number and time are zero if not given. Errors:
// INVALID_ARGUMENT with the field and what was expected.
using CommandLines = std::function<absl::StatusOr<std::optional<engine::ParsedCommand>>(
    absl::string_view line, const engine::MarketDirectory& markets)>;

// Columns are named by the first line, in any order and case; unknown names are an error, and so
// are names that are there twice.
CommandLines MakeCsvLines();

// One object per line; "definition", "limits", "fees" and "note" are encoded as attachments.
CommandLines MakeJsonLines();

// For both forms: parses a command from its fields. Errors: those of FieldError(), field_error.h.
using NamedFields = std::vector<std::pair<std::string, std::string>>;
absl::StatusOr<engine::ParsedCommand> ParseCommandFields(const NamedFields& fields,
                                                         const engine::MarketDirectory& markets);

// The columns of a market's definition.
inline constexpr absl::string_view kDefinitionPrefix = "definition.";

// Takes the columns of a definition out of `fields` and returns it encoded; nothing if all of them
// are empty. Sets a missing market_id. Errors: those of FieldError().
absl::StatusOr<std::vector<std::byte>> TakeDefinitionColumns(NamedFields& fields);

// Parses the bytes of a field in hexadecimal. Errors: those of FieldError(), with the beginning of
// the text.
absl::StatusOr<std::vector<std::byte>> ParseHexField(absl::string_view field,
                                                     absl::string_view text);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_COMMAND_LINES_H_
