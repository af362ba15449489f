#include "journal/testing/oracles.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/follower.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// Both preambles of a journal of tests.
constexpr size_t kPreamblesBytes = 2 * 4096;

bool IsPrefix(const std::vector<OwnedRecord>& records, const std::vector<OwnedRecord>& log) {
  return records.size() <= log.size() && std::equal(records.begin(), records.end(), log.begin());
}

engine::Digest DigestOf(const std::vector<OwnedRecord>& log, uint64_t count) {
  LogDigest digest;
  for (uint64_t i = 0; i < count; ++i) digest.Add(log[i].row, log[i].attachment);
  return digest.Value();
}

// After the preambles: a damaged copy of those is rewritten from the good one.
std::string CheckRewrites(const MemoryDirectory& directory) {
  for (const auto& [name, bytes] : directory.Snapshot()) {
    if (absl::EndsWith(name, ".tape") &&
        directory.synced_sectors_rewritten(name, kPreamblesBytes) != 0) {
      return absl::StrCat("(g) ", name, ": synced sectors were written again");
    }
  }
  return "";
}

// After a crash alone.
std::string CheckCrashReport(const VerifyReport& report) {
  if (report.verdict == Verdict::kDamaged) {
    return absl::StrCat("(c) a crash alone is DAMAGED: ", report.findings.back().ToString());
  }
  if (report.durable_sequence > report.last_sequence) {
    return absl::StrCat("(c) ", ToString(report.verdict), " ends at ", report.last_sequence.value(),
                        ", and the log says that ", report.durable_sequence.value(),
                        " was durable");
  }
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::kTorn && finding.may_have_been_acknowledged) {
      return absl::StrCat("(c) TORN may have been acknowledged: ", finding.ToString());
    }
  }
  return "";
}

std::string CheckRead(const Directory& directory, const std::vector<OwnedRecord>& log,
                      uint64_t count) {
  const ReadResult read = ReadJournal(directory);
  if (!read.status.ok()) return absl::StrCat("(a) cannot be read: ", read.status.ToString());
  if (!IsPrefix(read.records, log)) return "(a) the records read are not those submitted";
  if (read.records.size() == count) return "";
  return absl::StrCat("(a) ", read.records.size(), " records are read, and ", count,
                      " are expected");
}

// The bytes that recovery removed from the last segment must be in a .torn file.
std::string CheckKeptAside(const JournalBytes& before, const JournalBytes& after) {
  for (const auto& [name, was] : before) {
    if (!absl::EndsWith(name, ".tape")) continue;
    const auto is = after.find(name);
    size_t cut = kPreamblesBytes;
    while (is != after.end() && cut < was.size() && cut < is->second.size() &&
           was[cut] == is->second[cut]) {
      ++cut;
    }
    const auto last =
        std::find_if(was.rbegin(), was.rend(), [](std::byte byte) { return byte != std::byte{0}; });
    const size_t end = static_cast<size_t>(last.base() - was.begin());
    if (cut >= end) continue;
    const bool kept = std::any_of(after.begin(), after.end(), [&, &was = was](const auto& file) {
      return absl::StrContains(file.first, ".torn.") && file.second.size() >= was.size() - cut &&
             std::equal(was.rbegin(), was.rend() - static_cast<ptrdiff_t>(cut),
                        file.second.rbegin());
    });
    if (!kept) return absl::StrCat("(h) ", name, ": what was cut off at ", cut, " is not kept");
  }
  return "";
}

// Opens it, and compares its records and digest with the submitted ones.
std::string CheckTakenOver(Directory& directory, const Submitted& submitted,
                           const WriterOptions& options, std::unique_ptr<Writer>& writer) {
  auto opened = Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, options);
  if (absl::IsNotFound(opened.status()) && submitted.acknowledged == 0) return "";
  if (!opened.ok()) return absl::StrCat("(b) is refused: ", opened.status().ToString());
  writer = *std::move(opened);
  const uint64_t kept = writer->next_sequence().value() - 1;
  if (kept < submitted.acknowledged || kept > submitted.appended) {
    return absl::StrCat("(b) keeps ", kept, " records, of ", submitted.acknowledged,
                        " acknowledged and ", submitted.appended, " appended");
  }
  if (writer->log_digest() != DigestOf(submitted.log, kept)) {
    return "(d) the digest is not that of the records";
  }
  if (Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, options).ok()) {
    return "(e) two writers have opened it";
  }
  return "";
}

