// ticktape archive: rewrites the sealed segments of a journal in fewer bytes, in place.

#include "journal/maintenance/archive.h"
#include "tools/cli/base/verb_includes.h"

namespace tools {
namespace {

double BytesARecord(uint64_t bytes, uint64_t records) {
  return records == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(records);
}

constexpr char kExamples[] = R"(  ticktape archive a.tape
  ticktape archive a.tape --level 19 --block 65536

A command that is written alone takes a block of 4096 bytes. Each sealed segment of
such blocks is replaced by one with full blocks, where that saves at least half: with
the same records, log digest, snapshots and checkpoints. The new segment is written
beside the old one, synced, read back and compared before it takes its name. A writer,
readers and followers may be at work meanwhile, and an interruption does no harm.
'shell' and 'record' do the same to the segments that they seal, while they are idle.)";

class ArchiveVerb final : public Verb {
 public:
  ArchiveVerb() : Verb("archive", "Compact the sealed segments of a journal in place", kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.Add("--level", options_.zstd_level, "How hard zstd tries, 1 to 19")
        .Type("LEVEL")
        .ShowDefault()
        .InRange(1, 19);
    options.AddCount("--block", options_.block_records, "Records in a block", 1, 65536);
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                     journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadWrite));
    Progress progress(console, "archive", "bytes", 0);
    ASSIGN_OR_RETURN(const journal::ArchiveReport archived,
                     journal::Archive(*directory, options_, [&](uint64_t done, uint64_t total) {
                       progress.Show(done, total);
                     }));
    progress.Clear();
    Report report("ticktape.archive/1");
    report.Line(Styled(Style::kBold, path_), ", archived");
    const double before = BytesARecord(archived.bytes_before, archived.record_count);
    const double after = BytesARecord(archived.bytes_after, archived.record_count);
    report.Row("compacted", archived.compacted.size(), " of ",
               Counted(archived.segment_count, "segment"));
    report.Row("before", absl::StrFormat("%s sealed, %.2f bytes a record",
                                         HumanBytes(archived.bytes_before), before));
    report.Row("after",
               absl::StrFormat("%s, %.2f bytes a record", HumanBytes(archived.bytes_after), after));
    report.Field("path", path_);
    report.Field("segments", archived.segment_count);
    report.Field("compacted", archived.compacted.size());
    report.Field("records", archived.record_count);
    report.Field("bytes_before", archived.bytes_before);
    report.Field("bytes_after", archived.bytes_after);
    report.Field("bytes_per_record", after);
    report.PrintTo(console);
    return ExitCode::kOk;
  }

 private:
  std::string path_;
  journal::CompactionOptions options_ = journal::kArchiveOptions;
};

}  // namespace

std::unique_ptr<Verb> MakeArchiveVerb() { return std::make_unique<ArchiveVerb>(); }

}  // namespace tools
