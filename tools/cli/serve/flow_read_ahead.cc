#include "tools/cli/serve/flow_read_ahead.h"

#include <memory>
#include <utility>

#include "engine/base/status_macros.h"
#include "tools/cli/serve/flow_reading.h"

namespace tools {
namespace {

constexpr int64_t kWaitNanos = 1'000'000'000;

}  // namespace

FlowReadAhead::FlowReadAhead(FlowPart part, engine::Doorbell& venue)
    : part_(std::move(part)),
      venue_(venue),
      thread_(
          "flow", [this] { Read(); }, [this] { Stop(); }) {}

absl::StatusOr<engine::FlowSource::State> FlowReadAhead::Take(std::vector<engine::Command>& into) {
  into.clear();
  const MutexLock lock(mutex_);
  if (!ready_.empty()) {
    into.swap(ready_.front());
    ready_.pop_front();
    room_.Ring();
    return State::kMore;
  }
  if (read_round_ == round_) {
    RETURN_IF_ERROR(round_status_);
    return State::kEnd;
  }
  is_hungry_ = true;
  return State::kLater;
}

void FlowReadAhead::BeginAgain() {
  const MutexLock lock(mutex_);
  ++round_;
  room_.Ring();
}

void FlowReadAhead::Read() {
  while (true) {
    uint64_t round = 0;
    {
      const MutexLock lock(mutex_);
      if (is_stopped_) return;
      if (read_round_ != round_) round = round_;
    }
    if (round == 0) {
      room_.Wait(kWaitNanos);
      continue;
    }
    absl::Status status = ReadRound();
    const MutexLock lock(mutex_);
    round_status_ = std::move(status);
    read_round_ = round;
    if (std::exchange(is_hungry_, false)) venue_.Ring();
  }
}

absl::Status FlowReadAhead::ReadRound() {
  ASSIGN_OR_RETURN(const std::unique_ptr<FlowReading> reading,
                   FlowReading::Open(part_.path, part_.range, FlowReading::Markets::kOfRange));
  std::vector<engine::Command> batch;
  while (true) {
    const absl::StatusOr<bool> more = reading->Next([&](const engine::Command& command) {
      if (!IsAboutOrdersOf(part_.market, command)) return;
      batch.push_back(command);
      if (batch.size() == kCommandsOfBatch) Put(batch);
    });
    // What comes before an error is entered.
    if (!batch.empty() && (!more.ok() || !*more || IsHungry())) Put(batch);
    RETURN_IF_ERROR(more.status());
    if (!*more) return absl::OkStatus();
    const MutexLock lock(mutex_);
    if (is_stopped_) return absl::OkStatus();
  }
}

void FlowReadAhead::Put(std::vector<engine::Command>& batch) {
  while (true) {
    {
      const MutexLock lock(mutex_);
      if (is_stopped_) break;
      if (ready_.size() < kBatchesAhead) {
        ready_.push_back(std::move(batch));
        if (std::exchange(is_hungry_, false)) venue_.Ring();
        break;
      }
    }
    room_.Wait(kWaitNanos);
  }
  batch = {};
}

bool FlowReadAhead::IsHungry() {
  const MutexLock lock(mutex_);
  return is_hungry_;
}

void FlowReadAhead::Stop() {
  const MutexLock lock(mutex_);
  is_stopped_ = true;
  room_.Ring();
}

}  // namespace tools
