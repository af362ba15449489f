// ticktape engine-server: serves an engine to another program over the event stream.

#include "engine/messages/schema.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/machine_subject.h"
#include "replay/semantics_version.h"
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

  void Declare(Options& options) override { AddEngineOption(options, engine_); }
  absl::StatusOr<ExitCode> Run(Console&) override {
    replay::MachineSubject subject(
        {.name = std::string(replay::kEngineNames[static_cast<size_t>(engine_)]),
         .build_id = ExecutableId(),
         .semantics_version = replay::kSemanticsVersion},
        [kind = engine_] { return replay::MakeEngine(kind); });
    StdioChannel channel;
    RETURN_IF_ERROR(replay::EventStreamServer(channel, subject, engine::CommandSchemaId()).Run());
    return ExitCode::kOk;
  }

 private:
  replay::EngineKind engine_ = replay::EngineKind::kFast;
};

}  // namespace

std::unique_ptr<Verb> MakeEngineServerVerb() { return std::make_unique<EngineServerVerb>(); }

}  // namespace tools
