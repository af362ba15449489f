// Parses a command from its fields as text, as `export` and `cat --json` write them, identically
// for CSV and JSON.
//
//   sequence time time_ns kind market market_id order side type tif price price_units quantity
//   quantity_units account client_order_id flags group expires amount window_ns attachment
//   schema post_only reduce_only cancel_on_pause stp
//
// A field that is empty or missing is zero. If a value is given in two forms (a price, and its
// count of units), they must agree; either is enough. Decimal numbers require a market defined
// earlier.

#ifndef TOOLS_CLI_RECORD_COMMAND_TEXT_H_
#define TOOLS_CLI_RECORD_COMMAND_TEXT_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"

namespace tools {

// Sequence number and time are zero if not given.
struct ParsedCommand {
  engine::Command command;
  std::vector<std::byte> attachment;
};

using NamedFields = std::vector<std::pair<std::string, std::string>>;

// Errors: INVALID_ARGUMENT "FIELD: what it is, what was expected".
absl::StatusOr<ParsedCommand> ParseCommandFields(const NamedFields& fields,
                                                 const engine::MarketDirectory& markets);

// Whether there is a field of that name.
bool IsCommandField(absl::string_view name);

// INVALID_ARGUMENT "FIELD: 'TEXT', expected EXPECTED".
absl::Status FieldError(absl::string_view field, absl::string_view text,
                        absl::string_view expected);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_COMMAND_TEXT_H_
