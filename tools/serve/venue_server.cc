#include "tools/serve/venue_server.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/constant_time.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"

namespace tools {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

// With --ack none, a block that is not full waits so long for the journal's thread. Waking that
// thread for each order takes a core from the thread that answers the order, or from its client.
constexpr int64_t kHandOverNanos = 10'000'000;

// Read from a connection in one turn, and the shortest line that is a command: "CANCEL 1\n". An
// operator's session takes fewer lines.
constexpr size_t kReadBytes = size_t{16} << 10;
constexpr size_t kCommandsOfRead = kReadBytes / 9 + 1;
static_assert(2 * engine::AdminGateway::kLinesOfTurn <= kCommandsOfRead);  // See KalshiReopening.
static_assert(engine::Agents::kCommandsOfAction <= kCommandsOfRead);
static_assert(engine::Flow::kCommandsOfTurn <= kCommandsOfRead);
static_assert((kReadBytes / engine::OuchGateway::kRequestBytesMin + 1) *
                  engine::OuchGateway::kCommandsOfRequestMax <=
              kCommandsOfRead);
static_assert(kReadBytes / engine::NativeGateway::kRequestBytesMin + 1 <= kCommandsOfRead);

// A reply waits for the commands before it, so flows leave no more than these to the journal.
constexpr uint64_t kWaitingOfFlows = 4096;

}  // namespace

VenueLogins::VenueLogins(const VenueConfig& config, const engine::VenueMemory& memory)
    : memory_(memory) {
  for (const LoginConfig& login : config.logins) by_name_.emplace(login.name, &login);
}

absl::StatusOr<engine::TextLogin> VenueLogins::Login(absl::string_view name,
                                                     absl::string_view secret) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || !engine::EqualInConstantTime(found->second->secret, secret)) {
    return absl::PermissionDeniedError("login refused");
  }
  const LoginConfig& login = *found->second;
  return engine::TextLogin{
      .account = login.account,
      .cancels_at_end = memory_.CancelsAtEnd(name).value_or(login.cancel_on_disconnect)};
}

NetworkOptions VenueServer::OptionsFor(const VenueConfig& config) {
  NetworkOptions options;
  options.connections_max = std::max({config.text.connections_max, config.kalshi.connections_max,
                                      config.ouch.connections_max, config.native.connections_max});
  options.output_mark_bytes = SessionServer::kUnsentMax;
  options.output_bytes_max = 2 * engine::SessionGateway::kReplyBytesEnd;
  options.read_bytes_max = kReadBytes;
  return options;
}

engine::TextLogins& VenueServer::LoginsFor(const VenueConversation& conversation) {
  if (conversation.talk == nullptr) return logins_;
  conversation_.emplace(venue_, *conversation.talk, conversation.options);
  return recorded_logins_.emplace(*conversation_, logins_);
}

engine::SessionGateway& VenueServer::TextSessions() {
  if (!conversation_.has_value()) return text_gateway_;
  return text_recorder_.emplace(*conversation_, text_gateway_, engine::TalkGateway::kText,
                                engine::MakeLoginMasks());
}

