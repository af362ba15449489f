// Fuzzes checkpoints.trace, with right hashes: every entry is ignored, or the sequences ascend.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/format/format.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"

namespace {

constexpr size_t kHeaderBytes = 64;
constexpr size_t kEntryBytes = 96;

void MakeHashRight(std::byte* begin, size_t bytes, uint64_t seed) {
  engine::StoreLittleEndian(journal::Hash64({begin, bytes - 8}, seed), begin + bytes - 8);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> file(bytes + 1, bytes + size);
  const journal::Uuid uuid = journal::TestUuid();
  if ((data[0] & 1) != 0 && file.size() >= kHeaderBytes) {
    std::memcpy(file.data() + 16, uuid.bytes.data(), 16);
    MakeHashRight(file.data(), kHeaderBytes, 0);
    for (size_t at = kHeaderBytes; at + kEntryBytes <= file.size(); at += kEntryBytes) {
      MakeHashRight(file.data() + at, kEntryBytes, journal::SeedOf(uuid));
    }
  }
  const auto directory = journal::MemoryDirectory::FromSnapshot({{"checkpoints.trace", file}});
  const auto checkpoints = journal::ReadSidecar(*directory, uuid, engine::SequenceNumber(1000));
  if (checkpoints.ok()) {
    engine::SequenceNumber previous;
    for (const journal::Checkpoint& checkpoint : *checkpoints) {
      CHECK(&checkpoint == &checkpoints->front() || checkpoint.sequence > previous);
      previous = checkpoint.sequence;
    }
  }
  // A writer cuts off invalid bytes and leaves a sidecar that can be appended to. It does not
  // change a sidecar of a later version.
  auto writer = journal::SidecarWriter::Open(*directory, uuid, engine::SequenceNumber(1000));
  if (absl::IsUnimplemented(writer.status())) return 0;
  CHECK(writer.ok());
  CHECK((*writer)->last_sequence() <= engine::SequenceNumber(1000));
  CHECK((*writer)->Append({.sequence = engine::SequenceNumber(1001)}).ok());
  CHECK((*writer)->Close().ok());
  const auto again = journal::ReadSidecar(*directory, uuid, engine::SequenceNumber(1000));
  CHECK(again.ok() && again->back().sequence == engine::SequenceNumber(1001));
  return 0;
}
