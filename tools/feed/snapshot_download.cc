#include "tools/feed/snapshot_download.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/messages.h"

namespace tools {
namespace {

absl::Status Malformed(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("the snapshot: ", what));
}

}  // namespace

absl::StatusOr<bool> SnapshotDownload::Take(engine::Bytes bytes) {
  RETURN_IF_ERROR(status_);
  reader_.Feed(bytes);
  engine::SoupPacket packet;
  while (next_sequence_ == 0) {
    const absl::StatusOr<bool> more = reader_.Next(packet);
    status_ = more.ok() && *more ? TakePacket(packet) : more.status();
    RETURN_IF_ERROR(status_);
    if (!*more) return false;
  }
  return true;
}

absl::Status SnapshotDownload::TakePacket(const engine::SoupPacket& packet) {
  switch (packet.type) {
    case engine::SoupType::kServerHeartbeat:
    case engine::SoupType::kDebug:
      return absl::OkStatus();
    case engine::SoupType::kLoginAccepted: {
      if (is_logged_in_) return Malformed("a second login is accepted");
      ASSIGN_OR_RETURN(const auto accepted, engine::ParseSoupLoginAccepted(packet.payload));
      is_logged_in_ = true;
      session_ = accepted.session;
      return absl::OkStatus();
    }
    case engine::SoupType::kLoginRejected: {
      ASSIGN_OR_RETURN(const auto why, engine::ParseSoupLoginRejected(packet.payload));
      return why == engine::SoupLoginRefusal::kNotAuthorised
                 ? absl::PermissionDeniedError("the snapshot server refuses the user or password")
                 : absl::NotFoundError("the snapshot server has not that session");
    }
    case engine::SoupType::kSequencedData:
      if (!is_logged_in_) return Malformed("messages before the login is accepted");
      return TakeMessage(packet.payload);
    case engine::SoupType::kEndOfSession:
      return absl::UnavailableError("the snapshot server ends before the snapshot is complete");
    default:
      return Malformed(absl::StrCat("a packet of type ", static_cast<int>(packet.type),
                                    ", expected one of a server"));
  }
}

absl::Status SnapshotDownload::TakeMessage(engine::Bytes message) {
  using End = engine::ItchSnapshotEnd;
  const absl::string_view text = engine::AsText(message);
  if (!text.empty() && text.front() == End::kType) {
    const absl::string_view number = absl::StripTrailingAsciiWhitespace(text.substr(1));
    const bool is_end = text.size() == 1 + sizeof(End) &&
                        engine::ParseInteger(number, next_sequence_) && next_sequence_ != 0;
    if (is_end) return absl::OkStatus();
    next_sequence_ = 0;
    return Malformed("its end says no number of a message");
  }
  if (framed_.size() + text.size() > kBytesMax) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the snapshot has more than ", kBytesMax, " bytes"));
  }
  const engine::ItchUint16 length = static_cast<uint16_t>(text.size());
  absl::StrAppend(&framed_, engine::AsText(engine::AsBytes(length)), text);
  return absl::OkStatus();
}

}  // namespace tools
