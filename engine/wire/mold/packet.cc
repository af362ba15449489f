#include "engine/wire/mold/packet.h"

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

bool IsPrintable(absl::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// The bytes of the first message with its length; 0 if there are not so many.
size_t FirstBytes(Bytes messages) {
  if (messages.size() < kMoldLengthBytes) return 0;
  const size_t whole = kMoldLengthBytes + LoadBigEndian<uint16_t>(messages.data());
  return whole <= messages.size() ? whole : 0;
}

absl::Status CheckMessages(const MoldPacket& packet) {
  Bytes rest = packet.messages;
  for (uint64_t i = 1; i <= packet.count; ++i) {
    const size_t first = FirstBytes(rest);
    if (first == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("MoldUDP64: the packet ends inside message ", i, " of ", packet.count));
    }
    rest = rest.subspan(first);
  }
  if (rest.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("MoldUDP64: ", rest.size(), " bytes after the last message, expected none"));
}

}  // namespace

bool IsMoldSession(absl::string_view name) {
  return !name.empty() && name.size() <= kMoldSessionBytes && IsPrintable(name) &&
         name.back() != ' ';
}

absl::StatusOr<MoldPacket> ParseMoldPacket(Bytes payload) {
  if (payload.size() < kMoldHeaderBytes) {
    return absl::InvalidArgumentError(absl::StrCat("MoldUDP64: a packet of ", payload.size(),
                                                   " bytes, expected at least ", kMoldHeaderBytes));
  }
  MoldPacket packet = {.session = AsText(payload.first(kMoldSessionBytes)),
                       .sequence = LoadBigEndian<uint64_t>(payload.data() + kMoldSessionBytes),
                       .messages = payload.subspan(kMoldHeaderBytes)};
  if (!IsPrintable(packet.session)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "MoldUDP64: session '", absl::CHexEscape(packet.session), "', expected printable ASCII"));
  }
  const auto count = LoadBigEndian<uint16_t>(payload.data() + kMoldHeaderBytes - sizeof(uint16_t));
  if (count == 0) {
    packet.kind = MoldPacket::Kind::kHeartbeat;
  } else if (count == kMoldEndOfSession) {
    packet.kind = MoldPacket::Kind::kEndOfSession;
  } else {
    packet.count = count;
  }
  if (packet.sequence == 0 ||
      packet.sequence > std::numeric_limits<uint64_t>::max() - packet.count) {
    return absl::InvalidArgumentError(
        absl::StrCat("MoldUDP64: sequence number ", packet.sequence, ", expected one from 1 on"));
  }
  RETURN_IF_ERROR(CheckMessages(packet));
  return packet;
}

Bytes WithoutFirst(Bytes messages, uint64_t count) {
  for (; count > 0; --count) messages = messages.subspan(FirstBytes(messages));
  return messages;
}

}  // namespace engine
