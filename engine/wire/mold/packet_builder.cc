#include "engine/wire/mold/packet_builder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/check.h"
#include "engine/wire/big_endian.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/pcap/udp.h"

namespace engine {
namespace {

struct Header {
  std::array<char, kMoldSessionBytes> session;
  BigEndianInteger<uint64_t> sequence;
  BigEndianInteger<uint16_t> count;
};
static_assert(sizeof(Header) == kMoldHeaderBytes && alignof(Header) == 1, "the layout of the wire");

}  // namespace

MoldPacketBuilder::MoldPacketBuilder(absl::string_view session, size_t payload_bytes_max)
    : packet_(payload_bytes_max) {
  CHECK(IsMoldSession(session)) << session;
  CHECK(payload_bytes_max >= kMoldHeaderBytes && payload_bytes_max <= kUdpPayloadBytesMax);
  std::fill_n(packet_.begin(), kMoldSessionBytes, std::byte{' '});
  std::ranges::copy(AsBytes(session), packet_.begin());
  Begin(sequence_);
}

void MoldPacketBuilder::Begin(uint64_t sequence) {
  sequence_ = sequence;
  count_ = 0;
  used_ = kMoldHeaderBytes;
}

bool MoldPacketBuilder::Add(Bytes framed) {
  if (framed.size() > packet_.size() - used_) return false;
  std::memcpy(packet_.data() + used_, framed.data(), framed.size());
  used_ += framed.size();
  ++count_;
  return true;
}

void MoldPacketBuilder::EndSession() {
  CHECK_EQ(count_, 0);
  count_ = kMoldEndOfSession;
}

Bytes MoldPacketBuilder::Finish() {
  Header header;
  std::memcpy(&header.session, packet_.data(), kMoldSessionBytes);
  header.sequence = sequence_;
  header.count = count_;
  std::memcpy(packet_.data(), &header, sizeof(header));
  return Bytes(packet_).first(used_);
}

}  // namespace engine
