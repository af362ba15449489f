#include "engine/gateway/kalshi/kalshi_gateway.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/gateway/kalshi/refusals.h"
#include "engine/gateway/kalshi/routes.h"
#include "engine/wire/http/http_date.h"
#include "engine/wire/http/http_response.h"
#include "engine/wire/http/websocket_handshake.h"
#include "engine/wire/kalshi/errors.h"

namespace engine {
namespace {

namespace errors = kalshi::errors;

constexpr absl::string_view kHeartbeat = "heartbeat";

KalshiReply ReplyOf(const HttpError& error) {
  return {
      .status = error.status, .content_type = "text/plain", .body = absl::StrCat(error.what, "\n")};
}

}  // namespace

KalshiGateway::KalshiGateway(Venue& venue, KalshiHost& host, KalshiUsers& users,
                             const KalshiCatalogue& catalogue, const MarketDirectory& markets,
                             const KalshiOptions& options)
    : venue_(venue),
      number_(venue.Add(*this)),
      host_(host),
      options_(options),
      world_{.markets = markets,
             .catalogue = catalogue,
             .memory = venue.memory(),
             .views = views_,
             .ids = KalshiIds(Digest())},
      api_(world_, *this, users, options.signature_window_nanos),
      feed_(world_, *this, faults_, options.feed) {}

// ---- Sessions.

void KalshiGateway::Close(SessionId id) {
  Session* const session = Find(id);
  if (session == nullptr) return;
  feed_.Close(id);
  if (session->socket != nullptr) --sockets_of_[session->account];
  sessions_.Remove(id);
}

absl::Status KalshiGateway::OnBytes(SessionId id, Bytes bytes) {
  Session* const session = Find(id);
  CHECK(session != nullptr) << "session " << id.place;
  session->pending = bytes;
  return Take(*session);
}

absl::Status KalshiGateway::Continue(SessionId id) {
  Session* const session = Find(id);
  return session == nullptr ? absl::OkStatus() : Take(*session);
}

absl::Status KalshiGateway::Take(Session& session) {
  while (!session.pending.empty() && !session.HearsNothing() && !is_full(session.id)) {
    if (session.socket == nullptr) {
      TakeHttp(session);
    } else {
      TakeSocket(session);
    }
    Hold(session);
  }
  if (session.HearsNothing()) session.pending = {};
  return host_.JournalStatus();
}

bool KalshiGateway::is_full(SessionId id) const {
  const Session* const session = Find(id);
  if (session == nullptr || session->HearsNothing()) return false;
  const size_t most = session->socket == nullptr ? kReplyBytesMax : kSocketBytesMax;
  return session->replies.size_bytes() >= most;
}

absl::Status KalshiGateway::OnEnd(SessionId id) {
  Session* const session = Find(id);
  if (session == nullptr) return absl::OkStatus();
  session->has_ended = true;
  if (!session->replies.has_held()) session->is_over = true;
  MakeReady(*session);
  return absl::OkStatus();
}

bool KalshiGateway::is_over(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->is_over && !session->replies.has_held() &&
         session->leaves_at <= now_;
}

bool KalshiGateway::has_logged_in(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->has_request;
}

bool KalshiGateway::has_held(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->replies.has_held();
}

void KalshiGateway::MakeReady(Session& session) {
  if (std::exchange(session.is_ready, true)) return;
  ready_.push_back(session.id);
}

void KalshiGateway::Hold(Session& session) {
  // Frames, and the answers to commands of a socket, show released records only.
  const SequenceNumber sequence =
      session.socket == nullptr ? venue_.last_applied() : venue_.last_released();
  session.held_for = std::max(session.held_for, sequence);
  session.replies.HoldUntil(session.held_for);
  session.replies.Release(venue_.last_released());
  if (session.replies.has_held()) held_.emplace_back(venue_.last_applied(), session.id);
  MakeReady(session);
}

void KalshiGateway::Resume(SessionId id) {
  if (Session* const session = Find(id); session != nullptr) MakeReady(*session);
}

void KalshiGateway::TakeReady(
    absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  std::vector<SessionId> ready = std::exchange(ready_, {});
  for (const SessionId id : ready) {
    Session* const session = Find(id);
    if (session == nullptr) continue;
    session->is_ready = false;
    if (session->is_silent || session->leaves_at > now_) continue;
    if (take(id, session->replies.released())) {
      session->replies.ClearReleased();
      session->blocked_since = SteadyTime::Max();
    } else if (session->blocked_since == SteadyTime::Max()) {
      session->blocked_since = now_;
      blocked_.push_back({.time = now_ + kBlockedNanosMax, .session = id});
    }
  }
  ready.clear();
  if (ready_.empty()) ready_ = std::move(ready);  // Keeps the capacity.
}

// ---- HTTP.

void KalshiGateway::TakeHttp(Session& session) {
  HttpReader& reader = session.reader;
  session.pending = session.pending.subspan(reader.Take(session.pending));
  if (reader.has_head()) {
    const std::optional<KalshiReply> refusal =
        api_.RefuseBody(reader.head(), faults_.TimeOfDay(host_.Now()));
    if (refusal.has_value()) {
      Reply(session, *refusal, /*keep_alive=*/false);
      session.is_over = true;
      return;
    }
  }
  if (reader.TakeContinue()) AppendHttpContinue(session.replies.text());
  if (reader.has_error()) {
    Reply(session, ReplyOf(reader.error()), /*keep_alive=*/false);
    session.is_over = true;
  } else if (reader.has_request()) {
    session.asked_at = now_;
    if (!std::exchange(session.has_request, true)) {
      idle_.push_back({.time = now_ + kIdleNanosMax, .session = session.id});
    }
    const HttpRequest& request = reader.request();
    if (request.is_websocket_upgrade && request.path == kKalshiSocketPath) {
      Upgrade(session, request);
    } else {
      Handle(session, request);
    }
    reader.Next();
  }
}

void KalshiGateway::Handle(Session& session, const HttpRequest& request) {
  asking_ = &session;
  const bool is_sim = IsSim(request);
  const KalshiReply reply = is_sim ? AnswerSim(request) : Answer(request);
  asking_ = nullptr;
  Reply(session, reply, request.keep_alive, request.method == "HEAD");
  if (!is_sim) Delay(session, faults_.TakeReplyTime(now_));
  if (!request.keep_alive) session.is_over = true;
}

KalshiReply KalshiGateway::Answer(const HttpRequest& request) {
  if (std::optional<KalshiReply> refusal = faults_.TakeRefusal(now_)) return *std::move(refusal);
  KalshiReply reply = api_.Answer(request, faults_.TimeOfDay(host_.Now()));
  if (!faults_.HasStaleReads(now_) || request.method != "GET" || reply.status != 200) return reply;
  const std::string target = absl::StrCat(request.Find("KALSHI-ACCESS-KEY").value_or(""),
                                          request.path, "?", request.query);
  return faults_.FirstOf(target, std::move(reply));
}

void KalshiGateway::Reply(Session& session, const KalshiReply& reply, bool keep_alive,
                          bool is_head) {
  std::span<const HttpField> fields;
  std::string date;
  HttpField date_field;
  if (reply.status == 426) {
    fields = kWebSocketUpgradeFields;
  } else if (reply.status == 401 && options_.sends_date) {
    date = HttpDate(faults_.TimeOfDay(host_.Now()));
    date_field = {.name = "Date", .value = date};
    fields = std::span(&date_field, 1);
  }
  AppendHttpResponse({.status = reply.status,
                      .content_type = reply.content_type,
                      .fields = fields,
                      .body = reply.body,
                      .keep_alive = keep_alive,
                      .is_to_head = is_head},
                     session.replies.text());
}

// The session needs a key even for public channels, and browsers have none.
void KalshiGateway::Upgrade(Session& session, const HttpRequest& request) {
  const auto refuse = [&](const KalshiReply& reply) {
    Reply(session, reply, /*keep_alive=*/false);
    session.is_over = true;
  };
  if (const std::optional<KalshiReply> refusal = faults_.TakeRefusal(now_)) return refuse(*refusal);
  if (request.Find("Origin").has_value()) {
    return refuse(engine::ReplyOf(kalshi::Error{errors::kForbidden, {}}));
  }
  const KalshiAuth auth = api_.AuthenticateRequest(request, faults_.TimeOfDay(host_.Now()));
  if (auth.result != KalshiAuthResult::kOk) return refuse(engine::ReplyOf(RefusalOf(auth.result)));
  uint32_t& sockets = sockets_of_[auth.account];
  if (sockets >= options_.connections_per_user_max) {
    return refuse(engine::ReplyOf(kalshi::Error{errors::kTooManyRequests, {}}));
  }
  if (const auto error = WebSocketHandshake(request, session.replies.text()); error.has_value()) {
    return refuse(ReplyOf(*error));
  }
  ++sockets;
  session.socket = std::make_unique<WebSocketStream>();
  session.account = auth.account;
  session.commands = TokenBucket(options_.socket_commands);
  pings_.push_back({.time = now_ + kPingNanos, .session = session.id});
}

// ---- WebSocket.

void KalshiGateway::TakeSocket(Session& session) {
  WebSocketStream& socket = *session.socket;
  session.pending = session.pending.subspan(socket.Take(session.pending, session.replies.text()));
  if (socket.has_message()) {
    OnMessage(session, socket.message());
    socket.Next();
  }
  if (socket.is_over()) session.is_over = true;
}

void KalshiGateway::OnMessage(Session& session, const WebSocketMessage& message) {
  if (message.kind == WebSocketMessage::Kind::kPong) {
    session.pings_unanswered = 0;
  } else if (!session.commands.Take(1, host_.Now())) {
    feed_.Refuse(session.id, 0, kalshi::SocketErrorCode::kTooManyRequests);
  } else {
    feed_.OnMessage(session.id, session.account, message.payload);
  }
}

void KalshiGateway::SendFrame(SessionId id, absl::string_view frame) {
  Session* const session = Find(id);
  if (session == nullptr || session->HearsNothing()) return;
  session->socket->SendText(frame, session->replies.text());
  Delay(*session, faults_.FrameTime(now_));
  Hold(*session);
}

bool KalshiGateway::IsSlow(SessionId id) const {
  const Session* const session = Find(id);
  if (session == nullptr) return true;
  const bool is_blocked = session->blocked_since != SteadyTime::Max();
  return session->replies.size_bytes() > (is_blocked ? kFrameBytesMax : kSocketBytesMax);
}

// ---- Time.

SteadyTime KalshiGateway::next_time() const {
  SteadyTime next = SteadyTime::Max();
  if (!pings_.empty()) next = std::min(next, pings_.front().time);
  if (!blocked_.empty()) next = std::min(next, blocked_.front().time);
  if (!idle_.empty()) next = std::min(next, idle_.front().time);
  if (!delayed_.empty()) next = std::min(next, delayed_.begin()->first);
  return next;
}

void KalshiGateway::OnTime(SteadyTime now) {
  now_ = now;
  PingDue(now);
  EndBlocked(now);
  EndIdle(now);
  for (; !delayed_.empty() && delayed_.begin()->first <= now; delayed_.erase(delayed_.begin())) {
    Session* const session = Find(delayed_.begin()->second);
    if (session != nullptr) MakeReady(*session);
  }
}

void KalshiGateway::Delay(Session& session, SteadyTime time) {
  if (time <= now_) return;
  session.leaves_at = std::max(session.leaves_at, time);
  delayed_.emplace(session.leaves_at, session.id);
}

void KalshiGateway::PingDue(SteadyTime now) {
  while (!pings_.empty() && pings_.front().time <= now) {
    Session* const session = Find(pings_.front().session);
    pings_.pop_front();
    if (session == nullptr || session->HearsNothing()) continue;
    if (session->pings_unanswered++ == kPingsUnansweredMax) {
      End(*session);
      continue;
    }
    session->socket->SendPing(kHeartbeat, session->replies.text());
    Hold(*session);
    pings_.push_back({.time = now + kPingNanos, .session = session->id});
  }
}

void KalshiGateway::EndBlocked(SteadyTime now) {
  while (!blocked_.empty() && blocked_.front().time <= now) {
    Session* const session = Find(blocked_.front().session);
    blocked_.pop_front();
    // It may have been blocked again, later.
    if (session != nullptr &&
        session->blocked_since <= SteadyTime::FromNanos(now.nanos() - kBlockedNanosMax)) {
      End(*session);
    }
  }
}

void KalshiGateway::EndIdle(SteadyTime now) {
  while (!idle_.empty() && idle_.front().time <= now) {
    Session* const session = Find(idle_.front().session);
    idle_.pop_front();
    if (session == nullptr || session->is_over || session->socket != nullptr) continue;
    if (now - session->asked_at >= kIdleNanosMax) {
      End(*session);
    } else {
      idle_.push_back({.time = now + kIdleNanosMax, .session = session->id});
    }
  }
}

// Without waiting for the client.
void KalshiGateway::End(Session& session) {
  session.is_over = true;
  MakeReady(session);
}

// ---- Commands and records.

kalshi::Result<KalshiApplied> KalshiGateway::Submit(const Command& command, Bytes attachment) {
  CHECK(asking_ != nullptr) << "no request";
  const absl::StatusOr<SequenceNumber> sequence =
      venue_.Submit(command, attachment,
                    {.gateway = number_,
                     .session = asking_->id.place,
                     .generation = asking_->id.generation,
                     .request = 0});
  if (!sequence.ok()) return kalshi::Error{errors::kUnavailable, {}};
  return KalshiApplied{.sequence = *sequence, .time = applied_at_, .events = applied_events_};
}

void KalshiGateway::OnApplied(const Command& command, std::span<const Event> events,
                              const Origin& origin) {
  if (origin.gateway != number_) return;
  applied_events_.assign(events.begin(), events.end());
  applied_at_ = command.timestamp;
}

void KalshiGateway::OnReleased(const Command& command, std::span<const Event> events,
                               const Origin&) {
  const std::span<const DepthChange> changes = views_.Fold(command, venue_.attachment(), events);
  // Replies first: who asked hears it as the answer.
  for (; !held_.empty() && held_.front().first <= command.sequence; held_.pop_front()) {
    Session* const session = Find(held_.front().second);
    if (session == nullptr) continue;
    session->replies.Release(command.sequence);
    if (session->has_ended && !session->replies.has_held()) session->is_over = true;
    MakeReady(*session);
  }
  feed_.OnReleased(command, events, changes);
}

}  // namespace engine
