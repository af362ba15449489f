// The lines of a feed, as a command line names them: A=ADDRESS and B=ADDRESS.

#ifndef TOOLS_CLI_FEED_LINE_ADDRESSES_H_
#define TOOLS_CLI_FEED_LINE_ADDRESSES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/feed/live_feed.h"

namespace tools {

// Each word is "A=HOST:PORT" or "B=HOST:PORT", with "@INTERFACE" after it where multicast is
// received or leaves: a name or an address. Returns A, and B if there is one. Errors:
// INVALID_ARGUMENT for another word, a line that is named twice, or B alone.
absl::StatusOr<std::vector<FeedAddress>> ParseLines(const std::vector<std::string>& words);

}  // namespace tools

#endif  // TOOLS_CLI_FEED_LINE_ADDRESSES_H_
