// ticktape engine-server: serves an engine to another program over the event stream.

#include "replay/compare/event_stream.h"
#include "replay/compare/machine_subject.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/stdio_channel.h"
#include "tools/cli/base/verb_includes.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape diff a.tape --engine-a fast --engine-b ./other/ticktape
  ticktape diff a.tape --engine-b 'ssh host ticktape engine-server'

The first starts './other/ticktape engine-server', and asks it. What is spoken is
specified in replay/compare/EVENT_STREAM.md, for engines that are written elsewhere.)";

class EngineServerVerb final : public Verb {
 public:
  EngineServerVerb()
      : Verb("engine-server", "Serve an engine to another program, over standard input and output",
             kExamples) {}

  void Declare(Options& options) override {
    AddEngineOption(options, engine_);
    options
        .Add("--application", application_,
             "Whose journals it drives, as 'info' names them; the exchange's without")
        .Type("NAME");
  }
  absl::StatusOr<ExitCode> Run(Console&) override {
    const replay::Application* const application =
        application_.empty() ? &replay::ExchangeApplication() : FindApplicationNamed(application_);
    if (application == nullptr) {
      return absl::UnimplementedError(
          absl::StrCat("this program does not know '", application_, "'"));
    }
    const absl::string_view name = replay::kEngineNames[static_cast<size_t>(engine_)];
    if (application->make_machine(engine_) == nullptr) return HasNoEngine(*application, name);
    replay::MachineSubject subject(
        {.name = std::string(name),
         .build_id = ExecutableId(),
         .semantics_version = application->semantics_version},
        [this, application] { return application->make_machine(engine_); });
    StdioChannel channel;
    RETURN_IF_ERROR(replay::EventStreamServer(channel, subject, application->row_schema_id).Run());
    return ExitCode::kOk;
  }

 private:
  std::string application_;
  replay::EngineKind engine_ = replay::EngineKind::kFast;
};

}  // namespace

std::unique_ptr<Verb> MakeEngineServerVerb() { return std::make_unique<EngineServerVerb>(); }

}  // namespace tools