VenueServer::VenueServer(const VenueConfig& config, Network& network, engine::TextSessionHost& host,
                         const VenueConversation& conversation)
    : network_(network),
      config_(config),
      settings_(config, venue_, markets_),
      logins_(config, venue_.memory()),
      configuration_(conversation.configuration),
      text_gateway_(venue_, host, LoginsFor(conversation), markets_),
      text_(network, TextSessions(), config.text.login_seconds_max * kSecondNanos),
      admin_gateway_(venue_, markets_, config.admin.token),
      admin_(network, admin_gateway_, config.text.login_seconds_max * kSecondNanos) {
  for (const AccountConfig& account : config.accounts) text_gateway_.AddAccount(account.id);
  if (config.agents.has_value()) agents_.emplace(*config.agents, venue_);
  if (!config.ouch.listen.empty()) {
    ouch_gateway_ = std::make_unique<OuchService>(config.ouch, venue_, host, markets_);
    ouch_ = std::make_unique<Service>(network, ouch_gateway_->gateway(),
                                      config.text.login_seconds_max * kSecondNanos);
    services_.push_back(ouch_.get());
  }
  if (!config.itch.lines.empty()) itch_ = std::make_unique<ItchService>(config.itch, venue_);
  if (itch_ != nullptr && !config.itch.snapshots.empty()) {
    snapshots_ = std::make_unique<Service>(network, itch_->snapshots(),
                                           config.text.login_seconds_max * kSecondNanos);
    services_.push_back(snapshots_.get());
  }
  if (!config.native.listen.empty()) {
    native_gateway_ = std::make_unique<NativeService>(config.native, venue_, host);
    native_ = std::make_unique<Service>(network, native_gateway_->gateway(),
                                        config.text.login_seconds_max * kSecondNanos);
    services_.push_back(native_.get());
  }
  if (config.kalshi.listen.empty()) return;
  kalshi_gateway_ = std::make_unique<KalshiService>(
      config, venue_, host, markets_, agents_.has_value() ? &*agents_ : nullptr,
      conversation_.has_value() ? &*conversation_ : nullptr);
  kalshi_ = std::make_unique<Service>(network, kalshi_gateway_->sessions(),
                                      config.text.login_seconds_max * kSecondNanos);
  services_.push_back(kalshi_.get());
  kalshi_reopening_.emplace(config.kalshi, venue_);
  admin_gateway_.SetBefore(
      [this](const engine::Command& command) { return kalshi_reopening_->Before(command); });
}

void VenueServer::Restore(engine::VenueMemory memory, const engine::MarketDirectory& markets) {
  venue_.Restore(std::move(memory));
  for (const auto& [id, market] : markets.all()) markets_.Add(market);
}

void VenueServer::OnHistory(const engine::Command& command, engine::Bytes attachment,
                            std::span<const engine::Event> events) {
  venue_.OnHistory(command, attachment, events);
  settings_.OnHistory(attachment, events);
  text_gateway_.OnHistory(command, events);
  if (agents_.has_value()) agents_->OnHistory(command, events);
  for (const auto& flow : flows_) flow->OnHistory(command, events);
  if (ouch_gateway_ != nullptr) ouch_gateway_->gateway().OnHistory(command, attachment, events);
  if (itch_ != nullptr) itch_->publisher().OnHistory(command, attachment, events);
  if (native_gateway_ != nullptr) native_gateway_->gateway().OnHistory(command, events);
  if (kalshi_gateway_ != nullptr) {
    kalshi_gateway_->gateway().OnHistory(command, attachment, events);
    kalshi_reopening_->OnHistory(events);
  }
}

absl::Status VenueServer::Start(replay::Recorder& recorder, BatchClock& clock,
                                engine::SteadyClock& steady) {
  recorder_ = &recorder;
  clock_ = &clock;
  steady_ = &steady;
  if (conversation_.has_value()) {
    venue_.Connect(*conversation_, recorder.last_applied());
    conversation_->Start(recorder);
    if (kalshi_ != nullptr) {
      conversation_->AddConfiguration(configuration_,
                                      config_.kalshi.serves_sim ? engine::kTakesFaults : 0);
    }
  } else {
    venue_.Connect(recorder, recorder.last_applied());
  }
  expiry_.emplace(recorder, clock, steady);
  if (itch_ != nullptr) {
    RETURN_IF_ERROR(itch_->Start(
        ItchSessionName(recorder.journal_uuid(), recorder.ack_policy(), clock.Now()), network_));
  }
  RETURN_IF_ERROR(settings_.Apply());
  for (const auto& flow : flows_) RETURN_IF_ERROR(flow->Start());
  if (ouch_gateway_ != nullptr) RETURN_IF_ERROR(ouch_gateway_->Start(recorder.ack_policy(), clock));
  if (native_gateway_ != nullptr) {
    native_gateway_->Start(recorder.journal_uuid(), recorder.ack_policy(), clock);
  }
  RETURN_IF_ERROR(recorder.Commit());
  if (agents_.has_value()) agents_->Start(markets_, steady.Now());
  RETURN_IF_ERROR(Listen(text_, config_.text.listen));
  if (kalshi_ != nullptr) {
    kalshi_gateway_->Start(recorder.journal_uuid(), clock);
    RETURN_IF_ERROR(Listen(*kalshi_, config_.kalshi.listen));
    kalshi_address_ = kalshi_->address;
  }
  if (ouch_ != nullptr) RETURN_IF_ERROR(Listen(*ouch_, config_.ouch.listen));
  if (snapshots_ != nullptr) RETURN_IF_ERROR(Listen(*snapshots_, config_.itch.snapshots));
  if (native_ != nullptr) RETURN_IF_ERROR(Listen(*native_, config_.native.listen));
  return Listen(admin_, config_.admin.listen);
}

