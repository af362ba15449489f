// Transcripts of a client: what the venue sends and replies, and what the client asks, sends and
// lets the strategy hear. testdata/client/README.md has the grammar.
//
//   # A frame that is missing makes the books stale until their snapshots.
//   delta 4 RAIN bid 0.40 5
//   ----
//   note frames of channel orderbook_delta are missing
//   hear stale RAIN
//   send {"id":4,"cmd":"update_subscription",...}

#ifndef TOOLS_CLIENT_TESTING_CLIENT_TRANSCRIPT_H_
#define TOOLS_CLIENT_TESTING_CLIENT_TRANSCRIPT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace client {

// Returns the text with the right answers. Errors: INVALID_ARGUMENT "<file>:<line>: ...".
absl::StatusOr<std::string> RunClientTranscript(absl::string_view file, absl::string_view text);

}  // namespace client

#endif  // TOOLS_CLIENT_TESTING_CLIENT_TRANSCRIPT_H_
