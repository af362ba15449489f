// Transcripts of an order link: what the strategy wants, what is sent, what the venue says, and
// what the strategy hears. testdata/client/README.md has the grammar.
//
//   # The reply to a new order says that it was accepted.
//   order 1 RAIN bid 0.56 10
//   ----
//   sent create 1
//
//   created 1 filled=0 remaining=10
//   ----
//   heard accepted 1

#ifndef TOOLS_CLIENT_TESTING_ORDER_TRANSCRIPT_H_
#define TOOLS_CLIENT_TESTING_ORDER_TRANSCRIPT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/strategy/input.h"

namespace client {

// The venue's id of an order or a trade in tests: a UUID that ends in the number.
std::string VenueIdOf(uint64_t number);

// "heard filled 1 0.5600 4.00 fee 0.017500".
std::string HeardText(const strategy::Input& input);

// Returns the text with the right answers. Errors: INVALID_ARGUMENT "<file>:<line>: ...".
absl::StatusOr<std::string> RunOrderTranscript(absl::string_view file, absl::string_view text);

}  // namespace client

#endif  // TOOLS_CLIENT_TESTING_ORDER_TRANSCRIPT_H_
