// Two files of events, as `ticktape replay --emit` writes them: text or JSON lines.
//
// Compares events by the sequence number of the command that caused them, not by line: an extra
// event in one file does not make all later events differ.

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
    std::vector<std::string> a;  // Empty: this file has no events of the command.
    std::vector<std::string> b;
  };
  std::optional<Difference> first;
  uint64_t differing = 0;  // Commands.
  uint64_t compared = 0;
};

// Errors: NOT_FOUND, DATA_LOSS (a line that is not an event, or is out of order; with its number).
absl::StatusOr<EventFileDiff> DiffEventFiles(const std::string& a, const std::string& b);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_EVENT_FILE_DIFF_H_
