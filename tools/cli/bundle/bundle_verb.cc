// ticktape bundle: a bug report in one file.

#include <algorithm>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "replay/checked_replay.h"
#include "replay/run_results.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/nearest_word.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/bundle/bundle.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

constexpr char kSuffix[] = ".ticktape";

std::string RangeText(const BundleManifest& manifest) {
  return absl::StrCat("@", manifest.first.value(), "..@", manifest.last.value());
}

bool HasSnapshot(const BundleManifest& manifest) {
  return std::ranges::any_of(manifest.files, [](const BundledFile& file) {
    return absl::StartsWith(file.name, "journal/snapshots/");
  });
}

void AddRecords(Report& report, const BundleManifest& manifest) {
  const std::string start =
      manifest.first == engine::SequenceNumber::First() ? ", from the journal's first"
      : HasSnapshot(manifest) ? absl::StrCat(", after a snapshot at @", manifest.first.value() - 1)
                              : "";
  report.Row("records", WithCommas(manifest.last - manifest.first + 1), ", ", RangeText(manifest),
             start);
}

void AddNotes(Report& report, const BundleManifest& manifest) {
  for (const std::string& note : manifest.notes) report.Row("note", note);
}

void AddManifest(Report& report, const std::string& path, const char* action,
                 const BundleManifest& manifest) {
  report.Field("action", action);
  report.Field("path", path);
  report.Field("created", manifest.created);
  report.Field("build", manifest.build);
  report.Field("executable", manifest.executable);
  report.Field("engine", manifest.engine);
  report.Field("semantics_version", manifest.results.semantics_version);
  report.Field("source", manifest.source);
  report.Field("journal_uuid", manifest.journal_uuid);
  report.Field("recorded_by", manifest.recorded_by);
  report.Field("command_line", manifest.command_line);
  report.Field("range", manifest.range);
  report.Field("first", manifest.first);
  report.Field("last", manifest.last);
  report.Field("events", manifest.results.output_count);
  report.Field("recorded", manifest.recorded);
  report.Texts("notes", manifest.notes);
  report.Named("machine", manifest.machine);
  report.Line(Styled(Style::kBold, path), ", ", HumanBytes(std::filesystem::file_size(path)));
  AddNotes(report, manifest);
  report.Row("asked for", manifest.range, " of ", manifest.source);
  AddRecords(report, manifest);
  report.Row("recorded by", manifest.recorded_by);
  report.Row("bundled by", manifest.build, ", ", manifest.created);
  if (manifest.results.checkpoints.empty()) {
    report.Row("expected", "nothing: the engine was not driven");
  } else {
    report.Row("engine", manifest.engine, ", semantics version ",
               manifest.results.semantics_version);
    report.Row("events", WithCommas(manifest.results.output_count));
    AddDigests(report, manifest.results.checkpoints.back());
    report.Row("recorded run", manifest.recorded == "equal"  ? "did the same"
                               : manifest.recorded == "none" ? "left no digests"
                                                             : manifest.recorded);
  }
  report.Objects("files", manifest.files, [&](const BundledFile& file) {
    report.Field("name", file.name);
    report.Field("bytes", file.bytes);
  });
}

std::string TheSame(uint64_t checkpoints) {
  return absl::StrCat("the same at ", checkpoints == 1 ? "" : "all ",
                      Counted(checkpoints, "checkpoint"));
}

constexpr char kExamples[] =
    R"(  ticktape bundle a.tape @48211000..@48212000 -o report.ticktape --note 'lost priority'
  ticktape bundle info report.ticktape
  ticktape bundle replay report.ticktape        does this build do the same?
  ticktape bundle open report.ticktape -o report

In it: the records, a snapshot of the state before them, the build, the machine, the
digests of the recorded run and of this program's. It is a tar compressed with zstd
(tools/cli/bundle/FORMAT.md). Nothing in a bundle is believed that is not hashed, and
nothing is written outside the folder; a journal called 'open' is './open'. Exit
code 1 of 'replay': something differs.)";

