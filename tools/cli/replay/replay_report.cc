#include "tools/cli/replay/replay_report.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "replay/checkpoint_check.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/report_row.h"

namespace tools {
namespace {

// "log digests equal at 13 checkpoints, trace at 9; no state digests to compare with".
std::string DescribeEqual(const replay::DigestCounts& compared) {
  std::vector<std::string> equal;
  std::vector<absl::string_view> missing;
  const auto add = [&](absl::string_view kind, uint64_t count) {
    if (count == 0) {
      missing.push_back(kind);
    } else if (equal.empty()) {
      equal.push_back(absl::StrCat(kind, " digests equal at ", WithCommas(count),
                                   count == 1 ? " checkpoint" : " checkpoints"));
    } else {
      equal.push_back(absl::StrCat(kind, " at ", WithCommas(count)));
    }
  };
  add("log", compared.log);
  add("trace", compared.trace);
  add("state", compared.state);
  const std::string text = absl::StrJoin(equal, ", ");
  if (missing.empty()) return text;
  return absl::StrCat(text, "; no ", absl::StrJoin(missing, " or "), " digests to compare with");
}

void PrintEqual(Console& console, const replay::CheckedReplay& replayed) {
  const replay::DigestCounts& compared = replayed.digests_compared;
  const uint64_t all = replayed.checkpoints_compared;
  const bool each = compared.log == all && compared.trace == all && compared.state == all;
  // Green only if trace digests were compared: equal log digests say nothing about the engine.
  PrintRow(console, "digests",
           console.Styled(compared.trace > 0 ? Style::kGreen : Style::kYellow,
                          each ? absl::StrCat("equal to the recorded run's at all ",
                                              WithCommas(all), " checkpoints")
                               : DescribeEqual(compared)));
}

}  // namespace

std::vector<journal::Checkpoint> RecordedCheckpoints(const journal::Directory& directory,
                                                     const journal::JournalInfo& info,
                                                     Console& console) {
  absl::StatusOr<journal::SidecarContents> recorded =
      journal::InspectSidecar(directory, info.uuid, info.last_sequence);
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
    PrintEqual(console, replayed);
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
  json.Field("log_digests_compared", replayed.digests_compared.log);
  json.Field("trace_digests_compared", replayed.digests_compared.trace);
  json.Field("state_digests_compared", replayed.digests_compared.state);
  // Whether the engine had the recorded results: unknown without trace digests.
  if (replayed.divergence.has_value()) {
    json.Field("equal", false);
  } else if (replayed.digests_compared.trace > 0) {
    json.Field("equal", true);
  } else {
    json.NullField("equal");
  }
  if (replayed.divergence.has_value()) {
    json.Field("divergence", replayed.divergence->ToString());
  }
}

}  // namespace tools
