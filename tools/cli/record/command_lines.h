// Parses lines of a table as commands: CSV with a header, or JSON objects, as `export` writes them.

#ifndef TOOLS_CLI_RECORD_COMMAND_LINES_H_
#define TOOLS_CLI_RECORD_COMMAND_LINES_H_

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/market_directory.h"
#include "tools/cli/record/command_text.h"

namespace tools {

// Not thread-safe: owned by its reader.
class CommandLines {
 public:
  virtual ~CommandLines() = default;

  // Parses a line without its line end. Returns nullopt for a line without a command (a header, an
  // empty line). Any bytes are safe. Errors: INVALID_ARGUMENT with the field and what was expected.
  virtual absl::StatusOr<std::optional<ParsedCommand>> Parse(
      absl::string_view line, const engine::MarketDirectory& markets) = 0;
};

// Columns are named by the first line, in any order; unknown names are an error.
std::unique_ptr<CommandLines> MakeCsvLines();

// One object per line; "definition", "limits" and "fees" are encoded as attachments.
std::unique_ptr<CommandLines> MakeJsonLines();

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_COMMAND_LINES_H_
