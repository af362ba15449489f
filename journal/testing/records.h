// Records for tests of journals: like order flow, generated from a seed.

#ifndef JOURNAL_TESTING_RECORDS_H_
#define JOURNAL_TESTING_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/journal_metadata.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"

namespace journal {

// A record that owns its bytes.
struct OwnedRecord {
  Row row;
  std::vector<std::byte> attachment;

  static OwnedRecord Of(const Record& record) {
    return {*record.row, {record.attachment.begin(), record.attachment.end()}};
  }
  friend bool operator==(const OwnedRecord&, const OwnedRecord&) = default;
  friend std::ostream& operator<<(std::ostream& out, const OwnedRecord& record) {
    return out << "record " << record.row.sequence << " at " << record.row.timestamp << " with "
               << record.attachment.size() << " bytes attached";
  }
};

// A log as a function of its seed: adds near a moving touch, cancels and reductions of orders
// that rest, some takers, and sometimes a record with an attachment.
class RecordSource {
 public:
  explicit RecordSource(uint64_t seed, uint64_t attachment_percent = 0)
      : prng_(seed), attachment_percent_(attachment_percent) {}

  OwnedRecord Next();
  std::vector<OwnedRecord> Take(size_t count);

 private:
  engine::Prng prng_;
  const uint64_t attachment_percent_;
  engine::SequenceNumber sequence_;
  int64_t time_ns_ = 1'700'000'000'000'000'000;
  uint64_t touch_ = 5'000;
  std::vector<uint64_t> standing_;
};

JournalMetadata TestMetadata();
Uuid TestUuid();
inline constexpr engine::Timestamp kTestCreated =
    engine::Timestamp::FromNanos(1'600'000'000'000'000'000);

// CHECKs that it succeeds.
void AppendAll(Writer& writer, const std::vector<OwnedRecord>& records);

struct ReadResult {
  std::vector<OwnedRecord> records;
  absl::Status status;                // OK: a clean end.
  bool beginning_is_missing = false;  // As the reader says.
};

// All readable records from the beginning.
ReadResult ReadJournal(const Directory& directory);

}  // namespace journal

#endif  // JOURNAL_TESTING_RECORDS_H_
