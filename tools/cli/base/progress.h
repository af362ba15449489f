// How far a long piece of work has come: nothing for the first two seconds, then a line on standard
// error that is rewritten on a terminal, and repeated every ten seconds elsewhere.
//
//   verify  43 %  12.1 M records  4.0 M/s  2 s left

#ifndef TOOLS_CLI_BASE_PROGRESS_H_
#define TOOLS_CLI_BASE_PROGRESS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "tools/cli/base/console.h"
#include "tools/os/stopwatch.h"

namespace tools {

// Owned by the verb whose work it shows.
class Progress {
 public:
  // `total` is in `unit`; 0 where it is unknown.
  Progress(Console& console, absl::string_view what, absl::string_view unit, uint64_t total)
      : console_(console), what_(what), unit_(unit), total_(total) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: looks at the clock once in 1024 calls.
  void Update(uint64_t done) {
    if ((++calls_ & 1023) == 0) Show(done);
  }
  // Looks at the clock now: for steps that are long themselves.
  void Show(uint64_t done);

  // Takes the line away.
  void Clear();

  double Seconds() const { return stopwatch_.Seconds(); }

 private:
  Console& console_;
  const std::string what_;
  const std::string unit_;
  const uint64_t total_;
  Stopwatch stopwatch_;
  double next_show_seconds_ = 2;
  uint64_t calls_ = 0;
  bool line_is_shown_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_PROGRESS_H_
