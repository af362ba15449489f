// ticktape doctor: assesses a folder and the machine for use by a journal.

#include "tools/cli/base/verb_includes.h"
#include "tools/cli/maintenance/examination.h"
#include "tools/os/machine_facts.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

// Returns the number of syncs that took up to 2, 4, 8, … microseconds.
std::vector<std::pair<uint64_t, uint64_t>> Histogram(const std::vector<uint64_t>& nanos) {
  std::vector<std::pair<uint64_t, uint64_t>> buckets;
  for (uint64_t limit = 2000;; limit *= 2) {
    const uint64_t count =
        static_cast<uint64_t>(std::count_if(nanos.begin(), nanos.end(), [limit](uint64_t n) {
          return n <= limit && (limit == 2000 || n > limit / 2);
        }));
    if (count > 0 || !buckets.empty()) buckets.emplace_back(limit, count);
    if (limit >= *std::max_element(nanos.begin(), nanos.end())) return buckets;
  }
}

void AddSyncs(Report& report, const std::vector<uint64_t>& nanos) {
  const SyncTimes times = Summarise(nanos);
  report.BeginObject("sync_ns");
  report.Field("count", times.count);
  report.Field("min", times.min);
  report.Field("p50", times.p50);
  report.Field("p90", times.p90);
  report.Field("p99", times.p99);
  report.Field("max", times.max);
  report.EndObject();
  report.Line();
  report.Line(Styled(Style::kDim, "  4 KiB + fdatasync, up to      times"));
  const auto buckets = Histogram(nanos);
  uint64_t largest = 0;
  for (const auto& [limit, count] : buckets) largest = std::max(largest, count);
  report.Objects("sync_histogram", buckets, [&](const auto& bucket) {
    const auto& [limit, count] = bucket;
    report.Line(absl::StrFormat("  %24s %10s  %s", HumanNanos(limit), WithCommas(count),
                                Bar(count, largest, 40)));
    report.Field("up_to_ns", limit);
    report.Field("count", count);
  });
}

constexpr char kExamples[] = R"(  ticktape doctor /data/journals
  ticktape doctor . --syncs 2000 --json

Writes a few MiB to a file of its own in that folder, which is gone afterwards; where
that is not possible, looks at the rest. Exit code 5 says that something is bad for a
journal there.)";

class DoctorVerb final : public Verb {
 public:
  DoctorVerb()
      : Verb("doctor", "Look at disk, clock and processors, and say what they mean for a journal",
             kExamples) {}

  void Declare(Options& options) override {
    options.Add("folder", path_, "Where journals are, or will be").Type("FOLDER").ShowDefault();
    options.AddCount("--syncs", sync_count_, "How many syncs to measure", 10, 100'000);
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const StorageFacts storage, ReadStorageFacts(path_));
    const absl::StatusOr<std::vector<uint64_t>> nanos = MeasureSyncs(path_, sync_count_);
    const std::vector<Diagnosis> diagnoses = {
        ExamineFileSystem(storage),
        ExamineMountOptions(storage),
        ExamineSpace(storage),
        nanos.ok() ? ExamineSyncs(Summarise(*nanos)) : ExamineFailedSyncs(nanos.status()),
        ExamineClock(ReadClockFacts()),
        ExamineProcessors(ProcessorCount(), MeasureHandover())};
    Report report("ticktape.doctor/1");
    report.Field("path", path_);
    report.Objects("diagnoses", diagnoses, [&](const Diagnosis& diagnosis) {
      constexpr Style kStyles[] = {Style::kGreen, Style::kYellow, Style::kRed};
      const Style style = kStyles[static_cast<size_t>(diagnosis.health)];
      report.Line(Styled(style, absl::StrFormat("%-4s", ToString(diagnosis.health))), "  ",
                  Styled(Style::kBold, diagnosis.name), "  ", diagnosis.value);
      report.Line("      ", diagnosis.meaning);
      report.Field("name", diagnosis.name);
      report.Field("value", diagnosis.value);
      report.Field("health", ToString(diagnosis.health));
      report.Field("meaning", diagnosis.meaning);
    });
    if (nanos.ok()) AddSyncs(report, *nanos);
    report.PrintTo(console);
    const bool is_bad =
        std::any_of(diagnoses.begin(), diagnoses.end(),
                    [](const Diagnosis& diagnosis) { return diagnosis.health == Health::kBad; });
    return is_bad ? ExitCode::kNotComparable : ExitCode::kOk;
  }

 private:
  std::string path_ = ".";
  uint64_t sync_count_ = 500;
};

}  // namespace

std::unique_ptr<Verb> MakeDoctorVerb() { return std::make_unique<DoctorVerb>(); }

}  // namespace tools
