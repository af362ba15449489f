// LOBSTER's two files of a stock and a day, and what their names say.
//
//   AAPL_2012-06-21_34200000_57600000_message_10.csv
//   AAPL_2012-06-21_34200000_57600000_orderbook_10.csv

#ifndef TOOLS_CLI_RECORD_LOBSTER_FILES_H_
#define TOOLS_CLI_RECORD_LOBSTER_FILES_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "tools/cli/record/input_lines.h"
#include "tools/os/input.h"

namespace tools {

// What the options give; empty where there is none.
struct LobsterOptions {
  std::string messages;  // A path, or "-".
  std::string books;     // A path.
  std::optional<std::string> date;
  std::string symbol;
};

struct LobsterFiles {
  std::unique_ptr<Input> messages;
  std::unique_ptr<InputLines> books;  // Null if there is no such file beside.
  std::string symbol;
  engine::Timestamp midnight;  // In New York.
};

// Opens both, the messages until an interrupt. A name gives the symbol, the date and the other name
// where no option does. Errors: INVALID_ARGUMENT that names the option, and those of Input.
absl::StatusOr<LobsterFiles> OpenLobster(const LobsterOptions& options);

// Whether the name is that of a message file, compressed or not.
bool IsLobsterName(absl::string_view path);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_LOBSTER_FILES_H_
