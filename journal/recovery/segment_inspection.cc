#include "journal/recovery/segment_inspection.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "journal/format/block_header.h"
#include "journal/format/format.h"

namespace journal {

using engine::SequenceNumber;

namespace {

absl::Status ReadPreambleOf(const File& file, SegmentState& segment, SegmentEvidence& evidence) {
  absl::StatusOr<PreambleRead> read = ReadPreamble(file);
  if (!read.ok()) {
    if (!absl::IsDataLoss(read.status())) {
      return absl::Status(read.status().code(),
                          absl::StrCat(segment.file_name, ": ", read.status().message()));
    }
    ASSIGN_OR_RETURN(evidence.has_block_trace, HasTraceOfBlocks(file));
    return absl::OkStatus();
  }
  evidence.has_preamble = true;
  segment.preamble = *std::move(read);
  segment.position = PositionBefore(segment.preamble->preamble);
  segment.end_offset = segment.preamble->preamble.blocks_offset();
  return absl::OkStatus();
}

absl::Status TakeFooter(const File& file, SegmentState& segment) {
  const Preamble& preamble = segment.preamble->preamble;
  ASSIGN_OR_RETURN(FooterRead footer,
                   ReadFooter(file, segment.file_bytes, SeedOf(preamble.segment_uuid)));
  SequenceNumber first = footer.index.end.next_sequence;
  engine::Timestamp time = footer.index.end.last_timestamp;
  if (!footer.index.blocks.empty()) {
    first = footer.index.blocks.front().first_sequence;
    time = footer.index.blocks.front().first_timestamp;
  }
  const bool time_runs_back = time < preamble.previous_timestamp;
  if (first != preamble.first_sequence || time_runs_back) {
    return absl::DataLossError("the index does not begin where the segment begins");
  }
  segment.position = footer.index.end;
  segment.end_offset = footer.offset;
  segment.raw_bytes = footer.index.raw_bytes;
  segment.digests = footer.index.digests;
  segment.blocks = std::move(footer.index.blocks);
  return absl::OkStatus();
}

// Whether the footer is valid. A read error is returned: it does not mean that there is no footer.
absl::StatusOr<bool> HasFooter(const File& file, SegmentState& segment) {
  const absl::Status taken = TakeFooter(file, segment);
  if (taken.ok()) return true;
  if (absl::IsNotFound(taken) || absl::IsDataLoss(taken)) return false;
  return taken;
}

// Whether the headers of the blocks form a chain from the preamble to a SEAL block, and the index
// agrees with each of them and with their end. Payloads are not read.
absl::StatusOr<bool> HeadersAgree(const File& file, const SegmentState& segment) {
  const Preamble& preamble = segment.preamble->preamble;
  const uint64_t seed = SeedOf(preamble.segment_uuid);
  LogPosition position = PositionBefore(preamble);
  uint64_t offset = preamble.blocks_offset();
  auto entry = segment.blocks.begin();
  bool is_sealed = false;
  while (offset < segment.end_offset && !is_sealed) {
    ASSIGN_OR_RETURN(const auto header, NextHeader(file, seed, position, offset));
    if (!header.has_value()) return false;
    if (header->kind == BlockKind::kData) {
      if (entry == segment.blocks.end() || *entry != EntryOf(*header, offset)) return false;
      ++entry;
    }
    position = PositionAfter(*header);
    offset += StoredBytes(*header);
    is_sealed = header->kind == BlockKind::kSeal;
  }
  return is_sealed && entry == segment.blocks.end() && offset == segment.end_offset &&
         position == segment.position;
}

void TakeScan(const SegmentScan& scan, SegmentState& segment, SegmentEvidence& evidence) {
  evidence.is_sealed = scan.sealed;
  // A file that ends inside its preambles counts as a partial write.
  evidence.has_tail = scan.tail_not_zero || scan.ends_in_preambles;
  evidence.has_island = !scan.islands.empty();
  evidence.was_durable = scan.durable_block >= scan.position.next_block;
  const bool index_agrees = segment.blocks == scan.blocks && segment.position == scan.position &&
                            segment.end_offset == scan.end_offset;
  if (segment.has_footer && scan.sealed && !index_agrees) {
    // Index and blocks are both valid by their hashes, but differ: the blocks decide.
    evidence.has_footer = segment.has_footer = false;
    segment.digests.reset();
  }
  segment.position = scan.position;
  segment.end_offset = scan.end_offset;
  segment.raw_bytes = scan.raw_bytes;
  segment.tail_not_zero = scan.tail_not_zero;
  segment.blocks = scan.blocks;
  if (Decide(evidence).verdict != Verdict::kDamaged) return;
  for (const BlockEntry& island : scan.islands) {
    // A valid block right after the prefix that does not follow it is not part of this log.
    if (island.offset == scan.end_offset) continue;
    const bool is_in_order =
        segment.blocks.empty() || (island.first_sequence >= segment.blocks.back().next_sequence() &&
                                   island.first_timestamp >= segment.blocks.back().last_timestamp);
    if (island.record_count != 0 && is_in_order) segment.blocks.push_back(island);
  }
}

// Both preambles are durable before the first block is written. So if the file ends inside them and
// `watermark` covers a block of this segment, that block is missing.
void TakeWatermark(const std::optional<Watermark>& watermark, const Preamble& preamble,
                   SegmentScan& scan) {
  const bool speaks_of_a_block = watermark.has_value() &&
                                 watermark->journal_uuid == preamble.journal_uuid &&
                                 watermark->incarnation >= preamble.incarnation &&
                                 watermark->durable_block >= preamble.first_block;
  if (!scan.ends_in_preambles || !speaks_of_a_block) return;
  scan.durable_block = watermark->durable_block;
  scan.durable_sequence = std::max(scan.durable_sequence, watermark->durable_sequence);
}

absl::Status ScanBlocksOf(const File& file, const std::optional<Watermark>& watermark,
                          SegmentState& segment, SegmentInspection& inspection) {
  ASSIGN_OR_RETURN(inspection.scan, ScanSegment(file, segment.preamble->preamble));
  TakeWatermark(watermark, segment.preamble->preamble, *inspection.scan);
  // A writer may have appended, and sealed the segment, since.
  ASSIGN_OR_RETURN(segment.file_bytes, file.Size());
  if (inspection.scan->sealed && !segment.has_footer) {
    ASSIGN_OR_RETURN(segment.has_footer, HasFooter(file, segment));
    inspection.evidence.has_footer = segment.has_footer;
  }
  TakeScan(*inspection.scan, segment, inspection.evidence);
  return absl::OkStatus();
}

absl::StatusOr<SegmentInspection> InspectFile(const File& file, bool is_last, InspectDepth depth,
                                              const std::optional<Watermark>& watermark,
                                              SegmentState& segment) {
  SegmentInspection inspection;
  ASSIGN_OR_RETURN(segment.file_bytes, file.Size());
  inspection.evidence.is_last = is_last;
  RETURN_IF_ERROR(ReadPreambleOf(file, segment, inspection.evidence));
  if (segment.is_readable()) {
    ASSIGN_OR_RETURN(const bool has_footer, HasFooter(file, segment));
    inspection.evidence.has_footer = segment.has_footer = has_footer;
    inspection.evidence.is_sealed = has_footer;
    bool blocks_agree = has_footer && depth != InspectDepth::kBlocks;
    if (blocks_agree && depth == InspectDepth::kHeaders) {
      ASSIGN_OR_RETURN(blocks_agree, HeadersAgree(file, segment));
    }
    if (!blocks_agree) {
      RETURN_IF_ERROR(ScanBlocksOf(file, watermark, segment, inspection));
    }
  }
  return inspection;
}

// Whether both hold the same records and the same segment follows both.
bool IsEquivalent(const SegmentState& a, const SegmentState& b) {
  return a.is_readable() && b.is_readable() && a.has_footer && b.has_footer &&
         a.preamble->preamble.journal_uuid == b.preamble->preamble.journal_uuid &&
         PositionBefore(a.preamble->preamble) == PositionBefore(b.preamble->preamble) &&
         a.position == b.position && a.digests->log == b.digests->log;
}

// The state of the file, if it has replaced that of `segment` and has the same records.
absl::StatusOr<std::optional<SegmentState>> FindReplacement(const File& file,
                                                            const SegmentState& segment) {
  const absl::StatusOr<PreambleRead> preamble = ReadPreamble(file);
  // A damaged preamble does not mean that the segment was replaced: its blocks may be valid.
  if (absl::IsDataLoss(preamble.status())) return std::nullopt;
  RETURN_IF_ERROR(preamble.status());
  if (preamble->preamble.segment_uuid == segment.preamble->preamble.segment_uuid) {
    return std::nullopt;
  }
  SegmentState now;
  now.segment_index = segment.segment_index;
  now.file_name = segment.file_name;
  RETURN_IF_ERROR(
      InspectFile(file, /*is_last=*/false, InspectDepth::kTail, std::nullopt, now).status());
  // If the new file is not equivalent, reading its blocks returns the error.
  if (!IsEquivalent(segment, now)) return std::nullopt;
  now.is_sealed = segment.is_sealed;
  now.recovery_case = segment.recovery_case;
  now.continues = segment.continues;
  now.is_of_journal = segment.is_of_journal;
  return now;
}

}  // namespace

absl::StatusOr<SegmentInspection> InspectSegment(const Directory& directory, bool is_last,
                                                 InspectDepth depth,
                                                 const std::optional<Watermark>& watermark,
                                                 SegmentState& segment) {
  absl::StatusOr<std::unique_ptr<File>> file = directory.OpenForRead(segment.file_name);
  if (absl::IsDataLoss(file.status())) {
    // No crash turns a segment into a pipe or a folder, so this counts as damage.
    SegmentInspection inspection;
    inspection.not_a_file = std::string(file.status().message());
    inspection.evidence.is_last = is_last;
    inspection.evidence.has_block_trace = true;
    return inspection;
  }
  RETURN_IF_ERROR(file.status());
  return InspectFile(**file, is_last, depth, watermark, segment);
}

absl::StatusOr<std::unique_ptr<BlockWalk>> BlockWalk::Open(const Directory& directory,
                                                           const SegmentState& segment) {
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, directory.OpenForRead(segment.file_name));
  ASSIGN_OR_RETURN(std::optional<SegmentState> replacement, FindReplacement(*file, segment));
  return std::make_unique<BlockWalk>(std::move(file), segment, std::move(replacement));
}

