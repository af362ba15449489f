#include "tools/cli/read/replay_report.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "replay/checkpoint_check.h"
#include "tools/cli/base/format.h"

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
      equal.push_back(absl::StrCat(kind, " digests equal at ", Counted(count, "checkpoint")));
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

}  // namespace

ConsoleText DigestsText(const replay::CheckedReplay& replayed) {
  if (replayed.divergence.has_value()) {
    return Styled(Style::kRed, replayed.divergence->ToString());
  }
  const uint64_t all = replayed.checkpoints_compared;
  if (all == 0) return "none to compare with";
  const replay::DigestCounts& compared = replayed.digests_compared;
  const bool each = compared.log == all && compared.trace == all && compared.state == all;
  // Green only if trace digests were compared: equal log digests say nothing about the engine.
  return Styled(compared.trace > 0 ? Style::kGreen : Style::kYellow,
                each ? absl::StrCat("equal to the recorded run's at ", all == 1 ? "" : "all ",
                                    Counted(all, "checkpoint"))
                     : DescribeEqual(compared));
}

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

void AddReplay(Report& report, const replay::CheckedReplay& replayed, double seconds) {
  report.Row("commands", WithCommas(replayed.record_count), " replayed in ", HumanSeconds(seconds),
             ", ", HumanCount(static_cast<double>(replayed.record_count) / seconds), "/s");
  report.Field("commands", replayed.record_count);
  report.Field("last_sequence", replayed.last.sequence);
  report.Fact("events", "events", replayed.output_count);
  report.Field("seconds", seconds);
  AddDigests(report, replayed.last);
  report.Row("digests", DigestsText(replayed));
  report.Field("checkpoints_compared", replayed.checkpoints_compared);
  report.Field("log_digests_compared", replayed.digests_compared.log);
  report.Field("trace_digests_compared", replayed.digests_compared.trace);
  report.Field("state_digests_compared", replayed.digests_compared.state);
  // Whether the engine had the recorded results: unknown without trace digests.
  if (replayed.divergence.has_value()) {
    report.Field("equal", false);
    report.Field("divergence", *replayed.divergence);
  } else if (replayed.digests_compared.trace > 0) {
    report.Field("equal", true);
  } else {
    report.NullField("equal");
  }
}

}  // namespace tools
