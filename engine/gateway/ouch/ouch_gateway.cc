#include "engine/gateway/ouch/ouch_gateway.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/ouch/units.h"
#include "engine/messages/kinds.h"
#include "engine/types/quantity.h"
#include "engine/wire/ouch/codec.h"
#include "engine/wire/soup/login.h"

namespace engine {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kRetryNanos = kSecondNanos;  // Of the end of a day.

}  // namespace

OuchGateway::OuchGateway(Venue& venue, OuchHost& host, OuchOptions options,
                         const MarketDirectory& markets)
    : venue_(venue),
      number_(venue.Add(*this)),
      host_(host),
      options_(std::move(options)),
      markets_(markets),
      ledger_(options_.logins, markets),
      readers_(options_.logins.size()) {
  for (const OuchLogin& login : options_.logins) logins_.Add(login.user, login.password);
}

void OuchGateway::OnHistory(const Command& command, Bytes attachment,
                            std::span<const Event> events) {
  ledger_.OnApplied(command, attachment, events);
  ledger_.Release(command.sequence, [](size_t) {});
}

absl::Status OuchGateway::Start(bool may_lose_tail) {
  may_lose_tail_ = may_lose_tail;
  const std::optional<OuchDay>& day = ledger_.day();
  if (day.has_value() && host_.Now() >= day->end()) {
    RETURN_IF_ERROR(EndDay([] { return true; }));
  } else if (!day.has_value() || day->may_lose_tail || may_lose_tail) {
    RETURN_IF_ERROR(BeginDay());
  }
  for (size_t login = 0; login < options_.logins.size(); ++login) CancelAtEnd(login);
  return absl::OkStatus();
}

// ---- Connections.

SessionId OuchGateway::Open() { return sessions_.Add().id; }

void OuchGateway::Close(SessionId id) {
  Session* const session = Find(id);
  if (session == nullptr) return;
  if (session->login.has_value() && readers_[*session->login] == id) CancelAtEnd(*session->login);
  sessions_.Remove(id);
}

absl::Status OuchGateway::OnBytes(SessionId id, Bytes bytes) {
  Session* const session = Find(id);
  CHECK(session != nullptr) << "session " << id.place;
  if (session->is_over) return absl::OkStatus();
  if (!std::exchange(session->is_heard, true)) heard_.push_back(id);
  session->reader.Feed(bytes);
  return TakePackets(*session);
}

bool OuchGateway::is_full(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && !session->is_over && session->stream != nullptr &&
         session->stream->BytesAfter(session->place) >= kUnreadBytesMax;
}

absl::Status OuchGateway::Continue(SessionId id) {
  Session* const session = Find(id);
  return session == nullptr ? absl::OkStatus() : TakePackets(*session);
}

// What it has not read it can ask for again.
absl::Status OuchGateway::OnEnd(SessionId id) {
  if (Session* const session = Find(id); session != nullptr) End(*session);
  return absl::OkStatus();
}

bool OuchGateway::is_over(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->is_over;
}

bool OuchGateway::has_logged_in(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->login.has_value();
}

bool OuchGateway::has_held(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->stream != nullptr &&
         session->place != session->stream->end();
}

void OuchGateway::End(Session& session) {
  session.is_over = true;
  MakeReady(session);
}

void OuchGateway::MakeReady(Session& session) {
  if (std::exchange(session.is_ready, true)) return;
  ready_.push_back(session.id);
}

void OuchGateway::Resume(SessionId id) {
  if (Session* const session = Find(id); session != nullptr) MakeReady(*session);
}

void OuchGateway::TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  for (const SessionId id : std::exchange(ready_, {})) {
    Session* const session = Find(id);
    if (session == nullptr) continue;
    session->is_ready = false;
    Send(*session, take);
  }
}

void OuchGateway::Send(Session& session,
                       absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  const OuchStream* const stream = session.stream.get();
  while (!session.is_over && session.own.empty() && stream != nullptr) {
    if (!stream->Has(session.place)) {  // It was given up.
      session.is_over = true;
      break;
    }
    OuchStream::Place next = session.place;
    const absl::string_view packets = stream->Read(next);
    if (packets.empty()) {
      if (!stream->is_complete()) return;
      AppendSoupPacket(SoupType::kEndOfSession, {}, session.own);
      session.is_over = true;
      break;
    }
    if (!take(session.id, packets)) return;
    session.place = next;
    session.sent_at = now_;
  }
  if (!take(session.id, session.own)) return;
  session.sent_at = now_;
  session.own.clear();
  if (!session.is_over && stream != nullptr) Send(session, take);
}

