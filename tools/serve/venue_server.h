// A venue: one exchange, and all sessions of all protocols, on one thread.
//
//   ┌───────────────────────────── Turn ─────────────────────────────┐
//   Network ─► SessionServer ─► TextGateway   ─► Venue ─► Recorder ─► journal's thread
//      ▲                        KalshiGateway            │ released      │ rings
//      │                        OuchGateway              │               │
//      │                        NativeGateway            │               │
//      │                        AdminGateway             │               │
//      └──── Send, Flush ────────┴──────────────────────┘               ▼
//   Turn waits for the network, the journal's bell, an expiry or a scheduled action.
//
// While the journal has no room, no connection is read; everything else goes on.

#ifndef TOOLS_SERVE_VENUE_SERVER_H_
#define TOOLS_SERVE_VENUE_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/steady_time.h"
#include "engine/gateway/admin_gateway.h"
#include "engine/gateway/agents/agents.h"
#include "engine/gateway/conversation.h"
#include "engine/gateway/conversation_recorder.h"
#include "engine/gateway/flow/flow.h"
#include "engine/gateway/flow/flow_source.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/text_gateway.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/views/venue_memory.h"
#include "replay/expiry_timer.h"
#include "replay/recorder.h"
#include "tools/os/clocks.h"
#include "tools/os/network/network.h"
#include "tools/serve/itch_service.h"
#include "tools/serve/kalshi_reopening.h"
#include "tools/serve/kalshi_service.h"
#include "tools/serve/native_service.h"
#include "tools/serve/ouch_service.h"
#include "tools/serve/reply_lag.h"
#include "tools/serve/session_server.h"
#include "tools/serve/venue_config.h"
#include "tools/serve/venue_settings.h"

namespace tools {

// The secrets of the venue file, and what operators have set for their logins since. Takes the same
// time for every wrong secret of one length.
class VenueLogins final : public engine::TextLogins {
 public:
  // Both outlive it.
  VenueLogins(const VenueConfig& config, const engine::VenueMemory& memory);
  absl::StatusOr<engine::TextLogin> Login(absl::string_view name,
                                          absl::string_view secret) override;

 private:
  const engine::VenueMemory& memory_;
  absl::flat_hash_map<absl::string_view, const LoginConfig*> by_name_;
};

// A conversation journal; see ConversationLog.
struct VenueConversation {
  engine::TalkSink* talk = nullptr;  // Null: none is recorded.
  engine::ConversationOptions options = {};
  std::string configuration = {};  // The venue file without secrets, for Kalshi's API.
};

struct VenueCounts {
  size_t sessions = 0;
  uint64_t commands = 0;             // Applied, ever.
  uint64_t waiting = 0;              // Of them, those whose events wait for the journal.
  engine::KalshiCounts kalshi = {};  // Zero if Kalshi's API is not served.
};

// Not thread-safe: owned by the thread of the loop. All references outlive it.
class VenueServer final : private NetworkHandler {
 public:
  // What a network needs for the text protocol's bounds.
  static NetworkOptions OptionsFor(const VenueConfig& config);

  // REQUIRES: the network has OptionsFor() and no other user. `host` prints books.
  VenueServer(const VenueConfig& config, Network& network, engine::TextSessionHost& host,
              const VenueConversation& conversation = {});

  // Of a recorded order flow, whose accounts are among those of the venue. Call it before the
  // history. `source`, which outlives it, rings the network's bell when it has more.
  void AddFlow(engine::FlowOptions options, engine::FlowSource& source) {
    flows_.push_back(std::make_unique<engine::Flow>(std::move(options), source, venue_));
  }
  const std::vector<std::unique_ptr<engine::Flow>>& flows() const { return flows_; }

  // For the recorder, whose events are those of this venue.
  engine::EventListener& listener() { return venue_; }
  const engine::MarketDirectory& markets() const { return markets_; }

  // For a journal that is resumed from a snapshot: what the venue remembers there, its markets, and
  // then each order that rests, by what made it.
  void Restore(engine::VenueMemory memory, const engine::MarketDirectory& markets);
  void OnRestingOrder(const engine::Command& command, std::span<const engine::Event> events) {
    text_gateway_.OnHistory(command, events);
    for (const auto& flow : flows_) flow->OnHistory(command, events);
  }

  // A command of the journal that is resumed, with its events, in order.
  void OnHistory(const engine::Command& command, engine::Bytes attachment,
                 std::span<const engine::Event> events);

  // Brings the exchange to the venue file (VenueSettings::Apply) and listens. Call it once, after
  // the history. `clock` is the recorder's; each read from a connection begins a batch of it.
  // Errors: those of VenueSettings::Apply and of Network::Listen.
  absl::Status Start(replay::Recorder& recorder, BatchClock& clock, engine::SteadyClock& steady);

