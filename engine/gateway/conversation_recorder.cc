#include "engine/gateway/conversation_recorder.h"

#include <string>

#include "engine/base/digest.h"

namespace engine {

TalkRow ConversationRecorder::RowOf(TalkKind kind, SessionId id) const {
  TalkRow row;
  row.applied = venue_.last_applied();
  row.released = venue_.last_released();
  row.place = id.place;
  row.generation = id.generation;
  row.kind = kind;
  return row;
}

void ConversationRecorder::Add(const TalkRow& row, Bytes attachment) {
  released_ = row.released;
  talk_.Append(row, attachment);
}

SessionId ConversationRecorder::Open() {
  // Before the call, as all rows are: the id is what the gateway gives next.
  TalkRow row = RowOf(TalkKind::kOpened, {});
  const SessionId id = gateway_->Open();
  row.place = id.place;
  row.generation = id.generation;
  Add(row, {});
  if (masks_.size() <= id.place) masks_.resize(id.place + 1);
  masks_[id.place] = LoginMask();
  return id;
}

void ConversationRecorder::Close(SessionId id) {
  Add(TalkKind::kClosed, id);
  gateway_->Close(id);
}

absl::Status ConversationRecorder::OnBytes(SessionId id, Bytes bytes) {
  TalkRow row = RowOf(TalkKind::kBytes, id);
  row.length = bytes.size();
  LoginMask& mask = masks_[id.place];
  if (mask.has_ended()) {
    Add(row, bytes);
  } else {
    Add(row, AsBytes(mask.Mask(bytes)));
  }
  return gateway_->OnBytes(id, bytes);
}

absl::Status ConversationRecorder::Continue(SessionId id) {
  Add(TalkKind::kContinued, id);
  return gateway_->Continue(id);
}

absl::Status ConversationRecorder::OnEnd(SessionId id) {
  Add(TalkKind::kInputEnded, id);
  return gateway_->OnEnd(id);
}

void ConversationRecorder::TakeReady(
    absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  if (!gateway_->has_ready()) return;
  Add(TalkKind::kOffered, {});
  gateway_->TakeReady([&](SessionId id, absl::string_view replies) {
    const bool is_taken = take(id, replies);
    if (replies.empty()) return is_taken;
    TalkRow row = RowOf(is_taken ? TalkKind::kSent : TalkKind::kHeld, id);
    row.length = replies.size();
    row.hash = DigestOf(AsBytes(replies)).low;
    const bool is_kept = is_taken && options_.keeps_sent_bytes;
    Add(row, AsBytes(replies.substr(0, is_kept ? kTalkAttachmentBytesMax : 0)));
    return is_taken;
  });
}

void ConversationRecorder::Resume(SessionId id) {
  Add(TalkKind::kResumed, id);
  gateway_->Resume(id);
}

absl::Status ConversationRecorder::Work(absl::FunctionRef<bool()> has_room) {
  if (!gateway_->has_work()) return absl::OkStatus();
  Add(TalkKind::kWorked, {});
  return gateway_->Work([&] {
    if (has_room()) return true;
    Add(TalkKind::kNoRoom, {});
    return false;
  });
}

absl::StatusOr<TextLogin> ConversationRecorder::Login(absl::string_view name,
                                                      absl::string_view secret) {
  const absl::StatusOr<TextLogin> login = logins_.Login(name, secret);
  TalkRow row = RowOf(TalkKind::kLogin, {});
  if (login.ok()) {
    row.detail = kLoginAccepted | (login->cancels_at_end ? kLoginCancelsAtEnd : 0);
    row.account = login->account;
  }
  Add(row, {});
  return login;
}

absl::StatusOr<SequenceNumber> ConversationRecorder::Submit(const Command& command,
                                                            Bytes attachment) {
  const absl::StatusOr<SequenceNumber> sequence = sink_->Submit(command, attachment);
  if (absl::IsResourceExhausted(sequence.status())) {
    Add(TalkKind::kRefused, {});
  } else if (venue_.last_released() != released_) {
    Add(TalkKind::kReleased, {});
  }
  return sequence;
}

}  // namespace engine
