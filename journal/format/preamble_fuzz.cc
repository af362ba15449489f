// Fuzzes the preambles of a file, with a right hash and without: they are refused or read.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "journal/format/preamble.h"
#include "journal/testing/memory_storage.h"

namespace {

constexpr size_t kFixedBytes = 256;
constexpr size_t kCopyBytesAt = 124;
constexpr size_t kHashAt = 240;

// Replaces the hash with the right one; otherwise the hash check would refuse every input.
void MakeHashRight(std::vector<std::byte>& file) {
  if (file.size() < kFixedBytes) return;
  const uint32_t copy_bytes = engine::LoadLittleEndian<uint32_t>(file.data() + kCopyBytesAt);
  if (copy_bytes < kFixedBytes || copy_bytes > file.size()) return;
  std::memset(file.data() + kHashAt, 0, sizeof(engine::Digest));
  const engine::Digest hash = engine::DigestOf(engine::Bytes(file).first(copy_bytes));
  std::memcpy(file.data() + kHashAt, &hash, sizeof(hash));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> file(bytes + 1, bytes + size);
  if ((data[0] & 1) != 0) {
    // A whole page, as the fuzzer seldom makes one.
    file.resize((file.size() + 4095) / 4096 * 4096);
    MakeHashRight(file);
  }
  const auto directory = journal::MemoryDirectory::FromSnapshot({{"segment-000000.tape", file}});
  journal::ReadPreamble(*directory->OpenForRead("segment-000000.tape").value()).IgnoreError();
  return 0;
}
