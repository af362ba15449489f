// A gateway that writes down what another one is given and gives.
//
//   program ─► ConversationRecorder ─► the gateway it records
//                      └─► TalkSink
//
// Rows come in the order of what happened; while a row is handled, releases, refusals and verdicts
// come after it.

#ifndef ENGINE_GATEWAY_CONVERSATION_RECORDER_H_
#define ENGINE_GATEWAY_CONVERSATION_RECORDER_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/conversation.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/text_gateway.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"

namespace engine {

// Not thread-safe: owned by the thread that submits. All references outlive it.
class ConversationRecorder final : public SessionGateway, public TextLogins, public CommandSink {
 public:
  struct Options {
    bool keeps_sent_bytes = false;  // Not only their length and hash.
  };

  // The gateway uses this as its TextLogins instead of `logins`.
  ConversationRecorder(Venue& venue, TextLogins& logins, TalkSink& talk, Options options)
      : venue_(venue), logins_(logins), talk_(talk), options_(options) {}

  // Call it before the first command and session. `gateway` is one of the venue, which submits to
  // this instead of `sink`.
  void Start(SessionGateway& gateway, CommandSink& sink) {
    gateway_ = &gateway;
    sink_ = &sink;
    Add(TalkKind::kStarted, {});
  }
  // After the last session.
  void End() { Add(TalkKind::kEnded, {}); }

  SessionId Open() override;
  void Close(SessionId id) override;
  absl::Status OnBytes(SessionId id, Bytes bytes) override;
  absl::Status Continue(SessionId id) override;
  absl::Status OnEnd(SessionId id) override;
  void TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) override;
  void Resume(SessionId id) override;
  absl::Status Work(absl::FunctionRef<bool()> has_room) override;

  bool is_full(SessionId id) const override { return gateway_->is_full(id); }
  bool is_over(SessionId id) const override { return gateway_->is_over(id); }
  bool has_logged_in(SessionId id) const override { return gateway_->has_logged_in(id); }
  bool has_held(SessionId id) const override { return gateway_->has_held(id); }
  bool has_ready() const override { return gateway_->has_ready(); }
  bool has_work() const override { return gateway_->has_work(); }
  size_t session_count() const override { return gateway_->session_count(); }

  absl::StatusOr<TextLogin> Login(absl::string_view name, absl::string_view secret) override;
  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override;

  // Of no venue: what happens to commands goes to the gateway.
  void OnApplied(const Command&, std::span<const Event>, const Origin&) override {}
  void OnReleased(const Command&, std::span<const Event>, const Origin&) override {}

 private:
  TalkRow RowOf(TalkKind kind, SessionId id) const;
  void Add(TalkKind kind, SessionId id) { Add(RowOf(kind, id), {}); }
  void Add(const TalkRow& row, Bytes attachment);
  Venue& venue_;
  TextLogins& logins_;
  TalkSink& talk_;
  const Options options_;
  SessionGateway* gateway_ = nullptr;
  CommandSink* sink_ = nullptr;
  std::vector<LoginMask> masks_;  // By place of the session.
  SequenceNumber released_;       // As the last row says.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_CONVERSATION_RECORDER_H_
