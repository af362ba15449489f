#include "engine/wire/itch/stream_reader.h"

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/wire/itch/parser.h"
#include "engine/wire/pcap/pcap_reader.h"

namespace engine {

void ItchStreamReader::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  has_ended_ = chunk.empty();
  plain_.Feed(chunk);
}

absl::StatusOr<bool> ItchStreamReader::Next(ItchMessage& message) {
  RETURN_IF_ERROR(status_);
  absl::StatusOr<bool> has_message = Take(message);
  status_ = has_message.status();
  return has_message;
}

absl::StatusOr<bool> ItchStreamReader::Take(ItchMessage& message) {
  ItchFrame frame;
  while (true) {
    const absl::StatusOr<bool> has_frame = frames_.Next(frame);
    if (!has_frame.ok()) return Placed(has_frame.status());
    if (*has_frame) break;
    ASSIGN_OR_RETURN(const Bytes framed, TakeFramed());
    if (framed.empty()) {
      if (has_ended_) RETURN_IF_ERROR(frames_.Finish());
      return false;
    }
    frames_.Feed(framed);
  }
  const absl::StatusOr<ItchMessage> parsed = ParseItchMessage(frame);
  if (!parsed.ok()) return Placed(parsed.status());
  message = *parsed;
  return true;
}

absl::Status ItchStreamReader::Placed(const absl::Status& status) const {
  if (capture_ == nullptr) return status;
  return absl::Status(status.code(),
                      absl::StrCat(status.message(), ", counted in the messages of the capture"));
}

absl::StatusOr<Bytes> ItchStreamReader::TakeFramed() {
  while (true) {
    if (capture_ != nullptr) {
      ASSIGN_OR_RETURN(const Bytes framed, capture_->Next());
      if (!framed.empty()) return framed;
      if (capture_has_ended_) return framed;
    }
    ASSIGN_OR_RETURN(const Bytes plain, plain_.Next());
    // The length of a message has 0 as its first byte.
    if (!began_ && !plain.empty() && MayBeginPcap(plain.front())) {
      capture_ = std::make_unique<MoldCapture>(allow_gaps_);
    }
    began_ |= !plain.empty();
    if (capture_ == nullptr || (plain.empty() && !has_ended_)) return plain;
    capture_has_ended_ = plain.empty();
    capture_->Feed(plain);
  }
}

}  // namespace engine
