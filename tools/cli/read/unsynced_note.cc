#include "tools/cli/read/unsynced_note.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "journal/reader.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

// Longer than an idle writer takes to sync what it has written.
constexpr double kPauseSeconds = 1.5;
// Limits how often a large journal is opened while nothing happens.
constexpr double kPauseSecondsMax = 60;

}  // namespace

std::optional<std::string> UnsyncedNote::Look(double seconds, engine::SequenceNumber shown,
                                              absl::FunctionRef<engine::SequenceNumber()> written) {
  if (has_said_) return std::nullopt;
  if (shown != shown_ || next_look_ == 0) {
    shown_ = shown;
    was_behind_ = false;
    pause_ = kPauseSeconds;
    next_look_ = seconds + pause_;
    return std::nullopt;
  }
  if (seconds < next_look_) return std::nullopt;
  const engine::SequenceNumber last = written();
  // The first time, the records may just have been written.
  if (last > shown && was_behind_) {
    has_said_ = true;
    return absl::StrCat(WithCommas(last - shown), last - shown == 1 ? " record" : " records",
                        " after @", shown.value(),
                        " are written, and not durable yet: a writer with --ack=written syncs when "
                        "its input pauses");
  }
  was_behind_ = last > shown;
  pause_ = was_behind_ ? kPauseSeconds : std::min(2 * pause_, kPauseSecondsMax);
  next_look_ = seconds + pause_;
  return std::nullopt;
}

engine::SequenceNumber LastWritten(const journal::Directory& directory) {
  const auto reader = journal::Reader::Open(directory);
  return reader.ok() ? (*reader)->info().last_readable : engine::SequenceNumber();
}

}  // namespace tools
