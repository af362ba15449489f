// The expected results of replaying a journal: the file NAME.golden, text that can be reviewed.
//
//   ticktape golden 1
//   # Made by 'ticktape golden'; 'ticktape golden update --reason' changes it.
//   name exchange_session
//   journal ../journals/v1/exchange_session        relative to this file
//   engine fast
//   semantics 2
//   commands 15000
//   events 18068
//
//   history
//   2026-11-20 added: the session as it was recorded
//
//   checkpoints                                    every 4096 commands, and the last
//   4096 <log digest> <trace digest> <state digest>
//
//   marks                                          64 commands per line: the first, then 16 bits
//   1 3f2a9c01...                                  of the digest of each command's events
//
//   events                                         the text form, if requested
//   1.0 market_defined ...
//
// Digests show that something changed, marks at which command, events what changed. A section ends
// with an empty line; lines that begin with '#' are ignored.

#ifndef TOOLS_CLI_GOLDEN_EXPECTATION_H_
#define TOOLS_CLI_GOLDEN_EXPECTATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/digest_sidecar.h"

namespace tools {

inline constexpr char kExpectationSuffix[] = ".golden";

// A regular value type: one entry of the history.
struct ExpectationChange {
  std::string date;  // "2026-11-20".
  std::string what;  // "added", "updated".
  std::string reason;

  friend bool operator==(const ExpectationChange&, const ExpectationChange&) = default;
};

// A regular value type.
struct Expectation {
  std::string name = {};
  std::string journal = {};  // Empty: the caller of a check names the journal.
  std::string engine = "fast";
  uint32_t semantics_version = 0;
  uint64_t command_count = 0;
  uint64_t event_count = 0;
  std::vector<ExpectationChange> history = {};  // Oldest first.
  std::vector<journal::Checkpoint> checkpoints =
      {};                            // With all three digests; ascending; the last is at the end.
  std::vector<uint16_t> marks = {};  // Of every command, or empty.
  bool has_events = false;
  std::vector<std::string> events = {};

  friend bool operator==(const Expectation&, const Expectation&) = default;
};

std::string FormatExpectation(const Expectation& expectation);

// Any text is safe. Errors: DATA_LOSS "line N: ...", UNIMPLEMENTED (a later version).
absl::StatusOr<Expectation> ParseExpectation(absl::string_view text);

// Reads and parses a file; errors name it. NOT_FOUND if it cannot be read.
absl::StatusOr<Expectation> ReadExpectation(const std::string& path);

// The file appears, or is replaced, only when it is complete. Errors: ALREADY_EXISTS unless
// `replace`.
absl::Status WriteExpectation(const std::string& path, const Expectation& expectation,
                              bool replace);

}  // namespace tools

#endif  // TOOLS_CLI_GOLDEN_EXPECTATION_H_
