// The messages of a MoldUDP64 session that was captured, in order.
//
//   chunks of a pcap file ──► packets ──► UDP ──► MoldUDP64 ──► messages, each after its length
//
// Other packets are counted and skipped.

#ifndef ENGINE_WIRE_MOLD_CAPTURE_H_
#define ENGINE_WIRE_MOLD_CAPTURE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/receiver.h"
#include "engine/wire/pcap/pcap_reader.h"

namespace engine {

// Sans-I/O. Not thread-safe: owned by the reader of the capture. Failure is sticky.
class MoldCapture {
 public:
  static constexpr size_t kGapsKept = 20;
  // Later messages that are kept until missing ones arrive.
  static constexpr size_t kHeldBytesMax = 16 << 20;

  struct Counters {
    uint64_t packets = 0;        // All that were captured.
    uint64_t other_packets = 0;  // Not MoldUDP64.
    uint64_t cut_packets = 0;    // Of which the capture has the beginning only.
    uint64_t gaps = 0;
    uint64_t missing_messages = 0;
    std::vector<MoldRange> first_gaps = {};  // At most kGapsKept.
  };

  // Without `allow_gaps`, missing messages are an error.
  explicit MoldCapture(bool allow_gaps) : allow_gaps_(allow_gaps) {}

  // An empty chunk ends the file. `chunk` stays valid until Next has returned nothing.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Returns the next messages, each after its length of two bytes, big-endian; empty if the chunk
  // is used up. Valid until the next call. Errors: those of PcapReader; INVALID_ARGUMENT for a link
  // type that is not read, a second session, or a capture without MoldUDP64; DATA_LOSS with the
  // numbers of the messages that are missing.
  absl::StatusOr<Bytes> Next();

  const Counters& counters() const { return counters_; }
  const MoldReceiver& receiver() const { return receiver_; }

 private:
  absl::StatusOr<Bytes> Take();
  absl::Status TakePacket(const CapturedPacket& packet);
  // Counts what is missing and goes on without it.
  absl::Status GiveUp();
  absl::Status Finish();

  const bool allow_gaps_;
  PcapReader packets_;
  MoldReceiver receiver_;
  bool has_ended_ = false;
  Counters counters_;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_WIRE_MOLD_CAPTURE_H_