class BundleVerb final : public Verb {
 public:
  BundleVerb()
      : Verb("bundle", "Put a range of a journal, and all it takes to replay it, into one file",
             kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", pack_.journal, "The journal's folder").Type("JOURNAL");
    options.Add("range", pack_.range, "What of it; default: all").Type("RANGE");
    options.Add("-o,--output", pack_.output, "The bundle; NAME.ticktape").Type("FILE");
    options.Add("--note", pack_.notes, "A note for the reader; may be repeated")
        .Type("TEXT")
        .TakesOneEachTime();
    options.AddFlag("--force", pack_.replace, "Replace a bundle that is there");
    options.AddFlag("--no-replay", pack_.no_replay,
                    "Do not drive the engine over the range, as it ends there");
    AddEngineOption(options, pack_.engine);
    info_ = &options.AddAction("info", "What is in a bundle; checks every byte");
    open_ = &options.AddAction("open", "Its journal and snapshot as a folder");
    replay_ = &options.AddAction("replay", "Replay it and compare with what it expects");
    options.ActionIsOptional();
    for (Options* const action : {info_, open_, replay_}) {
      action->Add("bundle", bundle_, "The bundle").Required().Type("FILE");
    }
    open_->Add("-o,--output", folder_, "The folder; default: the bundle's name without suffix")
        .Type("FOLDER");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    const bool looks = info_->chosen() || open_->chosen() || replay_->chosen();
    if (!looks) return Make(console);
    if (!pack_.journal.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("one bundle at a time: what is '", pack_.journal, "'?"));
    }
    if (info_->chosen()) return Info(console);
    return open_->chosen() ? Open(console) : Replay(console);
  }

 private:
  // Errors: INVALID_ARGUMENT: there is no such journal, and the word is nearly an action.
  static absl::Status CheckIsNoAction(const std::string& word) {
    const std::string action = NearestWord(word, {"info", "open", "replay"});
    std::error_code ignored;
    if (action.empty() || std::filesystem::exists(word, ignored)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("there is no journal '", word, "'; did you mean 'bundle ", action, "'?"));
  }

  absl::StatusOr<ExitCode> Make(Console& console) const {
    if (pack_.journal.empty()) return absl::InvalidArgumentError("missing argument JOURNAL");
    RETURN_IF_ERROR(CheckIsNoAction(pack_.journal));
    if (pack_.output.empty()) return absl::InvalidArgumentError("where to? -o NAME.ticktape");
    ASSIGN_OR_RETURN(const BundleManifest manifest, PackBundle(pack_, console));
    Report report("ticktape.bundle/1");
    AddManifest(report, pack_.output, "make", manifest);
    const absl::string_view action = manifest.results.checkpoints.empty() ? "open " : "replay ";
    report.Row("next", "ticktape bundle ", action, ShellWord(pack_.output));
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Info(Console& console) const {
    ASSIGN_OR_RETURN(const BundleManifest manifest, UnpackBundle(bundle_, ""));
    Report report("ticktape.bundle/1");
    AddManifest(report, bundle_, "info", manifest);
    for (const auto& [name, value] : manifest.machine) report.Row(name, value);
    for (const BundledFile& file : manifest.files) {
      report.Row("file", file.name, ", ", HumanBytes(file.bytes));
    }
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Open(Console& console) const {
    std::string folder = folder_;
    if (folder.empty()) {
      const std::string name = std::filesystem::path(bundle_).filename().string();
      if (!absl::EndsWith(name, kSuffix) || name == kSuffix) {
        return absl::InvalidArgumentError(absl::StrCat("where to? ", bundle_, " has no suffix ",
                                                       kSuffix, " to leave out: give -o"));
      }
      folder = std::string(absl::StripSuffix(name, kSuffix));
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> opened,
                     UnfinishedFolder::Create(folder));
    ASSIGN_OR_RETURN(const BundleManifest manifest, UnpackBundle(bundle_, opened->partial_path()));
    RETURN_IF_ERROR(opened->Finish());
    const std::string journal = ShellWord(absl::StrCat(folder, "/journal"));
    Report report("ticktape.bundle/1");
    report.Line(Styled(Style::kBold, folder), ", from ", bundle_);
    AddNotes(report, manifest);
    AddRecords(report, manifest);
    const bool can_be_replayed = !manifest.results.checkpoints.empty();
    if (can_be_replayed) report.Row("next", "ticktape replay ", journal);
    report.Row(can_be_replayed ? "" : "next", "ticktape inspect ", journal, " @", manifest.last);
    report.EndLines();
    AddManifest(report, bundle_, "open", manifest);
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Replay(Console& console) const {
    ASSIGN_OR_RETURN(const std::unique_ptr<TemporaryDirectory> folder, TemporaryDirectory::Make());
    ASSIGN_OR_RETURN(const BundleManifest manifest, UnpackBundle(bundle_, folder->path()));
    const std::string journal = absl::StrCat(folder->path(), "/journal");
    RETURN_IF_ERROR(CheckJournal(journal, manifest));
    replay::RunResults results;
    ASSIGN_OR_RETURN(const replay::CheckedReplay run,
                     RunBundle(journal, pack_.engine, console, results));
    const auto difference = replay::FindDifference(manifest.results, results, manifest.first);
    const uint64_t expected_count = manifest.results.checkpoints.size();
    const std::string expected = difference.has_value() ? difference->what
                                 : expected_count > 0
                                     ? TheSame(expected_count)
                                     : "nothing: the engine was not driven when it was made";
    const std::string recorded = run.divergence.has_value() ? run.divergence->ToString()
                                 : run.digests_compared.trace > 0
                                     ? TheSame(run.digests_compared.trace)
                                     : "left no digests";
    const bool equal = !difference.has_value() && !run.divergence.has_value();
    const std::string engine(replay::kEngineNames[static_cast<size_t>(pack_.engine)]);
    Report report("ticktape.bundle_replay/1");
    report.Line(EqualOrDifferent(equal), "  ", bundle_);
    AddNotes(report, manifest);
    AddRecords(report, manifest);
    report.Row("replayed by", BuildId(), ", ", engine);
    report.Row("when bundled", manifest.build, ": ", expected);
    report.Field("path", bundle_);
    report.Field("engine", engine);
    report.Field("build", BuildId());
    report.Field("first", manifest.first);
    report.Field("last", manifest.last);
    report.Field("events", run.output_count);
    report.Field("equal", equal);
    report.Field("expected_compared", expected_count);
    report.Field("recorded_compared", run.digests_compared.trace);
    if (difference.has_value()) {
      report.Field("parts", difference->what);
      report.Field("first_command", difference->command);
      if (difference->command.has_value()) {
        report.Row("first", "@", *difference->command,
                   ": its events are others than those of the build that bundled");
      }
    }
    report.Row("when recorded", manifest.recorded_by, ": ", recorded);
    report.Field("recorded_parts", run.divergence);
    if (!equal) report.Row("next", "ticktape bundle open ", ShellWord(bundle_));
    report.PrintTo(console);
    return equal ? ExitCode::kOk : ExitCode::kDifferent;
  }

  absl::Status CheckJournal(const std::string& path, const BundleManifest& manifest) const {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path));
    const journal::JournalInfo& info = opened.reader->info();
    if (!IsOfExchange(info)) {
      return absl::UnimplementedError(
          absl::StrCat(bundle_, ": its journal is a ", info.metadata.application,
                       "; 'ticktape serve DIR --replay' replays those of a venue"));
    }
    if (info.first_sequence == manifest.first && info.last_sequence == manifest.last &&
        info.uuid.ToString() == manifest.journal_uuid) {
      return absl::OkStatus();
    }
    return absl::DataLossError(absl::StrCat(bundle_, ": its journal is ", info.uuid.ToString(),
                                            " with @", info.first_sequence.value(), "..@",
                                            info.last_sequence.value(), "; expected ",
                                            manifest.journal_uuid, " with ", RangeText(manifest)));
  }

  Options* info_ = nullptr;
  Options* open_ = nullptr;
  Options* replay_ = nullptr;
  PackOptions pack_;
  std::string bundle_;
  std::string folder_;
};

}  // namespace

std::unique_ptr<Verb> MakeBundleVerb() { return std::make_unique<BundleVerb>(); }

}  // namespace tools
