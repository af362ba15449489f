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

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "replay/run_results.h"

namespace tools {

inline constexpr char kExpectationSuffix[] = ".golden";

// A regular value type.
struct Expectation {
  std::string name = {};
  std::string journal = {};  // Empty: the caller of a check names the journal.
  std::string engine = "fast";
  std::vector<std::string> history = {};  // Oldest first: "2026-11-20 updated: the reason".
  replay::RunResults results = {};

  friend bool operator==(const Expectation&, const Expectation&) = default;
};

std::string FormatExpectation(const Expectation& expectation);

// Any text is safe. Errors: DATA_LOSS "line N: ...", UNIMPLEMENTED (a later version).
absl::StatusOr<Expectation> ParseExpectation(absl::string_view text);

// Reads and parses a file; errors name it. NOT_FOUND if it cannot be read.
absl::StatusOr<Expectation> ReadExpectation(const std::string& path);

}  // namespace tools

#endif  // TOOLS_CLI_GOLDEN_EXPECTATION_H_