void OuchGateway::OnTime(SteadyTime now) {
  now_ = now;
  for (const SessionId id : heard_) {
    Session* const session = Find(id);
    if (session == nullptr) continue;
    session->is_heard = false;
    session->heard_at = now;
  }
  heard_.clear();
  is_day_over_ = ledger_.day().has_value() && host_.Now() >= ledger_.day()->end();
  if (now < next_time_) return;
  next_time_ = SteadyTime::Max();
  sessions_.VisitAll([&](Session& session) {
    if (!session.login.has_value() || session.is_over) return;
    if (now - session.heard_at >= kSilenceNanos) return End(session);
    if (now - session.sent_at >= kHeartbeatNanos) {
      if (session.own.empty()) AppendSoupPacket(SoupType::kServerHeartbeat, {}, session.own);
      session.sent_at = now;
      MakeReady(session);
    }
    next_time_ =
        std::min({next_time_, session.heard_at + kSilenceNanos, session.sent_at + kHeartbeatNanos});
  });
}

// ---- Packets.

absl::Status OuchGateway::TakePackets(Session& session) {
  while (!session.is_over && !is_full(session.id)) {
    SoupPacket packet;
    const absl::StatusOr<bool> more = session.reader.Next(packet);
    if (more.ok() && !*more) break;
    if (more.ok()) {
      RETURN_IF_ERROR(OnPacket(session, packet));
    } else {
      End(session);
    }
  }
  return absl::OkStatus();
}

absl::Status OuchGateway::OnPacket(Session& session, const SoupPacket& packet) {
  if (!session.login.has_value()) {
    if (packet.type == SoupType::kLoginRequest) {
      LogIn(session, packet.payload);
    } else {
      End(session);
    }
    return absl::OkStatus();
  }
  switch (packet.type) {
    case SoupType::kUnsequencedData:
      return OnRequest(session, packet.payload);
    case SoupType::kClientHeartbeat:
    case SoupType::kDebug:
      return absl::OkStatus();
    default:  // A logout, or what a client does not send.
      End(session);
      return absl::OkStatus();
  }
}

void OuchGateway::LogIn(Session& session, Bytes payload) {
  const auto refuse = [&](SoupLoginRefusal why) {
    AppendSoupLoginRejected(why, session.own);
    End(session);
  };
  const absl::StatusOr<SoupLoginRequest> request = ParseSoupLoginRequest(payload);
  const std::optional<size_t> login = request.ok() ? logins_.Find(*request) : std::nullopt;
  if (!login.has_value()) return refuse(SoupLoginRefusal::kNotAuthorised);
  const std::string& current = ledger_.day()->session;
  const std::shared_ptr<OuchStream>& stream = ledger_.StreamOf(*login);
  std::optional<OuchStream::Place> place = stream->released();
  if (request->sequence != 0) place = stream->Find(request->sequence);
  if ((!request->session.empty() && request->session != current) || !place.has_value()) {
    return refuse(SoupLoginRefusal::kSessionNotAvailable);
  }
  if (Session* const before = Find(readers_[*login]); before != nullptr) {
    CancelAtEnd(*login);
    End(*before);
  }
  readers_[*login] = session.id;
  session.login = login;
  session.stream = stream;
  session.place = *place;
  session.heard_at = session.sent_at = now_;
  next_time_ = std::min(next_time_, now_ + kHeartbeatNanos);
  AppendSoupLoginAccepted({.session = current, .sequence = place->number}, session.own);
  MakeReady(session);
}

// ---- Requests.

absl::Status OuchGateway::OnRequest(Session& session, Bytes message) {
  const absl::StatusOr<ouch::Inbound> request = ouch::ParseInbound(message);
  if (!request.ok()) {
    End(session);
    return absl::OkStatus();
  }
  return std::visit([&](const auto& typed) { return On(session, typed, message); }, *request);
}

absl::Status OuchGateway::On(Session& session, const ouch::EnterOrder& request, Bytes message) {
  if (!CanUse(session, request.token)) return absl::OkStatus();
  const MarketDefinition* market = markets_.FindSymbol(ouch::TextOf(request.stock));
  if (market != nullptr && !options_.markets.contains(market->id)) market = nullptr;
  const auto command = CommandOf(request, market, LoginOf(session).firm, host_.Now());
  if (const auto* const refusal = std::get_if<OuchRefusal>(&command)) {
    return Refuse(session, request.token, *refusal);
  }
  return Submit(session, std::get<Command>(command), RecordOf(session, message));
}

