// The output of `inspect --watch`, for people and as JSON.

#ifndef TOOLS_CLI_REPLAY_INSPECT_WATCH_REPORT_H_
#define TOOLS_CLI_REPLAY_INSPECT_WATCH_REPORT_H_

#include "absl/strings/string_view.h"
#include "tools/cli/base/console.h"
#include "tools/cli/replay/inspect_watch.h"

namespace tools {

void PrintWatched(Console& console, const WatchTopic& topic, const WatchedMoment& moment);

// `topic_text` is the topic as the user wrote it.
void PrintWatchedJson(Console& console, const WatchTopic& topic, absl::string_view topic_text,
                      const WatchedMoment& moment);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_WATCH_REPORT_H_
