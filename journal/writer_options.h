// How a journal is written. None of it changes what is recorded, and a journal may be written under
// other options the next time.

#ifndef JOURNAL_WRITER_OPTIONS_H_
#define JOURNAL_WRITER_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "engine/base/doorbell.h"

namespace journal {

enum class Compression {
  kNone,  // Rows as they are: 64 bytes a record, the least work on the way to the disk.
  kZstd,  // Columns, then zstd, for blocks where it saves a sector or more.
};

// How the two threads of a writer reach each other. Both bells outlive the writer.
struct WriterThreads {
  engine::Doorbell& sequencing;  // The thread that appends waits here …
  engine::Doorbell& writing;     // … and the one in RunBackground() here.
};

struct WriterOptions {
  // A segment is sealed and the next one begun before it would exceed this. Range [64 KiB, 16 GiB].
  uint64_t segment_bytes = uint64_t{256} << 20;

  // A block is written once it has this many records … Range [1, 65536]. With more, rows compress
  // better, more of them share a sync (see `blocks_in_flight`) and a reader takes more memory; a
  // block is also what one damaged byte can take away.
  uint32_t block_records = 4096;

  // … or this many bytes of attachments. Range [1, 4 MiB].
  uint32_t block_attachment_bytes = 256 << 10;

  Compression compression = Compression::kZstd;
  int zstd_level = 1;  // Range [1, 19]. More than 1 has not been seen to pay.

  // Space that is taken ahead of use, as zeros on the medium; 0: none. With it, a full disk is met
  // before a record is accepted and not when it is written: appends are refused, urgent ones only
  // once the reserve is used up, and accepted again when there is space. At least
  // ReserveBytesMin(), at most segment_bytes.
  uint64_t reserve_bytes = 0;

  // Set: another thread, which calls Writer::RunBackground(), compresses, writes and syncs. Up to
  // `blocks_in_flight` blocks wait for it; then Append() waits. Range [2, 1024].
  const WriterThreads* threads = nullptr;
  uint32_t blocks_in_flight = 8;

  // That thread also compacts sealed segments of small blocks while it is idle (compactor.h).
  bool compact = true;

  // That thread writes a heartbeat when nothing came for this long. Range [1 µs, 1 h].
  int64_t heartbeat_nanos = 5'000'000;
};

// The least reserve with which every block in flight is sure to find its place.
uint64_t ReserveBytesMin(const WriterOptions& options);

// What the largest block under these options takes of its file.
uint64_t BlockBytesMax(const WriterOptions& options);

// Errors: INVALID_ARGUMENT.
absl::Status CheckOptions(const WriterOptions& options);

}  // namespace journal

#endif  // JOURNAL_WRITER_OPTIONS_H_
