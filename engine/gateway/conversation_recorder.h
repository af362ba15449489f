// Gateways that write down what other ones are given and give.
//
//   program ─► ConversationRecorder ─► the gateway it records
//                      └─► ConversationLog ─► TalkSink
//   venue ────► ConversationLog ─► the sink of its commands
//
// Rows come in the order of what happened; while a row is handled, releases, refusals and verdicts
// come after it.

#ifndef ENGINE_GATEWAY_CONVERSATION_RECORDER_H_
#define ENGINE_GATEWAY_CONVERSATION_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/conversation.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/text_gateway.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"

namespace engine {

struct ConversationOptions {
  bool keeps_sent_bytes = false;  // Not only their length and hash.
};

// The rows of all gateways of a venue. Not thread-safe: owned by the thread that submits, as are
// the recorders. All references outlive it.
class ConversationLog final : public CommandSink {
 public:
  ConversationLog(Venue& venue, TalkSink& talk, ConversationOptions options)
      : options_(options), venue_(venue), talk_(talk) {}

  // Call it before the first command and session. The venue submits to this instead of `sink`.
  void Start(CommandSink& sink) {
    sink_ = &sink;
    Add(TalkKind::kStarted);
  }
  // What gateways were made from: `configuration` has no secret. Call it after Start().
  void AddConfiguration(absl::string_view configuration, uint16_t detail);
  // After the last session.
  void End() { Add(TalkKind::kEnded); }

  // A row of this moment.
  TalkRow RowOf(TalkKind kind) const;
  // Returns its time.
  Timestamp Add(const TalkRow& row, Bytes attachment);
  void Add(TalkKind kind) { Add(RowOf(kind), {}); }

  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override;

  const ConversationOptions& options() const { return options_; }

 private:
  const ConversationOptions options_;
  Venue& venue_;
  TalkSink& talk_;
  CommandSink* sink_ = nullptr;
  SequenceNumber released_;  // As the last row says.
};

// Hides the secrets in what sessions send. Not thread-safe.
class TalkMask {
 public:
  virtual ~TalkMask() = default;
  virtual void Begin(SessionId session) = 0;
  // Returns `bytes`, or `masked` with as many.
  virtual Bytes Mask(SessionId session, Bytes bytes, std::string& masked) = 0;
};

// One gateway's. All references outlive it.
class ConversationRecorder final : public SessionGateway {
 public:
  ConversationRecorder(ConversationLog& log, SessionGateway& gateway, TalkGateway which,
                       std::unique_ptr<TalkMask> mask)
      : log_(log), gateway_(gateway), which_(which), mask_(std::move(mask)) {}

  SessionId Open() override;
  void Close(SessionId id) override;
  absl::Status OnBytes(SessionId id, Bytes bytes) override;
  absl::Status Continue(SessionId id) override;
  absl::Status OnEnd(SessionId id) override;
  void TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) override;
  void Resume(SessionId id) override;
  absl::Status Work(absl::FunctionRef<bool()> has_room) override;
  // At most once a millisecond, unless something is due.
  void OnTime(SteadyTime now) override;

  bool is_full(SessionId id) const override { return gateway_.is_full(id); }
  bool is_over(SessionId id) const override { return gateway_.is_over(id); }
  bool has_logged_in(SessionId id) const override { return gateway_.has_logged_in(id); }
  bool has_held(SessionId id) const override { return gateway_.has_held(id); }
  bool has_ready() const override { return gateway_.has_ready(); }
  bool has_work() const override { return gateway_.has_work(); }
  SteadyTime next_time() const override { return gateway_.next_time(); }
  size_t session_count() const override { return gateway_.session_count(); }

  // Of no venue: what happens to commands goes to the gateway.
  void OnApplied(const Command&, std::span<const Event>, const Origin&) override {}
  void OnReleased(const Command&, std::span<const Event>, const Origin&) override {}

  // The time of the last row about what the gateway was given.
  Timestamp time() const { return time_; }
  // Adds a row about what happens while another is handled, or by itself.
  TalkRow RowOf(TalkKind kind, SessionId id) const;
  void Add(const TalkRow& row, Bytes attachment) { log_.Add(row, attachment); }

 private:
  void Add(TalkKind kind, SessionId id) { time_ = log_.Add(RowOf(kind, id), {}); }

  ConversationLog& log_;
  SessionGateway& gateway_;
  const TalkGateway which_;
  const std::unique_ptr<TalkMask> mask_;
  std::string masked_;
  Timestamp time_;
  SteadyTime on_time_;  // Of the last row kTime.
};

// The text protocol's verdicts and secrets.
class RecordedLogins final : public TextLogins {
 public:
  // Both outlive it.
  RecordedLogins(ConversationLog& log, TextLogins& logins) : log_(log), logins_(logins) {}

  absl::StatusOr<TextLogin> Login(absl::string_view name, absl::string_view secret) override;

 private:
  ConversationLog& log_;
  TextLogins& logins_;
};
std::unique_ptr<TalkMask> MakeLoginMasks();

// Of HTTP: HeaderMask.
std::unique_ptr<TalkMask> MakeHeaderMasks();

}  // namespace engine

#endif  // ENGINE_GATEWAY_CONVERSATION_RECORDER_H_
