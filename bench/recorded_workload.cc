#include "bench/recorded_workload.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/schema.h"
#include "journal/journal_info.h"
#include "journal/journal_metadata.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"
#include "replay/exchange_vocabulary.h"
#include "tools/cli/base/build_id.h"
#include "tools/os/clocks.h"
#include "tools/os/entropy.h"

namespace bench {
namespace {

namespace fs = std::filesystem;

absl::Status At(const std::string& path, const absl::Status& status) {
  if (absl::StartsWith(status.message(), path)) return status;
  return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

// The created_by field of a workload's journal, without the number of warm-up commands, which
// WriteJournal appends because the records do not contain it.
std::string CreatedBy(absl::string_view name, uint32_t seed, WorkloadSize size) {
  return absl::StrCat("apply_bench, workload ", name, " version ", kWorkloadVersion, ", seed ",
                      seed, size == WorkloadSize::kFull ? ", full" : ", smoke", ", warm-up ");
}

absl::Status WriteJournal(const Workload& workload, const std::string& path,
                          const std::string& created_by) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate));
  journal::JournalMetadata metadata = {
      .application = replay::kExchangeApplication,
      .build_id = tools::BuildId(),
      .semantics_version = 0,
      .created_by = absl::StrCat(created_by, workload.warm_up_count),
      .row_schema_id = engine::CommandSchemaId(),
      .row_schema = engine::CompiledSchema()};
  ASSIGN_OR_RETURN(
      const std::unique_ptr<journal::Writer> writer,
      journal::Writer::Create(*directory, std::move(metadata),
                              journal::Uuid::FromWords(tools::RandomWord(), tools::RandomWord()),
                              tools::SystemClock().Now()));
  auto attachment = workload.attachments.begin();
  for (size_t i = 0; i < workload.commands.size(); ++i) {
    engine::Bytes bytes;
    if (attachment != workload.attachments.end() && attachment->first == i) {
      bytes = attachment->second;
      ++attachment;
    }
    RETURN_IF_ERROR(writer->Append(replay::ToRow(workload.commands[i]), bytes));
  }
  return writer->Close();
}

engine::Digest LogDigestOf(const Workload& workload) {
  journal::LogDigest digest;
  auto attachment = workload.attachments.begin();
  for (size_t i = 0; i < workload.commands.size(); ++i) {
    engine::Bytes bytes;
    if (attachment != workload.attachments.end() && attachment->first == i) {
      bytes = attachment->second;
      ++attachment;
    }
    digest.Add(replay::ToRow(workload.commands[i]), bytes);
  }
  return digest.Value();
}

// Returns the created_by field of the journal at `path`, if it is sealed.
absl::StatusOr<std::string> WhatIsAt(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader,
                   journal::Reader::Open(*directory));
  if (!reader->info().sealed) return absl::FailedPreconditionError("not sealed");
  return reader->info().metadata.created_by;
}

std::string EnvironmentOr(const char* name, std::string otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::string(value) : otherwise;
}

}  // namespace

absl::StatusOr<RecordedWorkload> ReadWorkload(const std::string& path, size_t warm_up_count) {
  const absl::StatusOr<std::unique_ptr<journal::Directory>> directory =
      journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly);
  if (!directory.ok()) return At(path, directory.status());
  const absl::StatusOr<std::unique_ptr<journal::Reader>> opened =
      journal::Reader::Open(**directory);
  if (!opened.ok()) return At(path, opened.status());
  journal::Reader& reader = **opened;
  if (reader.info().first_sequence != engine::SequenceNumber::First()) {
    return At(path, absl::FailedPreconditionError(
                        absl::StrCat("begins at record ", reader.info().first_sequence.value(),
                                     "; a bench needs the whole journal, from record 1")));
  }
  RecordedWorkload workload;
  workload.name = fs::path(path).filename().string();
  workload.path = path;
  workload.warm_up_count = warm_up_count;
  workload.file_bytes = reader.info().file_bytes();
  workload.commands.reserve(reader.info().record_count());
  journal::LogDigest digest;
  while (true) {
    const absl::StatusOr<journal::Batch> batch = reader.NextBatch();
    if (!batch.ok()) return At(path, batch.status());
    if (batch->empty()) break;
    digest.Add(batch->rows, batch->attachments);
    for (const journal::Row& row : batch->rows) workload.commands.push_back(replay::ToCommand(row));
    for (const journal::AttachmentView& each : batch->attachments) {
      workload.attachments.emplace_back(each.sequence.value() - 1,
                                        std::vector(each.bytes.begin(), each.bytes.end()));
    }
  }
  if (warm_up_count >= workload.commands.size()) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", workload.commands.size(),
                                                   " commands, of which ", warm_up_count,
                                                   " are warm-up: none is left to be measured"));
  }
  workload.log_digest = digest.Value();
  return workload;
}

absl::StatusOr<RecordedWorkload> RecordOrReadWorkload(const std::string& folder,
                                                      absl::string_view name, uint32_t seed,
                                                      WorkloadSize size) {
  const std::string created_by = CreatedBy(name, seed, size);
  const std::string path = absl::StrCat(
      folder, "/", name, size == WorkloadSize::kFull ? "" : "-smoke", "-", seed, ".tape");
  const absl::StatusOr<std::string> there = WhatIsAt(path);
  uint64_t warm_up_count = 0;
  absl::string_view rest = there.ok() ? absl::string_view(*there) : "";
  if (absl::ConsumePrefix(&rest, created_by) && engine::ParseInteger(rest, warm_up_count)) {
    ASSIGN_OR_RETURN(RecordedWorkload workload, ReadWorkload(path, warm_up_count));
    workload.name = std::string(name);
    return workload;
  }
  ASSIGN_OR_RETURN(const Workload made, MakeWorkload(name, seed, size));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return absl::UnavailableError(absl::StrCat(folder, ": ", error.message()));
  // Written under another name until it is complete, so that an interrupted run leaves no journal
  // that looks complete.
  const std::string partial = path + ".partial";
  fs::remove_all(partial, error);
  if (const absl::Status written = WriteJournal(made, partial, created_by); !written.ok()) {
    return At(partial, written);
  }
  fs::remove_all(path, error);
  fs::rename(partial, path, error);
  if (error) return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));

  ASSIGN_OR_RETURN(RecordedWorkload workload, ReadWorkload(path, made.warm_up_count));
  if (workload.log_digest != LogDigestOf(made)) {
    return absl::DataLossError(absl::StrCat(path, ": log digest ", workload.log_digest.ToString(),
                                            ", expected that of the generator, ",
                                            LogDigestOf(made).ToString()));
  }
  workload.name = std::string(name);
  workload.is_new = true;
  return workload;
}

std::string DefaultCacheFolder() {
  const std::string home = EnvironmentOr("HOME", "");
  const std::string cache = EnvironmentOr(
      "XDG_CACHE_HOME", home.empty() ? EnvironmentOr("TMPDIR", fs::temp_directory_path().string())
                                     : home + "/.cache");
  return cache + "/ticktape/bench";
}

}  // namespace bench
