#include "engine/wire/pcap/tcp.h"

#include <algorithm>
#include <span>

#include "engine/wire/big_endian.h"

namespace engine {
namespace {

using Uint16 = BigEndianInteger<uint16_t>;
using Uint32 = BigEndianInteger<uint32_t>;

// Flags.
constexpr uint8_t kFin = 1;
constexpr uint8_t kSyn = 2;
constexpr uint8_t kPush = 8;
constexpr uint8_t kAcknowledge = 16;

struct TcpHeader {
  Uint16 from;
  Uint16 to;
  Uint32 sequence;
  Uint32 acknowledged = 0;
  uint8_t words = 5 << 4;
  uint8_t flags = 0;
  Uint16 window = 0xffff;
  Uint16 check_sum = 0;
  Uint16 urgent = 0;
};
static_assert(sizeof(TcpHeader) == 20);

TcpConnection::End Other(TcpConnection::End end) {
  return end == TcpConnection::End::kClient ? TcpConnection::End::kServer
                                            : TcpConnection::End::kClient;
}

}  // namespace

void TcpConnection::Open(Send send) {
  SendSegment(End::kClient, kSyn, {}, send);
  SendSegment(End::kServer, kSyn | kAcknowledge, {}, send);
  SendSegment(End::kClient, kAcknowledge, {}, send);
}

void TcpConnection::Write(End from, Bytes bytes, Send send) {
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.size(), kSegmentBytesMax);
    SendSegment(from, kPush | kAcknowledge, bytes.first(size), send);
    bytes = bytes.subspan(size);
  }
}

void TcpConnection::Close(Send send) {
  SendSegment(End::kServer, kFin | kAcknowledge, {}, send);
  SendSegment(End::kClient, kFin | kAcknowledge, {}, send);
  SendSegment(End::kServer, kAcknowledge, {}, send);
}

void TcpConnection::SendSegment(End from, uint8_t flags, Bytes payload, Send send) {
  const IpEndpoint& source = ends_[static_cast<size_t>(from)];
  const IpEndpoint& target = ends_[static_cast<size_t>(Other(from))];
  uint32_t& next = next_[static_cast<size_t>(from)];
  TcpHeader header = {.from = source.port, .to = target.port, .sequence = next, .flags = flags};
  if ((flags & kAcknowledge) != 0) {
    header.acknowledged = next_[static_cast<size_t>(Other(from))];
  }
  packet_.clear();
  AppendIpv4Packet({.protocol = IpProtocol::kTcp, .from = source.address, .to = target.address},
                   std::as_writable_bytes(std::span(&header, 1)), offsetof(TcpHeader, check_sum),
                   payload, packet_);
  // A beginning and an end count as a byte each.
  next += static_cast<uint32_t>(payload.size()) + ((flags & (kSyn | kFin)) != 0 ? 1 : 0);
  send(AsBytes(packet_));
}

}  // namespace engine
