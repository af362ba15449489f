#include "replay/compare/foreign_subject.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"

namespace replay {

absl::StatusOr<std::unique_ptr<ForeignSubject>> ForeignSubject::Open(Connect connect,
                                                                     uint64_t row_schema_id) {
  auto subject = std::make_unique<ForeignSubject>(std::move(connect), row_schema_id);
  RETURN_IF_ERROR(subject->Greet());
  return subject;
}

absl::Status ForeignSubject::Greet() {
  ASSIGN_OR_RETURN(channel_, connect_());
  const StreamHello ours = {.row_schema_id = row_schema_id_, .identity = {}};
  ASSIGN_OR_RETURN(const Frame frame, Request(FrameKind::kHello, Encode(ours), FrameKind::kHello));
  ASSIGN_OR_RETURN(const StreamHello theirs, DecodeHello(frame.payload));
  RETURN_IF_ERROR(CheckCompatible(theirs, ours));
  identity_ = theirs.identity;
  minor_ = theirs.minor;
  sent_ = {};
  return absl::OkStatus();
}

absl::StatusOr<Frame> ForeignSubject::Expect(FrameKind kind) {
  if (channel_ == nullptr) return absl::AbortedError("the engine has ended");
  absl::StatusOr<std::optional<Frame>> frame = ReadFrame(*channel_);
  absl::Status status = frame.status();
  if (status.ok() && !frame->has_value()) {
    status = absl::AbortedError("the engine closed its output instead of answering");
  } else if (status.ok() && (*frame)->kind == FrameKind::kFailed) {
    status = absl::UnimplementedError(
        absl::StrCat("the engine cannot answer: ", engine::AsText((*frame)->payload)));
  } else if (status.ok() && (*frame)->kind == FrameKind::kCannot) {
    return absl::UnimplementedError(engine::AsText((*frame)->payload));
  } else if (status.ok() && (*frame)->kind != kind) {
    status = absl::DataLossError(absl::StrCat("event stream: a frame of kind ",
                                              static_cast<unsigned>((*frame)->kind),
                                              " came; expected ", static_cast<unsigned>(kind)));
  }
  if (status.ok()) return **std::move(frame);
  channel_.reset();
  return status;
}

absl::StatusOr<Frame> ForeignSubject::Request(FrameKind request, engine::Bytes payload,
                                              FrameKind reply) {
  if (channel_ == nullptr) return absl::AbortedError("the engine has ended");
  // If the engine ended during the write, Expect() reads its last output.
  const absl::Status written = WriteFrame(*channel_, request, payload);
  if (!written.ok() && !absl::IsAborted(written)) return written;
  return Expect(reply);
}

absl::Status ForeignSubject::Send(const journal::Batch& batch, const Ask& ask) {
  CHECK(!batch.empty());
  if (channel_ == nullptr) return absl::AbortedError("the engine has ended");
  sent_ = batch.rows.back().sequence;
  const absl::Status written = WriteFrame(*channel_, FrameKind::kRecords, Encode(batch, ask));
  return absl::IsAborted(written) ? absl::OkStatus() : written;  // Receive() reports it.
}

absl::Status ForeignSubject::CheckIsAt(engine::SequenceNumber record) {
  if (record == sent_) return absl::OkStatus();
  channel_.reset();
  return absl::DataLossError(absl::StrCat("event stream: the engine answered for record ",
                                          record.value(), "; expected ", sent_.value()));
}

absl::StatusOr<Answer> ForeignSubject::Receive() {
  ASSIGN_OR_RETURN(const Frame frame, Expect(FrameKind::kAnswer));
  ASSIGN_OR_RETURN(answer_, DecodeAnswer(frame.payload));
  RETURN_IF_ERROR(CheckIsAt(answer_.last));
  return answer_;
}

// Sends a request that brings the engine to the state after `last`.
absl::Status ForeignSubject::RequestAnswer(FrameKind request, engine::Bytes payload,
                                           engine::SequenceNumber last) {
  ASSIGN_OR_RETURN(const Frame frame, Request(request, payload, FrameKind::kAnswer));
  ASSIGN_OR_RETURN(answer_, DecodeAnswer(frame.payload));
  sent_ = last;
  return CheckIsAt(answer_.last);
}

absl::StatusOr<std::span<const Output>> ForeignSubject::Outputs() {
  ASSIGN_OR_RETURN(const Frame frame, Request(FrameKind::kEvents, {}, FrameKind::kEvents));
  ASSIGN_OR_RETURN(outputs_, DecodeOutputs(frame.payload));
  if (outputs_.size() == answer_.output_count &&
      engine::DigestOf(frame.payload) == answer_.outputs) {
    return outputs_;
  }
  channel_.reset();
  return absl::DataLossError(absl::StrCat(
      "event stream: the engine sent ", outputs_.size(), " events of the records up to ",
      answer_.last.value(), "; they are not the ", answer_.output_count, " whose digest it gave"));
}

absl::StatusOr<std::vector<engine::RestingOrder>> ForeignSubject::Orders(engine::MarketId market,
                                                                         engine::Side side) {
  ASSIGN_OR_RETURN(const Frame frame, Request(FrameKind::kOrders,
                                              Encode(OrdersRequest{.market = market, .side = side}),
                                              FrameKind::kOrders));
  return DecodeOrders(frame.payload);
}

absl::Status ForeignSubject::Reset() {
  if (channel_ == nullptr) return Greet();
  return RequestAnswer(FrameKind::kReset, {}, engine::SequenceNumber());
}

absl::Status ForeignSubject::CheckKnowsStates() const {
  if (minor_ >= kStreamMinorOfStates) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("the engine '", identity_.name, "' speaks version ",
                                               kStreamMajor, ".", minor_,
                                               " of the event stream, which has no states"));
}

absl::StatusOr<SavedState> ForeignSubject::Save() {
  RETURN_IF_ERROR(CheckKnowsStates());
  ASSIGN_OR_RETURN(const Frame frame, Request(FrameKind::kSave, {}, FrameKind::kState));
  ASSIGN_OR_RETURN(SavedState state, DecodeState(frame.payload));
  RETURN_IF_ERROR(CheckIsAt(state.sequence));
  return state;
}

absl::Status ForeignSubject::Load(const SavedState& state) {
  if (channel_ == nullptr) RETURN_IF_ERROR(Greet());
  absl::Status able = CheckKnowsStates();
  if (able.ok() && !FitsAFrame(state)) {
    able = absl::UnimplementedError("the state is larger than a frame of the event stream");
  }
  if (!able.ok()) {
    RETURN_IF_ERROR(Reset());
    return able;
  }
  // If it cannot load the state, the engine is as after a reset.
  sent_ = {};
  return RequestAnswer(FrameKind::kState, Encode(state), state.sequence);
}

}  // namespace replay
