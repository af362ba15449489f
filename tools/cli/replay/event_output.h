// Writes events to a file: in the text form, or as JSON lines.

#ifndef TOOLS_CLI_REPLAY_EVENT_OUTPUT_H_
#define TOOLS_CLI_REPLAY_EVENT_OUTPUT_H_

#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/messages/event.h"
#include "engine/messages/text.h"
#include "journal/record.h"
#include "replay/machine.h"
#include "tools/cli/base/console.h"
#include "tools/cli/read/market_follower.h"
#include "tools/os/output.h"

namespace tools {

// Not thread-safe: owned by the verb. A file appears under its name only when it is complete.
class EventOutput {
 public:
  // "-" is the console's output. JSON lines if the path ends with .jsonl, or for "-" if the console
  // prints JSON.
  static absl::StatusOr<std::unique_ptr<EventOutput>> Open(const std::string& path,
                                                           Console& console);

  // Learns symbols and decimals from the record; call it for every record of the journal.
  void Follow(const journal::Record& record) { markets_.Follow(record); }

  // Learns the markets of a restored machine that does not start at the first record.
  void Know(const replay::Machine& machine) { markets_.Know(machine); }

  void Write(const journal::Record& record, std::span<const engine::Event> events);

  // Errors: the first one that occurred with the file, now or earlier.
  absl::Status Finish();

 private:
  EventOutput(std::unique_ptr<Output> file, Console& console, bool json)
      : file_(std::move(file)), console_(console), json_(json) {}

  std::unique_ptr<Output> file_;  // Null: writes to the console.
  Console& console_;
  const bool json_;
  MarketFollower markets_;
  const engine::MessageText text_{markets_.markets()};
};

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_EVENT_OUTPUT_H_
