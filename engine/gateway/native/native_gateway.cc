#include "engine/gateway/native/native_gateway.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/constant_time.h"
#include "engine/base/status_macros.h"
#include "engine/messages/kinds.h"

namespace engine {
namespace {

using native::EndReason;
using native::FrameType;
using native::LoginRefusal;
using native::Refusal;

// Padded, so that passwords of all lengths are compared in the same time.
std::string Padded(absl::string_view password) {
  std::string padded(password);
  padded.resize(sizeof(native::Login::password), '\0');
  return padded;
}

bool IsOfTraders(CommandKind kind) {
  const Scope scope = InfoOf(kind).scope;
  return (scope == Scope::kOrders && kind != CommandKind::kExecute) || scope == Scope::kGroup;
}

bool MayTrade(const NativeLogin& login, const Command& command) {
  if (login.markets.empty() || InfoOf(command.kind).scope == Scope::kGroup) return true;
  if (command.kind == CommandKind::kMassCancel && command.market == MarketId()) return true;
  return login.markets.contains(command.market);
}

// Saturated. The clock of stamps may step.
uint32_t NanosBetween(Timestamp from, Timestamp to) {
  constexpr int64_t kMax = std::numeric_limits<uint32_t>::max();
  return static_cast<uint32_t>(std::clamp<int64_t>(to.nanos() - from.nanos(), 0, kMax));
}

}  // namespace

NativeGateway::NativeGateway(Venue& venue, NativeHost& host, NativeOptions options)
    : venue_(venue),
      number_(venue.Add(*this)),
      host_(host),
      options_(std::move(options)),
      streams_(options_.logins, options_.events_kept),
      readers_(options_.logins.size()),
      must_cancel_(options_.logins.size()) {
  for (size_t login = 0; login < options_.logins.size(); ++login) {
    passwords_.push_back(Padded(options_.logins[login].password));
    logins_of_[options_.logins[login].account].push_back(login);
  }
}

void NativeGateway::OnHistory(const Command& command, std::span<const Event> events) {
  streams_.OnApplied(command, events, {});
  streams_.OnReleased(command, events, [](AccountId) {});
}

void NativeGateway::Start(uint64_t session) {
  CHECK(session != 0);
  session_ = session;
  for (size_t login = 0; login < options_.logins.size(); ++login) CancelAtEnd(login);
}

// ---- Connections.

SessionId NativeGateway::Open() { return sessions_.Add().id; }

void NativeGateway::Close(SessionId id) {
  Session* const session = Find(id);
  if (session == nullptr) return;
  if (session->login.has_value() && readers_[*session->login] == id) CancelAtEnd(*session->login);
  sessions_.Remove(id);
}

absl::Status NativeGateway::OnBytes(SessionId id, Bytes bytes) {
  Session* const session = Find(id);
  CHECK(session != nullptr) << "session " << id.place;
  if (session->is_over) return absl::OkStatus();
  session->received_at = host_.StampNow();
  if (!std::exchange(session->is_heard, true)) heard_.push_back(id);
  session->reader.Feed(bytes);
  return TakeFrames(*session);
}

bool NativeGateway::IsFull(const Session& session) {
  return !session.is_over &&
         ((session.stream != nullptr && session.stream->next() - session.number >= kUnreadMax) ||
          session.own.size() >= kUnreadMax * native::kFrameBytes);
}

bool NativeGateway::is_full(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && IsFull(*session);
}

absl::Status NativeGateway::Continue(SessionId id) {
  Session* const session = Find(id);
  return session == nullptr ? absl::OkStatus() : TakeFrames(*session);
}

// What it has not read it can ask for again.
absl::Status NativeGateway::OnEnd(SessionId id) {
  if (Session* const session = Find(id); session != nullptr) End(*session, EndReason::kLogout);
  return absl::OkStatus();
}

bool NativeGateway::is_over(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->is_over;
}

bool NativeGateway::has_logged_in(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->login.has_value();
}

bool NativeGateway::has_held(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->stream != nullptr &&
         session->number != session->stream->end();
}

template <typename Frame>
void NativeGateway::Append(Session& session, const Frame& frame) {
  const absl::string_view text = AsText(AsBytes(frame));
  session.own.append(text.data(), text.size());
  MakeReady(session);
}

void NativeGateway::End(Session& session, EndReason reason) {
  if (std::exchange(session.is_over, true)) return;
  Append(session, native::Ended{.reason = reason, .next = session.number});
}

void NativeGateway::MakeReady(Session& session) {
  if (std::exchange(session.is_ready, true)) return;
  ready_.push_back(session.id);
}

void NativeGateway::Resume(SessionId id) {
  if (Session* const session = Find(id); session != nullptr) MakeReady(*session);
}

void NativeGateway::TakeReady(
    absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  for (const SessionId id : std::exchange(ready_, {})) {
    Session* const session = Find(id);
    if (session == nullptr) continue;
    session->is_ready = false;
    Send(*session, take);
  }
}

void NativeGateway::Send(Session& session,
                         absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  while (true) {
    if (!session.own.empty()) {
      if (!take(session.id, session.own)) return;
      session.sent_at = now_;
      session.own.clear();
    }
    if (session.is_over || session.stream == nullptr) return;
    if (session.number < session.stream->oldest()) {
      End(session, EndReason::kTooSlow);
      continue;
    }
    uint64_t number = session.number;
    const absl::string_view frames = session.stream->Read(number);
    if (frames.empty() || !take(session.id, frames)) return;
    session.number = number;
    session.sent_at = now_;
  }
}

void NativeGateway::OnTime(SteadyTime now) {
  now_ = now;
  for (const SessionId id : heard_) {
    Session* const session = Find(id);
    if (session == nullptr) continue;
    session->is_heard = false;
    session->heard_at = now;
  }
  heard_.clear();
  if (now < next_time_) return;
  next_time_ = SteadyTime::Max();
  sessions_.VisitAll([&](Session& session) {
    if (!session.login.has_value() || session.is_over) return;
    if (now - session.heard_at >= kSilenceNanos) return End(session, EndReason::kSilence);
    if (now - session.sent_at >= kHeartbeatNanos) {
      session.sent_at = now;
      if (session.own.empty()) Append(session, native::Heartbeat{.next = session.number});
    }
    next_time_ =
        std::min({next_time_, session.heard_at + kSilenceNanos, session.sent_at + kHeartbeatNanos});
  });
  next_time_ = std::max(next_time_, now + kLookNanos);
}

// ---- Frames.

absl::Status NativeGateway::TakeFrames(Session& session) {
  while (!session.is_over && !IsFull(session)) {
    const Bytes frame = session.reader.Next();
    if (frame.empty()) break;
    RETURN_IF_ERROR(OnFrame(session, frame));
  }
  return absl::OkStatus();
}

absl::Status NativeGateway::OnFrame(Session& session, Bytes frame) {
  const FrameType type = native::TypeOf(frame);
  if (!session.login.has_value()) {
    if (type == FrameType::kLogin) return LogIn(session, native::FrameFrom<native::Login>(frame));
    End(session, EndReason::kUnknownFrame);
    return absl::OkStatus();
  }
  switch (type) {
    case FrameType::kCommand:
      return OnCommand(session, native::CommandFrom(frame, LoginOf(session).account));
    case FrameType::kClientHeartbeat:
      return absl::OkStatus();
    case FrameType::kLogout:
      End(session, EndReason::kLogout);
      return absl::OkStatus();
    default:
      End(session, EndReason::kUnknownFrame);
      return absl::OkStatus();
  }
}

absl::Status NativeGateway::LogIn(Session& session, const native::Login& request) {
  const std::optional<size_t> login = LoginOf(request);
  native::LoginRefused refused = {.reason = LoginRefusal::kNotAuthorised};
  const auto refuse = [&](LoginRefusal reason) {
    refused.reason = reason;
    session.is_over = true;
    Append(session, refused);
    return absl::OkStatus();
  };
  if (!login.has_value()) return refuse(LoginRefusal::kNotAuthorised);
  const EventStream& stream = streams_.Of(options_.logins[*login].account);
  refused.session = session_;
  refused.oldest = stream.oldest();
  refused.next = stream.next();
  if (request.session != 0 && request.session != session_) {
    return refuse(LoginRefusal::kOtherSession);
  }
  const uint64_t number = request.number == 0 ? stream.next() : request.number;
  if (number < stream.oldest()) return refuse(LoginRefusal::kNoLongerKept);
  if (number > stream.next()) return refuse(LoginRefusal::kNotYetReleased);
  if (Session* const before = Find(readers_[*login]); before != nullptr) {
    readers_[*login] = {};
    CancelAtEnd(*login);
    End(*before, EndReason::kReplaced);
  }
  if (must_cancel_[*login]) RETURN_IF_ERROR(Cancel(*login));
  if (must_cancel_[*login]) return refuse(LoginRefusal::kDiskFull);
  readers_[*login] = session.id;
  session.login = login;
  session.stream = &stream;
  session.number = number;
  session.heard_at = session.sent_at = now_;
  next_time_ = std::min(next_time_, now_ + kHeartbeatNanos);
  Append(session, native::LoginAccepted{.account = options_.logins[*login].account.value(),
                                        .session = session_,
                                        .number = number,
                                        .oldest = stream.oldest(),
                                        .next = stream.next()});
  return absl::OkStatus();
}

std::optional<size_t> NativeGateway::LoginOf(const native::Login& request) const {
  if (request.version != native::kVersion) return std::nullopt;
  const absl::string_view password(request.password.data(), request.password.size());
  std::optional<size_t> found;
  for (size_t login = 0; login < options_.logins.size(); ++login) {
    const bool is_its_password = EqualInConstantTime(passwords_[login], password);
    const bool is_its_user = options_.logins[login].user == native::TextOf(request.user);
    if (is_its_password && is_its_user) found = login;
  }
  return found;
}

absl::Status NativeGateway::OnCommand(Session& session, const Command& command) {
  if (!IsOfTraders(command.kind)) {
    Refuse(session, command, Refusal::kKindForbidden);
    return absl::OkStatus();
  }
  if (!MayTrade(LoginOf(session), command)) {
    Refuse(session, command, Refusal::kMarketForbidden);
    return absl::OkStatus();
  }
  received_at_ = session.received_at;
  called_at_ = host_.StampNow();
  const absl::Status sent = venue_
                                .Submit(command, {},
                                        {.gateway = number_,
                                         .session = session.id.place,
                                         .generation = session.id.generation,
                                         .request = 0})
                                .status();
  if (!absl::IsResourceExhausted(sent)) return sent;
  Refuse(session, command, Refusal::kDiskFull);
  return host_.JournalStatus();
}

void NativeGateway::Refuse(Session& session, const Command& command, Refusal reason) {
  Append(session,
         native::Refused{.reason = reason,
                         .kind = static_cast<uint8_t>(command.kind),
                         .market = command.market.value(),
                         .client_order_id = command.client_order_id.value(),
                         .order_id = command.order_id.value(),
                         .received_at = static_cast<uint64_t>(session.received_at.nanos())});
}

// ---- The venue's own commands.

void NativeGateway::CancelAtEnd(size_t login) {
  if (!options_.logins[login].cancels_at_end || must_cancel_[login]) return;
  must_cancel_[login] = true;
  to_cancel_.push_back(login);
}

absl::Status NativeGateway::Cancel(size_t login) {
  Command command;
  command.kind = CommandKind::kMassCancel;
  command.account = options_.logins[login].account;
  const absl::Status sent =
      venue_.Submit(command, {}, {.gateway = number_, .session = 0, .generation = 0, .request = 0})
          .status();
  waits_for_space_ = absl::IsResourceExhausted(sent);
  if (waits_for_space_) return host_.JournalStatus();
  must_cancel_[login] = false;
  return sent;
}

absl::Status NativeGateway::Work(absl::FunctionRef<bool()> has_room) {
  for (; !to_cancel_.empty() && has_room(); to_cancel_.pop_front()) {
    if (!must_cancel_[to_cancel_.front()]) continue;
    RETURN_IF_ERROR(Cancel(to_cancel_.front()));
    if (waits_for_space_) break;
  }
  return absl::OkStatus();
}

void NativeGateway::OnApplied(const Command& command, std::span<const Event> events,
                              const Origin& origin) {
  NativeStamps stamps;
  if (origin.gateway == number_ && origin.generation != 0) {
    stamps = {.received_at = static_cast<uint64_t>(received_at_.nanos()),
              .waited_nanos = NanosBetween(received_at_, called_at_),
              .engine_nanos = NanosBetween(called_at_, host_.StampNow())};
  }
  streams_.OnApplied(command, events, stamps);
}

void NativeGateway::OnReleased(const Command& command, std::span<const Event> events,
                               const Origin&) {
  streams_.OnReleased(command, events, [&](AccountId account) {
    for (const size_t login : logins_of_.find(account)->second) {
      if (Session* const reader = Find(readers_[login]); reader != nullptr) MakeReady(*reader);
    }
  });
}

}  // namespace engine
