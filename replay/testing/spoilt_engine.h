// An engine at the other end of an event stream whose replies are changed on their way.

#ifndef REPLAY_TESTING_SPOILT_ENGINE_H_
#define REPLAY_TESTING_SPOILT_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/subject.h"
#include "replay/output.h"
#include "replay/testing/loopback.h"

namespace replay {

// The end that asks. `subject` outlives it.
class SpoiltEngine final : public ByteChannel {
 public:
  using Spoil = std::function<void(Frame&)>;

  SpoiltEngine(Subject& subject, uint64_t row_schema_id, Spoil spoil)
      : honest_(subject, row_schema_id), spoil_(std::move(spoil)) {}

  absl::Status Write(engine::Bytes bytes) override { return honest_.Write(bytes); }
  absl::StatusOr<size_t> Read(engine::MutableBytes into) override {
    if (replies_.bytes().empty()) {
      ASSIGN_OR_RETURN(std::optional<Frame> frame, ReadFrame(honest_));
      if (!frame.has_value()) return 0;
      spoil_(*frame);
      RETURN_IF_ERROR(WriteFrame(replies_, frame->kind, frame->payload));
    }
    return replies_.Read(into);
  }

 private:
  Loopback honest_;
  ByteQueue replies_;
  const Spoil spoil_;
};

// Changes the events of the records from `first` on, and the answer before them so that its digest
// is theirs.
class SpoiltEvents {
 public:
  using Spoil = std::function<void(std::vector<std::byte>&)>;

  // `honest` is the subject that the engine serves, and outlives this.
  SpoiltEvents(Subject& honest, uint64_t first, Spoil spoil)
      : honest_(honest), first_(first), spoil_(std::move(spoil)) {}

  void operator()(Frame& frame) {
    if (frame.kind == FrameKind::kEvents && is_spoilt_) frame.payload = sent_;
    if (frame.kind != FrameKind::kAnswer) return;
    absl::StatusOr<Answer> answer = DecodeAnswer(frame.payload);
    is_spoilt_ = answer.ok() && answer->last.value() >= first_;
    if (!is_spoilt_) return;
    const engine::Bytes events = std::as_bytes(*honest_.Outputs());
    sent_.assign(events.begin(), events.end());
    spoil_(sent_);
    answer->output_count = sent_.size() / sizeof(Output);
    answer->outputs = engine::DigestOf(sent_);
    frame.payload = Encode(*answer);
  }

 private:
  Subject& honest_;
  const uint64_t first_;
  const Spoil spoil_;
  bool is_spoilt_ = false;
  std::vector<std::byte> sent_;
};

}  // namespace replay

#endif  // REPLAY_TESTING_SPOILT_ENGINE_H_
