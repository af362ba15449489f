// The text protocol for many sessions: which session receives what.
//
//   bytes ─► login line ─► TextSession ─► Venue ─► applied ─► TextAccount of each account named
//                              ▲                                  │ asker: replies
//   TakeReady() ◄── released ──┴── held ◄─────────────────────────┴ others: fills and ends
//
// engine/wire/text/PROTOCOL.md, section 5, describes served sessions. A command costs the sessions
// of the accounts that its events name, and no others.

#ifndef ENGINE_GATEWAY_TEXT_GATEWAY_H_
#define ENGINE_GATEWAY_TEXT_GATEWAY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/session_table.h"
#include "engine/gateway/text_account.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/views/venue_memory.h"

namespace engine {

// What a login gives.
struct TextLogin {
  AccountId account;
  // Whether the end of the session cancels the orders that it has submitted.
  bool cancels_at_end = false;
};

// Who may log in. The program knows the secrets.
class TextLogins {
 public:
  virtual ~TextLogins() = default;

  // Errors: PERMISSION_DENIED, the same for an unknown name and a wrong secret.
  virtual absl::StatusOr<TextLogin> Login(absl::string_view name, absl::string_view secret) = 0;
};

// Not thread-safe: owned by the thread that submits. All references outlive it.
class TextGateway final : public SessionGateway {
 public:
  static_assert(TextSession::kReplyBytesMax <= kReplyBytesEnd / 2);

  TextGateway(Venue& venue, TextSessionHost& host, TextLogins& logins, MarketDirectory& markets);

  // Makes an account known, so that its events are remembered. Call it for all accounts that may
  // log in, before their first events.
  void AddAccount(AccountId account);

  // Repeats what happened before the sessions; see TextSession.
  void OnHistory(const Command& command, std::span<const Event> events);

  SessionId Open() override { return sessions_.Add(*this).id; }
  void Close(SessionId id) override;

  // The first line logs in.
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

  // Cancels the orders of sessions whose logins cancel at the end.
  absl::Status Work(absl::FunctionRef<bool()> has_room) override;
  bool has_work() const override { return !to_cancel_.empty() && !waits_for_space_; }

  size_t session_count() const override { return sessions_.size(); }

  void OnApplied(const Command& command, std::span<const Event> events,
                 const Origin& origin) override;
  void OnReleased(const Command& command, std::span<const Event> events,
                  const Origin& origin) override;

 private:
  struct Account;
  // Of one connection. The sink of its session, which adds its origin.
  struct Session final : CommandSink {
    Session(SessionId its_id, TextGateway& its_gateway) : id(its_id), gateway(its_gateway) {}
    absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override;

    const SessionId id;
    TextGateway& gateway;
    std::string login;                       // The part of the login line that has come.
    std::string farewell;                    // The reply to a session that did not log in.
    std::unique_ptr<TextSession> logged_in;  // Null before.
    Account* account = nullptr;
    bool cancels_at_end = false;
    std::vector<uint64_t> submitted;  // Client ids; kept if they are to be cancelled.
    size_t submitted_max = 64;        // Those that have ended are removed at this size.
    bool is_over = false;
    bool is_ready = false;  // It is in ready_.
  };
  struct Account {
    Account(AccountId id, const MarketDirectory& markets, const VenueMemory& memory)
        : words(id, markets, &memory) {}

    TextAccount words;
    std::vector<Session*> sessions;
    std::string for_others;  // While a command is applied.
    bool is_concerned = false;
  };
  struct ToCancel {
    Account* account;
    uint64_t client_id;
  };
  // Replies that wait for a release.
  struct Held {
    SequenceNumber sequence;
    SessionId session;
  };

  Session* Find(SessionId id) const { return sessions_.Find(id); }
  Account* FindAccount(AccountId id) const;
  // Takes the login line; returns what follows it.
  Bytes TakeLogin(Session& session, Bytes bytes);
  void LogIn(Session& session, absl::string_view line);
  void Refuse(Session& session, absl::string_view why);
  void Tell(Account& account, SequenceNumber sequence, const Session* asker);
  // Lets the session take lines; what it says by itself waits for the commands before.
  absl::Status Drive(Session& session, absl::FunctionRef<absl::Status(TextSession&)> take_lines);
  void MakeReady(Session& session);
  void NoteSubmitted(Session& session, const Command& command);

  Venue& venue_;
  const uint32_t number_;
  TextSessionHost& host_;
  TextLogins& logins_;
  MarketDirectory& markets_;

  absl::flat_hash_map<AccountId, std::unique_ptr<Account>> accounts_;
  SessionTable<Session> sessions_;
  std::deque<Held> held_;            // In the order of their sequence numbers.
  std::deque<ToCancel> to_cancel_;   // Of sessions that have ended.
  bool waits_for_space_ = false;     // The disk had none for the first of them.
  std::vector<SessionId> ready_;     // With replies to send, or over.
  std::vector<Account*> concerned_;  // By the command that is applied.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_TEXT_GATEWAY_H_
