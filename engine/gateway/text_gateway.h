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
#include "engine/gateway/text_account.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"

namespace engine {

// Who may log in. The program knows the secrets.
class TextLogins {
 public:
  virtual ~TextLogins() = default;

  // Errors: PERMISSION_DENIED, the same for an unknown name and a wrong secret.
  virtual absl::StatusOr<AccountId> Login(absl::string_view name, absl::string_view secret) = 0;
};

// Not thread-safe: owned by the thread that submits. All references outlive it.
class TextGateway final : public Gateway {
 public:
  // A session, from its connection to its end. A place is used again with another generation, so
  // that an old id names no session.
  struct SessionId {
    uint32_t place = 0;
    uint32_t generation = 0;

    friend bool operator==(const SessionId&, const SessionId&) = default;
  };

  // The size of unsent replies at which a session ends: its client reads nothing, and orders of its
  // account go on trading. TextSession takes no more lines long before.
  static constexpr size_t kReplyBytesEnd = 2 * TextSession::kReplyBytesMax;

  TextGateway(Venue& venue, TextSessionHost& host, TextLogins& logins, MarketDirectory& markets);

  // Makes an account known, so that its events are remembered. Call it for all accounts that may
  // log in, before their first events.
  void AddAccount(AccountId account);

  // Repeats what happened before the sessions; see TextSession.
  void OnHistory(const Command& command, std::span<const Event> events);

  SessionId Open();
  // Forgets the session; what it has submitted goes on. No effect for a session that is closed.
  void Close(SessionId id);

  // Takes input, cut anywhere, up to its end or until is_full(); see TextSession. The first line
  // logs in. REQUIRES: the session is open.
  // Errors: those of the sink and the host, which end all sessions.
  absl::Status OnBytes(SessionId id, Bytes bytes);
  bool is_full(SessionId id) const;
  absl::Status Continue(SessionId id);
  // The client sends no more. A session that has not logged in is over.
  absl::Status OnEnd(SessionId id);

  // Whether the session is to be closed once its replies are sent: it did not log in, or its
  // client reads too slowly.
  bool is_over(SessionId id) const;

  // Whether replies of the session wait for a release.
  bool has_held(SessionId id) const;

  // Offers what each session may send since the last call. If `take` returns false, because its
  // client reads too slowly, the replies stay until Resume().
  void TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take);
  void Resume(SessionId id);

  size_t session_count() const { return places_.size() - free_places_.size(); }

  void OnApplied(const Command& command, std::span<const Event> events,
                 const Origin& origin) override;
  void OnReleased(const Command& command, std::span<const Event> events,
                  const Origin& origin) override;

 private:
  struct Account;
  // Of one connection. The sink of its session, which adds its origin.
  struct Session final : CommandSink {
    Session(TextGateway& its_gateway, SessionId its_id) : gateway(its_gateway), id(its_id) {}
    absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override;

    TextGateway& gateway;
    const SessionId id;
    std::string login;                       // The part of the login line that has come.
    std::string farewell;                    // The reply to a session that did not log in.
    std::unique_ptr<TextSession> logged_in;  // Null before.
    Account* account = nullptr;
    bool is_over = false;
    bool is_ready = false;  // It is in ready_.
  };
  struct Account {
    Account(AccountId id, const MarketDirectory& markets) : words(id, markets) {}

    TextAccount words;
    std::vector<Session*> sessions;
    std::string for_others;  // While a command is applied.
    bool is_concerned = false;
  };
  // Replies that wait for a release.
  struct Held {
    SequenceNumber sequence;
    SessionId session;
  };

  Session* Find(SessionId id) const;
  Account* FindAccount(AccountId id) const;
  // Takes the login line; returns what follows it.
  Bytes TakeLogin(Session& session, Bytes bytes);
  void LogIn(Session& session, absl::string_view line);
  void Refuse(Session& session, absl::string_view why);
  void Tell(Account& account, SequenceNumber sequence, const Session* asker);
  // Lets the session take lines; what it says by itself waits for the commands before.
  absl::Status Drive(Session& session, absl::FunctionRef<absl::Status(TextSession&)> take_lines);
  void MakeReady(Session& session);

  Venue& venue_;
  const uint32_t number_;
  TextSessionHost& host_;
  TextLogins& logins_;
  MarketDirectory& markets_;

  absl::flat_hash_map<AccountId, std::unique_ptr<Account>> accounts_;
  std::vector<std::unique_ptr<Session>> places_;  // Null where free.
  std::vector<uint32_t> generations_;             // Of each place's last session.
  std::vector<uint32_t> free_places_;
  std::deque<Held> held_;            // In the order of their sequence numbers.
  std::vector<SessionId> ready_;     // With replies to send, or over.
  std::vector<Account*> concerned_;  // By the command that is applied.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_TEXT_GATEWAY_H_
