#include "engine/gateway/itch/itch_snapshots.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/check.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/soup/login.h"

namespace engine {

ItchSnapshots::ItchSnapshots(const ItchPublisher& publisher, const std::vector<ItchLogin>& logins)
    : publisher_(publisher), has_logins_(!logins.empty()) {
  for (const ItchLogin& login : logins) logins_.Add(login.user, login.password);
}

void ItchSnapshots::Close(SessionId id) {
  if (Find(id) != nullptr) sessions_.Remove(id);
}

absl::Status ItchSnapshots::OnBytes(SessionId id, Bytes bytes) {
  Session* const session = Find(id);
  CHECK(session != nullptr) << "session " << id.place;
  session->heard_at = now_;
  session->reader.Feed(bytes);
  while (!session->is_over) {
    SoupPacket packet;
    const absl::StatusOr<bool> more = session->reader.Next(packet);
    if (more.ok() && !*more) break;
    if (more.ok()) {
      OnPacket(*session, packet);
    } else {
      End(*session);
    }
  }
  return absl::OkStatus();
}

// One that has logged in still reads.
absl::Status ItchSnapshots::OnEnd(SessionId id) {
  Session* const session = Find(id);
  if (session != nullptr && !session->has_logged_in) End(*session);
  return absl::OkStatus();
}

bool ItchSnapshots::is_over(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->is_over;
}

bool ItchSnapshots::has_logged_in(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->has_logged_in;
}

bool ItchSnapshots::has_held(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->has_logged_in && !session->is_over;
}

void ItchSnapshots::End(Session& session) {
  session.is_over = true;
  session.snapshot.reset();
  MakeReady(session);
}

void ItchSnapshots::MakeReady(Session& session) {
  if (std::exchange(session.is_ready, true)) return;
  ready_.push_back(session.id);
}

void ItchSnapshots::Resume(SessionId id) {
  if (Session* const session = Find(id); session != nullptr) MakeReady(*session);
}

void ItchSnapshots::OnPacket(Session& session, const SoupPacket& packet) {
  if (!session.has_logged_in && packet.type == SoupType::kLoginRequest) {
    return LogIn(session, packet.payload);
  }
  const bool is_allowed =
      packet.type == SoupType::kClientHeartbeat || packet.type == SoupType::kDebug;
  if (!session.has_logged_in || !is_allowed) End(session);
}

void ItchSnapshots::LogIn(Session& session, Bytes payload) {
  const auto refuse = [&](SoupLoginRefusal why) {
    AppendSoupLoginRejected(why, session.own);
    End(session);
  };
  const absl::StatusOr<SoupLoginRequest> request = ParseSoupLoginRequest(payload);
  if (!request.ok() || (has_logins_ && !logins_.Find(*request).has_value())) {
    return refuse(SoupLoginRefusal::kNotAuthorised);
  }
  const bool is_current = request->session.empty() || request->session == publisher_.session();
  // A snapshot is read from its first message on: the next one has others.
  if (!is_current || request->sequence > 1) return refuse(SoupLoginRefusal::kSessionNotAvailable);
  session.has_logged_in = true;
  AppendSoupLoginAccepted({.session = publisher_.session(), .sequence = 1}, session.own);
  MakeReady(session);
  waiting_.push_back(session.id);
  next_time_ = std::min(next_time_, std::max(next_snapshot_, now_));
}

void ItchSnapshots::TakeReady(
    absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  for (const SessionId id : std::exchange(ready_, {})) {
    Session* const session = Find(id);
    if (session == nullptr) continue;
    session->is_ready = false;
    Send(*session, take);
  }
}

void ItchSnapshots::Send(Session& session,
                         absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  if (session.is_over || !session.own.empty()) {
    if (!take(session.id, session.own)) return;
    session.own.clear();
  }
  if (session.snapshot == nullptr) return;
  const absl::string_view packets = session.snapshot->packets;
  while (session.taken < packets.size()) {
    const absl::string_view piece = packets.substr(session.taken, kPieceBytes);
    if (!take(session.id, piece)) return;
    session.taken += piece.size();
  }
  // Only now, since a connection that is over is closed, also if it does not take its replies.
  session.is_over = true;
  session.snapshot.reset();
  take(session.id, {});
}

void ItchSnapshots::OnTime(SteadyTime now) {
  now_ = now;
  Serve();
  if (now < next_time_) return;
  next_time_ = waiting_.empty() ? SteadyTime::Max() : next_snapshot_;
  sessions_.VisitAll([&](Session& session) {
    if (!session.has_logged_in || session.is_over) return;
    if (now - session.heard_at >= kSilenceNanos) return End(session);
    next_time_ = std::min(next_time_, session.heard_at + kSilenceNanos);
  });
}

void ItchSnapshots::Serve() {
  if (now_ < next_snapshot_) return;
  std::shared_ptr<const Snapshot> snapshot;
  for (const SessionId id : std::exchange(waiting_, {})) {
    Session* const session = Find(id);
    if (session == nullptr || session->is_over) continue;
    if (snapshot == nullptr) snapshot = CurrentSnapshot();
    session->snapshot = snapshot;
    MakeReady(*session);
  }
}

std::shared_ptr<const ItchSnapshots::Snapshot> ItchSnapshots::CurrentSnapshot() {
  std::erase_if(snapshots_, [](const auto& each) { return each.expired(); });
  if (!snapshots_.empty()) {
    std::shared_ptr<const Snapshot> last = snapshots_.back().lock();
    if (last->next_sequence == publisher_.next_sequence()) return last;
  }
  if (snapshots_.size() == kSnapshotsMax) {
    EndReadersOf(snapshots_.front().lock());
    snapshots_.erase(snapshots_.begin());
  }
  std::shared_ptr<const Snapshot> made = MakeSnapshot();
  snapshots_.push_back(made);
  ++made_count_;
  next_snapshot_ = now_ + kSnapshotNanos;
  return made;
}

std::shared_ptr<const ItchSnapshots::Snapshot> ItchSnapshots::MakeSnapshot() const {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->next_sequence = publisher_.next_sequence();
  publisher_.Snapshot([&](Bytes frame) {
    AppendSoupPacket(SoupType::kSequencedData, frame.subspan(kMoldLengthBytes), snapshot->packets);
  });
  AppendSoupPacket(SoupType::kEndOfSession, {}, snapshot->packets);
  return snapshot;
}

void ItchSnapshots::EndReadersOf(const std::shared_ptr<const Snapshot>& snapshot) {
  sessions_.VisitAll([&](Session& session) {
    if (session.snapshot == snapshot) End(session);
  });
}

}  // namespace engine
