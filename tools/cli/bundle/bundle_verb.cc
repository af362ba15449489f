// ticktape bundle: a bug report in one file.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_info.h"
#include "replay/engines.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/engine_option.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/base/unfinished_folder.h"
#include "tools/cli/bundle/bundle_pack.h"
#include "tools/cli/bundle/bundle_run.h"
#include "tools/cli/bundle/bundle_unpack.h"
#include "tools/cli/bundle/manifest.h"
#include "tools/cli/bundle/verbs.h"
#include "tools/cli/compare/difference_report.h"
#include "tools/os/temporary_directory.h"

namespace tools {
namespace {

constexpr char kSuffix[] = ".ticktape";

class BundleVerb final : public Verb {
 public:
  const char* name() const override { return "bundle"; }
  const char* summary() const override {
    return "Put a range of a journal, and all it takes to replay it, into one file";
  }
  const char* examples() const override {
    return "  ticktape bundle a.tape @48211000..@48212000 -o report.ticktape --note 'lost "
           "priority'\n"
           "  ticktape bundle info report.ticktape\n"
           "  ticktape bundle replay report.ticktape        does this build do the same?\n"
           "  ticktape bundle open report.ticktape -o report\n"
           "\n"
           "In it: the records, a snapshot of the state before them, the build, the machine, the\n"
           "digests of the recorded run and of this program's. It is a tar compressed with zstd\n"
           "(tools/cli/bundle/FORMAT.md). Nothing in a bundle is believed that is not hashed, and\n"
           "nothing is written outside the folder; a journal called 'open' is './open'. Exit\n"
           "code 1 of 'replay': something differs.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<ExitCode> Make(Console& console);
  absl::StatusOr<ExitCode> Info(Console& console) const;
  absl::StatusOr<ExitCode> Open(Console& console) const;
  absl::StatusOr<ExitCode> Replay(Console& console) const;

  Options* info_ = nullptr;
  Options* open_ = nullptr;
  Options* replay_ = nullptr;
  PackOptions pack_;
  bool no_replay_ = false;
  std::string bundle_;
  std::string folder_;
};

void BundleVerb::Declare(Options& options) {
  options.Add("journal", pack_.journal, "The journal's folder").Type("JOURNAL");
  options.Add("range", pack_.range, "What of it; default: all").Type("RANGE");
  options.Add("-o,--output", pack_.output, "The bundle; NAME.ticktape").Type("FILE");
  options.Add("--note", pack_.notes, "A note for the reader; may be repeated")
      .Type("TEXT")
      .TakesOneEachTime();
  options.AddFlag("--force", pack_.replace, "Replace a bundle that is there");
  options.AddFlag("--no-replay", no_replay_,
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

absl::StatusOr<ExitCode> BundleVerb::Run(Console& console) {
  const bool looks = info_->chosen() || open_->chosen() || replay_->chosen();
  if (looks && !pack_.journal.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("one bundle at a time: what is '", pack_.journal, "'?"));
  }
  if (info_->chosen()) return Info(console);
  if (open_->chosen()) return Open(console);
  if (replay_->chosen()) return Replay(console);
  return Make(console);
}

std::string RangeText(const BundleManifest& manifest) {
  return absl::StrCat("@", manifest.first.value(), "..@", manifest.last.value());
}

std::string RecordsText(const BundleManifest& manifest) {
  const std::string start = manifest.first == engine::SequenceNumber::First()
                                ? "from the journal's first"
                                : absl::StrCat("after a snapshot at @", manifest.first.value() - 1);
  return absl::StrCat(WithCommas(manifest.last - manifest.first + 1), ", ", RangeText(manifest),
                      ", ", start);
}

void PrintManifest(Console& console, const std::string& path, const BundleManifest& manifest) {
  console.PrintLine(console.Styled(Style::kBold, path), ", ",
                    HumanBytes(std::filesystem::file_size(path)));
  for (const std::string& note : manifest.notes) PrintRow(console, "note", note);
  PrintRow(console, "asked for", absl::StrCat(manifest.range, " of ", manifest.source));
  PrintRow(console, "records", RecordsText(manifest));
  PrintRow(console, "recorded by", manifest.recorded_by);
  PrintRow(console, "bundled by", absl::StrCat(manifest.build, ", ", manifest.created));
  if (manifest.checkpoints.empty()) {
    PrintRow(console, "expected", "nothing: the engine was not driven");
    return;
  }
  const journal::Checkpoint& last = manifest.checkpoints.back();
  PrintRow(console, "engine",
           absl::StrCat(manifest.engine, ", semantics version ", manifest.semantics_version));
  PrintRow(console, "events", WithCommas(manifest.event_count));
  PrintRow(console, "log digest", last.log->ToString());
  PrintRow(console, "trace digest", last.trace->ToString());
  PrintRow(console, "state digest", last.state->ToString());
  PrintRow(console, "recorded run",
           manifest.recorded == "equal"  ? "did the same"
           : manifest.recorded == "none" ? "left no digests"
                                         : manifest.recorded);
}

void PrintManifestJson(Console& console, const std::string& path, const char* action,
                       const BundleManifest& manifest) {
  JsonObject json("ticktape.bundle/1");
  json.Field("action", action);
  json.Field("path", path);
  json.Field("created", manifest.created);
  json.Field("build", manifest.build);
  json.Field("executable", manifest.executable);
  json.Field("engine", manifest.engine);
  json.Field("semantics_version", manifest.semantics_version);
  json.Field("source", manifest.source);
  json.Field("journal_uuid", manifest.journal_uuid);
  json.Field("recorded_by", manifest.recorded_by);
  json.Field("command_line", manifest.command_line);
  json.Field("range", manifest.range);
  json.Field("first", manifest.first.value());
  json.Field("last", manifest.last.value());
  json.Field("events", manifest.event_count);
  json.Field("recorded", manifest.recorded);
  json.BeginArray("notes");
  for (const std::string& note : manifest.notes) json.Element(note);
  json.EndArray();
  json.BeginObject("machine");
  for (const auto& [name, value] : manifest.machine) json.Field(name, value);
  json.EndObject();
  if (!manifest.checkpoints.empty()) {
    const journal::Checkpoint& last = manifest.checkpoints.back();
    json.Field("log_digest", last.log->ToString());
    json.Field("trace_digest", last.trace->ToString());
    json.Field("state_digest", last.state->ToString());
  }
  json.BeginArray("files");
  for (const BundledFile& file : manifest.files) {
    json.BeginElement();
    json.Field("name", file.name);
    json.Field("bytes", file.bytes);
    json.EndElement();
  }
  json.EndArray();
  console.PrintLine(json.Take());
}

// ---- make

absl::StatusOr<ExitCode> BundleVerb::Make(Console& console) {
  if (pack_.journal.empty()) return absl::InvalidArgumentError("missing argument JOURNAL");
  if (pack_.output.empty()) {
    return absl::InvalidArgumentError("where to? -o NAME.ticktape");
  }
  pack_.drives = !no_replay_;
  ASSIGN_OR_RETURN(const BundleManifest manifest, PackBundle(pack_, console));
  if (console.json()) {
    PrintManifestJson(console, pack_.output, "make", manifest);
    return ExitCode::kOk;
  }
  PrintManifest(console, pack_.output, manifest);
  PrintRow(console, "next", absl::StrCat("ticktape bundle replay ", ShellWord(pack_.output)));
  return ExitCode::kOk;
}

// ---- info

absl::StatusOr<ExitCode> BundleVerb::Info(Console& console) const {
  ASSIGN_OR_RETURN(const BundleManifest manifest, UnpackBundle(bundle_, ""));
  if (console.json()) {
    PrintManifestJson(console, bundle_, "info", manifest);
    return ExitCode::kOk;
  }
  PrintManifest(console, bundle_, manifest);
  for (const auto& [name, value] : manifest.machine) PrintRow(console, name, value);
  for (const BundledFile& file : manifest.files) {
    PrintRow(console, "file", absl::StrCat(file.name, ", ", HumanBytes(file.bytes)));
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> BundleVerb::Open(Console& console) const {
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
  if (console.json()) {
    PrintManifestJson(console, bundle_, "open", manifest);
    return ExitCode::kOk;
  }
  const std::string journal = ShellWord(absl::StrCat(folder, "/journal"));
  console.PrintLine(console.Styled(Style::kBold, folder), ", from ", bundle_);
  for (const std::string& note : manifest.notes) PrintRow(console, "note", note);
  PrintRow(console, "records", RecordsText(manifest));
  PrintRow(console, "next", absl::StrCat("ticktape replay ", journal));
  PrintRow(console, "", absl::StrCat("ticktape inspect ", journal, " @", manifest.last.value()));
  return ExitCode::kOk;
}

// ---- replay

struct Comparison {
  std::optional<BundleParting> parting;
  BundleRun run;
  std::string engine;
};

bool IsEqual(const Comparison& comparison) {
  return !comparison.parting.has_value() && !comparison.run.from_recorded.has_value();
}

void PrintReplayJson(Console& console, const std::string& path, const BundleManifest& manifest,
                     const Comparison& comparison) {
  JsonObject json("ticktape.bundle_replay/1");
  json.Field("path", path);
  json.Field("engine", comparison.engine);
  json.Field("build", BuildId());
  json.Field("first", manifest.first.value());
  json.Field("last", manifest.last.value());
  json.Field("events", comparison.run.event_count);
  json.Field("equal", IsEqual(comparison));
  json.Field("expected_compared", static_cast<uint64_t>(manifest.checkpoints.size()));
  json.Field("recorded_compared", comparison.run.recorded_compared);
  if (comparison.parting.has_value()) {
    json.Field("parts", comparison.parting->what);
    if (comparison.parting->command.has_value()) {
      json.Field("first_command", comparison.parting->command->value());
    }
  }
  if (comparison.run.from_recorded.has_value()) {
    json.Field("recorded_parts", comparison.run.from_recorded->ToString());
  }
  console.PrintLine(json.Take());
}

std::string TheSame(uint64_t checkpoints) {
  if (checkpoints == 1) return "the same at 1 checkpoint";
  return absl::StrCat("the same at all ", WithCommas(checkpoints), " checkpoints");
}

void PrintReplay(Console& console, const std::string& path, const BundleManifest& manifest,
                 const Comparison& comparison) {
  console.PrintLine(IsEqual(comparison) ? console.Styled(Style::kGreen, "EQUAL")
                                        : console.Styled(Style::kRed, "DIFFERENT"),
                    "  ", path);
  for (const std::string& note : manifest.notes) PrintRow(console, "note", note);
  PrintRow(console, "records", RecordsText(manifest));
  PrintRow(console, "replayed by", absl::StrCat(BuildId(), ", ", comparison.engine));
  std::string expected = "nothing: the engine was not driven when it was made";
  if (comparison.parting.has_value()) {
    expected = comparison.parting->what;
  } else if (!manifest.checkpoints.empty()) {
    expected = TheSame(manifest.checkpoints.size());
  }
  PrintRow(console, "when bundled", absl::StrCat(manifest.build, ": ", expected));
  if (comparison.parting.has_value() && comparison.parting->command.has_value()) {
    PrintRow(console, "first",
             absl::StrCat("@", comparison.parting->command->value(),
                          ": its events are others than those of the build that bundled"));
  }
  std::string recorded = "left no digests";
  if (comparison.run.from_recorded.has_value()) {
    recorded = comparison.run.from_recorded->ToString();
  } else if (comparison.run.recorded_compared > 0) {
    recorded = TheSame(comparison.run.recorded_compared);
  }
  PrintRow(console, "when recorded", absl::StrCat(manifest.recorded_by, ": ", recorded));
  if (!IsEqual(comparison)) {
    PrintRow(console, "next", absl::StrCat("ticktape bundle open ", ShellWord(path)));
  }
}

absl::StatusOr<ExitCode> BundleVerb::Replay(Console& console) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<TemporaryDirectory> folder, TemporaryDirectory::Make());
  ASSIGN_OR_RETURN(const BundleManifest manifest, UnpackBundle(bundle_, folder->path()));
  const std::string journal = absl::StrCat(folder->path(), "/journal");
  {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(journal));
    const journal::JournalInfo& info = opened.reader->info();
    if (info.first_sequence != manifest.first || info.last_sequence != manifest.last ||
        info.uuid.ToString() != manifest.journal_uuid) {
      return absl::DataLossError(
          absl::StrCat(bundle_, ": its journal is ", info.uuid.ToString(), " with @",
                       info.first_sequence.value(), "..@", info.last_sequence.value(),
                       "; expected ", manifest.journal_uuid, " with ", RangeText(manifest)));
    }
  }
  Comparison comparison;
  comparison.engine = std::string(replay::kEngineNames[static_cast<size_t>(pack_.engine)]);
  ASSIGN_OR_RETURN(comparison.run, RunBundle(journal, pack_.engine, console));
  if (!manifest.checkpoints.empty()) {
    comparison.parting = FindParting(manifest.checkpoints, manifest.marks, comparison.run);
  }
  if (console.json()) {
    PrintReplayJson(console, bundle_, manifest, comparison);
  } else {
    PrintReplay(console, bundle_, manifest, comparison);
  }
  return IsEqual(comparison) ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace

std::unique_ptr<Verb> MakeBundleVerb() { return std::make_unique<BundleVerb>(); }

}  // namespace tools
