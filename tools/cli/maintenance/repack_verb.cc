// ticktape repack: copies a journal in fewer bytes.

#include "journal/maintenance/bulk_writer.h"
#include "journal/maintenance/repack.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape repack a.tape small.tape
  ticktape repack a.tape small.tape --level 9

Copies the sealed segments; the same journal, with the same records, log digest and
checkpoints. The copy is read back and compared before it appears under its name; the
original is only read. Larger blocks compress better and make a single record dearer
to find.)";

class RepackVerb final : public Verb {
 public:
  RepackVerb() : Verb("repack", "Rewrite a journal as small as it gets", kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.Add("output", output_, "A folder that does not exist yet").Required().Type("OUTPUT");
    options.Add("--level", options_.zstd_level, "How hard zstd tries, 1 to 19")
        .Type("LEVEL")
        .ShowDefault()
        .InRange(1, 19);
    options.AddCount("--block", options_.block_records, "Records in a block", 1, 65536);
    options.AddCount("--threads", thread_count_, "How many blocks are compressed in parallel", 1,
                     256);
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> from,
                     journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadOnly));
    ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> to, UnfinishedFolder::Create(output_));
    options_.blocks_in_parallel = thread_count_;
    options_.parallel = [this](size_t count, const auto& work, const auto& tend) {
      RunParallel(count, thread_count_, work, tend);
    };
    Progress progress(console, "repack", "records", 0);
    ASSIGN_OR_RETURN(
        const journal::RepackReport repacked,
        journal::Repack(*from, to->directory(), options_,
                        [&](uint64_t done, uint64_t total) { progress.Show(done, total); }));
    progress.Clear();
    RETURN_IF_ERROR(to->Finish());
    const double seconds = progress.Seconds();
    const auto records = static_cast<double>(repacked.record_count);
    const double before = static_cast<double>(repacked.bytes_before) / records;
    const double after = static_cast<double>(repacked.bytes_after) / records;
    Report report("ticktape.repack/1");
    report.Line(Styled(Style::kBold, output_), ", repacked from ", path_);
    report.Field("path", path_);
    report.Field("output", output_);
    report.Fact("records", "records", repacked.record_count);
    report.Row("before", absl::StrFormat("%s, %.2f bytes a record",
                                         HumanBytes(repacked.bytes_before), before));
    report.Row("after",
               absl::StrFormat("%s, %.2f bytes a record, %.0f %% of before",
                               HumanBytes(repacked.bytes_after), after, 100 * after / before));
    report.Row("log digest", repacked.log_digest, ", read back");
    report.Row("took", HumanSeconds(seconds), ", ", HumanCount(records / seconds), " records/s");
    if (repacked.segments_left_out > 0) {
      report.Row("left out", repacked.segments_left_out, " segment that is not sealed");
    }
    report.Field("bytes_before", repacked.bytes_before);
    report.Field("bytes_after", repacked.bytes_after);
    report.Field("bytes_per_record", after);
    report.Field("segments_left_out", repacked.segments_left_out);
    report.Field("log_digest", repacked.log_digest);
    report.Field("seconds", seconds);
    report.PrintTo(console);
    return ExitCode::kOk;
  }

 private:
  std::string path_;
  std::string output_;
  size_t thread_count_ = ProcessorCount();
  journal::BulkOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeRepackVerb() { return std::make_unique<RepackVerb>(); }

}  // namespace tools
