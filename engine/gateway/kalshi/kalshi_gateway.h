// Kalshi's API for many connections: REST requests, and WebSocket sessions on the same port.
//
//   bytes ─► HttpReader ─► KalshiApi ─► reply ───────────────► held ─► released ─► TakeReady()
//              └─ upgrade ─► WebSocketStream ─► KalshiFeed ─► frames ────────────────┘
//   released record ─► KalshiViews ─► KalshiFeed
//
// engine/wire/kalshi/PROTOCOL.md describes what is served. A reply leaves once all commands that
// were applied before it are released (J3); queries and frames show released records only.

#ifndef ENGINE_GATEWAY_KALSHI_KALSHI_GATEWAY_H_
#define ENGINE_GATEWAY_KALSHI_KALSHI_GATEWAY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/base/token_bucket.h"
#include "engine/gateway/kalshi/api.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/faults.h"
#include "engine/gateway/kalshi/feed.h"
#include "engine/gateway/kalshi/reply.h"
#include "engine/gateway/kalshi/submitter.h"
#include "engine/gateway/kalshi/views.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/gateway/reply_queue.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/session_table.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/wire/http/http_reader.h"
#include "engine/wire/http/http_request.h"
#include "engine/wire/http/websocket_stream.h"
#include "engine/wire/kalshi/query_string.h"

namespace engine {

// The services that the gateway needs from the program around it.
class KalshiHost {
 public:
  virtual ~KalshiHost() = default;
  // The time of day.
  virtual Timestamp Now() = 0;
  // OK, or the error that ended the journal.
  virtual absl::Status JournalStatus() const = 0;
  // Whether this value of the field Authorization is an operator's.
  virtual bool IsOperator(absl::string_view) { return false; }
  // Whether the venue has agents; if so, they show so much of their size.
  virtual bool has_agents() const { return false; }
  virtual void ShowPercent(int) {}
};

struct KalshiOptions {
  // How far a signature's time may be from the time of day.
  int64_t signature_window_nanos = int64_t{20} * 1'000'000'000;
  // WebSocket sessions of one account; further ones are refused.
  uint32_t connections_per_user_max = 200;
  // Commands of one WebSocket session.
  BucketSize socket_commands = {.capacity = 100, .refill_rate = 100};
  KalshiFeedOptions feed = {};
  // Whether a refused login learns the venue's time, in the header Date.
  bool sends_date = false;
  // Requests below /sim, of operators.
  bool takes_faults = false;
};

// What has happened since the history; of orders and trades, those that are released.
struct KalshiCounts {
  uint64_t trades = 0;
  uint64_t orders = 0;       // Accepted ones.
  uint64_t connections = 0;  // Sessions that were opened.
};

// Not thread-safe: owned by the thread that submits. All references outlive it.
class KalshiGateway final : public SessionGateway,
                            private KalshiSubmitter,
                            private KalshiFrameSink {
 public:
  // The size of unsent replies at which a session takes no more requests: anyone may ask.
  static constexpr size_t kReplyBytesMax = size_t{64} << 10;
  // The same of a WebSocket session, whose client has a key.
  static constexpr size_t kSocketBytesMax = size_t{1} << 20;
  // The same of one that is blocked: its subscriptions end as soon as they have a message. Before
  // it is, the frames of one large batch may be more. With what its connection has taken before, a
  // client that reads nothing holds less than 1 MiB, or 2 MiB after such a batch.
  static constexpr size_t kFrameBytesMax = size_t{256} << 10;
  static constexpr int64_t kPingNanos = int64_t{10} * 1'000'000'000;
  // After so many pings in a row without a pong, the session ends.
  static constexpr int kPingsUnansweredMax = 3;
  // A session whose client takes nothing for so long ends.
  static constexpr int64_t kBlockedNanosMax = int64_t{10} * 1'000'000'000;
  // A connection of REST that has asked nothing for so long ends; it would keep its place.
  static constexpr int64_t kIdleNanosMax = int64_t{300} * 1'000'000'000;

  KalshiGateway(Venue& venue, KalshiHost& host, KalshiUsers& users,
                const KalshiCatalogue& catalogue, const MarketDirectory& markets,
                const KalshiOptions& options);

  // From which ids are made. Call it before the first session.
  void SetJournal(const Digest& journal) { world_.ids = KalshiIds(journal); }
  // What happened before the sessions, record after record.
  void OnHistory(const Command& command, Bytes attachment, std::span<const Event> events) {
    views_.Fold(command, attachment, events);
    feed_.OnHistory();
    history_.trades = views_.tape().last();
    history_.orders = views_.orders();
  }

  // Begins a fault of KalshiFaultList(), with parameters such as "ms=250&count=10", and records it
  // as a note of the log. `moment`: what a script waited for, which the note has too. Errors:
  // NOT_FOUND; INVALID_ARGUMENT; FAILED_PRECONDITION (the exchange refuses it, or there are no
  // agents); the sink's.
  absl::Status Inject(absl::string_view name, absl::string_view parameters,
                      absl::string_view moment = {});

  KalshiCounts counts() const {
    return {.trades = views_.tape().last() - history_.trades,
            .orders = views_.orders() - history_.orders,
            .connections = opened_};
  }

  SessionId Open() override {
    ++opened_;
    return sessions_.Add().id;
  }
  void Close(SessionId id) override;

  absl::Status OnBytes(SessionId id, Bytes bytes) override;
  bool is_full(SessionId id) const override;
  absl::Status Continue(SessionId id) override;
  absl::Status OnEnd(SessionId id) override;

  bool is_over(SessionId id) const override;
  // It has sent a whole request.
  bool has_logged_in(SessionId id) const override;
  bool has_held(SessionId id) const override;

  bool has_ready() const override { return !ready_.empty(); }
  void TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) override;
  void Resume(SessionId id) override;