absl::Status OuchGateway::On(Session& session, const ouch::ReplaceOrder& request, Bytes message) {
  const OuchOrder* const found = ledger_.Find(*session.login, request.existing_token);
  if (found == nullptr || !CanUse(session, request.replacement_token)) return absl::OkStatus();
  const OuchOrder order = *found;
  const auto replacement = ReplacementOf(request, order, host_.Now());
  if (!replacement.has_value()) return CancelOnRequest(session, order, message);
  // First, since the new order has the expiry of the old one.
  if (replacement->set_expiry.has_value()) {
    RETURN_IF_ERROR(Submit(session, *replacement->set_expiry, {}));
  }
  RETURN_IF_ERROR(Submit(session, replacement->replace, RecordOf(session, message)));
  if (!outcome_.has_value() || *outcome_ == RejectReason::kNone ||
      *outcome_ == RejectReason::kExchangeHalted || ledger_.Find(order.id) == nullptr) {
    return absl::OkStatus();
  }
  return CancelOnRequest(session, order, message);
}

absl::Status OuchGateway::On(Session& session, const ouch::CancelOrder& request, Bytes message) {
  const OuchOrder* const order = ledger_.Find(*session.login, request.token);
  if (order == nullptr || request.shares >= order->total()) return absl::OkStatus();
  if (request.shares <= order->executed) return CancelOnRequest(session, *order, message);
  return ReduceTo(session, *order, request.shares, message);
}

absl::Status OuchGateway::On(Session& session, const ouch::ModifyOrder& request, Bytes message) {
  const OuchOrder* const order = ledger_.Find(*session.login, request.token);
  if (order == nullptr) return absl::OkStatus();
  const char side = order->terms.side;
  const bool may_have_side = request.side == side || (IsSale(request.side) && IsSale(side));
  if (!may_have_side || request.shares <= order->executed || request.shares > order->total()) {
    return absl::OkStatus();
  }
  if (request.shares < order->total()) return ReduceTo(session, *order, request.shares, message);
  if (request.side == side) return absl::OkStatus();
  Command note;
  note.kind = CommandKind::kNote;
  return Submit(session, note, RecordOf(session, message));
}

absl::Status OuchGateway::ReduceTo(Session& session, const OuchOrder& order, uint32_t shares,
                                   Bytes message) {
  Command command;
  command.kind = CommandKind::kReduceTo;
  command.market = order.market->id;
  command.order_id = order.id;
  command.quantity = FromOuchShares(shares - order.executed, *order.market);
  return Submit(session, command, RecordOf(session, message));
}

absl::Status OuchGateway::CancelOnRequest(Session& session, const OuchOrder& order, Bytes message) {
  Command command;
  command.kind = CommandKind::kCancel;
  command.market = order.market->id;
  command.order_id = order.id;
  return Submit(session, command, RecordOf(session, message));
}

absl::Status OuchGateway::Refuse(Session& session, const ouch::Token& token, OuchRefusal why) {
  Command note;
  note.kind = CommandKind::kNote;
  const std::string more = absl::StrCat(absl::string_view(token.data(), token.size()),
                                        std::string(1, static_cast<char>(why)));
  return Submit(
      session, note,
      EncodeOuchRecord(
          {.what = OuchRecord::What::kRefusal, .user = LoginOf(session).user, .more = more}));
}

bool OuchGateway::CanUse(const Session& session, const ouch::Token& token) const {
  return !ledger_.IsUsed(*session.login, token) && ledger_.HasRoomForToken(*session.login);
}

std::vector<std::byte> OuchGateway::RecordOf(const Session& session, Bytes message) const {
  return EncodeOuchRecord({.what = OuchRecord::What::kRequest,
                           .user = LoginOf(session).user,
                           .more = std::string(AsText(message))});
}

absl::Status OuchGateway::Submit(const Session& session, Command command, Bytes attachment) {
  command.account = LoginOf(session).account;
  const absl::Status sent = Submit(command, attachment,
                                   {.gateway = number_,
                                    .session = session.id.place,
                                    .generation = session.id.generation,
                                    .request = 0});
  return absl::IsResourceExhausted(sent) ? host_.JournalStatus() : sent;
}

