// ticktape archive: rewrites the sealed segments of a journal in fewer bytes, in place.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_macros.h"
#include "journal/archive.h"
#include "journal/storage/posix_storage.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/maintenance/verbs.h"

namespace tools {
namespace {

class ArchiveVerb final : public Verb {
 public:
  const char* name() const override { return "archive"; }
  const char* summary() const override {
    return "Compact the sealed segments of a journal in place";
  }
  const char* examples() const override {
    return "  ticktape archive a.tape\n"
           "  ticktape archive a.tape --level 19 --block 65536\n"
           "\n"
           "A command that is written alone takes a block of 4096 bytes. Each sealed segment of\n"
           "such blocks is replaced by one with full blocks, where that saves at least half: with\n"
           "the same records, log digest, snapshots and checkpoints. The new segment is written\n"
           "beside the old one, synced, read back and compared before it takes its name. A "
           "writer,\n"
           "readers and followers may be at work meanwhile, and an interruption does no harm.\n"
           "'shell' and 'record' do the same to the segments that they seal, while they are idle.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  void Print(Console& console, const journal::ArchiveReport& report) const;
  void PrintJson(Console& console, const journal::ArchiveReport& report) const;

  std::string path_;
  journal::CompactionOptions options_ = journal::kArchiveOptions;
};

void ArchiveVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.Add("--level", options_.zstd_level, "How hard zstd tries, 1 to 19")
      .Type("LEVEL")
      .ShowDefault()
      .InRange(1, 19);
  options.Add("--block", options_.block_records, "Records in a block")
      .Type("COUNT")
      .ShowDefault()
      .InRange(1, 65536);
}

absl::StatusOr<ExitCode> ArchiveVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadWrite));
  std::optional<Progress> progress;
  ASSIGN_OR_RETURN(const journal::ArchiveReport report,
                   journal::Archive(*directory, options_, [&](uint64_t done, uint64_t total) {
                     if (!progress.has_value()) {
                       progress.emplace(console, "archive", "bytes", total);
                     }
                     progress->Show(done);
                   }));
  progress.reset();
  if (console.json()) {
    PrintJson(console, report);
  } else {
    Print(console, report);
  }
  return ExitCode::kOk;
}

double BytesARecord(uint64_t bytes, uint64_t records) {
  return records == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(records);
}

void ArchiveVerb::Print(Console& console, const journal::ArchiveReport& report) const {
  console.PrintLine(console.Styled(Style::kBold, path_), ", archived");
  PrintRow(console, "compacted",
           absl::StrCat(report.compacted.size(), " of ", report.segment_count, " segments"));
  PrintRow(console, "before",
           absl::StrFormat("%s sealed, %.2f bytes a record", HumanBytes(report.bytes_before),
                           BytesARecord(report.bytes_before, report.record_count)));
  PrintRow(console, "after",
           absl::StrFormat("%s, %.2f bytes a record", HumanBytes(report.bytes_after),
                           BytesARecord(report.bytes_after, report.record_count)));
}

void ArchiveVerb::PrintJson(Console& console, const journal::ArchiveReport& report) const {
  JsonObject json("ticktape.archive/1");
  json.Field("path", path_);
  json.Field("segments", report.segment_count);
  json.Field("compacted", uint64_t{report.compacted.size()});
  json.Field("records", report.record_count);
  json.Field("bytes_before", report.bytes_before);
  json.Field("bytes_after", report.bytes_after);
  json.Field("bytes_per_record", BytesARecord(report.bytes_after, report.record_count));
  console.PrintLine(json.Take());
}

}  // namespace

std::unique_ptr<Verb> MakeArchiveVerb() { return std::make_unique<ArchiveVerb>(); }

}  // namespace tools