  absl::Status Work(absl::FunctionRef<bool()>) override { return absl::OkStatus(); }
  bool has_work() const override { return false; }

  void OnTime(SteadyTime now) override;
  SteadyTime next_time() const override;

  size_t session_count() const override { return sessions_.size(); }

  void OnApplied(const Command& command, std::span<const Event> events,
                 const Origin& origin) override;
  void OnReleased(const Command& command, std::span<const Event> events,
                  const Origin& origin) override;

 private:
  struct Session {
    explicit Session(SessionId its_id) : id(its_id) {}

    const SessionId id;
    HttpReader reader;
    std::unique_ptr<WebSocketStream> socket;  // Null before an upgrade.
    AccountId account;                        // Of the socket.
    TokenBucket commands;                     // Likewise, as are the next two.
    int pings_unanswered = 0;
    ReplyQueue replies;
    SequenceNumber held_for;                       // The last command that replies are held for.
    Bytes pending;                                 // Input that a full session has not taken.
    SteadyTime blocked_since = SteadyTime::Max();  // Max: it is not.
    SteadyTime asked_at;                           // The last request of REST.
    SteadyTime leaves_at;                          // Its replies wait for that, by a fault.
    bool is_silent = false;                        // Half open, by a fault.
    bool has_request = false;                      // There was one.
    bool has_ended = false;                        // The client sends no more.
    bool is_over = false;
    bool is_ready = false;  // It is in ready_.

    // It takes no input, and is sent nothing new.
    bool HearsNothing() const { return is_over || is_silent; }
  };
  struct Due {
    SteadyTime time;
    SessionId session;
  };

  // A KalshiSubmitter, for the session whose request is handled.
  kalshi::Result<KalshiApplied> Submit(const Command& command, Bytes attachment) override;
  Timestamp Now() override { return host_.Now(); }
  // A KalshiFrameSink.
  void SendFrame(SessionId session, absl::string_view frame) override;
  bool IsSlow(SessionId session) const override;

  Session* Find(SessionId id) const { return sessions_.Find(id); }
  absl::Status Take(Session& session);
  // Take input up to the end of one request or message.
  void TakeHttp(Session& session);
  void TakeSocket(Session& session);
  void OnMessage(Session& session, const WebSocketMessage& message);
  void Handle(Session& session, const HttpRequest& request);
  KalshiReply Answer(const HttpRequest& request);
  void Upgrade(Session& session, const HttpRequest& request);
  void Reply(Session& session, const KalshiReply& reply, bool keep_alive, bool is_head = false);
  // What was appended waits for the commands before it.
  void Hold(Session& session);
  void MakeReady(Session& session);
  void End(Session& session);
  // Its replies leave no earlier.
  void Delay(Session& session, SteadyTime time);
  void PingDue(SteadyTime now);
  void EndBlocked(SteadyTime now);
  void EndIdle(SteadyTime now);

  // ---- Faults, in simulation.cc.
  bool IsSim(const HttpRequest& request) const;
  KalshiReply AnswerSim(const HttpRequest& request);
  // Returns what begins a fault, once its note is recorded.
  absl::StatusOr<std::function<void()>> Prepare(KalshiInjection injection);
  // `act` is for `count` sessions of a `kind`, but not the one that asks: the first, or any by a
  // `seed`.
  std::function<void()> PrepareForSessions(const KalshiInjection& injection,
                                           const std::function<void(Session&)>& act);
  // Nothing is left to do.
  absl::StatusOr<std::function<void()>> Carry(CommandKind kind, MarketId market);
  absl::Status SubmitOwn(const Command& command, Bytes attachment);

  Venue& venue_;
  const uint32_t number_;
  KalshiHost& host_;
  const KalshiOptions options_;
  KalshiViews views_;
  KalshiWorld world_;
  KalshiApi api_;
  KalshiFaults faults_;
  KalshiFeed feed_;

  KalshiCounts history_;  // What the views counted before the sessions.
  uint64_t opened_ = 0;   // Sessions.
  SessionTable<Session> sessions_;
  Session* asking_ = nullptr;                              // Whose request is handled.
  std::vector<Event> applied_events_;                      // Of its last command.
  Timestamp applied_at_;                                   // Likewise.
  absl::flat_hash_map<AccountId, uint32_t> sockets_of_;    // How many sessions are sockets.
  std::deque<std::pair<SequenceNumber, SessionId>> held_;  // Ascending.
  std::vector<SessionId> ready_;
  std::deque<Due> pings_;    // Ascending by time.
  std::deque<Due> blocked_;  // When a session is to end, unless it has taken something.
  std::deque<Due> idle_;     // When a connection of REST is to end, unless it has asked.
  std::multimap<SteadyTime, SessionId> delayed_;  // When their replies leave.
  SteadyTime now_;                                // Of the last OnTime().
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_KALSHI_GATEWAY_H_
