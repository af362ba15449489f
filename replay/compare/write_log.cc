#include "replay/compare/write_log.h"

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "journal/digest_sidecar.h"
#include "journal/log_digest.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/compare/digest_bisection.h"

namespace replay {
namespace {

// Returns the log digests after each run of 4096 records, and after the last record.
absl::StatusOr<std::vector<engine::Digest>> LogDigests(LogSource& source) {
  std::vector<engine::Digest> digests;
  journal::LogDigest digest;
  RETURN_IF_ERROR(source.Seek(engine::SequenceNumber::First()));
  while (digest.last() < source.last()) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    digest.Add(run.rows, run.attachments);
    digests.push_back(digest.Value());
  }
  return digests;
}

}  // namespace

absl::Status WriteLog(journal::Directory& directory, const Log& log,
                      const journal::JournalMetadata& metadata, Subject* engine) {
  MemorySource source(log);
  ASSIGN_OR_RETURN(const std::vector<engine::Digest> digests, LogDigests(source));
  const engine::Digest all = digests.empty() ? engine::Digest() : digests.back();
  const journal::Uuid uuid = journal::Uuid::FromWords(all.low, all.high);
  const engine::Timestamp begin = log.empty() ? engine::Timestamp() : log.front().row.timestamp;
  ASSIGN_OR_RETURN(const auto writer, journal::Writer::Create(directory, metadata, uuid, begin));
  for (const LogEntry& entry : log) {
    journal::Row row = entry.row;
    row.sequence = writer->next_sequence();
    RETURN_IF_ERROR(writer->Append(row, entry.bytes()));
  }
  RETURN_IF_ERROR(writer->Close());
  if (engine == nullptr || log.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const auto sidecar, journal::SidecarWriter::Create(directory, uuid));
  size_t runs = 0;
  const auto append = [&](journal::Checkpoint checkpoint,
                          const journal::Batch&) -> absl::StatusOr<bool> {
    checkpoint.log = digests[runs++];
    RETURN_IF_ERROR(sidecar->Append(checkpoint));
    return true;
  };
  RETURN_IF_ERROR(TakeTrace(source, *engine, append));
  return sidecar->Close();
}

}  // namespace replay
