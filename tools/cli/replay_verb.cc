// ticktape replay: drive an engine over a journal.

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "replay/checked_replay.h"
#include "replay/engines.h"
#include "tools/cli/engine_option.h"
#include "tools/cli/event_output.h"
#include "tools/cli/json.h"
#include "tools/cli/open_journal.h"
#include "tools/cli/progress.h"
#include "tools/cli/replay_report.h"
#include "tools/cli/selector.h"
#include "tools/cli/verbs.h"

namespace tools {
namespace {

class ReplayVerb final : public Verb {
 public:
  const char* name() const override { return "replay"; }
  const char* summary() const override {
    return "Drive an engine over a journal, checking as it goes";
  }
  const char* examples() const override {
    return "  ticktape replay a.tape\n"
           "  ticktape replay a.tape --to @50000 --json\n"
           "  ticktape replay a.tape --from @order:4711 --to @+5s --emit - | grep trade\n"
           "\n"
           "The engine starts at the first record; --from says where what is emitted begins.\n"
           "Digests are compared with the recorded run's at every checkpoint up to --to; exit\n"
           "code 1 says that they differ.";
  }
  void Declare(CLI::App& app) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  std::string path_;
  std::string from_;
  std::string to_ = "@-1";
  std::string emit_;
  replay::EngineKind engine_ = replay::EngineKind::kFast;
};

void ReplayVerb::Declare(CLI::App& app) {
  app.add_option("journal", path_, "The journal's folder")->required()->type_name("JOURNAL");
  app.add_option("--from", from_, "Emit from this position")->type_name("POSITION");
  app.add_option("--to", to_, "Stop after this position")->type_name("POSITION");
  AddEngineOption(app, engine_);
  app.add_option(
         "--emit", emit_,
         "Write the events to FILE: text, or JSON lines if it ends with .jsonl; - is standard\n"
         "output")
      ->type_name("FILE");
}

absl::StatusOr<ExitCode> ReplayVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  journal::Reader& reader = *opened.reader;
  ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(absl::StrCat(from_, "..", to_), reader));
  if (!from_.empty() && emit_.empty()) {
    return absl::InvalidArgumentError("--from says where --emit begins, and there is no --emit");
  }
  std::unique_ptr<EventOutput> output;
  if (!emit_.empty()) {
    ASSIGN_OR_RETURN(output, EventOutput::Open(emit_, console));
  }

  const std::unique_ptr<replay::Machine> machine = replay::MakeEngine(engine_);
  Progress progress(console, "replay", "records", range.last.value());
  ASSIGN_OR_RETURN(
      const replay::CheckedReplay replayed,
      replay::ReplayChecked(
          reader, *machine, RecordedCheckpoints(*opened.directory, reader.info(), console),
          range.last, [&](const journal::Record& record, std::span<const engine::Event> events) {
            progress.Update(record.sequence().value());
            if (output == nullptr) return;
            output->Follow(record);
            if (record.sequence() >= range.first) output->Write(record, events);
          }));
  const double seconds = progress.Seconds();
  progress.Clear();
  if (output != nullptr) RETURN_IF_ERROR(output->Finish());

  // What was emitted to standard output stands alone there.
  if (emit_ != "-") {
    if (console.json()) {
      JsonObject json("ticktape.replay/1");
      json.Field("path", path_);
      AddReplay(json, replayed, seconds);
      console.PrintLine(json.Take());
    } else {
      console.PrintLine(console.Styled(Style::kBold, path_), ", replayed with the ",
                        machine->name(), " engine");
      PrintReplay(console, replayed, seconds);
    }
  }
  return replayed.divergence.has_value() ? ExitCode::kDifferent : ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeReplayVerb() { return std::make_unique<ReplayVerb>(); }

}  // namespace tools
