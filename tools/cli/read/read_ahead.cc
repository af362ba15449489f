#include "tools/cli/read/read_ahead.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "journal/record.h"
#include "tools/os/futex_doorbell.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr size_t kBatchesAhead = 8;
constexpr uint32_t kSpinCount = 200;
constexpr int64_t kWaitNanos = 1'000'000'000;

// A batch that owns its bytes, and keeps its memory from use to use.
class OwnedBatch {
 public:
  void Take(const journal::Batch& batch) {
    rows_.assign(batch.rows.begin(), batch.rows.end());
    attachments_.assign(batch.attachments.begin(), batch.attachments.end());
    bytes_.clear();
    for (const journal::AttachmentView& attachment : attachments_) {
      bytes_.insert(bytes_.end(), attachment.bytes.begin(), attachment.bytes.end());
    }
    size_t at = 0;
    for (journal::AttachmentView& attachment : attachments_) {
      attachment.bytes = engine::Bytes(bytes_).subspan(at, attachment.bytes.size());
      at += attachment.bytes.size();
    }
  }

  journal::Batch Get() const { return {.rows = rows_, .attachments = attachments_}; }

 private:
  std::vector<journal::Row> rows_;
  std::vector<journal::AttachmentView> attachments_;  // Of `bytes_`.
  std::vector<std::byte> bytes_;
};

}  // namespace

// One thread reads and one takes: each counts what it has done, and waits for the other's count.
class ReadAhead::Impl {
 public:
  explicit Impl(journal::Reader& reader)
      : reader_(reader),
        thread_(
            "read ahead", [this] { Read(); }, [this] { Stop(); }) {}

  absl::StatusOr<journal::Batch> NextBatch() {
    if (!thread_.status().ok()) return reader_.NextBatch();
    if (taken_ != given_back_.load(std::memory_order_relaxed)) {
      given_back_.store(taken_, std::memory_order_release);
      reading_.Ring();
    }
    while (read_.load(std::memory_order_acquire) == taken_) {
      if (is_at_end_.load(std::memory_order_acquire)) {
        if (read_.load(std::memory_order_acquire) != taken_) break;
        if (!status_.ok()) return status_;
        return journal::Batch();
      }
      taking_.Wait(kWaitNanos);
    }
    return batches_[taken_++ % kBatchesAhead].Get();
  }

 private:
  void Read() {
    while (!is_stopped_.load(std::memory_order_acquire)) {
      const uint64_t read = read_.load(std::memory_order_relaxed);
      if (read - given_back_.load(std::memory_order_acquire) == kBatchesAhead) {
        reading_.Wait(kWaitNanos);
        continue;
      }
      const absl::StatusOr<journal::Batch> batch = reader_.NextBatch();
      if (!batch.ok() || batch->empty()) {
        status_ = batch.status();
        is_at_end_.store(true, std::memory_order_release);
        return taking_.Ring();
      }
      batches_[read % kBatchesAhead].Take(*batch);
      read_.store(read + 1, std::memory_order_release);
      taking_.Ring();
    }
  }

  void Stop() {
    is_stopped_.store(true, std::memory_order_release);
    reading_.Ring();
  }

  journal::Reader& reader_;
  std::array<OwnedBatch, kBatchesAhead> batches_;
  FutexDoorbell reading_{kSpinCount};
  FutexDoorbell taking_{kSpinCount};
  std::atomic<uint64_t> read_ = 0;
  std::atomic<uint64_t> given_back_ = 0;
  uint64_t taken_ = 0;  // One more than are given back: the one that is in use.
  std::atomic<bool> is_stopped_ = false;
  std::atomic<bool> is_at_end_ = false;
  absl::Status status_;  // Before is_at_end_ it is the reading thread's.

  Thread thread_;  // The last: it uses all of the above.
};

ReadAhead::ReadAhead(journal::Reader& reader) : impl_(std::make_unique<Impl>(reader)) {}

ReadAhead::~ReadAhead() = default;

absl::StatusOr<journal::Batch> ReadAhead::NextBatch() { return impl_->NextBatch(); }

}  // namespace tools