// Appends a few more, durably; after a crash they must be there.
std::string CheckGoesOn(MemoryDirectory& directory, Submitted& submitted, Writer& writer) {
  uint64_t count = writer.next_sequence().value() - 1;
  for (int i = 0; i < 3 && count < submitted.log.size(); ++i, ++count) {
    const OwnedRecord& record = submitted.log[count];
    if (!writer.Append(record.row, record.attachment).ok()) return "(e) cannot be continued";
  }
  if (!writer.Sync().ok()) return "(e) cannot be continued";
  directory.CrashDroppingAll();
  submitted.appended = submitted.acknowledged = count;
  const auto report = Verify(directory);
  if (!report.ok() || report->verdict != Verdict::kClean) {
    return absl::StrCat("(e) continued, it is not CLEAN: ",
                        report.ok() && !report->findings.empty()
                            ? report->findings.front().ToString()
                            : report.status().ToString());
  }
  return CheckRead(directory, submitted.log, count);
}

// A reader returns a part of the log, the right one, and reports missing
// records.
std::string CheckShownOfDamaged(const ReadResult& read, const std::vector<OwnedRecord>& log,
                                const Expected& expected) {
  const uint64_t before = expected.first_read - 1;
  if (read.records.size() > log.size() - before ||
      !std::equal(read.records.begin(), read.records.end(),
                  log.begin() + static_cast<ptrdiff_t>(before))) {
    return "(a) the records read are not those submitted";
  }
  if (expected.first_read > 1 && !read.beginning_is_missing) {
    return "(b) the first records are missing, and a reader does not report it";
  }
  const uint64_t last_read = before + read.records.size();
  if (expected.is_whole && last_read != log.size()) return "(b) no record was affected";
  if (!expected.last_read.has_value()) return "";
  if (last_read != *expected.last_read) {
    return absl::StrCat("(b) a reader ends at ", last_read, ", and ", *expected.last_read,
                        " is the last that can be read; ", read.status.ToString());
  }
  if (expected.verdict == Verdict::kDamaged && last_read < log.size() && read.status.ok()) {
    return absl::StrCat("(b) DAMAGED, and a reader silently ends at ", last_read);
  }
  return "";
}

// Reading a DAMAGED journal to its end, or to its last record, is an error.
std::string CheckEndOfDamaged(const Directory& directory) {
  const auto reader = Reader::Open(directory);
  if (!reader.ok() || (*reader)->info().verdict != Verdict::kDamaged) return "";
  const SequenceNumber last = (*reader)->info().last_sequence;
  for (SequenceNumber at; at < last;) {
    const absl::StatusOr<Batch> batch = (*reader)->NextBatch();
    if (!batch.ok()) return "";
    if (batch->empty()) return "(b) DAMAGED, and a reader silently reaches the end";
    at = batch->rows.back().sequence;
  }
  return absl::StrCat("(b) DAMAGED, and ", last.value(),
                      ", its last known record, is reached silently");
}

}  // namespace

std::string CheckAfterCrash(MemoryDirectory& directory, Submitted& submitted,
                            const WriterOptions& options) {
  std::string violation = CheckRewrites(directory);
  if (!violation.empty()) return violation;
  const auto report = Verify(directory);
  if (!report.ok() && !absl::IsNotFound(report.status())) {
    return absl::StrCat("(c) cannot be verified: ", report.status().ToString());
  }
  if (report.ok()) violation = CheckCrashReport(*report);
  if (!violation.empty()) return violation;

  const JournalBytes before = directory.SnapshotOfDisk();
  std::unique_ptr<Writer> writer;
  violation = CheckTakenOver(directory, submitted, options, writer);
  if (!violation.empty() || writer == nullptr) {
    if (writer == nullptr) submitted.appended = 0;
    return violation;
  }
  const uint64_t kept = writer->next_sequence().value() - 1;
  if (violation = CheckKeptAside(before, directory.Snapshot()); !violation.empty()) {
    return violation;
  }
  // Recovery is durable itself.
  writer.reset();
  directory.CrashDroppingAll();
  if (violation = CheckRead(directory, submitted.log, kept); !violation.empty()) return violation;
  Submitted again{.log = submitted.log, .appended = kept, .acknowledged = kept};
  violation = CheckTakenOver(directory, again, options, writer);
  if (!violation.empty()) return absl::StrCat("(e) the second time: ", violation);
  return CheckGoesOn(directory, submitted, *writer);
}

