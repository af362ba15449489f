// Fuzzes a block, with right hashes: it is refused, or decodes to the records in its header.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"
#include "journal/format/format.h"

namespace {

constexpr uint64_t kSeed = 42;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  journal::ParseBlockHeader({reinterpret_cast<const std::byte*>(data), size}, kSeed).IgnoreError();
  if (size < journal::kBlockHeaderBytes) return 0;

  journal::BlockHeader header;
  std::memcpy(&header, data, journal::kBlockHeaderBytes);
  header.magic = journal::BlockHeader::kMagic;
  journal::AlignedBuffer payload(0);
  const size_t payload_bytes = size - journal::kBlockHeaderBytes;
  payload.Reserve(payload_bytes + 1);
  std::memcpy(payload.data(), data + journal::kBlockHeaderBytes, payload_bytes);
  header.payload_bytes = static_cast<uint32_t>(payload_bytes);
  // Sets the length that the fuzzer would have to guess each time it changes payload_bytes.
  if (header.codec == journal::Codec::kNone) header.raw_bytes = header.payload_bytes;
  header.payload_hash = journal::Hash64(payload.first(payload_bytes));
  journal::SignBlockHeader(header, kSeed);

  const auto parsed = journal::ParseBlockHeader(engine::AsBytes(header), kSeed);
  if (!parsed.ok() || parsed->kind != journal::BlockKind::kData) return 0;
  static journal::BlockDecoder decoder;
  static journal::DecodedBlock decoded;
  if (!decoder.Decode(*parsed, payload.first(payload_bytes), decoded).ok()) return 0;
  CHECK_EQ(decoded.records().rows.size(), parsed->record_count);
  CHECK_EQ(decoded.records().rows.front().sequence.value(), parsed->first_sequence);
  uint64_t sum = 0;
  for (const journal::AttachmentView& attachment : decoded.records().attachments) {
    for (const std::byte byte : attachment.bytes) sum += static_cast<uint64_t>(byte);
  }
  CHECK_GE(sum + 1, 1u);  // Uses the sum, so that every byte is read.
  return 0;
}
