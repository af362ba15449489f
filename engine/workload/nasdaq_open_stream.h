// A real session of Nasdaq, embedded in the program, so that it needs no file: the start of the day
// for all 8,849 symbols, then 100 ms of the open.
//
// testdata/itch/README.md names the source and has the counts of the messages.

#ifndef ENGINE_WORKLOAD_NASDAQ_OPEN_STREAM_H_
#define ENGINE_WORKLOAD_NASDAQ_OPEN_STREAM_H_

#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"

namespace bench {

// The ITCH stream, gzipped. Valid forever.
engine::Bytes NasdaqOpenStream();

// From when its times count: midnight in New York, 2019-07-30T04:00:00Z.
inline constexpr engine::Timestamp kNasdaqOpenMidnight =
    engine::Timestamp::FromNanos(1'564'459'200'000'000'000);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_NASDAQ_OPEN_STREAM_H_
