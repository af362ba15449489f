// Order entry with OUCH 4.2 over SoupBinTCP.
//
//   OnBytes ─► packets ─► login ─► requests ─► Venue::Submit, with the request as attachment
//                                                  │
//   TakeReady ◄── streams ◄── OuchLedger ◄── OnApplied, OnReleased
//
// Specified in engine/wire/soup/PROTOCOL.md and engine/wire/ouch/PROTOCOL.md. A connection keeps no
// replies, but a place in its login's stream: a slow client costs no memory, and a client that
// reconnects reads the same stream.

#ifndef ENGINE_GATEWAY_OUCH_OUCH_GATEWAY_H_
#define ENGINE_GATEWAY_OUCH_OUCH_GATEWAY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/ouch/ledger.h"
#include "engine/gateway/ouch/order_rules.h"
#include "engine/gateway/ouch/record.h"
#include "engine/gateway/ouch/stream.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/session_table.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/wire/ouch/messages.h"
#include "engine/wire/soup/logins.h"
#include "engine/wire/soup/packets.h"

namespace engine {

// The services that the gateway needs from the program around it.
class OuchHost {
 public:
  virtual ~OuchHost() = default;
  // The time of day: a command that is submitted now has no earlier time.
  virtual Timestamp Now() = 0;
  // OK, or the error that ended the journal; after an error nothing more is submitted.
  virtual absl::Status JournalStatus() const = 0;
};

struct OuchOptions {
  std::vector<OuchLogin> logins = {};
  // Markets that may be traded; CheckOuchMarket() is OK for each.
  absl::flat_hash_set<MarketId> markets = {};
};

// Not thread-safe: owned by the thread that submits. All references outlive it.
class OuchGateway final : public SessionGateway {
 public:
  // A longer packet of a client ends its connection.
  static constexpr size_t kPacketBytesMax = 1'024;
  // The size of messages that a client has not read, at which it is not read.
  static constexpr size_t kUnreadBytesMax = size_t{4} << 20;
  static constexpr int64_t kHeartbeatNanos = 1'000'000'000;
  static constexpr int64_t kSilenceNanos = 15'000'000'000;
  // The shortest request, and an upper bound of the commands for each such piece of input.
  static constexpr size_t kRequestBytesMin =
      kSoupLengthBytes + 1 + ouch::kBytesOf<ouch::CancelOrder>;
  // A replace may be three, and is longer than two of those.
  static constexpr size_t kCommandsOfRequestMax = 2;

  // `markets`: those that the log defines, added before the gateway hears of them.
  OuchGateway(Venue& venue, OuchHost& host, OuchOptions options, const MarketDirectory& markets);

  // Repeats what happened before the sessions, in order.
  void OnHistory(const Command& command, Bytes attachment, std::span<const Event> events);

  // Begins the day's session, unless the history has it. Call it once, after the history.
  // `may_lose_tail`: whether the journal acknowledges what it may lose; each start then begins a
  // session. Errors: those of the sink.
  absl::Status Start(bool may_lose_tail);

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

  // Cancels what sessions have left whose logins cancel at the end, and ends the day.
  absl::Status Work(absl::FunctionRef<bool()> has_room) override;
  bool has_work() const override {
    return (!to_cancel_.empty() && !waits_for_space_) || must_end_day();
  }

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
    SoupReader reader{kPacketBytesMax};
    std::optional<size_t> login;         // Its index, once it has logged in.
    std::shared_ptr<OuchStream> stream;  // Of the day on which it has.
    OuchStream::Place place;             // What it has been sent of it.
    std::string own;                     // Packets of the connection itself, to be sent first.
    SteadyTime heard_at;
    SteadyTime sent_at;
    bool is_heard = false;  // Since the last OnTime(): it is in heard_.
    bool is_over = false;
    bool is_ready = false;  // It is in ready_.
  };

  bool must_end_day() const { return is_day_over_ && now_ >= next_end_of_day_; }
  Session* Find(SessionId id) const { return sessions_.Find(id); }
  void End(Session& session);
  void MakeReady(Session& session);
  // Takes the packets of what was fed.
  absl::Status TakePackets(Session& session);
  absl::Status OnPacket(Session& session, const SoupPacket& packet);
  void LogIn(Session& session, Bytes payload);
  // Offers what it may send.
  void Send(Session& session,
            absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take);

  absl::Status OnRequest(Session& session, Bytes message);
  absl::Status On(Session& session, const ouch::EnterOrder& request, Bytes message);
  absl::Status On(Session& session, const ouch::ReplaceOrder& request, Bytes message);
  absl::Status On(Session& session, const ouch::CancelOrder& request, Bytes message);
  absl::Status On(Session& session, const ouch::ModifyOrder& request, Bytes message);
  // Lowers what the order may execute in all, to more than it has.
  absl::Status ReduceTo(Session& session, const OuchOrder& order, uint32_t shares, Bytes message);
  absl::Status CancelOnRequest(Session& session, const OuchOrder& order, Bytes message);
  absl::Status Refuse(Session& session, const ouch::Token& token, OuchRefusal why);

  // Submits for an account. `outcome_` says what became of it: a full disk takes it not.
  absl::Status Submit(const Session& session, Command command, Bytes attachment);
  absl::Status Submit(const Command& command, Bytes attachment, const Origin& origin);
  // Whether a new order may have the token.
  bool CanUse(const Session& session, const ouch::Token& token) const;
  std::vector<std::byte> RecordOf(const Session& session, Bytes message) const;
  const OuchLogin& LoginOf(const Session& session) const { return options_.logins[*session.login]; }

  // The venue's own.
  absl::Status Cancel(const OuchOrder& order, Bytes attachment);
  absl::Status EndDay(absl::FunctionRef<bool()> has_room);
  absl::Status BeginDay();
  std::string NewSessionName() const;
  // Leaves the orders of the login to Work(), if it cancels at its end.
  void CancelAtEnd(size_t login);

  Venue& venue_;
  const uint32_t number_;
  OuchHost& host_;
  const OuchOptions options_;
  const MarketDirectory& markets_;
  OuchLedger ledger_;
  SoupLogins logins_;  // By their index, as in the options.
  bool may_lose_tail_ = false;

  SessionTable<Session> sessions_;
  std::vector<SessionId> readers_;  // The connection that has each login; may have ended.
  std::vector<SessionId> ready_;
  std::vector<SessionId> heard_;
  std::deque<OrderId> to_cancel_;
  bool waits_for_space_ = false;  // The disk had none for the first of them.

  SteadyTime now_;
  SteadyTime next_time_ = SteadyTime::Max();
  bool is_day_over_ = false;
  SteadyTime next_end_of_day_;  // Not before it is the end of the day tried again.
  // Of the last command that was submitted: kNone if it was carried out, empty if it was not taken.
  std::optional<RejectReason> outcome_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_OUCH_OUCH_GATEWAY_H_
