// The engine's end of the event stream; `ticktape engine-server` runs it.

#ifndef REPLAY_COMPARE_EVENT_STREAM_SERVER_H_
#define REPLAY_COMPARE_EVENT_STREAM_SERVER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "replay/compare/byte_channel.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/subject.h"

namespace replay {

// Not thread-safe. `channel` and `subject` outlive it.
class EventStreamServer {
 public:
  // `row_schema_id` identifies the schema of the rows that `subject` reads.
  EventStreamServer(ByteChannel& channel, Subject& subject, uint64_t row_schema_id)
      : channel_(channel),
        subject_(subject),
        ours_{.row_schema_id = row_schema_id, .identity = subject.identity()} {}

  // Answers one frame; returns false at the end of the input. Errors: the channel's; DATA_LOSS and
  // UNIMPLEMENTED for a frame that cannot be answered, after the other end has been sent the error.
  absl::StatusOr<bool> AnswerNext();

  // Answers frames until the end of the input.
  absl::Status Run();

 private:
  absl::StatusOr<bool> Next();
  absl::Status AnswerTo(const Frame& frame);
  absl::Status AnswerToSave();
  absl::Status AnswerToState(const Frame& frame);
  absl::Status Cannot(absl::string_view why);

  ByteChannel& channel_;
  Subject& subject_;
  const StreamHello ours_;
  bool greeted_ = false;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_EVENT_STREAM_SERVER_H_
