// The writing half of a writer: takes closed blocks, leaves them on the medium.
//
//   ring ─► CompressOne ─► … ─► WriteOne: one vectored write for all ─► SyncOne: fdatasync
//             │                    │ written_sequence()                    │ durable_sequence()
//             └ rolls segments     └ frees the blocks                      └ group commit
//
// A state machine of small steps, so that a test can stop the machine between any two of them. In
// production a loop takes the steps, on a thread of its own or inside the calls of the other half.

#ifndef JOURNAL_BLOCK_WRITER_H_
#define JOURNAL_BLOCK_WRITER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "journal/block_ring.h"
#include "journal/compactor.h"
#include "journal/format/block_codec.h"
#include "journal/sealed_segment.h"
#include "journal/segment_chain.h"
#include "journal/storage/storage.h"
#include "journal/watermark_file.h"
#include "journal/writer_options.h"
#include "journal/writer_stats.h"

namespace journal {

// The steps belong to one thread at a time, the writing one; what is const, and the requests, may
// be called by the sequencing one meanwhile.
//
// Failure is sticky: after the first error of the storage no step does anything any more. A disk
// that is full for the reserve is not an error.
class BlockWriter {
 public:
  // `directory` and `ring` outlive it. `chain` may still be without a segment; Start() is called
  // once it has one.
  BlockWriter(Directory& directory, BlockRing& ring, SegmentChain& chain,
              const WriterOptions& options);
  void Start(const LogDigests& digests);

  // Each takes the next step of its kind, and says whether there was one.
  bool CompressOne();
  bool WriteOne();
  bool SyncOne();
  // A stretch of the reserve, if one is wanted and `now` is not too soon after the last. A disk
  // that was full is asked again after a while.
  bool ReserveOne(engine::SteadyTime now);
  // In a pause, when nothing has happened since `now` - heartbeat_nanos: syncs what was written and
  // not waited for, at most once a second, and writes a heartbeat, on the medium.
  bool HeartbeatOne(engine::SteadyTime now);

  // A small step of compacting a sealed segment, if one is wanted and nothing came for a moment.
  // What goes wrong with it is no failure of the writer's: the segment stays as it is.
  bool CompactOne(engine::SteadyTime now);

  // Tells those who follow what is durable, if that has moved: they need not wait for the next
  // block. An aid (watermark_file.h): where it fails they wait.
  bool MarkOne();

  // Everything that is to be done at once; whether there was anything.
  bool Work();
  // Takes steps as they come, until the journal is closed or Stop(). Rings the sequencing thread.
  void Run(const WriterThreads& threads, engine::SteadyClock& clock);
  void Stop() { stop_.store(true, std::memory_order_release); }

  // Without a thread: a heartbeat, if there is something to say; not synced.
  bool WriteHeartbeat();
  // Without a thread, and before it starts: the reserve as far as it goes. Asks a full disk again.
  void ReserveAll();

  // Requests. Those that were handed over before are durable once served() reaches the number.
  uint64_t RequestSync() { return sync_requests_.fetch_add(1, std::memory_order_release) + 1; }
  uint64_t syncs_served() const { return syncs_served_.load(std::memory_order_acquire); }
  // From now on every write is synced, or none but those that are asked for.
  void SyncAlways(bool always) { sync_always_.store(always, std::memory_order_release); }

  // OK, or the error that ended it.
  absl::Status status() const {
    return failed_.load(std::memory_order_acquire) ? status_ : absl::OkStatus();
  }
  bool closed() const { return closed_.load(std::memory_order_acquire); }
  engine::SequenceNumber written_sequence() const { return Mark(written_); }
  engine::SequenceNumber durable_sequence() const { return Mark(durable_); }

  // The reserve that is left for what is not written yet, and how much of that was freed so far.
  // Read freed_bytes() first: then space is never counted twice.
  uint64_t freed_bytes() const { return freed_bytes_.load(std::memory_order_acquire); }
  uint64_t reserve() const { return reserve_.load(std::memory_order_acquire); }
  bool disk_full() const { return disk_full_.load(std::memory_order_acquire); }

  void AddTo(WriterStats& stats) const;

 private:
  // Counted by the writing thread, read by any.
  struct Counter {
    std::atomic<uint64_t> value = 0;
    void Add(uint64_t amount) {
      value.store(value.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
    }
  };

  static engine::SequenceNumber Mark(const std::atomic<uint64_t>& mark) {
    return engine::SequenceNumber(mark.load(std::memory_order_acquire));
  }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  bool Fail(absl::Status status);

  absl::Status StageRecords(ClosedBlock& block);
  absl::Status LayStretch(uint64_t bytes);
  bool BeginCompaction();
  int64_t WaitNanos(engine::SteadyTime now) const;
  int64_t WaitNanosForBlocks() const;
  int64_t WaitNanosForCompaction(engine::SteadyTime now) const;
  void Publish();
  void PublishReserve();

  // Constant after construction.
  BlockRing& ring_;
  SegmentChain& chain_;
  Directory& directory_;
  const uint64_t reserve_bytes_;
  const std::optional<CompactionOptions> compaction_options_;  // Nothing: not to be done.
  const int64_t heartbeat_nanos_;

  // The writing thread's.
  BlockEncoder encoder_;
  AlignedBuffer heartbeat_{kBlockHeaderBytes};
  uint64_t next_ = 0;         // The first in the ring that is not staged yet.
  uint64_t staged_from_ = 0;  // The first that is not written yet.
  uint64_t staged_bytes_bound_ = 0;
  LogDigests digests_;  // Of the log up to next_.
  engine::SteadyTime last_step_;
  bool stepped_ = false;  // Since last_step_ was taken.
  engine::SteadyTime next_stretch_;
  engine::SteadyTime next_pause_sync_;
  bool ends_ = false;  // The journal's last block is staged.
  WatermarkFile watermark_;
  uint64_t marked_block_ = 0;            // What it says.
  std::optional<SealedSegment> sparse_;  // The segment that is compacted, or is next.
  std::unique_ptr<Compactor> compactor_;
  int compaction_attempts_ = 0;  // Of it.
  engine::SteadyTime next_compaction_;

  // Shared.
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
  Counter records_, blocks_, blocks_compressed_, raw_bytes_, syncs_, segments_, stored_bytes_;
  Counter segments_compacted_, bytes_compacted_;
};

}  // namespace journal

#endif  // JOURNAL_BLOCK_WRITER_H_
