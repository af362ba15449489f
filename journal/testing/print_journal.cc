// Prints a journal as the C++ reader understands it, line for line what second_reader.py prints:
//
//   segment INDEX CASE VERDICT
//   verdict VERDICT
//   record SEQUENCE TIMESTAMP ROW ATTACHMENT     hexadecimal, - for none
//   digest DIGEST                                - where the journal begins later than with record
//   1 checkpoint SEQUENCE LOG TRACE STATE
//
// Given several directories, an empty line ends each.

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/recovery/journal_state.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/verify.h"

namespace journal {
namespace {

std::string Hex(engine::Bytes bytes) {
  if (bytes.empty()) return "-";
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

std::string DigestOrDash(const std::optional<engine::Digest>& digest) {
  return digest.has_value() ? digest->ToString() : "-";
}

// Up to the first unreadable record, which the verdict reports.
void PrintRecords(Reader& reader, LogDigest* digest) {
  while (true) {
    const absl::StatusOr<std::optional<Record>> record = reader.Next();
    if (!record.ok() || !record->has_value()) return;
    const Row& row = *(*record)->row;
    if (digest != nullptr) digest->Add(row, (*record)->attachment);
    std::cout << "record " << row.sequence.value() << ' ' << row.timestamp.nanos() << ' '
              << Hex(std::as_bytes(std::span(&row, 1))) << ' ' << Hex((*record)->attachment)
              << '\n';
  }
}

absl::Status Print(const std::string& path) {
  ASSIGN_OR_RETURN(const auto directory, OpenPosixDirectory(path, DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const JournalState state, InspectJournal(*directory, InspectDepth::kBlocks));
  for (const SegmentState& segment : state.segments) {
    std::cout << "segment " << segment.segment_index << ' ' << segment.recovery_case->name << ' '
              << ToString(segment.recovery_case->verdict) << '\n';
  }
  ASSIGN_OR_RETURN(const VerifyReport report, Verify(*directory));
  std::cout << "verdict " << ToString(report.verdict) << '\n';
  const absl::StatusOr<std::unique_ptr<Reader>> reader = Reader::Open(*directory);
  LogDigest digest;
  // A journal begins with record 1, or where `beginning` allows it; the rest of one that lost its
  // beginning is not read.
  engine::SequenceNumber first = engine::SequenceNumber::First();
  if (reader.ok() && state.segments.front().continues) first = (*reader)->info().first_sequence;
  const bool is_pruned = first != engine::SequenceNumber::First();
  if (reader.ok() && (*reader)->SeekToSequence(first).ok()) {
    PrintRecords(**reader, is_pruned ? nullptr : &digest);
  }
  std::cout << "digest " << (is_pruned ? "-" : digest.Value().ToString()) << '\n';
  const auto readable = std::find_if(state.segments.begin(), state.segments.end(),
                                     [](const SegmentState& s) { return s.is_readable(); });
  if (readable == state.segments.end()) return absl::OkStatus();
  const engine::SequenceNumber last =
      reader.ok() ? (*reader)->info().last_sequence : engine::SequenceNumber();
  const auto checkpoints = ReadSidecar(*directory, readable->preamble->preamble.journal_uuid, last);
  if (!checkpoints.ok()) return absl::OkStatus();
  for (const Checkpoint& checkpoint : *checkpoints) {
    std::cout << "checkpoint " << checkpoint.sequence.value() << ' ' << DigestOrDash(checkpoint.log)
              << ' ' << DigestOrDash(checkpoint.trace) << ' ' << DigestOrDash(checkpoint.state)
              << '\n';
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace journal

int main(int argument_count, char** arguments) {
  for (int i = 1; i < argument_count; ++i) {
    const absl::Status status = journal::Print(arguments[i]);
    if (!status.ok()) std::cout << "error " << absl::StatusCodeToString(status.code()) << '\n';
    if (argument_count > 2) std::cout << '\n';
  }
  return 0;
}
