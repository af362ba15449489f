// The results of a checked replay, for people and as JSON.

#ifndef TOOLS_CLI_REPLAY_REPLAY_REPORT_H_
#define TOOLS_CLI_REPLAY_REPLAY_REPORT_H_

#include <vector>

#include "journal/digest_sidecar.h"
#include "journal/journal_info.h"
#include "journal/storage/storage.h"
#include "replay/checked_replay.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/json.h"

namespace tools {

// Returns the checkpoints of the recorded run. If they cannot be read, returns none and prints a
// note: a replay works without them.
std::vector<journal::Checkpoint> RecordedCheckpoints(const journal::Directory& directory,
                                                     const journal::JournalInfo& info,
                                                     Console& console);

void PrintReplay(Console& console, const replay::CheckedReplay& replayed, double seconds);
void AddReplay(JsonObject& json, const replay::CheckedReplay& replayed, double seconds);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_REPLAY_REPORT_H_
