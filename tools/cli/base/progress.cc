#include "tools/cli/base/progress.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/cli/base/format.h"

namespace tools {

void Progress::Show(uint64_t done) {
  const double seconds = stopwatch_.Seconds();
  if (seconds < next_show_seconds_ || console_.options().quiet) return;
  const bool rewrites = console_.options().error_is_terminal;
  next_show_seconds_ = seconds + (rewrites ? 0.2 : 10);

  const double rate = static_cast<double>(done) / seconds;
  std::string line = what_;
  if (total_ > 0) {
    absl::StrAppendFormat(&line, "  %3.0f %%",
                          100 * static_cast<double>(done) / static_cast<double>(total_));
  }
  absl::StrAppend(&line, "  ", HumanCount(static_cast<double>(done)), " ", unit_, "  ",
                  HumanCount(rate), "/s");
  if (total_ > done && rate > 0) {
    absl::StrAppendFormat(&line, "  %.0f s left", static_cast<double>(total_ - done) / rate);
  }
  rewrites ? console_.Error("\r", line, "\x1b[K") : console_.Error(line, "\n");
  line_is_shown_ = rewrites;
}

void Progress::Clear() {
  if (line_is_shown_) console_.Error("\r\x1b[K");
  line_is_shown_ = false;
}

}  // namespace tools
