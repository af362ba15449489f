// Splits a pcap file, in chunks of any size, into the packets that were captured.
//
//   ┌───────────┬────────────┬────────┬────────────┬────────┬──
//   │ header 24 │ record 16  │ packet │ record 16  │ packet │ …
//   └───────────┴────────────┴────────┴────────────┴────────┴──
//
// The classic format: either byte order, times in microseconds or nanoseconds (which are not read).
// Source: draft-ietf-opsawg-pcap.

#ifndef ENGINE_WIRE_PCAP_PCAP_READER_H_
#define ENGINE_WIRE_PCAP_PCAP_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace engine {

// Whether a file that begins with this byte may be pcap; PcapReader looks at the others.
bool MayBeginPcap(std::byte first);

struct CapturedPacket {
  uint64_t number = 0;  // In the file, from 1.
  uint64_t offset = 0;  // The file offset of its record.
  bool is_cut = false;  // The capture kept only its beginning.
  Bytes bytes;          // Valid until the next call.
};

// Sans-I/O: feed a chunk, take packets until there is none, feed the next. Not thread-safe: owned
// by the reader of the file. Failure is sticky.
class PcapReader {
 public:
  static constexpr uint32_t kPacketBytesMax = 256 << 10;  // As of libpcap.

  // `chunk` stays valid until Next returns false.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Takes the next packet. Returns false if the chunk is used up. Errors: INVALID_ARGUMENT with
  // packet number and offset if the file is not classic pcap or a length is impossible.
  absl::StatusOr<bool> Next(CapturedPacket& packet);

  // Call at the end of the file. Errors: DATA_LOSS if it ends inside the header or a packet.
  absl::Status Finish();

  // Of all packets: 1 is Ethernet. Valid once there is a packet.
  uint32_t link_type() const { return link_type_; }

 private:
  absl::StatusOr<bool> Take(CapturedPacket& packet);
  absl::Status ReadHeader(Bytes header);
  uint32_t Load(Bytes bytes, size_t at) const;
  // The next bytes, which stay; empty if the chunk has too few: they are gathered.
  Bytes Peek(size_t count);
  void Skip(size_t count);
  std::string Place() const;

  Bytes chunk_;                      // What is left of it.
  std::vector<std::byte> gathered_;  // From before the chunk.
  bool is_gathered_used_ = false;
  uint64_t offset_ = 0;
  uint64_t packet_count_ = 0;
  bool has_header_ = false;
  bool is_big_endian_ = false;
  uint32_t link_type_ = 0;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_WIRE_PCAP_PCAP_READER_H_
