#include "replay/compare/event_stream_server.h"

#include <optional>
#include <span>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "replay/output.h"

namespace replay {

absl::StatusOr<bool> EventStreamServer::Next() {
  ASSIGN_OR_RETURN(const std::optional<Frame> frame, ReadFrame(channel_));
  if (!frame.has_value()) return false;
  if (!greeted_ && frame->kind != FrameKind::kHello) {
    return absl::DataLossError("event stream: the first frame is not a hello");
  }
  RETURN_IF_ERROR(AnswerTo(*frame));
  return true;
}

absl::Status EventStreamServer::AnswerTo(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::kHello: {
      // Answers before it checks the hello, so that the other end knows both versions too.
      RETURN_IF_ERROR(WriteFrame(channel_, FrameKind::kHello, Encode(ours_)));
      ASSIGN_OR_RETURN(const StreamHello theirs, DecodeHello(frame.payload));
      greeted_ = true;
      return CheckCompatible(theirs, ours_);
    }
    case FrameKind::kRecords: {
      ASSIGN_OR_RETURN(const RecordsFrame records, DecodeRecords(frame.payload));
      ASSIGN_OR_RETURN(
          const Answer answer,
          Put(subject_, {.rows = records.rows, .attachments = records.attachments}, records.ask));
      return WriteFrame(channel_, FrameKind::kAnswer, Encode(answer));
    }
    case FrameKind::kEvents: {
      ASSIGN_OR_RETURN(const std::span<const Output> outputs, subject_.Outputs());
      return WriteFrame(channel_, FrameKind::kEvents, std::as_bytes(outputs));
    }
    case FrameKind::kOrders: {
      ASSIGN_OR_RETURN(const OrdersRequest request, DecodeOrdersRequest(frame.payload));
      ASSIGN_OR_RETURN(const auto orders, subject_.Orders(request.market, request.side));
      return WriteFrame(channel_, FrameKind::kOrders, Encode(orders));
    }
    case FrameKind::kReset:
      RETURN_IF_ERROR(subject_.Reset());
      return WriteFrame(channel_, FrameKind::kAnswer, Encode(Answer()));
    case FrameKind::kSave:
      return AnswerToSave();
    case FrameKind::kState:
      return AnswerToState(frame);
    case FrameKind::kAnswer:
    case FrameKind::kFailed:
    case FrameKind::kCannot:
      break;
  }
  return absl::DataLossError(absl::StrCat("event stream: a frame of kind ",
                                          static_cast<unsigned>(frame.kind),
                                          ", which this version does not know"));
}

absl::Status EventStreamServer::Cannot(absl::string_view why) {
  return WriteFrame(channel_, FrameKind::kCannot, engine::AsBytes(why));
}

absl::Status EventStreamServer::AnswerToSave() {
  const absl::StatusOr<SavedState> state = subject_.Save();
  if (!state.ok()) return Cannot(state.status().message());
  if (!FitsAFrame(*state)) return Cannot("the state is larger than a frame");
  return WriteFrame(channel_, FrameKind::kState, Encode(*state));
}

absl::Status EventStreamServer::AnswerToState(const Frame& frame) {
  ASSIGN_OR_RETURN(const SavedState state, DecodeState(frame.payload));
  const absl::Status loaded = subject_.Load(state);
  if (!loaded.ok()) return Cannot(loaded.message());
  Answer answer;
  answer.last = state.sequence;
  answer.state = state.digest;
  return WriteFrame(channel_, FrameKind::kAnswer, Encode(answer));
}

absl::StatusOr<bool> EventStreamServer::AnswerNext() {
  const absl::StatusOr<bool> more = Next();
  if (more.ok()) return more;
  const std::string why(more.status().message());
  // The other end may be gone; the first error is the one to return.
  (void)WriteFrame(channel_, FrameKind::kFailed, engine::AsBytes(why));
  return more.status();
}

absl::Status EventStreamServer::Run() {
  while (true) {
    ASSIGN_OR_RETURN(const bool more, AnswerNext());
    if (!more) return absl::OkStatus();
  }
}

}  // namespace replay