std::string CheckAfterDamage(const JournalBytes& files, const std::vector<OwnedRecord>& log,
                             const Expected& expected, bool also_open) {
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const ReadResult read = ReadJournal(*directory);
  const uint64_t last_read = expected.first_read - 1 + read.records.size();
  std::string violation = CheckShownOfDamaged(read, log, expected);
  if (violation.empty()) violation = CheckEndOfDamaged(*directory);
  if (!violation.empty()) return violation;
  const auto report = Verify(*directory);
  if (!report.ok()) {
    if (expected.is_whole || expected.verdict.has_value()) {
      return absl::StrCat("(b) refused: ", report.status().ToString());
    }
    return read.status.ok() ? "(b) refused, and read without an error" : "";
  }
  if (expected.verdict.has_value() && report->verdict != *expected.verdict) {
    return absl::StrCat("(c) ", ToString(report->verdict), ", and it is ",
                        ToString(*expected.verdict));
  }
  const uint64_t durable = std::max(expected.durable, report->durable_sequence.value());
  if (last_read < durable && read.status.ok()) {
    return absl::StrCat("(b) a reader ends at ", last_read, ", before what was durable, ", durable,
                        ", silently; ", ToString(report->verdict));
  }
  if (report->verdict != Verdict::kDamaged) {
    if (!read.status.ok() && !absl::IsNotFound(read.status)) return "(b) not DAMAGED, nor readable";
    if (last_read < durable) return "(c) not DAMAGED, and durable records are missing";
  }
  if (expected.is_noticed && report->findings.empty()) return "(b) not noticed";
  if (!also_open) return "";
  const auto writer = Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated);
  if (!writer.ok()) {
    if (expected.verdict.value_or(Verdict::kDamaged) != Verdict::kDamaged) {
      return absl::StrCat("(b) not DAMAGED, and refused: ", writer.status().ToString());
    }
    return directory->Snapshot() == files ? "" : "(b) refused, and something was changed";
  }
  if (expected.is_refused || report->verdict == Verdict::kDamaged) {
    return "(b) DAMAGED, and a writer continues it";
  }
  return (*writer)->next_sequence().value() - 1 == read.records.size()
             ? ""
             : "(b) a writer does not continue where a reader ends";
}

std::string FollowOn(const Directory& directory, std::vector<OwnedRecord>& shown) {
  auto follower =
      Follower::Open(directory, {.from = SequenceNumber(shown.empty() ? 0 : shown.size() + 1)});
  while (follower.ok()) {
    const absl::StatusOr<Batch> batch = (*follower)->Poll();
    if (!batch.ok()) return absl::StrCat("(f) cannot be followed: ", batch.status().ToString());
    if (batch->empty()) return "";
    size_t attachment = 0;
    for (const Row& row : batch->rows) {
      Record record{.row = &row};
      if (attachment < batch->attachments.size() &&
          batch->attachments[attachment].sequence == row.sequence) {
        record.attachment = batch->attachments[attachment++].bytes;
      }
      shown.push_back(OwnedRecord::Of(record));
    }
  }
  return absl::IsNotFound(follower.status())
             ? ""
             : absl::StrCat("(f) cannot be followed: ", follower.status().ToString());
}

std::string CheckShown(const std::vector<OwnedRecord>& shown, const Submitted& submitted) {
  if (!IsPrefix(shown, submitted.log)) return "(f) a shown record was never submitted";
  if (shown.size() <= submitted.appended) return "";
  return absl::StrCat("(f) ", shown.size(), " records were shown, and ", submitted.appended,
                      " are there");
}

}  // namespace journal
