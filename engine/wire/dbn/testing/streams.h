// DBN streams of a few records, in all versions.

#ifndef ENGINE_WIRE_DBN_TESTING_STREAMS_H_
#define ENGINE_WIRE_DBN_TESTING_STREAMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/wire/dbn/metadata.h"
#include "engine/wire/dbn/records.h"

namespace engine {

inline constexpr uint64_t kDbnTestStart = 1'580'376'606'000'000'000;  // 2020-01-30T09:30:06Z.

// Metadata of MBO in the layout of each version, written out: what Databento's encoder writes.
// Instrument 7 is AAPL on 2020-01-30.
std::string DbnTestMetadata(int version);

// A record of instrument 7, complete with flag 128, a second after kDbnTestStart, with order 1 and
// a size of 10 at 100.00.
DbnMbo DbnTestRecord(char action, char side);

// The bytes of the records.
std::string DbnTestBytes(const std::vector<DbnMbo>& records);

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_TESTING_STREAMS_H_
