// Order entry with the native protocol.
//
//   OnBytes ─► frames ─► login ─► commands ─► Venue::Submit
//                                                │
//   TakeReady ◄── streams of the accounts ◄── OnApplied, OnReleased
//
// Specified in engine/wire/native/PROTOCOL.md. A connection keeps no replies, but a place in its
// account's stream. A command allocates nothing of its own.

#ifndef ENGINE_GATEWAY_NATIVE_NATIVE_GATEWAY_H_
#define ENGINE_GATEWAY_NATIVE_NATIVE_GATEWAY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/native/account_streams.h"
#include "engine/gateway/native/event_stream.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/session_table.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/wire/native/frame_reader.h"
#include "engine/wire/native/frames.h"

namespace engine {

// The services that the gateway needs from the program around it.
class NativeHost {
 public:
  virtual ~NativeHost() = default;
  // The time of day for stamps, which no command depends on. Read three times for a command, so it
  // is to be cheap.
  virtual Timestamp StampNow() = 0;
  // OK, or the error that ended the journal; after an error nothing more is submitted.
  virtual absl::Status JournalStatus() const = 0;
};

struct NativeOptions {
  std::vector<NativeLogin> logins = {};
  size_t events_kept = 1'000'000;  // Of each account, 64 bytes each.
};

// Not thread-safe: owned by the thread that submits. All references outlive it.
class NativeGateway final : public SessionGateway {
 public:
  // The number of events, or of refusals, that a client has not read, at which it is not read.
  static constexpr size_t kUnreadMax = 65'536;
  static constexpr int64_t kHeartbeatNanos = 1'000'000'000;
  static constexpr int64_t kSilenceNanos = 15'000'000'000;
  // Between two looks at all sessions, of which there may be many: both may be late by so much.
  static constexpr int64_t kLookNanos = 100'000'000;
  // The shortest request; each is one command at most.
  static constexpr size_t kRequestBytesMin = native::kFrameBytes;

  NativeGateway(Venue& venue, NativeHost& host, NativeOptions options);

  // Repeats what happened before the sessions, in order.
  void OnHistory(const Command& command, std::span<const Event> events);

  // Call it once, after the history. `session`: the name of the numbering of events, not zero;
  // another one if events may have been sent whose records are lost since.
  void Start(uint64_t session);

  SessionId Open() override;
  void Close(SessionId id) override;
  absl::Status OnBytes(SessionId id, Bytes bytes) override;
  bool is_full(SessionId id) const override;
  absl::Status Continue(SessionId id) override;
  absl::Status OnEnd(SessionId id) override;
  bool is_over(SessionId id) const override;
  bool has_logged_in(SessionId id) const override;
  bool has_held(SessionId id) const override;
  bool has_ready() const override { return !ready_.empty(); }
  void TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) override;
  void Resume(SessionId id) override;

  // Cancels the orders of logins whose connections have ended, if they cancel at their end.
  absl::Status Work(absl::FunctionRef<bool()> has_room) override;
  bool has_work() const override { return !to_cancel_.empty() && !waits_for_space_; }

  void OnTime(SteadyTime now) override;
  SteadyTime next_time() const override { return next_time_; }

  size_t session_count() const override { return sessions_.size(); }

  void OnApplied(const Command& command, std::span<const Event> events,
                 const Origin& origin) override;
  void OnReleased(const Command& command, std::span<const Event> events,
                  const Origin& origin) override;

 private:
  // Of one connection.
  struct Session {
    explicit Session(SessionId its_id) : id(its_id) {}

    const SessionId id;
    native::FrameReader reader;
    std::optional<size_t> login;          // Its index, once it has logged in.
    const EventStream* stream = nullptr;  // Of its account, likewise.
    uint64_t number = 0;                  // Of the event that is sent next, likewise.
    std::string own;                      // Frames of the connection itself, to be sent first.
    Timestamp received_at;                // The bytes that it takes.
    SteadyTime heard_at;
    SteadyTime sent_at;
    bool is_heard = false;  // Since the last OnTime(): it is in heard_.
    bool is_over = false;
    bool is_ready = false;  // It is in ready_.
  };

  Session* Find(SessionId id) const { return sessions_.Find(id); }
  static bool IsFull(const Session& session);
  void End(Session& session, native::EndReason reason);
  void MakeReady(Session& session);
  // Appends a frame of the connection itself.
  template <typename Frame>
  void Append(Session& session, const Frame& frame);

  // Takes the frames of what was fed.
  absl::Status TakeFrames(Session& session);
  absl::Status OnFrame(Session& session, Bytes frame);
  absl::Status LogIn(Session& session, const native::Login& request);
  std::optional<size_t> LoginOf(const native::Login& request) const;
  absl::Status OnCommand(Session& session, const Command& command);
  void Refuse(Session& session, const Command& command, native::Refusal reason);
  // Offers what it may send.
  void Send(Session& session,
            absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take);

  const NativeLogin& LoginOf(const Session& session) const {
    return options_.logins[*session.login];
  }
  // Leaves the orders of the login to Work(), if it cancels at its end.
  void CancelAtEnd(size_t login);
  // Does that now, for this login; it stays to be done if the disk is full.
  absl::Status Cancel(size_t login);

  Venue& venue_;
  const uint32_t number_;
  NativeHost& host_;
  const NativeOptions options_;
  std::vector<std::string> passwords_;  // Of each login, to be compared.
  AccountStreams streams_;
  absl::flat_hash_map<AccountId, std::vector<size_t>> logins_of_;
  uint64_t session_ = 0;

  SessionTable<Session> sessions_;
  std::vector<SessionId> readers_;  // The connection that has each login; may have ended.
  std::vector<SessionId> ready_;
  std::vector<SessionId> heard_;
  std::vector<bool> must_cancel_;  // Of each login.
  std::deque<size_t> to_cancel_;   // Those logins; some may have been cancelled since.
  bool waits_for_space_ = false;   // The disk had none for the first of them.

  SteadyTime now_;
  SteadyTime next_time_ = SteadyTime::Max();
  Timestamp received_at_;  // Of the command that a session submits, as is the next.
  Timestamp called_at_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_NATIVE_NATIVE_GATEWAY_H_
