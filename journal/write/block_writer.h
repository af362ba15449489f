// The writing half of a writer: takes closed blocks and makes them durable.
//
//   ring ─► CompressOne ─► … ─► WriteOne: one vectored write for all ─► SyncOne: fdatasync
//             │                    │ written_sequence()                    │ durable_sequence()
//             └ rolls segments     └ frees the blocks                      └ group commit
//
// A state machine of small steps, so that a test can simulate a crash between any two of them. In
// production a loop takes the steps, on its own thread or inside the calls of the sequencing half.

#ifndef JOURNAL_WRITE_BLOCK_WRITER_H_
#define JOURNAL_WRITE_BLOCK_WRITER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "journal/format/block_codec.h"
#include "journal/format/watermark_file.h"
#include "journal/storage/storage.h"
#include "journal/write/block_ring.h"
#include "journal/write/compactor.h"
#include "journal/write/segment_chain.h"
#include "journal/write/segment_writer.h"
#include "journal/writer_options.h"

namespace journal {

// Totals since the writer was created. A regular value type.
struct WriterStats {
  uint64_t records = 0;
  uint64_t blocks = 0;        // DATA blocks.
  uint64_t segments = 0;      // Begun.
  uint64_t stored_bytes = 0;  // Written to segments, padding included, the reserve's zeros not.
  uint64_t segments_compacted = 0;
  uint64_t bytes_compacted = 0;  // Bytes that compaction has saved.
  uint64_t syncs = 0;            // Without the syncs that begin and seal segments.
};

// The steps belong to one thread at a time, the writing thread. The sequencing thread may call
// const functions and requests at the same time.
//
// Errors are sticky: after the first storage error every step does nothing. A disk that has no
// space for the reserve is not an error.
class BlockWriter {
 public:
  // All references outlive it. `chain` need not have a segment yet; the caller calls Start() once
  // it has one.
  BlockWriter(Directory& directory, BlockRing& ring, SegmentChain& chain,
              const WriterOptions& options);
  void Start(const LogDigests& digests);

  // Each takes the next step of its kind. Returns whether there was one.
  bool CompressOne();
  bool WriteOne();
  bool SyncOne();
  // Writes a stretch of zeros for the reserve, if that is short and the last stretch was long
  // enough ago. Retries a full disk every 100 ms.
  bool ReserveOne(engine::SteadyTime now);
  // If the last step was heartbeat_nanos or more before `now`: syncs written blocks that no request
  // waits for, at most once a second, then writes and syncs a HEARTBEAT block.
  bool HeartbeatOne(engine::SteadyTime now);

  // Takes a small step of compacting a sealed segment, if there is a sparse one and the last step
  // was 250 us or more before `now`. Its errors leave the segment unchanged and the writer working.
  bool CompactOne(engine::SteadyTime now);

  // Writes the file `watermark` if the watermark has advanced, so that followers need not wait for
  // the next block. Errors are ignored: followers then wait (watermark_file.h).
  bool MarkOne();

  // Takes all steps that are due immediately. Returns whether there were any.
  bool Work();
  // Takes steps until the journal is closed, a step has failed or Stop() is called; rings the
  // sequencing thread after each round of work. Ending by Stop() is a sticky error, UNAVAILABLE.
  void Run(const WriterThreads& threads, engine::SteadyClock& clock);
  void Stop() { stop_.store(true, std::memory_order_release); }

  // Writes a HEARTBEAT block, without a sync, if the newest block has an older watermark.
  bool WriteHeartbeat();
  // Without a writing thread, or before it starts: writes zeros until the reserve is complete or
  // the disk is full. Retries a full disk.
  void ReserveAll();

  // Requests a sync. Blocks that were handed over before are durable once syncs_served() reaches
  // the number returned.
  uint64_t RequestSync() { return sync_requests_.fetch_add(1, std::memory_order_release) + 1; }
  uint64_t syncs_served() const { return syncs_served_.load(std::memory_order_acquire); }
  // True: every write is synced from now on. False: only requests sync.
  void SyncAlways(bool always) { sync_always_.store(always, std::memory_order_release); }

