// Where the commands of a recording come from.

#ifndef TOOLS_CLI_RECORD_SOURCE_H_
#define TOOLS_CLI_RECORD_SOURCE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

enum class Source : uint8_t {
  kItch,
  kText,
  kWorkload,
  kCsv,
  kJsonLines,
  kKalshiCapture,
  kDbn,
  kLobster,
};

// The words of --from.
const std::map<std::string, Source>& SourceNames();

// "csv, dbn, … or workload".
std::string SourceChoices();

// What the end of a file's name says, without that of a compression: x.csv.zst is csv. Errors:
// INVALID_ARGUMENT with the choices.
absl::StatusOr<Source> SourceOfFile(absl::string_view path);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_SOURCE_H_
