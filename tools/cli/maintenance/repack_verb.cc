// ticktape repack: copies a journal in fewer bytes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_macros.h"
#include "journal/repack.h"
#include "journal/storage/posix_storage.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/base/unfinished_folder.h"
#include "tools/cli/maintenance/verbs.h"
#include "tools/os/parallel.h"
#include "tools/os/stopwatch.h"

namespace tools {
namespace {

class RepackVerb final : public Verb {
 public:
  const char* name() const override { return "repack"; }
  const char* summary() const override { return "Rewrite a journal as small as it gets"; }
  const char* examples() const override {
    return "  ticktape repack a.tape small.tape\n"
           "  ticktape repack a.tape small.tape --level 9\n"
           "\n"
           "Copies the sealed segments; the same journal, with the same records, log digest and\n"
           "checkpoints. The copy is read back and compared before it appears under its name; the\n"
           "original is only read. Larger blocks compress better and make a single record dearer\n"
           "to find.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  void Print(Console& console, const journal::RepackReport& report, double seconds) const;

  std::string path_;
  std::string output_;
  size_t thread_count_ = ProcessorCount();
  journal::RepackOptions options_;
};

void RepackVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.Add("output", output_, "A folder that does not exist yet").Required().Type("OUTPUT");
  options.Add("--level", options_.bulk.zstd_level, "How hard zstd tries, 1 to 19")
      .Type("LEVEL")
      .ShowDefault()
      .InRange(1, 19);
  options.Add("--block", options_.bulk.block_records, "Records in a block")
      .Type("COUNT")
      .ShowDefault()
      .InRange(1, 65536);
  options.Add("--threads", thread_count_, "How many blocks are compressed at once")
      .Type("COUNT")
      .ShowDefault()
      .InRange(1, 256);
}

absl::StatusOr<ExitCode> RepackVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> from,
                   journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> to, UnfinishedFolder::Create(output_));
  options_.bulk.blocks_at_once = thread_count_;
  options_.bulk.parallel = [this](size_t count, const std::function<void(size_t)>& work,
                                  const std::function<void()>& tend) {
    RunParallel(count, thread_count_, work, tend);
  };
  Stopwatch stopwatch;
  std::optional<Progress> progress;
  ASSIGN_OR_RETURN(
      const journal::RepackReport report,
      journal::Repack(*from, to->directory(), options_, [&](uint64_t done, uint64_t total) {
        if (!progress.has_value()) progress.emplace(console, "repack", "records", total);
        progress->Show(done);
      }));
  progress.reset();
  RETURN_IF_ERROR(to->Finish());
  Print(console, report, stopwatch.Seconds());
  return ExitCode::kOk;
}

void RepackVerb::Print(Console& console, const journal::RepackReport& report,
                       double seconds) const {
  const auto records = static_cast<double>(report.record_count);
  const double before = static_cast<double>(report.bytes_before) / records;
  const double after = static_cast<double>(report.bytes_after) / records;
  if (console.json()) {
    JsonObject json("ticktape.repack/1");
    json.Field("path", path_);
    json.Field("output", output_);
    json.Field("records", report.record_count);
    json.Field("bytes_before", report.bytes_before);
    json.Field("bytes_after", report.bytes_after);
    json.Field("bytes_per_record", after);
    json.Field("segments_left_out", report.segments_left_out);
    json.Field("log_digest", report.log_digest.ToString());
    json.Field("seconds", seconds);
    console.PrintLine(json.Take());
    return;
  }
  console.PrintLine(console.Styled(Style::kBold, output_), ", repacked from ", path_);
  PrintRow(console, "records", WithCommas(report.record_count));
  PrintRow(console, "before",
           absl::StrFormat("%s, %.2f bytes a record", HumanBytes(report.bytes_before), before));
  PrintRow(console, "after",
           absl::StrFormat("%s, %.2f bytes a record, %.0f %% of before",
                           HumanBytes(report.bytes_after), after, 100 * after / before));
  PrintRow(console, "log digest", absl::StrCat(report.log_digest.ToString(), ", read back"));
  PrintRow(console, "took",
           absl::StrCat(HumanSeconds(seconds), ", ", HumanCount(records / seconds), " records/s"));
  if (report.segments_left_out > 0) {
    PrintRow(console, "left out",
             absl::StrCat(report.segments_left_out, " segment that is not sealed"));
  }
}

}  // namespace

std::unique_ptr<Verb> MakeRepackVerb() { return std::make_unique<RepackVerb>(); }

}  // namespace tools
