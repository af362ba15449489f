#include "journal/testing/forge.h"

#include <array>
#include <cstring>
#include <memory>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "journal/format/block_header.h"
#include "journal/format/format.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/storage/storage.h"
#include "journal/testing/memory_storage.h"

namespace journal {
namespace {

constexpr char kName[] = "segment";
// The offset of the rows in a body without attachments, and of the time in a row.
constexpr size_t kRowsInBody = 40;
constexpr size_t kRowBytes = 64;
constexpr size_t kTimeInRow = 8;

struct OpenSegment {
  explicit OpenSegment(const std::vector<std::byte>& segment) {
    directory.SetContents(kName, segment);
    file = directory.OpenForRead(kName).value();
    preamble = ReadPreamble(*file)->preamble;
  }
  uint64_t seed() const { return SeedOf(preamble.segment_uuid); }

  MemoryDirectory directory;
  std::unique_ptr<File> file;
  Preamble preamble;
};

BlockHeader HeaderAt(const std::vector<std::byte>& segment, size_t offset) {
  BlockHeader header;
  std::memcpy(&header, segment.data() + offset, sizeof(header));
  return header;
}

void MoveTime(std::byte* at, int64_t nanos) {
  engine::StoreLittleEndian(engine::LoadLittleEndian<uint64_t>(at) + static_cast<uint64_t>(nanos),
                            at);
}

engine::Timestamp Moved(engine::Timestamp time, int64_t nanos) {
  return engine::Timestamp::FromNanos(time.nanos() + nanos);
}

}  // namespace

uint64_t SeedOfSegment(const std::vector<std::byte>& segment) {
  return OpenSegment(segment).seed();
}

void ShiftLaterTimes(std::vector<std::byte>& segment, int64_t nanos) {
  const OpenSegment open(segment);
  FooterRead footer = ReadFooter(*open.file, segment.size(), open.seed()).value();
  CHECK_GE(footer.index.blocks.size(), size_t{2});
  size_t data_blocks = 0;
  uint64_t previous_hash = open.preamble.previous_block_hash;
  for (size_t offset = open.preamble.blocks_offset(); offset < footer.offset;) {
    BlockHeader header = HeaderAt(segment, offset);
    CHECK(header.codec == Codec::kNone);
    if (header.kind == BlockKind::kData) ++data_blocks;
    if (data_blocks >= 2) {
      std::byte* const payload = segment.data() + offset + kBlockHeaderBytes;
      for (uint32_t row = 0; row < header.record_count; ++row) {
        MoveTime(payload + kRowsInBody + row * kRowBytes + kTimeInRow, nanos);
      }
      header.first_timestamp += nanos;
      header.last_timestamp += nanos;
      header.payload_hash = Hash64(engine::Bytes(payload, header.payload_bytes));
    }
    header.previous_block_hash = previous_hash;
    SignBlockHeader(header, open.seed());
    previous_hash = header.header_hash;
    std::memcpy(segment.data() + offset, &header, sizeof(header));
    offset += StoredBytes(header);
  }
  for (size_t i = 1; i < footer.index.blocks.size(); ++i) {
    BlockEntry& entry = footer.index.blocks[i];
    entry.first_timestamp = Moved(entry.first_timestamp, nanos);
    entry.last_timestamp = Moved(entry.last_timestamp, nanos);
  }
  footer.index.end.last_timestamp = Moved(footer.index.end.last_timestamp, nanos);
  footer.index.end.last_block_hash = previous_hash;
  const std::vector<std::byte> bytes = EncodeFooter(footer.index, footer.offset, open.seed());
  segment.resize(footer.offset);
  segment.insert(segment.end(), bytes.begin(), bytes.end());
}

void AppendHeadersThatClaimTheRest(std::vector<std::byte>& segment, size_t count) {
  const uint64_t seed = SeedOfSegment(segment);
  const size_t begin = AlignUp(segment.size());
  segment.resize(begin + count * kAlignment);
  for (size_t i = 0; i < count; ++i) {
    const size_t offset = begin + i * kAlignment;
    BlockHeader header;
    header.block_number = 1'000'000 + i;
    header.first_sequence = 1'000'000 + i;
    header.record_count = 1;
    header.payload_bytes = static_cast<uint32_t>(segment.size() - offset - kBlockHeaderBytes);
    header.raw_bytes = header.payload_bytes;
    SignBlockHeader(header, seed);
    std::memcpy(segment.data() + offset, &header, sizeof(header));
  }
}

void ReplaceIndexByZeros(std::vector<std::byte>& segment, size_t bytes) {
  constexpr size_t kTrailerBytes = 64;
  CHECK_EQ(bytes % kAlignment, size_t{0});
  const OpenSegment open(segment);
  const uint64_t offset = ReadFooter(*open.file, segment.size(), open.seed())->offset;
  const std::vector<std::byte> index(bytes - kTrailerBytes);
  const engine::Digest hash = engine::DigestOf(index);
  std::array<std::byte, kTrailerBytes> trailer = {};
  std::memcpy(trailer.data(), "TAPEFOOT", 8);
  engine::StoreLittleEndian(offset, &trailer[8]);
  engine::StoreLittleEndian(uint64_t{index.size()}, &trailer[16]);
  engine::StoreLittleEndian(hash.low, &trailer[24]);
  engine::StoreLittleEndian(hash.high, &trailer[32]);
  engine::StoreLittleEndian(Hash64(engine::Bytes(trailer).first(56), open.seed()), &trailer[56]);
  segment.resize(offset);
  segment.insert(segment.end(), index.begin(), index.end());
  segment.insert(segment.end(), trailer.begin(), trailer.end());
}

}  // namespace journal
