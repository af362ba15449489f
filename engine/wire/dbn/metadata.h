// The header of a DBN stream: what it holds, of when, and the symbols of its instruments.

#ifndef ENGINE_WIRE_DBN_METADATA_H_
#define ENGINE_WIRE_DBN_METADATA_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/wire/dbn/records.h"

namespace engine {

// The kind of the records, with DBN's numbers. Others exist.
enum class DbnSchema : uint16_t {
  kMbo = 0,
  kMbp10 = 2,
  kTrades = 4,
  kMixed = 0xffff,  // A live recording: several kinds.
};

// Kinds of symbols, with DBN's numbers. Others exist.
inline constexpr uint8_t kDbnInstrumentIds = 0;
inline constexpr uint8_t kDbnRawSymbols = 1;

// Which text is an instrument's symbol on which days.
struct DbnMapping {
  struct Interval {
    uint32_t start_date = 0;  // 20200130.
    uint32_t end_date = 0;    // The day after the last.
    std::string symbol = {};
  };
  std::string symbol = {};
  std::vector<Interval> intervals = {};
};

// A value type. Symbols are ASCII.
struct DbnMetadata {
  int version = 3;
  std::string dataset = {};  // At most 15 characters.
  DbnSchema schema = DbnSchema::kMixed;
  uint64_t start = 0;
  uint64_t end = kDbnNoTime;
  uint8_t symbols_in = kDbnRawSymbols;      // The kind of `symbols` and DbnMapping::symbol.
  uint8_t symbols_out = kDbnInstrumentIds;  // The kind of DbnMapping::Interval::symbol.
  bool has_send_times = false;              // Every record has 8 more bytes at its end (ts_out).
  std::vector<std::string> symbols = {};
  std::vector<DbnMapping> mappings = {};
};

inline constexpr size_t kDbnPrefixBytes = 8;  // "DBN", the version, the length of the rest.

// As version 3. REQUIRES: each text fits its field, see PROTOCOL.md.
std::string EncodeDbnMetadata(const DbnMetadata& metadata);

// Returns the version and the length of what follows the first 8 bytes. Errors: INVALID_ARGUMENT if
// they are not DBN of version 1 to 3, or the length is that of no metadata.
absl::StatusOr<std::pair<int, uint32_t>> ParseDbnPrefix(Bytes prefix);

// `rest` is what follows the first 8 bytes, whole. Errors: INVALID_ARGUMENT with the byte offset in
// the stream.
absl::StatusOr<DbnMetadata> ParseDbnMetadata(int version, Bytes rest);

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_METADATA_H_
