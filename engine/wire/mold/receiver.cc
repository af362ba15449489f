#include "engine/wire/mold/receiver.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"

namespace engine {
namespace {

constexpr size_t kHeldOverheadBytes = 128;  // Of a packet that is held, about.

}  // namespace

std::string MoldRange::ToString() const {
  return first == last ? absl::StrCat(first) : absl::StrCat(first, "..", last);
}

absl::Status MoldReceiver::Take(const MoldPacket& packet) {
  CHECK(current_.empty());
  const absl::string_view session = absl::StripTrailingAsciiWhitespace(packet.session);
  if (first_ == 0) {
    session_ = std::string(session);
    first_ = next_ = announced_ = packet.sequence;
  } else if (session != session_) {
    return absl::InvalidArgumentError(
        absl::StrCat("session '", session, "', expected '", session_, "' as before it"));
  }
  if (packet.kind != MoldPacket::Kind::kMessages) {
    announced_ = std::max(announced_, packet.sequence);
    if (packet.kind == MoldPacket::Kind::kEndOfSession) has_ended_ = true;
    if (packet.kind == MoldPacket::Kind::kHeartbeat) ++counters_.heartbeats;
    return absl::OkStatus();
  }
  ++counters_.packets;
  if (packet.next_sequence() <= first_) {
    counters_.too_early += packet.count;
  } else if (packet.sequence <= next_) {
    current_ = Release(packet.sequence, packet.count, packet.messages);
  } else {
    Hold(packet);
  }
  return absl::OkStatus();
}

Bytes MoldReceiver::Next() {
  if (!current_.empty()) return std::exchange(current_, Bytes());
  while (!held_.empty() && held_.begin()->first <= next_) {
    const uint64_t sequence = held_.begin()->first;
    Held first = std::move(held_.begin()->second);
    held_.erase(held_.begin());
    held_bytes_ -= kHeldOverheadBytes + first.messages.size();
    released_ = std::move(first.messages);
    const Bytes messages = Release(sequence, first.count, released_);
    if (!messages.empty()) return messages;
  }
  return {};
}

std::optional<MoldRange> MoldReceiver::missing() const {
  const uint64_t known = held_.empty() ? announced_ : held_.begin()->first;
  if (known <= next_) return std::nullopt;
  return MoldRange{.first = next_, .last = known - 1};
}

void MoldReceiver::GiveUp() {
  const std::optional<MoldRange> range = missing();
  CHECK(range.has_value());
  next_ = range->last + 1;
}

Bytes MoldReceiver::Release(uint64_t sequence, uint64_t count, Bytes messages) {
  const uint64_t known = std::min(next_ - sequence, count);
  counters_.duplicates += known;
  counters_.messages += count - known;
  next_ += count - known;
  return WithoutFirst(messages, known);
}

void MoldReceiver::Hold(const MoldPacket& packet) {
  const auto [place, is_new] = held_.try_emplace(packet.sequence);
  Held& held = place->second;
  if (is_new) held_bytes_ += kHeldOverheadBytes;
  counters_.duplicates += std::min<uint64_t>(held.count, packet.count);
  if (held.count >= packet.count) return;
  held_bytes_ += packet.messages.size() - held.messages.size();
  held.count = packet.count;
  held.messages.assign(packet.messages.begin(), packet.messages.end());
}

}  // namespace engine