  // OK, or the sticky error.
  absl::Status status() const {
    return failed_.load(std::memory_order_acquire) ? status_ : absl::OkStatus();
  }
  bool closed() const { return closed_.load(std::memory_order_acquire); }
  engine::SequenceNumber written_sequence() const { return Mark(written_); }
  engine::SequenceNumber durable_sequence() const { return Mark(durable_); }

  // freed_bytes(): the bytes_bound of all blocks written so far. reserve(): the bytes left in the
  // reserve. Read freed_bytes() first, so that no space is counted twice.
  uint64_t freed_bytes() const { return freed_bytes_.load(std::memory_order_acquire); }
  uint64_t reserve() const { return reserve_.load(std::memory_order_acquire); }
  bool disk_full() const { return disk_full_.load(std::memory_order_acquire); }

  WriterStats stats() const;

 private:
  // Incremented by the writing thread, read by any thread.
  struct Counter {
    std::atomic<uint64_t> value = 0;
    uint64_t Get() const { return value.load(std::memory_order_relaxed); }
    void Add(uint64_t amount) { value.store(Get() + amount, std::memory_order_relaxed); }
  };

  static engine::SequenceNumber Mark(const std::atomic<uint64_t>& mark) {
    return engine::SequenceNumber(mark.load(std::memory_order_acquire));
  }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  // Makes `status` the sticky error. Returns false.
  bool Fail(absl::Status status);
  // Whether `status` is OK; if not, it becomes the sticky error.
  bool Succeeds(absl::Status status) { return status.ok() || Fail(std::move(status)); }
  bool SyncSegment();
  // Whether all blocks are written, and none waits.
  bool is_idle() const { return next_ == ring_.handed() && staged_from_ == next_; }
  absl::Status StageRecords(ClosedBlock& block);
  // Begins the next segment if this one has no room for a block of `stored_bytes`.
  absl::Status MakeRoomFor(uint64_t stored_bytes);
  absl::Status ReserveStretch(uint64_t bytes);
  int64_t WaitNanos(engine::SteadyTime now) const;
  void Publish();
  void PublishReserve();

  // Constant after construction.
  BlockRing& ring_;
  SegmentChain& chain_;
  Directory& directory_;
  const WriterOptions& options_;
  const bool compacts_;
  // The writing thread's state.
  BlockEncoder encoder_;
  uint64_t next_ = 0;         // The first block in the ring that is not staged yet.
  uint64_t staged_from_ = 0;  // The first block that is not written yet.
  uint64_t staged_bytes_bound_ = 0;
  LogDigests digests_;  // Of the log up to next_.
  engine::SteadyTime last_step_;
  bool stepped_ = false;  // A step was taken after last_step_.
  engine::SteadyTime next_stretch_;
  engine::SteadyTime next_pause_sync_;
  bool ends_ = false;  // Close() was requested: WriteOne() also seals.
  WatermarkFile watermark_;
  uint64_t marked_block_ = 0;            // The durable_block it holds.
  std::optional<SealedSegment> sparse_;  // The segment being compacted, or the next one.
  std::unique_ptr<Compactor> compactor_;
  int compaction_attempts_ = 0;  // Failed attempts on sparse_.
  engine::SteadyTime next_compaction_;

  // Shared between the threads.
  absl::Status status_;  // Stored before failed_, constant after it.
  std::atomic<bool> failed_ = false;
  std::atomic<bool> closed_ = false;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> sync_always_ = false;
  std::atomic<bool> disk_full_ = false;
  std::atomic<uint64_t> sync_requests_ = 0;
  std::atomic<uint64_t> syncs_served_ = 0;
  std::atomic<uint64_t> written_ = 0;
  std::atomic<uint64_t> durable_ = 0;
  std::atomic<uint64_t> freed_bytes_ = 0;
  std::atomic<uint64_t> reserve_ = 0;
  Counter records_, blocks_, syncs_, segments_, stored_bytes_;
  Counter segments_compacted_, bytes_compacted_;
};

}  // namespace journal

#endif  // JOURNAL_WRITE_BLOCK_WRITER_H_
