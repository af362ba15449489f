#include "tools/cli/compare/engine_states.h"

#include <cstddef>
#include <optional>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/compare/subject.h"
#include "replay/engines.h"
#include "replay/log_source.h"
#include "replay/machine.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/snapshots.h"

namespace tools {
namespace {

// Returns false if the state is not one of this program's engine.
bool KnowMarkets(const replay::SavedState& state, MarketFollower& markets) {
  const std::unique_ptr<replay::Machine> machine = replay::MakeEngine(replay::EngineKind::kFast);
  size_t next = 0;
  const absl::Status loaded = machine->Load([&]() -> absl::StatusOr<std::optional<engine::Bytes>> {
    if (next == state.parts.size()) return std::nullopt;
    return std::optional<engine::Bytes>(state.parts[next++]);
  });
  if (loaded.ok()) markets.Know(*machine);
  return loaded.ok();
}

}  // namespace

std::unique_ptr<EngineStates> EngineStates::Open(const OpenedJournal& opened) {
  auto snapshots = OpenSnapshots(opened.directory->path());
  return std::make_unique<EngineStates>(snapshots.ok() ? *std::move(snapshots) : nullptr,
                                        opened.reader->info().uuid);
}

absl::Status EngineStates::FollowMarkets(journal::Reader& reader, engine::SequenceNumber first,
                                         MarketFollower& markets) {
  const replay::SavedState* state = states_.Newest(first - 1);
  if (state == nullptr || !KnowMarkets(*state, markets)) return markets.FollowUntil(reader, first);
  replay::JournalSource source(reader);
  RETURN_IF_ERROR(source.Seek(state->sequence.Next()));
  for (engine::SequenceNumber at = state->sequence; at.Next() < first;) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) break;
    const journal::Batch part = replay::PartOf(run, 0, first - at - 1);
    for (const journal::AttachmentView& attachment : part.attachments) {
      markets.Follow({.row = &part.rows[attachment.sequence - part.rows.front().sequence],
                      .attachment = attachment.bytes});
    }
    at = part.rows.back().sequence;
  }
  return absl::OkStatus();
}

std::string EngineStates::ToString() const {
  const engine::SequenceNumber from = states_.began_at();
  return absl::StrCat(WithCommas(states_.replayed()), " commands put to the engines again, from ",
                      from == engine::SequenceNumber()
                          ? std::string("the first record")
                          : absl::StrCat("the state at @", from.value()));
}

void EngineStates::AddTo(Report& report) const {
  for (const std::string& warning : states_.warnings()) report.Note("warning: ", warning);
  if (states_.replayed() > 0) report.Row("replayed", ToString());
  report.Field("replayed_again", states_.replayed());
  report.Field("replayed_from", states_.began_at());
  report.Texts("warnings", states_.warnings());
}

}  // namespace tools