absl::Status OuchGateway::Submit(const Command& command, Bytes attachment, const Origin& origin) {
  outcome_.reset();
  return venue_.Submit(command, attachment, origin).status();
}

// ---- The venue's own commands.

void OuchGateway::CancelAtEnd(size_t login) {
  if (!options_.logins[login].cancels_at_end) return;
  for (const auto& [id, order] : ledger_.orders()) {
    if (order.login == login) to_cancel_.push_back(id);
  }
}

absl::Status OuchGateway::Cancel(const OuchOrder& order, Bytes attachment) {
  Command command;
  command.kind = CommandKind::kCancel;
  command.account = options_.logins[order.login].account;
  command.market = order.market->id;
  command.order_id = order.id;
  return Submit(command, attachment,
                {.gateway = number_, .session = 0, .generation = 0, .request = 0});
}

absl::Status OuchGateway::Work(absl::FunctionRef<bool()> has_room) {
  for (; !to_cancel_.empty() && has_room(); to_cancel_.pop_front()) {
    const OuchOrder* const order = ledger_.Find(to_cancel_.front());
    if (order == nullptr) continue;
    const absl::Status sent = Cancel(*order, {});
    waits_for_space_ = absl::IsResourceExhausted(sent);
    if (waits_for_space_) return host_.JournalStatus();
    RETURN_IF_ERROR(sent);
  }
  return must_end_day() ? EndDay(has_room) : absl::OkStatus();
}

absl::Status OuchGateway::EndDay(absl::FunctionRef<bool()> has_room) {
  std::vector<OrderId> ids;
  for (const auto& [id, order] : ledger_.orders()) ids.push_back(id);
  const std::vector<std::byte> record = EncodeOuchRecord({.what = OuchRecord::What::kDayEnd});
  for (const OrderId id : ids) {
    if (!has_room()) return absl::OkStatus();
    const OuchOrder* const order = ledger_.Find(id);
    if (order == nullptr) continue;
    // On a full disk, or in a halt, the day goes on for a while.
    const absl::Status sent = Cancel(*order, record);
    if (absl::IsResourceExhausted(sent) || outcome_ == RejectReason::kExchangeHalted) {
      next_end_of_day_ = now_ + kRetryNanos;
      return host_.JournalStatus();
    }
    RETURN_IF_ERROR(sent);
  }
  if (!has_room()) return absl::OkStatus();
  const absl::Status begun = BeginDay();
  if (!absl::IsResourceExhausted(begun)) return begun;
  next_end_of_day_ = now_ + kRetryNanos;
  return host_.JournalStatus();
}

absl::Status OuchGateway::BeginDay() {
  Command note;
  note.kind = CommandKind::kNote;
  RETURN_IF_ERROR(
      Submit(note,
             EncodeOuchRecord({.what = OuchRecord::What::kDay,
                               .user = {},
                               .more = absl::StrCat(NewSessionName(), may_lose_tail_ ? "V" : " ")}),
             {.gateway = number_, .session = 0, .generation = 0, .request = 0}));
  is_day_over_ = false;
  return absl::OkStatus();
}

std::string OuchGateway::NewSessionName() const {
  constexpr absl::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr int64_t kPartNanos = kSecondNanos / 16;
  const Timestamp now = host_.Now();
  const std::string date = now.ToString();  // 2026-11-28T...
  int64_t part = now.nanos() % OuchDay::kNanos / kPartNanos;
  while (true) {
    std::string name = absl::StrCat(date.substr(2, 2), date.substr(5, 2), date.substr(8, 2));
    for (int64_t unit = 36 * 36 * 36; unit > 0; unit /= 36) {
      name.push_back(kDigits[static_cast<size_t>(part / unit % 36)]);
    }
    if (!ledger_.day().has_value() || ledger_.day()->session != name) return name;
    ++part;
  }
}

void OuchGateway::OnApplied(const Command& command, std::span<const Event> events,
                            const Origin& origin) {
  ledger_.OnApplied(command, venue_.attachment(), events);
  if (origin.gateway != number_) return;
  const Event& last = events.back();
  outcome_ = last.kind == EventKind::kRejected ? last.reject_reason() : RejectReason::kNone;
}

void OuchGateway::OnReleased(const Command& command, std::span<const Event>, const Origin&) {
  ledger_.Release(command.sequence, [&](size_t login) {
    if (Session* const reader = Find(readers_[login]); reader != nullptr) MakeReady(*reader);
  });
}

}  // namespace engine