absl::Status VenueServer::Listen(Service& service, const std::string& address) {
  if (address.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Network::Listener listener, network_.Listen(address));
  service.listener = listener.id;
  service.address = listener.address;
  return absl::OkStatus();
}

bool VenueServer::HasRoom() const { return recorder_->HasRoomFor(kCommandsOfRead); }

bool VenueServer::HasRoomForFlows() const {
  const uint64_t waiting = venue_.last_applied() - venue_.last_released();
  return waiting < kWaitingOfFlows && recorder_->HasRoomFor(2 * kCommandsOfRead);
}

absl::Status VenueServer::ActFlows() {
  const auto has_room = [&] {
    clock_->Restart();
    return HasRoomForFlows();
  };
  for (const auto& flow : flows_) {
    RETURN_IF_ERROR(flow->Act(steady_->Now(), clock_->Now(), has_room));
  }
  return absl::OkStatus();
}

absl::StatusOr<engine::SteadyTime> VenueServer::ActOnTime() {
  clock_->Restart();
  const engine::Timestamp now = clock_->Now();
  if (settings_.next_action() <= now) RETURN_IF_ERROR(settings_.ActDue(now));
  ASSIGN_OR_RETURN(const int64_t until_expiry, expiry_->Tick());
  // The clock may step: it is read once a second.
  int64_t wait = std::min(until_expiry, kSecondNanos);
  const engine::Timestamp next = settings_.next_action();
  if (next > now && next.nanos() < now.nanos() + wait) wait = next.nanos() - now.nanos();
  return steady_->Now() + wait;
}

bool VenueServer::HasOwnWork() const {
  return std::ranges::any_of(services_, [](const Service* service) {
    return service->server.has_full() || service->gateway.has_work();
  });
}

absl::Status VenueServer::Release() {
  if (recorder_->ack_policy() != journal::AckPolicy::kNone) {
    next_hand_over_ = engine::SteadyTime::Max();
    return recorder_->Poll();
  }
  RETURN_IF_ERROR(recorder_->ReleaseAcknowledged());
  if (!recorder_->has_unwritten()) {
    next_hand_over_ = engine::SteadyTime::Max();
  } else if (next_hand_over_ == engine::SteadyTime::Max()) {
    next_hand_over_ = steady_->Now() + kHandOverNanos;
  } else if (steady_->Now() >= next_hand_over_) {
    RETURN_IF_ERROR(recorder_->Poll());
    next_hand_over_ = steady_->Now() + kHandOverNanos;
  }
  return absl::OkStatus();
}

absl::Status VenueServer::Turn(engine::SteadyTime deadline) {
  ASSIGN_OR_RETURN(const engine::SteadyTime next_time, ActOnTime());
  deadline = std::min(deadline, next_time);
  if (agents_.has_value() && HasRoom()) deadline = std::min(deadline, agents_->next_time());
  if (HasRoomForFlows() && !is_draining_) {
    for (const auto& flow : flows_) deadline = std::min(deadline, flow->next_time());
  }
  for (const Service* service : services_) {
    deadline = std::min({deadline, service->server.next_deadline(), service->gateway.next_time()});
  }
  if (itch_ != nullptr) deadline = std::min(deadline, itch_->next_time());
  deadline = std::min(deadline, next_hand_over_);
  network_.HoldInput(reads_nothing_ || !HasRoom());
  if (HasOwnWork() && HasRoom()) deadline = steady_->Now();
  network_.Turn(deadline, *this);
  const auto has_room = [&] {
    clock_->Restart();
    return HasRoom();
  };
  for (Service* service : services_) {
    RETURN_IF_ERROR(service->server.status());  // Of what was read.
    if (!is_draining_) RETURN_IF_ERROR(service->server.TakeLines(has_room));
    RETURN_IF_ERROR(service->gateway.Work(has_room));
    service->gateway.OnTime(steady_->Now());
  }
  if (agents_.has_value() && !is_draining_) {
    RETURN_IF_ERROR(agents_->Act(steady_->Now(), clock_->Now(), has_room));
  }
  if (!is_draining_) RETURN_IF_ERROR(ActFlows());
  RETURN_IF_ERROR(Release());
  if (itch_ != nullptr) itch_->Act(steady_->Now());
  for (Service* service : services_) {
    service->server.Send();
    service->server.EndOverdue(steady_->Now());  // Those that are refused have their answer.
  }
  network_.Flush();
  lag_.OnWritten(venue_.last_released(), network_.Now());
  return absl::OkStatus();
}