BlockWalk::BlockWalk(std::unique_ptr<File> file, const SegmentState& segment,
                     std::optional<SegmentState> replacement)
    : file_(std::move(file)),
      segment_(segment),
      replacement_(std::move(replacement)),
      seed_(SeedOf(
          (replacement_.has_value() ? *replacement_ : segment).preamble->preamble.segment_uuid)),
      window_(*file_) {}

absl::StatusOr<Batch> BlockWalk::Read(const BlockEntry& entry) {
  ASSIGN_OR_RETURN(const StoredBlock block, ReadStored(entry, "was seen before"));
  return Decode(block);
}

absl::StatusOr<std::optional<BlockHeader>> BlockWalk::HeaderOf(const BlockEntry& entry) const {
  ASSIGN_OR_RETURN(std::optional<BlockHeader> header, HeaderAt(*file_, seed_, entry.offset));
  if (header.has_value() &&
      (header->kind != BlockKind::kData || EntryOf(*header, entry.offset) != entry)) {
    header.reset();
  }
  return header;
}

absl::StatusOr<Batch> BlockWalk::Decode(const StoredBlock& block) {
  RETURN_IF_ERROR(CheckPayload(block.header, block.payload));
  RETURN_IF_ERROR(decoder_.Decode(block.header, block.payload, decoded_));
  return decoded_.records();
}

}  // namespace journal
