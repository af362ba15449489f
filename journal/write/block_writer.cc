#include "journal/write/block_writer.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/block_header.h"

namespace journal {
namespace {

// A stretch of the reserve is one write, and its zeros are part of the next sync. Stretches are
// normally short, so that a command waiting for that sync is hardly delayed; when the reserve runs
// low they are long, so that few syncs include one.
constexpr uint64_t kStretchBytes = 64 << 10;
constexpr uint64_t kUrgentStretchBytes = 1 << 20;
// One short stretch in this time: a quarter of an ordinary disk's bandwidth.
constexpr int64_t kStretchNanos = 250'000;
// How often to retry a full disk.
constexpr int64_t kDiskFullNanos = 100'000'000;
// A record that arrives during a sync waits for it. So there is at most one sync without a request
// in this time, however often traffic pauses.
constexpr int64_t kPauseSyncNanos = 1'000'000'000;
// Sealed segments are compacted after this long without a step: a client that sends its next
// command as soon as it has its reply is not delayed.
constexpr int64_t kCompactNanos = 250'000;
// How often to retry if another program maintains the journal or the disk is full.
constexpr int64_t kCompactAgainNanos = 10'000'000'000;
constexpr int kCompactAttempts = 100;
// How long the thread waits if no step is due.
constexpr int64_t kLongNanos = 1'000'000'000;

}  // namespace

BlockWriter::BlockWriter(Directory& directory, BlockRing& ring, SegmentChain& chain,
                         const WriterOptions& options)
    : ring_(ring),
      chain_(chain),
      directory_(directory),
      options_(options),
      compacts_(options.compact && options.threads != nullptr),
      encoder_(options.compression == Compression::kZstd ? std::optional(options.zstd_level)
                                                         : std::nullopt),
      watermark_(directory) {}

void BlockWriter::Start(const LogDigests& digests) {
  digests_ = digests;
  Publish();
  PublishReserve();
}

bool BlockWriter::CompressOne() {
  if (failed() || ends_ || next_ == ring_.handed()) return false;
  ClosedBlock& block = ring_.At(next_);
  switch (block.kind) {
    case ClosedBlock::Kind::kRecords:
      if (!Succeeds(StageRecords(block))) return false;
      break;
    case ClosedBlock::Kind::kControl:
      if (!Succeeds(MakeRoomFor(kAlignment))) return false;
      chain_.segment().StageWithoutRecords(BlockKind::kControl, block.encoded, block.control);
      break;
    case ClosedBlock::Kind::kClose:
      ends_ = true;
      break;
  }
  digests_ = block.digests;
  staged_bytes_bound_ += block.bytes_bound;
  ++next_;
  return stepped_ = true;
}

absl::Status BlockWriter::MakeRoomFor(uint64_t stored_bytes) {
  if (chain_.HasRoomFor(stored_bytes)) return absl::OkStatus();
  return chain_.Roll(digests_, chain_.segment().position().last_timestamp);
}

absl::Status BlockWriter::StageRecords(ClosedBlock& block) {
  BlockHeader header = block.records.Header();
  encoder_.Encode(block.records.Body(), header, block.encoded);
  RETURN_IF_ERROR(MakeRoomFor(StoredBytes(header)));
  chain_.segment().Stage(header, block.encoded);
  records_.Add(header.record_count);
  blocks_.Add(1);
  return absl::OkStatus();
}

bool BlockWriter::WriteOne() {
  if (failed() || closed() || staged_from_ == next_) return false;
  if (!Succeeds(chain_.segment().WriteStaged())) return false;
  if (ends_) {
    if (compactor_ != nullptr) std::exchange(compactor_, nullptr)->Abandon();
    absl::Status status = chain_.Finish(digests_);
    watermark_.Remove().IgnoreError();
    if (!Succeeds(std::move(status))) return false;
  }

  // Publish the reserve first: a thread that sees freed_bytes() then also sees what the blocks used
  // of the reserve.
  PublishReserve();
  freed_bytes_.store(
      freed_bytes_.load(std::memory_order_relaxed) + std::exchange(staged_bytes_bound_, 0),
      std::memory_order_release);
  for (; staged_from_ != next_; ++staged_from_) ring_.At(staged_from_).records.Clear();
  Publish();
  ring_.FreeUpTo(next_);
  if (ends_) closed_.store(true, std::memory_order_release);
  return stepped_ = true;
}

bool BlockWriter::SyncOne() {
  if (failed() || closed() || staged_from_ != next_) return false;
  const uint64_t requests = sync_requests_.load(std::memory_order_acquire);
  const bool asked =
      requests != syncs_served_.load(std::memory_order_relaxed) && next_ == ring_.handed();
  if (!asked && !sync_always_.load(std::memory_order_acquire)) return false;
  const bool needed = !chain_.segment().all_durable();
  if (needed) {
    if (!SyncSegment()) return false;
    Publish();
  }
  if (asked) syncs_served_.store(requests, std::memory_order_release);
  if (!needed && !asked) return false;
  return stepped_ = true;
}

bool BlockWriter::ReserveOne(engine::SteadyTime now) {
  if (failed() || closed() || staged_from_ != next_ || !chain_.wants_reserve()) return false;
  // With less than half of the reserve left, ignore the pacing.
  const bool urgent = !disk_full() && chain_.reserved_bytes() < options_.reserve_bytes / 2;
  if (now < next_stretch_ && !urgent) return false;
  absl::Status status = ReserveStretch(urgent ? kUrgentStretchBytes : kStretchBytes);
  next_stretch_ = now + (disk_full() ? kDiskFullNanos : kStretchNanos);
  return Succeeds(std::move(status));
}

void BlockWriter::ReserveAll() {
  if (failed() || closed() || staged_from_ != next_) return;
  disk_full_.store(false, std::memory_order_release);
  while (chain_.wants_reserve() && !disk_full()) {
    if (!Succeeds(ReserveStretch(kUrgentStretchBytes))) return;
  }
}

absl::Status BlockWriter::ReserveStretch(uint64_t bytes) {
  const absl::Status status = chain_.ExtendReserve(bytes);
  const bool full = status.code() == absl::StatusCode::kResourceExhausted;
  disk_full_.store(full, std::memory_order_release);
  PublishReserve();
  return full ? absl::OkStatus() : status;
}

bool BlockWriter::HeartbeatOne(engine::SteadyTime now) {
  if (std::exchange(stepped_, false)) last_step_ = now;
  if (failed() || closed() || !is_idle() || now < last_step_ + options_.heartbeat_nanos) {
    return false;
  }
  if (!chain_.segment().all_durable()) {
    if (now < next_pause_sync_ || !SyncSegment()) return false;
    next_pause_sync_ = now + kPauseSyncNanos;
  }
  if (!WriteHeartbeat() || !Succeeds(chain_.segment().Sync())) return false;
  Publish();
  return true;
}

bool BlockWriter::WriteHeartbeat() {
  if (failed() || closed() || !chain_.segment().watermark_unwritten()) return false;
  if (!Succeeds(chain_.segment().WriteBlockWithoutRecords(BlockKind::kHeartbeat))) return false;
  Publish();
  PublishReserve();
  return true;
}

bool BlockWriter::CompactOne(engine::SteadyTime now) {
  if (!compacts_ || failed() || closed() || disk_full() || !is_idle() || now < next_compaction_ ||
      now < last_step_ + kCompactNanos) {
    return false;
  }
  if (compactor_ == nullptr) {
    if (!sparse_.has_value()) {
      if (chain_.sparse().empty()) return false;
      sparse_ = chain_.sparse().front();
      chain_.sparse().pop_front();
    }
    compactor_ = std::make_unique<Compactor>(directory_, *sparse_,
                                             CompactionOptions{.zstd_level = options_.zstd_level});
    return true;
  }
  const absl::StatusOr<Compactor::State> state = compactor_->Step();
  if (state.ok() && *state == Compactor::State::kWorking) return true;
  if (state.ok() && *state == Compactor::State::kReplaced) {
    segments_compacted_.Add(1);
    bytes_compacted_.Add(sparse_->file_bytes - compactor_->bytes_after());
  }
  compactor_.reset();
  const bool may_pass =
      absl::IsUnavailable(state.status()) || absl::IsResourceExhausted(state.status());
  if (may_pass && ++compaction_attempts_ < kCompactAttempts) {
    next_compaction_ = now + kCompactAgainNanos;
  } else {
    sparse_.reset();
    compaction_attempts_ = 0;
  }
  return true;
}

bool BlockWriter::MarkOne() {
  if (failed() || closed()) return false;
  const SegmentWriter& segment = chain_.segment();
  uint64_t durable_block = segment.durable_block();
  uint64_t block_hash = segment.durable_block_hash();
  if (durable_block == marked_block_) return false;
  const absl::Status status = watermark_.Write({.journal_uuid = segment.preamble().journal_uuid,
                                                .incarnation = segment.position().incarnation,
                                                .durable_block = durable_block,
                                                .durable_sequence = segment.durable_sequence(),
                                                .block_hash = block_hash});
  if (status.ok()) marked_block_ = durable_block;
  return status.ok();
}

bool BlockWriter::Work() {
  bool worked = false;
  while (CompressOne()) worked = true;
  worked |= WriteOne();
  worked |= SyncOne();
  return worked;
}

void BlockWriter::Run(const WriterThreads& threads, engine::SteadyClock& clock) {
  while (!failed() && !closed() && !stop_.load(std::memory_order_acquire)) {
    bool worked = Work();
    const engine::SteadyTime now = clock.Now();
    worked |= ReserveOne(now);
    if (!worked) worked = HeartbeatOne(now);
    if (worked) {
      stepped_ = true;
      threads.sequencing.Ring();
      MarkOne();
    } else if (!CompactOne(now)) {
      threads.writing.Wait(WaitNanos(now));
    }
  }
  if (!closed() && !failed()) Fail(absl::UnavailableError("the journal's writing thread stopped"));
  threads.sequencing.Ring();
}

int64_t BlockWriter::WaitNanos(engine::SteadyTime now) const {
  int64_t nanos = kLongNanos;
  if (chain_.wants_reserve()) {
    nanos = disk_full() ? kDiskFullNanos : kStretchNanos;
  } else if (chain_.segment().watermark_unwritten() || !chain_.segment().all_durable()) {
    nanos = options_.heartbeat_nanos;
  }
  const bool has_sparse = compactor_ != nullptr || sparse_.has_value() || !chain_.sparse().empty();
  if (!has_sparse || !compacts_ || disk_full()) return std::min(nanos, kLongNanos);
  const engine::SteadyTime next = std::max(next_compaction_, last_step_ + kCompactNanos);
  return std::min(nanos, std::clamp<int64_t>(next.nanos() - now.nanos(), 1, kLongNanos));
}

bool BlockWriter::SyncSegment() {
  if (!Succeeds(chain_.segment().Sync())) return false;
  syncs_.Add(1);
  return true;
}

void BlockWriter::Publish() {
  written_.store(chain_.segment().written_sequence().value(), std::memory_order_release);
  durable_.store(chain_.segment().durable_sequence().value(), std::memory_order_release);
  segments_.value.store(chain_.segments_begun(), std::memory_order_relaxed);
  stored_bytes_.value.store(chain_.stored_bytes(), std::memory_order_relaxed);
}

void BlockWriter::PublishReserve() {
  reserve_.store(closed() || options_.reserve_bytes == 0 ? 0 : chain_.reserved_bytes(),
                 std::memory_order_release);
}

bool BlockWriter::Fail(absl::Status status) {
  CHECK(!status.ok() && !failed());
  status_ = std::move(status);
  failed_.store(true, std::memory_order_release);
  return false;
}

WriterStats BlockWriter::stats() const {
  return {.records = records_.Get(),
          .blocks = blocks_.Get(),
          .segments = segments_.Get(),
          .stored_bytes = stored_bytes_.Get(),
          .segments_compacted = segments_compacted_.Get(),
          .bytes_compacted = bytes_compacted_.Get(),
          .syncs = syncs_.Get()};
}

}  // namespace journal
