// Makes each verb; MakeVerbs() lists them in the order of the help. The file NAME_verb.cc of a room
// defines MakeNameVerb().

#ifndef TOOLS_CLI_BASE_VERBS_H_
#define TOOLS_CLI_BASE_VERBS_H_

#include <functional>
#include <memory>

#include "replay/engines.h"
#include "replay/machine.h"
#include "tools/cli/base/verb.h"

namespace tools {

// Writing a journal (record, serve), showing its contents (show) and its replay (replay).
std::unique_ptr<Verb> MakeDemoVerb();
std::unique_ptr<Verb> MakeRecordVerb();
std::unique_ptr<Verb> MakeShellVerb();
std::unique_ptr<Verb> MakeServeVerb();
std::unique_ptr<Verb> MakeInfoVerb();
std::unique_ptr<Verb> MakeStatsVerb();
std::unique_ptr<Verb> MakeCatVerb();
std::unique_ptr<Verb> MakeExportVerb();
std::unique_ptr<Verb> MakeReplayVerb();
std::unique_ptr<Verb> MakeInspectVerb();

// Checking, repairing and pruning journals (maintenance); states at a place (snapshot).
std::unique_ptr<Verb> MakeVerifyVerb();
std::unique_ptr<Verb> MakeSealVerb();
std::unique_ptr<Verb> MakeRepairVerb();
std::unique_ptr<Verb> MakeRepackVerb();
std::unique_ptr<Verb> MakeArchiveVerb();
std::unique_ptr<Verb> MakePruneVerb();
std::unique_ptr<Verb> MakeHoldVerb();
std::unique_ptr<Verb> MakeDoctorVerb();
std::unique_ptr<Verb> MakeSnapshotVerb();

// Comparing engines on a log (compare), and with what a log must replay to (golden).
std::unique_ptr<Verb> MakeDiffVerb();
std::unique_ptr<Verb> MakeBacktestVerb();
std::unique_ptr<Verb> MakeBisectVerb();
std::unique_ptr<Verb> MakeMinimizeVerb();
std::unique_ptr<Verb> MakeFuzzVerb();
std::unique_ptr<Verb> MakeEngineServerVerb();
std::unique_ptr<Verb> MakeGoldenVerb();
std::unique_ptr<Verb> MakeSchemaVerb();

// Strategies at a venue (trade).
std::unique_ptr<Verb> MakeTradeVerb();
std::unique_ptr<Verb> MakeCancelOrdersVerb();

// Receiving and sending market-data feeds (feed).
std::unique_ptr<Verb> MakeFeedVerb();
std::unique_ptr<Verb> MakeFeedLoadVerb();

// Making journals from journals (slice); a bug report in one file (bundle); completions and the
// manual page (help).
std::unique_ptr<Verb> MakeCutVerb();
std::unique_ptr<Verb> MakeSplitVerb();
std::unique_ptr<Verb> MakeMergeVerb();
std::unique_ptr<Verb> MakeBundleVerb();
std::unique_ptr<Verb> MakeCompletionsVerb();
std::unique_ptr<Verb> MakeManVerb();
std::unique_ptr<Verb> MakeHelpVerb();

// Commanding a venue that serves (serve).
std::unique_ptr<Verb> MakeAdminVerb();

// Measuring an engine (retime).

// Creates a new machine at every call.
using EngineFactory = std::function<std::unique_ptr<replay::Machine>(replay::EngineKind)>;

std::unique_ptr<Verb> MakeRetimeVerb();

// For programs that plant a slowdown: the verb that measures the machines of `make_machine` instead
// of those of the journal's application.
std::unique_ptr<Verb> MakeRetimeVerb(EngineFactory make_machine);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_VERBS_H_
