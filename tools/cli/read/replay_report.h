// The results of a checked replay.

#ifndef TOOLS_CLI_READ_REPLAY_REPORT_H_
#define TOOLS_CLI_READ_REPLAY_REPORT_H_

#include <vector>

#include "journal/digest_sidecar.h"
#include "journal/journal_info.h"
#include "journal/storage/storage.h"
#include "replay/checked_replay.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/report.h"

namespace tools {

// Returns the checkpoints of the recorded run. If they cannot be read, returns none and prints a
// note: a replay works without them.
std::vector<journal::Checkpoint> RecordedCheckpoints(const journal::Directory& directory,
                                                     const journal::JournalInfo& info,
                                                     Console& console);

// "equal to the recorded run's at all 13 checkpoints", the divergence, or that there are none.
ConsoleText DigestsText(const replay::CheckedReplay& replayed);

// Adds the counts and digests of a replay that took `seconds`, and what they were compared with.
void AddReplay(Report& report, const replay::CheckedReplay& replayed, double seconds);

}  // namespace tools

#endif  // TOOLS_CLI_READ_REPLAY_REPORT_H_
