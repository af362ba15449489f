#include "engine/gateway/feed/feed_handler.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "engine/base/check.h"

namespace engine {
namespace {

constexpr size_t kHeldOverheadBytes = 64;  // Of a payload that is held, about.

absl::string_view Name(const MoldPacket& packet) {
  return absl::StripTrailingAsciiWhitespace(packet.session);
}

}  // namespace

FeedHandler::FeedHandler(const Options& options, FeedOutput& output)
    : options_(options), output_(output) {
  CHECK(options.request_messages_max >= 1 &&
        options.request_messages_max <= std::numeric_limits<uint16_t>::max());
}

void FeedHandler::TakePacket(FeedLine line, Bytes payload, SteadyTime now) {
  const auto packet = ParseMoldPacket(payload);
  if (!packet.ok()) {
    ++counters_.malformed;
    return;
  }
  ++counters_.packets[static_cast<size_t>(line)];
  const absl::string_view session = Name(*packet);
  if (session == session_before_ && session != session_ && state_ != State::kWaiting) {
    ++counters_.of_other_sessions;
    return;
  }
  if (state_ == State::kWaiting || session != session_ || HasBegunAgain(line, *packet)) {
    BeginSession(*packet, session, now);
    HasBegunAgain(line, *packet);
  }
  if (state_ == State::kJoining) {
    Hold(*packet, payload);
  } else {
    TakeLive(*packet);
  }
  Tick(now);
}

void FeedHandler::TakeAnswer(Bytes payload, SteadyTime now) {
  const auto packet = ParseMoldPacket(payload);
  if (!packet.ok()) {
    ++counters_.malformed;
    return;
  }
  ++counters_.answers;
  if (Name(*packet) != session_) {
    ++counters_.of_other_sessions;
  } else if (state_ == State::kLive) {
    TakeLive(*packet);
  }
  Tick(now);
}

void FeedHandler::TakeSnapshot(absl::string_view session, uint64_t next_sequence, Bytes framed,
                               SteadyTime now) {
  if (state_ != State::kJoining || session != session_ || next_sequence == 0) {
    ++counters_.snapshots_ignored;
    return;
  }
  ++counters_.snapshots;
  output_.Clear();
  if (!framed.empty()) output_.Take(framed);
  GoLive(next_sequence);
  for (const std::vector<std::byte>& payload : std::exchange(held_, {})) {
    TakeLive(*ParseMoldPacket(payload));
  }
  held_bytes_ = 0;
  Tick(now);
}

void FeedHandler::Tick(SteadyTime now) {
  if (state_ == State::kLive) {
    CheckGap(now);
  } else if (state_ == State::kJoining &&
             now - snapshot_requested_ >= options_.snapshot_patience_ns) {
    RequestSnapshot(now);
  }
}

void FeedHandler::BeginSession(const MoldPacket& packet, absl::string_view session,
                               SteadyTime now) {
  if (session != session_) {
    session_before_ = std::exchange(session_, std::string(session));
  }
  ++counters_.sessions;
  line_reached_ = {};
  // The books of a session that follows another may not begin empty.
  const bool is_from_beginning = packet.sequence == 1 && counters_.sessions == 1;
  if (options_.has_snapshots && !is_from_beginning) return Join(now);
  output_.Clear();
  GoLive(packet.sequence);
}

bool FeedHandler::HasBegunAgain(FeedLine line, const MoldPacket& packet) {
  uint64_t& reached = line_reached_[static_cast<size_t>(line)];
  const uint64_t next = packet.next_sequence();
  if (next < reached && reached - next > options_.reordered_max) return true;
  reached = std::max(reached, next);
  return false;
}

void FeedHandler::Join(SteadyTime now) {
  state_ = State::kJoining;
  receiver_ = MoldReceiver();
  gap_.reset();
  held_.clear();
  held_bytes_ = 0;
  RequestSnapshot(now);
}

void FeedHandler::RequestSnapshot(SteadyTime now) {
  snapshot_requested_ = now;
  ++counters_.snapshot_requests;
  output_.RequestSnapshot();
}

void FeedHandler::GoLive(uint64_t next) {
  state_ = State::kLive;
  gap_.reset();
  receiver_ = MoldReceiver();
  // The receiver begins where a heartbeat says.
  TakeLive({.kind = MoldPacket::Kind::kHeartbeat, .session = session_, .sequence = next});
}

void FeedHandler::TakeLive(const MoldPacket& packet) {
  const uint64_t given_before = receiver_.counters().messages;
  const absl::Status taken = receiver_.Take(packet);
  CHECK(taken.ok()) << taken;  // It is of this session.
  GiveMessages(given_before);
}

void FeedHandler::GiveMessages(uint64_t given_before) {
  for (Bytes framed = receiver_.Next(); !framed.empty(); framed = receiver_.Next()) {
    output_.Take(framed);
  }
  counters_.messages += receiver_.counters().messages - given_before;
}

void FeedHandler::Hold(const MoldPacket& packet, Bytes payload) {
  // What heartbeats announce is announced again.
  if (packet.kind == MoldPacket::Kind::kHeartbeat) return;
  held_.emplace_back(payload.begin(), payload.end());
  held_bytes_ += kHeldOverheadBytes + payload.size();
  // Those that are dropped are asked for later.
  while (held_bytes_ > options_.held_bytes_max) {
    held_bytes_ -= kHeldOverheadBytes + held_.front().size();
    held_.pop_front();
  }
}

void FeedHandler::CheckGap(SteadyTime now) {
  const std::optional<MoldRange> missing = receiver_.missing();
  if (!missing.has_value()) {
    gap_.reset();
    if (receiver_.has_ended()) state_ = State::kEnded;
    return;
  }
  if (receiver_.held_bytes() > options_.held_bytes_max) return GiveUp(now);
  bool is_due = false;
  if (!gap_.has_value() || missing->first > gap_->range.last) {
    ++counters_.gaps;
    gap_ = {.since = now};
  } else if (missing->first > gap_->range.first) {
    // A part of it came. If it was asked for, so is the rest.
    is_due = gap_->requests > 0;
    gap_->requests = 0;
  } else {
    is_due = now - gap_->since >= options_.patience_ns;
  }
  gap_->range = *missing;
  if (!is_due) return;
  if (gap_->requests == options_.requests_max) return GiveUp(now);
  ++gap_->requests;
  ++counters_.requests;
  gap_->since = now;
  output_.RequestMessages(
      session_,
      {.first = missing->first,
       .last = std::min(missing->last, missing->first + options_.request_messages_max - 1)});
}

void FeedHandler::GiveUp(SteadyTime now) {
  if (options_.has_snapshots) return Join(now);
  const MoldRange missing = *receiver_.missing();
  counters_.lost += missing.last - missing.first + 1;
  const uint64_t given_before = receiver_.counters().messages;
  receiver_.GiveUp();
  gap_.reset();
  GiveMessages(given_before);
}

}  // namespace engine
