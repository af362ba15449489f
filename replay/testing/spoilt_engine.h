// An engine at the other end of an event stream whose replies are changed on their way.

#ifndef REPLAY_TESTING_SPOILT_ENGINE_H_
#define REPLAY_TESTING_SPOILT_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "replay/compare/byte_channel.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/subject.h"
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

}  // namespace replay

#endif  // REPLAY_TESTING_SPOILT_ENGINE_H_
