#include "tools/cli/slice/piece.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "journal/digest_sidecar.h"
#include "journal/format/beginning.h"
#include "journal/journal_info.h"
#include "journal/maintenance/bulk_writer.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "replay/log_source.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"
#include "tools/cli/base/unfinished_folder.h"

namespace tools {
namespace {

using engine::SequenceNumber;

// Large enough to compress well, small enough to be fast.
constexpr uint32_t kBlockRecords = 16384;
constexpr int kZstdLevel = 6;

absl::Status CheckParts(std::span<const OpenedJournal> parts) {
  for (size_t i = 1; i < parts.size(); ++i) {
    RETURN_IF_ERROR(parts[i - 1].reader->CheckEnd());
    const journal::JournalInfo& before = parts[i - 1].reader->info();
    const journal::JournalInfo& info = parts[i].reader->info();
    if (info.uuid != before.uuid) {
      return absl::InvalidArgumentError(absl::StrCat(info.path, " is of another journal (",
                                                     info.uuid.ToString(), ") than ", before.path,
                                                     " (", before.uuid.ToString(), ")"));
    }
    if (info.first_sequence == before.last_sequence.Next()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        info.path, " begins at @", info.first_sequence.value(), ", but ", before.path, " ends at @",
        before.last_sequence.value(), "; expected @", before.last_sequence.Next().value()));
  }
  return absl::OkStatus();
}

class PieceWriter {
 public:
  PieceWriter(std::span<const OpenedJournal> parts, const SequenceRange& range,
              journal::Directory& to, Progress& progress)
      : parts_(parts), range_(range), to_(to), progress_(progress) {}

  absl::StatusOr<Piece> Write() {
    ASSIGN_OR_RETURN(const journal::BulkOrigin origin, Origin());
    ASSIGN_OR_RETURN(writer_,
                     journal::BulkWriter::Create(
                         to_, origin, {.block_records = kBlockRecords, .zstd_level = kZstdLevel}));
    if (origin.segment_index > 0) {
      RETURN_IF_ERROR(
          journal::WriteBeginning(to_, {.journal_uuid = origin.journal_uuid,
                                        .segment_index = origin.segment_index,
                                        .first_sequence = origin.first_sequence,
                                        .reason = "a piece that was cut out of the journal"}));
    }
    for (const OpenedJournal& part : parts_) RETURN_IF_ERROR(Copy(*part.reader));
    RETURN_IF_ERROR(writer_->Close());
    if (writer_->next_sequence() != range_.last.Next()) {
      return absl::DataLossError(absl::StrCat("the records end at @",
                                              writer_->next_sequence().value() - 1, ", expected @",
                                              range_.last.value()));
    }
    RETURN_IF_ERROR(CopyCheckpoints());
    Piece piece = {.path = {}, .range = range_, .bytes = writer_->stored_bytes(), .log_digest = {}};
    if (range_.first == SequenceNumber::First()) piece.log_digest = writer_->log_digest();
    return piece;
  }

 private:
  absl::StatusOr<journal::BulkOrigin> Origin() {
    journal::Reader& reader = *parts_.front().reader;
    journal::BulkOrigin origin = {.journal_uuid = reader.info().uuid,
                                  .first_sequence = range_.first};
    if (range_.first == SequenceNumber::First()) return origin;
    origin.segment_index = 1;
    for (const journal::SegmentInfo& segment : reader.info().segments) {
      if (segment.first_sequence <= range_.first) {
        origin.segment_index = std::max(origin.segment_index, segment.segment_index);
      }
    }
    if (range_.first > reader.info().first_sequence) {
      RETURN_IF_ERROR(reader.SeekToSequence(range_.first - 1));
      ASSIGN_OR_RETURN(const std::optional<journal::Record> before, reader.Next());
      if (before.has_value()) origin.previous_timestamp = before->timestamp();
    }
    return origin;
  }

