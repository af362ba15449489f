#include "tools/cli/replay/replay_report.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/report_row.h"

namespace tools {

std::vector<journal::Checkpoint> RecordedCheckpoints(const journal::Directory& directory,
                                                     const journal::JournalInfo& info,
                                                     Console& console) {
  absl::StatusOr<journal::SidecarContents> recorded = journal::InspectSidecar(directory, info.uuid);
  if (!recorded.ok()) {
    console.Note("note: no digests to compare with: ", recorded.status().message());
    return {};
  }
  if (!recorded->damage.empty()) console.Note("warning: ", recorded->damage);
  return std::move(recorded->checkpoints);
}

void PrintReplay(Console& console, const replay::CheckedReplay& replayed, double seconds) {
  PrintRow(
      console, "commands",
      absl::StrCat(WithCommas(replayed.record_count), " replayed in ", HumanSeconds(seconds), ", ",
                   HumanCount(static_cast<double>(replayed.record_count) / seconds), "/s"));
  PrintRow(console, "events", WithCommas(replayed.event_count));
  PrintRow(console, "log digest", replayed.last.log->ToString());
  PrintRow(console, "trace digest", replayed.last.trace->ToString());
  PrintRow(console, "state digest", replayed.last.state->ToString());
  if (replayed.divergence.has_value()) {
    PrintRow(console, "digests", console.Styled(Style::kRed, replayed.divergence->ToString()));
  } else if (replayed.checkpoints_compared == 0) {
    PrintRow(console, "digests", "none to compare with");
  } else {
    PrintRow(console, "digests",
             console.Styled(Style::kGreen, absl::StrCat("equal to the recorded run's at all ",
                                                        WithCommas(replayed.checkpoints_compared),
                                                        " checkpoints")));
  }
}

void AddReplay(JsonObject& json, const replay::CheckedReplay& replayed, double seconds) {
  json.Field("commands", replayed.record_count);
  json.Field("last_sequence", replayed.last.sequence.value());
  json.Field("events", replayed.event_count);
  json.Field("seconds", seconds);
  json.Field("log_digest", replayed.last.log->ToString());
  json.Field("trace_digest", replayed.last.trace->ToString());
  json.Field("state_digest", replayed.last.state->ToString());
  json.Field("checkpoints_compared", replayed.checkpoints_compared);
  json.Field("equal", !replayed.divergence.has_value());
  if (replayed.divergence.has_value()) {
    json.Field("divergence", replayed.divergence->ToString());
  }
}

}  // namespace tools
