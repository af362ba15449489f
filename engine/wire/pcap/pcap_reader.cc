#include "engine/wire/pcap/pcap_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr size_t kHeaderBytes = 24;
constexpr size_t kRecordBytes = 16;
constexpr uint32_t kMicroseconds = 0xa1b2c3d4;
constexpr uint32_t kNanoseconds = 0xa1b23c4d;
constexpr uint32_t kNextGeneration = 0x0a0d0d0a;  // The same in either byte order.
constexpr uint32_t kLinkTypeMask = 0x03ffffff;    // The other bits describe check sums.

bool IsMagic(uint32_t word) { return word == kMicroseconds || word == kNanoseconds; }

}  // namespace

bool MayBeginPcap(std::byte first) {
  return first == std::byte{0xa1} || first == std::byte{0xd4} || first == std::byte{0x4d} ||
         first == std::byte{0x0a};
}

void PcapReader::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  CHECK(chunk_.empty());
  chunk_ = chunk;
}

absl::StatusOr<bool> PcapReader::Next(CapturedPacket& packet) {
  RETURN_IF_ERROR(status_);
  absl::StatusOr<bool> has_packet = Take(packet);
  status_ = has_packet.status();
  return has_packet;
}

absl::StatusOr<bool> PcapReader::Take(CapturedPacket& packet) {
  if (!has_header_) {
    const Bytes header = Peek(kHeaderBytes);
    if (header.empty()) return false;
    RETURN_IF_ERROR(ReadHeader(header));
    Skip(kHeaderBytes);
    has_header_ = true;
  }
  const Bytes record = Peek(kRecordBytes);
  if (record.empty()) return false;
  const uint32_t captured = Load(record, 8);
  const uint32_t original = Load(record, 12);
  if (captured > kPacketBytesMax || captured > original) {
    return absl::InvalidArgumentError(
        absl::StrCat("pcap: ", Place(), ": ", captured, " bytes captured of ", original,
                     ", expected no more than it had, and at most ", kPacketBytesMax));
  }
  const Bytes whole = Peek(kRecordBytes + captured);
  if (whole.empty()) return false;
  packet = {.number = ++packet_count_,
            .offset = offset_,
            .is_cut = captured < original,
            .bytes = whole.subspan(kRecordBytes)};
  Skip(whole.size());
  return true;
}

absl::Status PcapReader::Finish() {
  RETURN_IF_ERROR(status_);
  CHECK(chunk_.empty());
  const bool is_inside = !gathered_.empty() && !is_gathered_used_;
  if (has_header_ && !is_inside) return absl::OkStatus();
  status_ = absl::DataLossError(absl::StrCat("pcap: the file ends inside ",
                                             has_header_ ? Place() : "its header", ", after ",
                                             is_inside ? gathered_.size() : 0, " bytes of it"));
  return status_;
}

absl::Status PcapReader::ReadHeader(Bytes header) {
  const auto magic = LoadLittleEndian<uint32_t>(header.data());
  if (magic == kNextGeneration) {
    return absl::InvalidArgumentError(
        "pcapng: expected the classic format pcap, which 'editcap -F pcap IN OUT' makes of it");
  }
  is_big_endian_ = IsMagic(LoadBigEndian<uint32_t>(header.data()));
  if (!is_big_endian_ && !IsMagic(magic)) {
    return absl::InvalidArgumentError(
        absl::StrCat("pcap: the file begins with ", ToHex(header.first(4)),
                     ", expected a1b2c3d4 or a1b23c4d in either byte order"));
  }
  link_type_ = Load(header, 20) & kLinkTypeMask;
  return absl::OkStatus();
}

uint32_t PcapReader::Load(Bytes bytes, size_t at) const {
  const std::byte* const word = bytes.subspan(at, sizeof(uint32_t)).data();
  return is_big_endian_ ? LoadBigEndian<uint32_t>(word) : LoadLittleEndian<uint32_t>(word);
}

Bytes PcapReader::Peek(size_t count) {
  if (is_gathered_used_) gathered_.clear();
  is_gathered_used_ = false;
  if (gathered_.empty() && chunk_.size() >= count) return chunk_.first(count);
  const size_t missing = count - std::min(count, gathered_.size());
  const Bytes taken = chunk_.first(std::min(missing, chunk_.size()));
  gathered_.insert(gathered_.end(), taken.begin(), taken.end());
  chunk_ = chunk_.subspan(taken.size());
  return gathered_.size() < count ? Bytes() : Bytes(gathered_);
}

void PcapReader::Skip(size_t count) {
  offset_ += count;
  is_gathered_used_ = !gathered_.empty();
  if (gathered_.empty()) chunk_ = chunk_.subspan(count);
}

std::string PcapReader::Place() const {
  return absl::StrCat("packet ", packet_count_ + 1, " at byte ", offset_);
}

}  // namespace engine
