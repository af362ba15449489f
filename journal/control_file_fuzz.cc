// Fuzzes `beginning`, `missing` and holds, with a right hash too: every content is refused, or
// reads the same after it is written again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "journal/format/beginning.h"
#include "journal/format/format.h"
#include "journal/format/missing_records.h"
#include "journal/holds.h"
#include "journal/testing/memory_storage.h"

namespace {

std::vector<std::byte> BytesOf(absl::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

// Replaces the hash in the last line with the right one.
void MakeHashRight(std::string& text) {
  const uint64_t hash =
      journal::Hash64({reinterpret_cast<const std::byte*>(text.data()), text.size()});
  absl::StrAppendFormat(&text, "xxh3 %016x\n", hash);
}

void CheckBeginning(const std::string& text) {
  const auto directory =
      journal::MemoryDirectory::FromSnapshot({{journal::kBeginningFileName, BytesOf(text)}});
  const auto beginning = journal::ReadBeginning(*directory);
  if (!beginning.ok()) {
    CHECK(absl::IsDataLoss(beginning.status()));
    return;
  }
  journal::MemoryDirectory again;
  const absl::Status written = journal::WriteBeginning(again, *beginning);
  if (absl::IsInvalidArgument(written)) return;  // Longer than a control file may be.
  CHECK(written.ok());
  const auto read = journal::ReadBeginning(again);
  CHECK(read.ok());
  CHECK(read->journal_uuid == beginning->journal_uuid);
  CHECK(read->segment_index == beginning->segment_index);
  CHECK(read->first_sequence == beginning->first_sequence);
}

void CheckMissing(const std::string& text) {
  const auto directory =
      journal::MemoryDirectory::FromSnapshot({{journal::kMissingFileName, BytesOf(text)}});
  const auto missing = journal::ReadMissing(*directory);
  if (!missing.ok()) {
    CHECK(absl::IsDataLoss(missing.status()));
    return;
  }
  journal::MemoryDirectory again;
  CHECK(journal::WriteMissing(again, *missing).ok());
  const auto read = journal::ReadMissing(again);
  CHECK(read.ok());
  CHECK(*read == *missing);
}

void CheckHolds(const std::string& text) {
  const auto directory = journal::MemoryDirectory::FromSnapshot({{"a.hold", BytesOf(text)}});
  const auto holds = journal::ListHolds(*directory);
  CHECK(holds.ok());
  CHECK(holds->size() == 1);  // A damaged hold is listed too.
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) MakeHashRight(text);
  if ((data[0] & 2) != 0) {
    CheckHolds(text);
  } else if ((data[0] & 4) != 0) {
    CheckMissing(text);
  } else {
    CheckBeginning(text);
  }
  return 0;
}
