// ticktape seal: ends a journal whose writer was killed.

#include "journal/digest_sidecar.h"
#include "journal/writer.h"
#include "journal/writer_options.h"
#include "replay/checked_replay.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/read_ahead.h"
#include "tools/cli/read/snapshots.h"
#include "tools/os/clocks.h"

namespace tools {
namespace {

// No limit is meant: a roll would begin a segment only to seal it empty.
constexpr uint64_t kSegmentBytes = uint64_t{16} << 30;

constexpr char kExamples[] = R"(  ticktape seal a.tape
  ticktape seal a.tape --json

For a journal whose writer was killed. Does what the next writer would do: keeps a torn
tail in a .torn file beside its segment, and refuses a DAMAGED journal. Replays the
journal, so that the last checkpoint covers its last command, and writes the index. A
journal that is sealed stays as it is. One that another program writes is refused.)";

class SealVerb final : public Verb {
 public:
  SealVerb() : Verb("seal", "End a journal whose writer was killed", kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    const journal::JournalInfo& info = opened.reader->info();
    RETURN_IF_ERROR(opened.reader->CheckEnd());
    ASSIGN_OR_RETURN(const bool was_sealed, IsClosed(*opened.directory, info));
    Report report("ticktape.seal/1");
    report.Line(Styled(Style::kBold, path_),
                was_sealed ? ", sealed before: nothing is changed, and only headers were read"
                           : ", sealed");
    report.Field("path", path_);
    report.Field("was_sealed", was_sealed);
    if (was_sealed) {
      AddEnd(report, info.first_sequence, info.last_sequence);
    } else {
      RETURN_IF_ERROR(Seal(info, report, console));
    }
    report.PrintTo(console);
    return ExitCode::kOk;
  }

 private:
  // A writer that was killed between two segments has sealed the first of them.
  static absl::StatusOr<bool> IsClosed(const journal::Directory& directory,
                                       const journal::JournalInfo& info) {
    ASSIGN_OR_RETURN(const std::vector<std::string> files, directory.List());
    return info.sealed && std::ranges::count(files, journal::kSpareFileName) == 0;
  }

  static void AddEnd(Report& report, engine::SequenceNumber first, engine::SequenceNumber last) {
    report.Fact("commands", "commands", last.value() + 1 - first.value());
    report.Field("last_sequence", last);
  }

  absl::Status Seal(const journal::JournalInfo& info, Report& report, Console& console) {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                     journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadWrite));
    RETURN_IF_ERROR(CheckEndsAfterSnapshots(*directory));
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Writer> writer,
                     journal::Writer::Open(*directory, info.metadata, info.uuid,
                                           SystemClock().Now(), {.segment_bytes = kSegmentBytes},
                                           [&] { return ReadAll(*directory, console); }));
    const engine::SequenceNumber last = writer->next_sequence() - 1;
    if (checkpoints_.empty() && last >= info.first_sequence) {
      checkpoints_.push_back({.sequence = last, .log = writer->log_digest()});
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::SidecarWriter> sidecar,
                     journal::SidecarWriter::Open(*directory, writer->journal_uuid(), last));
    const engine::SequenceNumber last_before = sidecar->last_sequence();
    for (const journal::Checkpoint& checkpoint : checkpoints_) {
      if (checkpoint.sequence > last_before) RETURN_IF_ERROR(sidecar->Append(checkpoint));
    }
    RETURN_IF_ERROR(writer->Close());
    RETURN_IF_ERROR(sidecar->Close());

    AddEnd(report, info.first_sequence, last);
    AddSetAside(report, writer->recovery(), sidecar->notes());
    const bool had_it = last_before == sidecar->last_sequence();
    report.Row("checkpoint", "@", sidecar->last_sequence(),
               had_it ? ", which was there already"
               : last_before == engine::SequenceNumber()
                   ? ", the first"
                   : absl::StrCat("; the last one before was @", last_before.value()));
    report.Field("checkpoint_before", last_before);
    AddDigests(report, checkpoints_.empty() ? journal::Checkpoint() : checkpoints_.back());
    return absl::OkStatus();
  }

  static void AddSetAside(Report& report, const journal::RecoverySummary& recovery,
                          const std::vector<std::string>& sidecar_notes) {
    if (recovery.bytes_set_aside > 0) {
      report.Row("set aside", HumanBytes(recovery.bytes_set_aside),
                 " after the end, never acknowledged, in a .torn file");
    }
    report.Field("bytes_set_aside", recovery.bytes_set_aside);
    for (const std::string& note : recovery.sidecar_notes) report.Row("note", note);
    for (const std::string& note : sidecar_notes) {
      if (std::ranges::count(recovery.sidecar_notes, note) == 0) report.Row("note", note);
    }
  }

  // Reads every record that no snapshot covers, while the writer holds the lock. Sets the
  // checkpoints of the engine; leaves them empty if this program cannot compute them.
  absl::Status ReadAll(const journal::Directory& directory, Console& console) {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader,
                     journal::Reader::Open(directory));
    const journal::JournalInfo& info = reader->info();
    if (info.record_count() == 0) return absl::OkStatus();
    absl::StatusOr<replay::StartingPoint> start =
        StartFromSnapshot(directory, info, info.last_sequence, replay::EngineKind::kFast, console);
    if (!start.ok()) {
      console.Note("note: the last checkpoint has only a log digest: ", start.status().message());
      return ReadPayloads(*reader);
    }
    RETURN_IF_ERROR(reader->SeekToSequence(start->last_applied().Next()));
    ReadAhead ahead(*reader);
    Progress progress(console, "seal", "records", info.last_sequence.value());
    ASSIGN_OR_RETURN(
        replay::CheckedReplay replayed,
        replay::ReplayCheckedBatchesUnseen(
            *start, [&] { return ahead.NextBatch(); }, Recorded(directory, info),
            info.last_sequence, [&](engine::SequenceNumber at) { progress.Show(at.value()); }));
    progress.Clear();
    if (!replayed.divergence.has_value()) {
      checkpoints_ = std::move(replayed.checkpoints);
      return absl::OkStatus();
    }
    console.Note("note: the last checkpoint has only a log digest: this program's engine differs ",
                 "from the one that recorded; 'ticktape replay ", path_, "' shows where");
    return absl::OkStatus();
  }

  static absl::Status ReadPayloads(journal::Reader& reader) {
    ReadAhead ahead(reader);
    while (true) {
      ASSIGN_OR_RETURN(const journal::Batch batch, ahead.NextBatch());
      if (batch.empty()) return absl::OkStatus();
    }
  }

  // A sidecar that cannot be read is replaced by SidecarWriter::Open(), which keeps its bytes.
  static std::vector<journal::Checkpoint> Recorded(const journal::Directory& directory,
                                                   const journal::JournalInfo& info) {
    return journal::ReadSidecar(directory, info.uuid, info.last_sequence)
        .value_or(std::vector<journal::Checkpoint>());
  }

  std::string path_;
  std::vector<journal::Checkpoint> checkpoints_;  // Up to the last record.
};

}  // namespace

std::unique_ptr<Verb> MakeSealVerb() { return std::make_unique<SealVerb>(); }

}  // namespace tools
