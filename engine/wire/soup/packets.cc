#include "engine/wire/soup/packets.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace engine {

absl::StatusOr<size_t> SoupReader::SizeOf(Bytes begun) {
  if (begun.size() < kSoupLengthBytes) return kSoupLengthBytes;
  const size_t length = LoadBigEndian<uint16_t>(begun.data());
  if (length >= 1 && length <= payload_bytes_max_ + 1) return kSoupLengthBytes + length;
  rest_ = {};
  status_ =
      absl::InvalidArgumentError(absl::StrCat("SoupBinTCP: packet ", packet_count_ + 1, ": length ",
                                              length, ", expected 1 to ", payload_bytes_max_ + 1));
  return status_;
}

absl::StatusOr<bool> SoupReader::Next(SoupPacket& packet) {
  RETURN_IF_ERROR(status_);
  if (taken_ != 0) {
    gathered_.clear();
    taken_ = 0;
  }
  Bytes whole;
  if (gathered_.empty()) {
    ASSIGN_OR_RETURN(const size_t size, SizeOf(rest_));
    if (size > kSoupLengthBytes && size <= rest_.size()) {
      whole = rest_.first(size);
      rest_ = rest_.subspan(size);
    }
  }
  // The length is gathered first, then the rest.
  while (whole.empty()) {
    ASSIGN_OR_RETURN(const size_t size, SizeOf(AsBytes(gathered_)));
    const size_t piece = std::min(size - gathered_.size(), rest_.size());
    absl::StrAppend(&gathered_, AsText(rest_.first(piece)));
    rest_ = rest_.subspan(piece);
    if (gathered_.size() < size) return false;
    if (size == kSoupLengthBytes) continue;
    whole = AsBytes(gathered_);
    taken_ = gathered_.size();
  }
  ++packet_count_;
  packet.type = static_cast<SoupType>(whole[kSoupLengthBytes]);
  packet.payload = whole.subspan(kSoupLengthBytes + 1);
  return true;
}

void AppendSoupPacket(SoupType type, Bytes payload, std::string& out) {
  CHECK_LE(payload.size(), kSoupPayloadBytesMax);
  const size_t length = payload.size() + 1;
  out.push_back(static_cast<char>(length >> 8));
  out.push_back(static_cast<char>(length));
  out.push_back(static_cast<char>(type));
  absl::StrAppend(&out, AsText(payload));
}

}  // namespace engine
