// Two files of events, as `ticktape replay --emit` writes them: text or JSON lines.
//
// Aligned by the sequence number of the command that caused the events, never by line: an event too
// many in one does not make everything behind it differ.

#ifndef TOOLS_CLI_COMPARE_EVENT_FILE_DIFF_H_
#define TOOLS_CLI_COMPARE_EVENT_FILE_DIFF_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tools {

struct EventFileDiff {
  // The events of one command.
  struct Group {
    uint64_t sequence = 0;
    std::vector<std::string> lines;
  };
  struct Difference {
    uint64_t sequence = 0;
    std::vector<std::string> a;  // Empty: that file has no events of this command.
    std::vector<std::string> b;
  };
  std::optional<Difference> first;
  uint64_t differing = 0;  // Commands.
  uint64_t compared = 0;
};

// Errors: NOT_FOUND, DATA_LOSS (a line that is no event, or goes back; with its number).
absl::StatusOr<EventFileDiff> DiffEventFiles(const std::string& a, const std::string& b);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_EVENT_FILE_DIFF_H_
