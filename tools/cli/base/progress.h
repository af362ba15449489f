// Progress of a long operation: nothing for the first two seconds, then a line on standard error. A
// terminal gets one line that is rewritten, other outputs a new line every ten seconds.
//
//   verify  43 %  12.1 M records  4.0 M/s  2 s left

#ifndef TOOLS_CLI_BASE_PROGRESS_H_
#define TOOLS_CLI_BASE_PROGRESS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "tools/cli/base/console.h"
#include "tools/os/clocks.h"

namespace tools {

// Not thread-safe: owned by the verb whose work it shows.
class Progress {
 public:
  // `total` is in `unit`; 0 if unknown.
  Progress(Console& console, absl::string_view what, absl::string_view unit, uint64_t total)
      : console_(console), what_(what), unit_(unit), total_(total) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: reads the clock once per 1024 calls.
  void Update(uint64_t done) {
    if ((++calls_ & 1023) == 0) Show(done);
  }
  // Reads the clock at every call: for steps that are long themselves.
  void Show(uint64_t done);
  // For totals that are known only later.
  void Show(uint64_t done, uint64_t total) {
    total_ = total;
    Show(done);
  }

  // Removes the line.
  void Clear();

  double Seconds() const { return stopwatch_.Seconds(); }

 private:
  Console& console_;
  const std::string what_;
  const std::string unit_;
  uint64_t total_;
  Stopwatch stopwatch_;
  double next_show_seconds_ = 2;
  uint64_t calls_ = 0;
  bool line_is_shown_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_PROGRESS_H_
