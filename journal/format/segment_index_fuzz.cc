// Fuzzes a segment index, with right hashes: it is refused, or every rule of an index holds.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "journal/format/format.h"
#include "journal/format/segment_index.h"
#include "journal/testing/memory_storage.h"

namespace {

constexpr uint64_t kSeed = 42;
constexpr size_t kTrailerBytes = 64;

// Builds the file of FORMAT.md, section 6: `pages` pages, `footer`, a trailer with right hashes.
std::vector<std::byte> FileWith(engine::Bytes footer, size_t pages) {
  const size_t offset = pages * 4096;
  std::vector<std::byte> file((offset + footer.size() + kTrailerBytes + 4095) / 4096 * 4096);
  if (!footer.empty()) std::memcpy(file.data() + offset, footer.data(), footer.size());
  std::byte* trailer = file.data() + file.size() - kTrailerBytes;
  const size_t footer_bytes = file.size() - kTrailerBytes - offset;
  const engine::Digest digest = engine::DigestOf(engine::Bytes(file).subspan(offset, footer_bytes));
  std::memcpy(trailer, "TAPEFOOT", 8);
  engine::StoreLittleEndian(uint64_t{offset}, trailer + 8);
  engine::StoreLittleEndian(uint64_t{footer_bytes}, trailer + 16);
  std::memcpy(trailer + 24, &digest, sizeof(digest));
  engine::StoreLittleEndian(journal::Hash64({trailer, 56}, kSeed), trailer + 56);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const engine::Bytes footer(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const std::vector<std::byte> file = FileWith(footer, data[0] % 16);
  const auto directory = journal::MemoryDirectory::FromSnapshot({{"a", file}});
  const auto read = journal::ReadFooter(*directory->OpenForRead("a").value(), file.size(), kSeed);
  if (!read.ok()) return 0;
  for (const journal::BlockEntry& entry : read->index.blocks) {
    CHECK(entry.record_count > 0);
    CHECK(entry.offset + entry.stored_bytes <= read->offset);
  }
  return 0;
}
