// The header of 128 bytes that begins every block. FORMAT.md, section 3.
//
//   ├─ header, 128 ─┼─ payload ─┼─ zeros to the next 4096 ─┤
//
// No field of a header is used before the header's hash is verified, and no byte of a payload
// before the payload's hash is verified.

#ifndef JOURNAL_FORMAT_BLOCK_HEADER_H_
#define JOURNAL_FORMAT_BLOCK_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "journal/ack_policy.h"
#include "journal/format/format.h"

namespace journal {

// Written to disk: do not renumber. Zero is not a subject.
enum class ControlSubject : uint8_t {
  kAckPolicy = 1,  // The ack policy changes from the next record on.
};

constexpr uint64_t EncodeAckPolicyChange(AckPolicy before, AckPolicy after) {
  return static_cast<uint64_t>(ControlSubject::kAckPolicy) | static_cast<uint64_t>(before) << 8 |
         static_cast<uint64_t>(after) << 16;
}

// Whether this build knows the subject and its values.
constexpr bool IsControl(uint64_t control) {
  return (control & 0xff) == static_cast<uint64_t>(ControlSubject::kAckPolicy) &&
         (control >> 8 & 0xff) <= static_cast<uint64_t>(AckPolicy::kDisk) &&
         (control >> 16 & 0xff) <= static_cast<uint64_t>(AckPolicy::kDisk) && control >> 24 == 0;
}

// Written to disk: do not renumber. Zero is not a kind, because a page of zeros is not a block.
enum class BlockKind : uint8_t {
  kData = 1,
  kHeartbeat = 2,  // Carries the watermark, no records.
  kSeal = 3,       // The last block of a sealed segment.
  kRecovery = 4,   // The first block of a writer that took over an unsealed segment.
  kControl = 5,    // Information about the journal itself, no records. Since 1.1.
};
enum class Codec : uint8_t { kNone = 0, kZstd = 1 };
enum class Transform : uint8_t { kNone = 0, kColumns = 1 };

// The header's bytes on disk: little-endian, no padding.
struct BlockHeader {
  uint32_t magic = kMagic;
  uint16_t header_bytes = 128;
  BlockKind kind = BlockKind::kData;
  Codec codec = Codec::kNone;
  Transform transform = Transform::kNone;
  uint8_t delta_mask = 0;
  uint16_t reserved_a = 0;
  uint32_t incarnation = 0;
  uint64_t block_number = 0;    // Dense, from 1 (but see FORMAT.md, section 14).
  uint64_t first_sequence = 0;  // Of its first record; without records, of the next one.
  uint32_t record_count = 0;
  uint32_t payload_bytes = 0;  // As stored, without the padding.
  uint32_t raw_bytes = 0;      // The length of the body that the payload decodes to.
  uint32_t reserved_b = 0;
  int64_t first_timestamp = 0;  // Without records, both are those of the last record before.
  int64_t last_timestamp = 0;
  uint64_t durable_block = 0;  // The watermark: known durable when this block was submitted.
  uint64_t durable_sequence = 0;
  uint64_t previous_block_hash = 0;  // header_hash of block_number - 1; 0 for the first.
  uint64_t payload_hash = 0;         // XXH3-64 of the payload.
  uint64_t control = 0;              // The content of a CONTROL block, see ControlSubject; else 0.
  // In the SEAL block of a compacted segment: number and header_hash of the SEAL block it replaces,
  // which the next segment follows; else 0. Since 1.2.
  uint64_t replaced_block = 0;
  uint64_t replaced_hash = 0;
  uint64_t header_hash = 0;  // XXH3-64 of the 120 bytes before, seeded by the segment.

  static constexpr uint32_t kMagic = 0x4b4c4254;  // "TBLK"
};
static_assert(sizeof(BlockHeader) == 128);
static_assert(std::has_unique_object_representations_v<BlockHeader>);

inline constexpr size_t kBlockHeaderBytes = sizeof(BlockHeader);

// The bytes that the block takes in its file, padding included.
constexpr uint64_t StoredBytes(const BlockHeader& header) {
  return AlignUp(kBlockHeaderBytes + header.payload_bytes);
}

// Sets header_hash.
void SignBlockHeader(BlockHeader& header, uint64_t segment_seed);

// Parses and validates the header at the front of `bytes`. Every length in the result is within the
// limits of format.h. Errors: DATA_LOSS (the message names the rule that is broken).
absl::StatusOr<BlockHeader> ParseBlockHeader(engine::Bytes bytes, uint64_t segment_seed);

}  // namespace journal

#endif  // JOURNAL_FORMAT_BLOCK_HEADER_H_
