#include "journal/testing/records.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "engine/base/check.h"
#include "journal/reader.h"

namespace journal {

OwnedRecord RecordSource::Next() {
  sequence_ = sequence_.Next();
  time_ns_ += static_cast<int64_t>(prng_.Below(3'000));
  if (prng_.Chance(10)) touch_ += prng_.Below(3) - 1;

  // order · price · quantity · client order · account, market · kind, side
  std::array<uint64_t, 6> words = {};
  const uint64_t dice = prng_.Below(100);
  const uint64_t side = prng_.Below(2);
  const uint64_t account = 1 + prng_.Below(40);
  words[4] = account | uint64_t{7} << 32;
  if (dice < 47 || standing_.empty()) {
    const uint64_t distance = prng_.Below(1 + prng_.Below(30));
    words[1] = side == 0 ? touch_ - distance : touch_ + distance;
    words[2] = 100 * (1 + prng_.Below(20));
    words[3] = account << 32 | sequence_.value();
    words[5] = 1 | side << 16;
    standing_.push_back(sequence_.value());
  } else {
    const uint64_t recent = std::min<uint64_t>(standing_.size(), 400);
    const size_t index = standing_.size() - 1 - prng_.Below(recent);
    words[0] = standing_[index];
    words[2] = dice < 95 ? 0 : 100 * (1 + prng_.Below(5));
    words[5] = dice < 95 ? 2 : 3;
    standing_.erase(standing_.begin() + static_cast<ptrdiff_t>(index));
  }
  OwnedRecord record;
  record.row.sequence = sequence_;
  record.row.timestamp = engine::Timestamp::FromNanos(time_ns_);
  std::memcpy(record.row.payload.data(), words.data(), sizeof(words));
  if (prng_.Chance(attachment_percent_)) {
    record.attachment.resize(1 + prng_.Below(70));
    for (std::byte& byte : record.attachment) byte = static_cast<std::byte>(prng_.Below(256));
  }
  return record;
}

std::vector<OwnedRecord> RecordSource::Take(size_t count) {
  std::vector<OwnedRecord> records;
  records.reserve(count);
  for (size_t i = 0; i < count; ++i) records.push_back(Next());
  return records;
}

JournalMetadata TestMetadata() {
  JournalMetadata metadata;
  metadata.application = "journal test";
  metadata.build_id = "test build";
  metadata.semantics_version = 1;
  metadata.created_by = "a test";
  metadata.row_schema_id = 0xd3a1c5f0b7e24986;
  metadata.row_schema = {std::byte{1}, std::byte{2}, std::byte{3}};
  return metadata;
}

Uuid TestUuid() { return Uuid::FromWords(0x1122334455667788, 0x99aabbccddeeff00); }

void AppendAll(Writer& writer, const std::vector<OwnedRecord>& records) {
  for (const OwnedRecord& record : records) {
    CHECK_OK(writer.Append(record.row, record.attachment));
  }
}

ReadResult ReadJournal(const Directory& directory) {
  ReadResult result;
  absl::StatusOr<std::unique_ptr<Reader>> reader = Reader::Open(directory);
  result.status = reader.status();
  if (reader.ok()) result.beginning_is_missing = (*reader)->info().beginning_is_missing;
  while (result.status.ok()) {
    const absl::StatusOr<std::optional<Record>> record = (*reader)->Next();
    result.status = record.status();
    if (!record.ok() || !record->has_value()) break;
    result.records.push_back(OwnedRecord::Of(**record));
  }
  return result;
}

}  // namespace journal
