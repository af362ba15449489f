#include "engine/gateway/conversation_recorder.h"

#include <cstdint>
#include <vector>

#include "engine/base/digest.h"

namespace engine {
namespace {

constexpr int64_t kTimeNanosMin = 1'000'000;

// A mask for each place of a session.
class LoginMasks final : public TalkMask {
 public:
  void Begin(SessionId session) override {
    if (masks_.size() <= session.place) masks_.resize(session.place + 1);
    masks_[session.place] = LoginMask();
  }
  Bytes Mask(SessionId session, Bytes bytes, std::string& masked) override {
    LoginMask& mask = masks_[session.place];
    if (mask.has_ended()) return bytes;
    masked = mask.Mask(bytes);
    return AsBytes(masked);
  }

 private:
  std::vector<LoginMask> masks_;
};

class HeaderMasks final : public TalkMask {
 public:
  void Begin(SessionId session) override {
    if (masks_.size() <= session.place) masks_.resize(session.place + 1);
    masks_[session.place] = HeaderMask();
  }
  Bytes Mask(SessionId session, Bytes bytes, std::string& masked) override {
    masked = masks_[session.place].Mask(bytes);
    return AsBytes(masked);
  }

 private:
  std::vector<HeaderMask> masks_;
};

}  // namespace

std::unique_ptr<TalkMask> MakeLoginMasks() { return std::make_unique<LoginMasks>(); }
std::unique_ptr<TalkMask> MakeHeaderMasks() { return std::make_unique<HeaderMasks>(); }

// ---- The log.

TalkRow ConversationLog::RowOf(TalkKind kind) const {
  TalkRow row;
  row.applied = venue_.last_applied();
  row.released = venue_.last_released();
  row.kind = kind;
  return row;
}

Timestamp ConversationLog::Add(const TalkRow& row, Bytes attachment) {
  released_ = row.released;
  return talk_.Append(row, attachment);
}

void ConversationLog::AddConfiguration(absl::string_view configuration, uint16_t detail) {
  TalkRow row = RowOf(TalkKind::kConfigured);
  row.detail = detail;
  row.set_gateway(TalkGateway::kKalshi);
  while (!configuration.empty()) {
    const absl::string_view piece = configuration.substr(0, kTalkAttachmentBytesMax);
    row.length = piece.size();
    Add(row, AsBytes(piece));
    configuration.remove_prefix(piece.size());
  }
}

absl::StatusOr<SequenceNumber> ConversationLog::Submit(const Command& command, Bytes attachment) {
  const absl::StatusOr<SequenceNumber> sequence = sink_->Submit(command, attachment);
  if (absl::IsResourceExhausted(sequence.status())) {
    Add(TalkKind::kRefused);
  } else if (venue_.last_released() != released_) {
    Add(TalkKind::kReleased);
  }
  return sequence;
}

// ---- A gateway's recorder.

TalkRow ConversationRecorder::RowOf(TalkKind kind, SessionId id) const {
  TalkRow row = log_.RowOf(kind);
  row.place = id.place;
  row.generation = id.generation;
  row.set_gateway(which_);
  return row;
}

SessionId ConversationRecorder::Open() {
  // Before the call, as all rows are: the id is what the gateway gives next.
  TalkRow row = RowOf(TalkKind::kOpened, {});
  const SessionId id = gateway_.Open();
  row.place = id.place;
  row.generation = id.generation;
  Add(row, {});
  mask_->Begin(id);
  return id;
}

void ConversationRecorder::Close(SessionId id) {
  Add(TalkKind::kClosed, id);
  gateway_.Close(id);
}

absl::Status ConversationRecorder::OnBytes(SessionId id, Bytes bytes) {
  TalkRow row = RowOf(TalkKind::kBytes, id);
  row.length = bytes.size();
  time_ = log_.Add(row, mask_->Mask(id, bytes, masked_));
  return gateway_.OnBytes(id, bytes);
}

absl::Status ConversationRecorder::Continue(SessionId id) {
  Add(TalkKind::kContinued, id);
  return gateway_.Continue(id);
}

absl::Status ConversationRecorder::OnEnd(SessionId id) {
  Add(TalkKind::kInputEnded, id);
  return gateway_.OnEnd(id);
}

void ConversationRecorder::TakeReady(
    absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  if (!gateway_.has_ready()) return;
  Add(TalkKind::kOffered, {});
  gateway_.TakeReady([&](SessionId id, absl::string_view replies) {
    const bool is_taken = take(id, replies);
    if (replies.empty() && is_taken) return is_taken;
    TalkRow row = RowOf(is_taken ? TalkKind::kSent : TalkKind::kHeld, id);
    row.length = replies.size();
    row.hash = DigestOf(AsBytes(replies)).low;
    const bool is_kept = is_taken && log_.options().keeps_sent_bytes;
    Add(row, AsBytes(replies.substr(0, is_kept ? kTalkAttachmentBytesMax : 0)));
    return is_taken;
  });
}

void ConversationRecorder::Resume(SessionId id) {
  Add(TalkKind::kResumed, id);
  gateway_.Resume(id);
}

absl::Status ConversationRecorder::Work(absl::FunctionRef<bool()> has_room) {
  if (!gateway_.has_work()) return absl::OkStatus();
  Add(TalkKind::kWorked, {});
  return gateway_.Work([&] {
    if (has_room()) return true;
    Add(TalkKind::kNoRoom, {});
    return false;
  });
}

void ConversationRecorder::OnTime(SteadyTime now) {
  if (which_ == TalkGateway::kText) return;  // It does nothing by time.
  if (now - on_time_ < kTimeNanosMin && now < gateway_.next_time()) return;
  on_time_ = now;
  TalkRow row = RowOf(TalkKind::kTime, {});
  row.length = static_cast<uint64_t>(now.nanos());
  time_ = log_.Add(row, {});
  gateway_.OnTime(now);
}

// ---- Logins.

absl::StatusOr<TextLogin> RecordedLogins::Login(absl::string_view name, absl::string_view secret) {
  const absl::StatusOr<TextLogin> login = logins_.Login(name, secret);
  TalkRow row = log_.RowOf(TalkKind::kLogin);
  if (login.ok()) {
    row.detail = kLoginAccepted | (login->cancels_at_end ? kLoginCancelsAtEnd : 0);
    row.account = login->account;
  }
  log_.Add(row, {});
  return login;
}

}  // namespace engine
