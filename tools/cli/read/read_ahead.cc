#include "tools/cli/read/read_ahead.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "journal/record.h"
#include "tools/os/doorbells.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr size_t kBlocksAhead = 8;
// Waking the thread for every returned block would cost a tenth of the time to apply one; other
// blocks are ready meanwhile.
constexpr size_t kRungEvery = kBlocksAhead / 2;
constexpr uint32_t kSpinCount = 200;
constexpr int64_t kWaitNanos = 1'000'000'000;

// The slot of one block. Owned by the thread that claimed it until `done` is set, then by the
// caller.
struct Place {
  journal::TakenBlock block;
  absl::StatusOr<journal::Batch> batch;  // Empty: the end.
  std::atomic<uint64_t> done = 0;        // Number + 1 of the block that was decoded.
};

}  // namespace

// Blocks are numbered from 0; block n uses slot n modulo kBlocksAhead.
class ReadAhead::Impl {
 public:
  explicit Impl(journal::Reader& reader)
      : reader_(reader),
        thread_(
            "read ahead", [this] { Decode(); }, [this] { Stop(); }) {}

  absl::StatusOr<journal::Batch> NextBatch() {
    if (taken_ != given_back_.load(std::memory_order_relaxed)) {
      given_back_.store(taken_, std::memory_order_release);
      if (taken_ % kRungEvery == 0) room_.Ring();
    }
    Place& next = places_[taken_ % kBlocksAhead];
    while (next.done.load(std::memory_order_acquire) != taken_ + 1) {
      if (!DecodeOne(own_room_)) done_.Wait(kWaitNanos);
    }
    // The end and an error stay in their slot, so that every later call returns them.
    if (next.batch.ok() && !next.batch->empty()) ++taken_;
    return next.batch;
  }

 private:
  // The loop of the background thread.
  void Decode() {
    journal::DecodingRoom room;
    while (!is_stopped_.load(std::memory_order_acquire)) {
      if (!DecodeOne(room)) room_.Wait(kWaitNanos);
    }
  }

  // Decodes the next unclaimed block. Returns false if there is none, or no free slot for it.
  bool DecodeOne(journal::DecodingRoom& room) {
    uint64_t number = 0;
    absl::StatusOr<bool> is_taken = false;
    {
      const MutexLock lock(claim_);
      if (is_at_end_ || claimed_ - given_back_.load(std::memory_order_acquire) == kBlocksAhead) {
        return false;
      }
      number = claimed_++;
      is_taken = reader_.TakeBlock(places_[number % kBlocksAhead].block);
      is_at_end_ = !is_taken.ok() || !*is_taken;
    }
    Place& place = places_[number % kBlocksAhead];
    place.batch = journal::Batch();
    if (!is_taken.ok()) {
      place.batch = is_taken.status();
    } else if (*is_taken) {
      place.batch = place.block.Decode(room);
    }
    place.done.store(number + 1, std::memory_order_release);
    done_.Ring();
    return true;
  }

  void Stop() {
    is_stopped_.store(true, std::memory_order_release);
    room_.Ring();
  }

  Mutex claim_;  // Guards the next three members.
  journal::Reader& reader_;
  uint64_t claimed_ = 0;
  bool is_at_end_ = false;

  std::array<Place, kBlocksAhead> places_;
  FutexDoorbell room_{kSpinCount};  // Rung when a slot becomes free.
  FutexDoorbell done_{kSpinCount};  // Rung when a block is decoded.
  std::atomic<uint64_t> given_back_ = 0;
  std::atomic<bool> is_stopped_ = false;

  // Used only by the caller.
  uint64_t taken_ = 0;  // One more than given_back_ while a block is in use.
  journal::DecodingRoom own_room_;

  Thread thread_;  // The last member: it uses all others.
};

ReadAhead::ReadAhead(journal::Reader& reader) : impl_(std::make_unique<Impl>(reader)) {}

ReadAhead::~ReadAhead() = default;

absl::StatusOr<journal::Batch> ReadAhead::NextBatch() { return impl_->NextBatch(); }

}  // namespace tools
