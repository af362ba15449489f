#include "engine/wire/itch/framing.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

size_t LengthOf(Bytes frame) { return LoadBigEndian<uint16_t>(frame.data()); }

}  // namespace

void ItchFrameReader::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  CHECK(used_ == chunk_.size()) << "the previous chunk has " << chunk_.size() - used_
                                << " bytes left";
  chunk_offset_ += chunk_.size();
  chunk_ = chunk;
  used_ = 0;
}

absl::StatusOr<bool> ItchFrameReader::Next(ItchFrame& frame) {
  RETURN_IF_ERROR(status_);
  while (true) {
    const bool is_gathered = gathered_bytes_ > 0;
    const Bytes begun =
        is_gathered ? Bytes(gathered_.data(), gathered_bytes_) : chunk_.subspan(used_);
    if (begun.empty()) return false;
    ASSIGN_OR_RETURN(const size_t needed, BytesNeeded(begun));
    if (begun.size() >= needed) {
      frame = {.number = ++message_count_,
               .offset = FrameOffset(),
               .message = begun.subspan(kLengthBytes, needed - kLengthBytes)};
      if (is_gathered) {
        gathered_bytes_ = 0;
      } else {
        used_ += needed;
      }
      return true;
    }
    const size_t taken = std::min(needed - gathered_bytes_, chunk_.size() - used_);
    if (taken == 0) return false;
    std::memcpy(gathered_.data() + gathered_bytes_, chunk_.data() + used_, taken);
    gathered_bytes_ += taken;
    used_ += taken;
  }
}

absl::Status ItchFrameReader::Finish() {
  RETURN_IF_ERROR(status_);
  const Bytes tail(gathered_.data(), gathered_bytes_);
  const uint64_t offset = FrameOffset();
  CHECK(used_ == chunk_.size()) << "the last chunk has " << chunk_.size() - used_ << " bytes left";
  const bool has_length = tail.size() >= kLengthBytes;
  const bool is_end_marker = tail.size() == kLengthBytes && LengthOf(tail) == 0;
  if (tail.empty() || is_end_marker) return absl::OkStatus();
  status_ = absl::DataLossError(absl::StrCat(
      "the input ends inside message ", message_count_ + 1, " at byte ", offset,
      ": a truncated tail of ", tail.size(), " bytes, expected ",
      has_length ? absl::StrCat(kLengthBytes + LengthOf(tail)) : std::string("at least 3")));
  return status_;
}

// The end marker needs one more byte. If there is one, the marker is refused; if there is none, it
// is left for Finish.
absl::StatusOr<size_t> ItchFrameReader::BytesNeeded(Bytes begun) {
  if (begun.size() <= kLengthBytes) return kLengthBytes + 1;
  const size_t length = LengthOf(begun);
  if (length == 0) {
    return Refuse("a length of 0, expected that of a message: 0 may only end the input");
  }
  const absl::string_view letter = AsText(begun.subspan(kLengthBytes, 1));
  const std::optional<size_t> index = ItchTypeIndex(letter.front());
  if (!index.has_value()) {
    return Refuse(absl::StrCat("unknown message type '", absl::CHexEscape(letter),
                               "' after a length of ", length));
  }
  const ItchType& type = kItchTypes[*index];
  if (length == type.bytes) return kLengthBytes + length;
  return Refuse(absl::StrCat(
      "a length of ", length, ", expected ", type.bytes, " for type '", letter, "' (", type.name,
      ")",
      length == type.bytes + kLengthBytes ? "; this length seems to count its own two bytes" : ""));
}

absl::Status ItchFrameReader::Refuse(absl::string_view what) {
  status_ = absl::InvalidArgumentError(
      absl::StrCat(message_count_ == 0 ? "not a length-framed ITCH 5.0 stream: " : "", "message ",
                   message_count_ + 1, " at byte ", FrameOffset(), ": ", what));
  return status_;
}

}  // namespace engine
