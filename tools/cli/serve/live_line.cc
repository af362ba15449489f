#include "tools/cli/serve/live_line.h"

#include "tools/cli/base/format.h"

namespace tools {

void LiveLine::Show(VenueServer& server) {
  const Console::Options& options = console_.options();
  if (!options.error_is_terminal || options.quiet || options.json) return;
  const double seconds = since_shown_.Seconds();
  if (is_shown_ && seconds < 1) return;
  const VenueCounts counts = server.counts();
  const auto lag = static_cast<uint64_t>(server.lag().TakeLongest());
  const double rate = static_cast<double>(counts.commands - commands_shown_) / seconds;
  console_.Error("\r", Counted(counts.sessions, "session"), "   ",
                 Counted(counts.commands, "command"), "   ", HumanCount(is_shown_ ? rate : 0),
                 "/s   ", WithCommas(counts.waiting), " wait for the journal   replies within ",
                 HumanNanos(lag), "\x1b[K");
  since_shown_.Restart();
  commands_shown_ = counts.commands;
  is_shown_ = true;
}

void LiveLine::Clear() {
  if (is_shown_) console_.Error("\r\x1b[K");
  is_shown_ = false;
}

}  // namespace tools
