#include "engine/wire/mold/capture.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/pcap/udp.h"

namespace engine {

void MoldCapture::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  CHECK(!has_ended_);
  has_ended_ = chunk.empty();
  packets_.Feed(chunk);
}

absl::StatusOr<Bytes> MoldCapture::Next() {
  RETURN_IF_ERROR(status_);
  absl::StatusOr<Bytes> messages = Take();
  status_ = messages.status();
  return messages;
}

absl::StatusOr<Bytes> MoldCapture::Take() {
  while (true) {
    const Bytes messages = receiver_.Next();
    if (!messages.empty()) return messages;
    if (receiver_.held_bytes() > kHeldBytesMax) {
      RETURN_IF_ERROR(GiveUp());
      continue;
    }
    CapturedPacket packet;
    ASSIGN_OR_RETURN(const bool has_packet, packets_.Next(packet));
    if (has_packet) {
      RETURN_IF_ERROR(TakePacket(packet));
    } else if (!has_ended_) {
      return Bytes();
    } else if (receiver_.missing().has_value()) {
      RETURN_IF_ERROR(GiveUp());
    } else {
      RETURN_IF_ERROR(Finish());
      return Bytes();
    }
  }
}

absl::Status MoldCapture::TakePacket(const CapturedPacket& packet) {
  if (counters_.packets++ == 0) RETURN_IF_ERROR(CheckLinkType(packets_.link_type()));
  if (packet.is_cut) ++counters_.cut_packets;
  const std::optional<Bytes> payload =
      UdpPayload(static_cast<LinkType>(packets_.link_type()), packet.bytes);
  const auto mold = ParseMoldPacket(payload.value_or(Bytes()));
  if (!mold.ok()) {
    ++counters_.other_packets;
    return absl::OkStatus();
  }
  const absl::Status taken = receiver_.Take(*mold);
  if (taken.ok()) return taken;
  return absl::InvalidArgumentError(
      absl::StrCat("packet ", packet.number, " at byte ", packet.offset, ": ", taken.message(),
                   "; a capture of several sessions is not read: filter it by address or port"));
}

absl::Status MoldCapture::GiveUp() {
  std::string ranges;
  do {
    const MoldRange range = *receiver_.missing();
    ++counters_.gaps;
    counters_.missing_messages += range.last - range.first + 1;
    if (counters_.first_gaps.size() < kGapsKept) {
      counters_.first_gaps.push_back(range);
      absl::StrAppend(&ranges, ranges.empty() ? "" : ", ", range.ToString());
    }
    receiver_.GiveUp();
    if (allow_gaps_) return absl::OkStatus();
    while (!receiver_.Next().empty()) {
    }
  } while (receiver_.missing().has_value());
  return absl::DataLossError(absl::StrCat(
      "messages of session '", receiver_.session(), "' are missing: ", ranges,
      counters_.gaps > counters_.first_gaps.size() ? " and more" : "",
      counters_.cut_packets == 0
          ? std::string()
          : absl::StrCat("; of ", counters_.cut_packets,
                         " packets the capture has the beginning only (its snap length)")));
}

absl::Status MoldCapture::Finish() {
  RETURN_IF_ERROR(packets_.Finish());
  if (receiver_.first_sequence() != 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("none of the ", counters_.packets,
                   " packets of the capture is MoldUDP64 in UDP over IPv4, or whole"));
}

}  // namespace engine
