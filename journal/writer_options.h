// How a journal is written. Options never change the recorded data, and may differ each time a
// journal is opened.

#ifndef JOURNAL_WRITER_OPTIONS_H_
#define JOURNAL_WRITER_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "engine/base/doorbell.h"

namespace journal {

enum class Compression {
  kNone,  // Rows as they are: 64 bytes a record, the least CPU work.
  kZstd,  // Columns, then zstd, for blocks where that saves 4096 bytes or more.
};

// The doorbells through which the two threads of a writer wake each other. Both outlive the writer.
struct WriterThreads {
  engine::Doorbell& sequencing;  // The thread that appends waits here.
  engine::Doorbell& writing;     // The thread in RunBackground() waits here.
};

struct WriterOptions {
  // The writer seals a segment before it would exceed this size. Range [64 KiB, 16 GiB].
  uint64_t segment_bytes = uint64_t{256} << 20;

  // A block is closed once it has this many records. Range [1, 65536]. In larger blocks rows
  // compress better and more of them share a sync (see `blocks_in_flight`), but a reader needs more
  // memory, and one damaged byte loses a whole block.
  uint32_t block_records = 4096;

  // A block is also closed once it has this many bytes of attachments. Range [1, 4 MiB].
  uint32_t block_attachment_bytes = 256 << 10;

  Compression compression = Compression::kZstd;
  int zstd_level = 1;  // Range [1, 19]. No level above 1 has shown a benefit so far.

  // Disk space that is reserved ahead of use, as zeros on the medium; 0: none. With a reserve, a
  // full disk is detected before a record is accepted, not when it is written: appends are refused
  // until there is space again. Urgent ones (Writer::Space) are refused only once the reserve is
  // used up. Range [ReserveBytesMin(), segment_bytes].
  uint64_t reserve_bytes = 0;

  // If set, a second thread, which calls Writer::RunBackground(), compresses, writes and syncs.
  const WriterThreads* threads = nullptr;
  // The blocks between the two threads: while all are in use, Append() waits. Range [2, 1024].
  uint32_t blocks_in_flight = 8;

  // While the writing thread is idle, it compacts sealed segments of small blocks (compactor.h).
  bool compact = true;

  // The writing thread writes a heartbeat after this long without a record. Range [1 µs, 1 h].
  int64_t heartbeat_nanos = 5'000'000;
};

// The smallest reserve that is sure to have space for every block in flight.
uint64_t ReserveBytesMin(const WriterOptions& options);

// The file space that the largest block takes under these options.
uint64_t BlockBytesMax(const WriterOptions& options);

// Checks every range above. Errors: INVALID_ARGUMENT.
absl::Status CheckOptions(const WriterOptions& options);

}  // namespace journal

#endif  // JOURNAL_WRITER_OPTIONS_H_