absl::Status VenueServer::Inject(absl::string_view fault, absl::string_view parameters,
                                 absl::string_view moment) {
  if (kalshi_gateway_ == nullptr) {
    return absl::FailedPreconditionError("Kalshi's API is not served");
  }
  clock_->Restart();
  return kalshi_gateway_->Inject(fault, parameters, moment);
}

absl::Status VenueServer::SendTheRest() {
  const auto has_slow = [&] {
    return std::ranges::any_of(services_,
                               [](const Service* service) { return service->server.has_slow(); });
  };
  reads_nothing_ = true;
  const engine::SteadyTime end = steady_->Now() + NetworkOptions().close_nanos;
  while (has_slow() && steady_->Now() < end) RETURN_IF_ERROR(Turn(end));
  reads_nothing_ = false;
  return absl::OkStatus();
}

absl::Status VenueServer::Drain() {
  is_draining_ = true;
  for (const Service* service : services_) {
    if (service->listener.has_value()) network_.StopListening(*service->listener);
  }
  RETURN_IF_ERROR(recorder_->Commit());
  for (Service* service : services_) service->server.Send();
  RETURN_IF_ERROR(SendTheRest());
  for (Service* service : services_) service->server.CloseAll();
  // Sessions that cancel at their end do so now, after their replies.
  while (network_.connection_count() != 0 || HasOwnWork()) {
    RETURN_IF_ERROR(Turn(steady_->Now() + kSecondNanos));
  }
  RETURN_IF_ERROR(recorder_->Commit());
  if (itch_ != nullptr) itch_->End(recorder_->ack_policy());
  if (conversation_.has_value()) conversation_->End();
  return absl::OkStatus();
}

VenueCounts VenueServer::counts() const {
  size_t sessions = 0;
  for (const Service* service : services_) sessions += service->gateway.session_count();
  return {.sessions = sessions,
          .commands = venue_.last_applied().value(),
          .waiting = venue_.last_applied().value() - venue_.last_released().value(),
          .kalshi = kalshi_gateway_ == nullptr ? engine::KalshiCounts()
                                               : kalshi_gateway_->gateway().counts()};
}

void VenueServer::OnAccepted(ConnectionId connection, ListenerId listener, absl::string_view peer) {
  const auto service = std::ranges::find(services_, listener, &Service::listener);
  CHECK(service != services_.end());
  if (service_of_slot_.size() <= connection.slot) service_of_slot_.resize(connection.slot + 1);
  service_of_slot_[connection.slot] = static_cast<uint8_t>(service - services_.begin());
  (*service)->server.OnAccepted(connection, listener, peer);
}

void VenueServer::OnBytes(ConnectionId connection, engine::Bytes bytes) {
  clock_->Restart();
  const engine::SteadyTime read_at = network_.Now();
  ServerOf(connection).OnBytes(connection, bytes);
  lag_.OnRead(read_at, venue_.last_applied());
  if (!HasRoom()) network_.HoldInput(true);
}

void VenueServer::OnInputEnded(ConnectionId connection) {
  ServerOf(connection).OnInputEnded(connection);
}

void VenueServer::OnDrained(ConnectionId connection) { ServerOf(connection).OnDrained(connection); }

void VenueServer::OnClosed(ConnectionId connection, CloseReason reason) {
  ServerOf(connection).OnClosed(connection, reason);
}

}  // namespace tools
