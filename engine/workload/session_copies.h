// A recorded session, and copies of it in more markets: long enough to be measured, with the order
// flow and the distribution of activity over symbols of a real market.
//
//   [ define markets of copy 0, 1, 2, ... | orders of copy 0 | orders of copy 1 | ... ]
//     warm-up                               timed

#ifndef ENGINE_WORKLOAD_SESSION_COPIES_H_
#define ENGINE_WORKLOAD_SESSION_COPIES_H_

#include <cstdint>
#include <string>

#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/workload/workload.h"

namespace bench {

struct SessionCopies {
  std::string name;
  engine::Bytes itch_stream;   // Compressed or not. REQUIRES: well-formed.
  engine::Timestamp midnight;  // From when the times of the stream count.
  uint32_t copy_count = 1;     // At least 1.
};

// The orders of the stream as ItchTranslator translates them. The market ids of copy k are k times
// the highest of the session greater; its symbols end in "/k", those of copy 0 are unchanged. Each
// copy begins when the one before ends.
Workload MakeSessionCopies(const SessionCopies& options);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_SESSION_COPIES_H_
