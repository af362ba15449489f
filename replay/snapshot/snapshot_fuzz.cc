// Loads arbitrary snapshot content with valid hashes: it is refused, or it is a valid exchange that
// can be saved and restored again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/core/exchange.h"
#include "engine/state/snapshot_parts.h"
#include "journal/testing/memory_storage.h"
#include "replay/snapshot/snapshot_file.h"

namespace {

using Parts = std::vector<std::vector<std::byte>>;

absl::Status Load(const Parts& parts, engine::Exchange& exchange) {
  size_t next = 0;
  return exchange.Load([&]() -> absl::StatusOr<std::optional<engine::Bytes>> {
    if (next == parts.size()) return std::nullopt;
    return parts[next++];
  });
}

// Splits the input into parts, each after its length in four bytes.
Parts Cut(engine::Bytes bytes) {
  Parts parts;
  while (bytes.size() > 4) {
    const size_t length =
        std::min<size_t>(engine::LoadLittleEndian<uint32_t>(bytes.data()), bytes.size() - 4);
    parts.emplace_back(bytes.begin() + 4, bytes.begin() + 4 + static_cast<ptrdiff_t>(length));
    bytes = bytes.subspan(4 + length);
  }
  return parts;
}

// Skips states with huge sequence numbers, whose order index would take too much memory.
bool IsSmall(const Parts& parts) {
  for (const std::vector<std::byte>& bytes : parts) {
    const auto part = engine::DecodeSnapshotPart(bytes);
    if (!part.ok()) continue;
    const auto* const summary = std::get_if<engine::SnapshotSummary>(&*part);
    if (summary != nullptr && summary->last_applied.value() > uint64_t{1} << 32) return false;
  }
  return true;
}

void TryParts(engine::Bytes bytes) {
  const Parts parts = Cut(bytes);
  if (!IsSmall(parts)) return;
  engine::Exchange exchange;
  if (!Load(parts, exchange).ok()) return;
  exchange.CheckInvariants();
  Parts saved;
  CHECK(exchange
            .Save([&](engine::Bytes part) {
              saved.emplace_back(part.begin(), part.end());
              return absl::OkStatus();
            })
            .ok());
  engine::Exchange again;
  CHECK(Load(saved, again).ok());
  CHECK(again.StateDigest() == exchange.StateDigest());
}

void Put(const engine::Digest& digest, std::byte* at) { std::memcpy(at, &digest, sizeof(digest)); }

// Makes all hashes valid, because a part is decoded only if its hash is. Uses the layout of
// replay/snapshot/snapshot_file.cc.
void MakeHashesRight(std::vector<std::byte>& file) {
  constexpr size_t kHeader = 256;
  constexpr size_t kPart = 32;
  constexpr size_t kFooter = 64;
  if (file.size() < kHeader + kFooter) return;
  engine::Digest chain = engine::DigestOf(engine::Bytes(file).first(kHeader - 16));
  Put(chain, &file[kHeader - 16]);
  const size_t end = file.size() - kFooter;
  engine::Digester digester;
  for (size_t at = kHeader; at + kPart <= end;) {
    const size_t stored = engine::LoadLittleEndian<uint32_t>(&file[at + 12]);
    if (stored > end - at - kPart) break;
    digester.Reset();
    digester.Add(engine::AsBytes(chain));
    digester.Add(engine::Bytes(file).subspan(at, 16));
    digester.Add(engine::Bytes(file).subspan(at + kPart, stored));
    chain = digester.Finish();
    Put(chain, &file[at + 16]);
    at += kPart + stored;
  }
  Put(chain, &file[end + 32]);
  Put(engine::DigestOf(engine::Bytes(file).subspan(end, kFooter - 16)), &file[end + kFooter - 16]);
}

void TryFile(engine::Bytes bytes, bool with_right_hashes) {
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  if (with_right_hashes) MakeHashesRight(file);
  const auto directory = journal::MemoryDirectory::FromSnapshot({{"a.snap", file}});
  const auto reader = replay::SnapshotFileReader::Open(*directory, "a.snap");
  if (!reader.ok()) return;
  while (true) {
    const auto part = (*reader)->Next();
    if (!part.ok() || !part->has_value()) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const engine::Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) {
    TryFile(bytes, (data[0] & 2) != 0);
  } else {
    TryParts(bytes);
  }
  return 0;
}
