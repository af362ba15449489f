// Divides the records of a log among its markets, each with its events, in bounded memory and with
// one open file, however many markets there are.
//
//   record, events ─► Add ─┬─► buffer of a market ──────┐
//                          ├─► buffer of another        ├─ full ─► chunks in a file without a name
//                          └─► buffer of all markets ───┘                       │
//            the records of a market, in the log's order  ◄─ Visit ◄────────────┘
//
// A record goes to the market of its command, and to all if it has none. An event goes to its own
// market, with the record that caused it, and without one to where the record goes.

#ifndef TOOLS_CLI_SLICE_MARKET_SPOOL_H_
#define TOOLS_CLI_SLICE_MARKET_SPOOL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "journal/format/compression.h"
#include "journal/record.h"
#include "journal/storage/storage.h"

namespace tools {

// The memory of all buffers; a chunk that is read takes as much again at most.
inline constexpr size_t kSpoolBufferBytes = size_t{32} << 20;

// Not thread-safe: owned by its caller. `directory` outlives it.
class MarketSpool {
 public:
  // Called with a record that concerns a market, and with its events of that market or of none.
  using Visitor =
      absl::FunctionRef<absl::Status(const journal::Record&, std::span<const engine::Event>)>;

  // What concerns only other markets than `markets` is left out. The file is in `directory`, and
  // only if there is more than `buffer_bytes`.
  MarketSpool(journal::Directory& directory, const engine::MarketDirectory& markets,
              size_t buffer_bytes = kSpoolBufferBytes);

  // Takes the next record of the log. Errors: the storage's.
  absl::Status Add(const journal::Record& record, std::span<const engine::Event> events);

  // Calls `visit` with everything that concerns `market`. Errors: those of `visit`; the storage's.
  // REQUIRES: `market` is one of the markets.
  absl::Status Visit(engine::MarketId market, Visitor visit);

 private:
  class Cursor;
  struct Chunk {
    uint64_t offset = 0;
    size_t stored_bytes = 0;
    size_t bytes = 0;  // The same: stored without compression.
  };
  // Entries: a header, the row, the attachment, the events; each padded to eight bytes.
  struct Stream {
    std::vector<Chunk> chunks;
    std::vector<std::byte> buffer;  // After the chunks.
    size_t last_entry = 0;          // In the buffer, and the number of its record.
    engine::SequenceNumber last_sequence;
  };

  Stream* FindStream(engine::MarketId market);  // Null: not one of the markets.
  void Append(Stream& stream, engine::Bytes bytes);
  void BeginEntry(Stream& stream, const journal::Record& record);
  void AddEvent(Stream& stream, const engine::Event& event);
  absl::Status Spill();

  journal::Directory& directory_;
  const size_t buffer_bytes_;
  std::map<engine::MarketId, Stream> streams_;  // No market: that of all markets.
  size_t buffered_bytes_ = 0;
  std::unique_ptr<journal::File> file_;  // Null until something is spilled.
  uint64_t file_bytes_ = 0;
  journal::Compressor compressor_;
  journal::Decompressor decompressor_;
};

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_MARKET_SPOOL_H_