  // Where it listens, with the ports that the system chose; empty if it does not.
  const std::string& text_address() const { return text_.address; }
  const std::string& kalshi_address() const { return kalshi_address_; }
  std::string ouch_address() const { return ouch_ == nullptr ? std::string() : ouch_->address; }
  std::string snapshots_address() const {
    return snapshots_ == nullptr ? std::string() : snapshots_->address;
  }
  std::string native_address() const {
    return native_ == nullptr ? std::string() : native_->address;
  }
  const std::string& admin_address() const { return admin_.address; }

  // Waits until there is work, or until `deadline`, and does it. Errors: the journal's, sticky.
  absl::Status Turn(engine::SteadyTime deadline);

  // KalshiGateway::Inject. Errors: its own; FAILED_PRECONDITION (Kalshi's API is not served).
  absl::Status Inject(absl::string_view fault, absl::string_view parameters,
                      absl::string_view moment = {});

  // Ends all sessions in order: accepts and reads no more, releases what was submitted, sends the
  // replies, closes. Connections that do not take theirs within two times Network's close time are
  // cut.
  absl::Status Drain();

  VenueCounts counts() const;
  // Null if market data is not published.
  const ItchService* itch() const { return itch_.get(); }
  ReplyLag& lag() { return lag_; }

 private:
  void OnAccepted(ConnectionId connection, ListenerId listener, absl::string_view peer) override;
  void OnBytes(ConnectionId connection, engine::Bytes bytes) override;
  void OnInputEnded(ConnectionId connection) override;
  void OnDrained(ConnectionId connection) override;
  void OnClosed(ConnectionId connection, CloseReason reason) override;

  // A protocol: its gateway on the network.
  struct Service {
    Service(Network& network, engine::SessionGateway& its_gateway, int64_t login_nanos)
        : gateway(its_gateway), server(network, its_gateway, login_nanos) {}

    engine::SessionGateway& gateway;
    SessionServer server;
    std::optional<ListenerId> listener;
    std::string address;
  };

  // While the members are made: that of the conversation, if there is one, and what it needs.
  engine::TextLogins& LoginsFor(const VenueConversation& conversation);
  engine::SessionGateway& TextSessions();

  absl::Status Listen(Service& service, const std::string& address);
  SessionServer& ServerOf(ConnectionId connection) {
    return services_[service_of_slot_[connection.slot]]->server;
  }
  // Waits until slow clients have taken the replies that their sessions hold, or a close time.
  absl::Status SendTheRest();
  bool HasOwnWork() const;
  // Whether the commands of one read can be submitted without a wait.
  bool HasRoom() const;
  // The same for flows: clients come first, so what one read needs stays free.
  bool HasRoomForFlows() const;
  absl::Status ActFlows();
  // Releases what is acknowledged, and hands the open block to the journal.
  absl::Status Release();
  // Submits the commands of time; returns when it is to be called again.
  absl::StatusOr<engine::SteadyTime> ActOnTime();

  Network& network_;
  const VenueConfig& config_;
  engine::MarketDirectory markets_;
  engine::Venue venue_;
  VenueSettings settings_;
  VenueLogins logins_;
  std::optional<engine::ConversationLog> conversation_;
  std::optional<engine::RecordedLogins> recorded_logins_;  // Of the conversation, as the next.
  std::optional<engine::ConversationRecorder> text_recorder_;
  std::string configuration_;  // Likewise.
  engine::TextGateway text_gateway_;
  Service text_;
  engine::AdminGateway admin_gateway_;
  Service admin_;
  std::optional<engine::Agents> agents_;
  std::vector<std::unique_ptr<engine::Flow>> flows_;
  std::optional<KalshiReopening> kalshi_reopening_;  // Empty if it is not served.
  std::unique_ptr<KalshiService> kalshi_gateway_;    // Null likewise, as is the next.
  std::unique_ptr<Service> kalshi_;
  std::string kalshi_address_;
  std::unique_ptr<OuchService> ouch_gateway_;  // Null if it is not served, as is the next.
  std::unique_ptr<Service> ouch_;
  std::unique_ptr<ItchService> itch_;              // Null if market data is not published.
  std::unique_ptr<Service> snapshots_;             // Null without snapshots of it.
  std::unique_ptr<NativeService> native_gateway_;  // Likewise.
  std::unique_ptr<Service> native_;
  std::vector<Service*> services_ = {&text_, &admin_};
  std::vector<uint8_t> service_of_slot_;  // An index of services_, by slot of the connection.

  replay::Recorder* recorder_ = nullptr;  // From Start() on.
  BatchClock* clock_ = nullptr;
  engine::SteadyClock* steady_ = nullptr;
  std::optional<replay::ExpiryTimer> expiry_;
  engine::SteadyTime next_hand_over_ = engine::SteadyTime::Max();  // With --ack none.
  ReplyLag lag_;
  bool is_draining_ = false;
  bool reads_nothing_ = false;  // While replies of the last commands are sent.
};

}  // namespace tools

#endif  // TOOLS_SERVE_VENUE_SERVER_H_