  absl::Status Copy(journal::Reader& reader) {
    const journal::JournalInfo& info = reader.info();
    const SequenceNumber first = std::max(range_.first, info.first_sequence);
    if (info.record_count() == 0 || first > range_.last) return absl::OkStatus();
    RETURN_IF_ERROR(reader.SeekToSequence(first));
    for (const journal::SegmentInfo& segment : info.segments) {
      if (segment.record_count() == 0 || segment.last_sequence < first) continue;
      // A segment names the build and semantics of its records, so the copy keeps segment
      // boundaries.
      if (metadata_ == nullptr || *metadata_ != segment.metadata) {
        metadata_ = &segment.metadata;
        RETURN_IF_ERROR(writer_->BeginSegment(*metadata_, segment.created));
      }
      RETURN_IF_ERROR(CopyUpTo(std::min(segment.last_sequence, range_.last), reader));
      if (segment.last_sequence >= range_.last) break;
    }
    // If the journal is DAMAGED, its last records may be in no segment.
    return CopyUpTo(std::min(info.last_sequence, range_.last), reader);
  }

  absl::Status CopyUpTo(SequenceNumber last, journal::Reader& reader) {
    while (writer_->next_sequence() <= last) {
      ASSIGN_OR_RETURN(const journal::Batch batch, reader.NextBatch());
      if (batch.empty()) break;
      RETURN_IF_ERROR(
          writer_->Append(replay::PartOf(batch, 0, last - writer_->next_sequence() + 1)));
      progress_.Show(writer_->next_sequence().value() - range_.first.value());
    }
    return absl::OkStatus();
  }

  // The digests cover everything since record 1, so they hold for the piece too. Errors in a
  // sidecar are ignored.
  absl::Status CopyCheckpoints() {
    const journal::Uuid& uuid = parts_.front().reader->info().uuid;
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::SidecarWriter> sidecar,
                     journal::SidecarWriter::Create(to_, uuid));
    for (const OpenedJournal& part : parts_) {
      const auto checkpoints =
          journal::ReadSidecar(*part.directory, uuid, part.reader->info().last_sequence);
      if (!checkpoints.ok()) continue;
      for (const journal::Checkpoint& checkpoint : *checkpoints) {
        const bool is_within =
            checkpoint.sequence >= range_.first - 1 && checkpoint.sequence <= range_.last;
        if (is_within && checkpoint.sequence > sidecar->last_sequence()) {
          RETURN_IF_ERROR(sidecar->Append(checkpoint));
        }
      }
    }
    RETURN_IF_ERROR(sidecar->Close());
    return to_.Sync();
  }

  const std::span<const OpenedJournal> parts_;
  const SequenceRange range_;
  journal::Directory& to_;
  Progress& progress_;
  const journal::JournalMetadata* metadata_ = nullptr;
  std::unique_ptr<journal::BulkWriter> writer_;
};

}  // namespace

absl::StatusOr<Piece> WritePiece(std::span<const OpenedJournal> parts, const SequenceRange& range,
                                 const std::string& path, Console& console) {
  RETURN_IF_ERROR(CheckParts(parts));
  ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> to, UnfinishedFolder::Create(path));
  Progress progress(console, "copy", "records", range.record_count());
  ASSIGN_OR_RETURN(Piece piece, PieceWriter(parts, range, to->directory(), progress).Write());
  RETURN_IF_ERROR(to->Finish());
  piece.path = path;
  return piece;
}

void Piece::AddRows(Report& report) const {
  report.Row("records", WithCommas(range.record_count()), ", @", range.first, "..@", range.last,
             ", ", HumanBytes(bytes));
  if (log_digest.has_value()) {
    report.Row("log digest", *log_digest);
  } else {
    report.Row("begins later", "a piece for 'merge'; no engine can be driven from it alone");
  }
}

void Piece::AddFields(JsonObject& json) const {
  json.Field("output", path);
  json.Field("first_sequence", range.first);
  json.Field("last_sequence", range.last);
  json.Field("records", range.record_count());
  json.Field("bytes", bytes);
  json.Field("log_digest", log_digest);
}

}  // namespace tools
