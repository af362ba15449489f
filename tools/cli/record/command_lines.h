// Lines of a table as commands: CSV with a header, or JSON objects, as `export` writes them.

#ifndef TOOLS_CLI_RECORD_COMMAND_LINES_H_
#define TOOLS_CLI_RECORD_COMMAND_LINES_H_

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/market_directory.h"
#include "tools/cli/record/command_text.h"

namespace tools {

// Not thread-safe: owned by whoever reads.
class CommandLines {
 public:
  virtual ~CommandLines() = default;

  // A line without its end. Nullopt: it is no command (a header, an empty line). Reads any bytes
  // safely. Errors: INVALID_ARGUMENT that names the field and what was expected.
  virtual absl::StatusOr<std::optional<ParsedCommand>> Parse(
      absl::string_view line, const engine::MarketDirectory& markets) = 0;
};

// Columns by the names in the first line, in any order; unknown ones are an error.
std::unique_ptr<CommandLines> MakeCsvLines();

// An object a line; "definition", "limits" and "fees" are those of an attachment.
std::unique_ptr<CommandLines> MakeJsonLines();

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_COMMAND_LINES_H_
