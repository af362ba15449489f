// What a venue is doing, on one line of the terminal, rewritten each second.
//
//   12 sessions   1,204,331 commands   11.2 k/s   3 wait for the journal   replies within 0.2 ms

#ifndef TOOLS_CLI_SERVE_LIVE_LINE_H_
#define TOOLS_CLI_SERVE_LIVE_LINE_H_

#include <cstdint>

#include "tools/cli/base/console.h"
#include "tools/os/clocks.h"
#include "tools/serve/venue_server.h"

namespace tools {

// Not thread-safe: owned by the verb. Shows nothing if standard error is no terminal.
class LiveLine {
 public:
  explicit LiveLine(Console& console) : console_(console) {}
  ~LiveLine() { Clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  // Call it at least once a second; cheap in between.
  void Show(VenueServer& server);

  // Removes the line, so that something else can be printed.
  void Clear();

 private:
  Console& console_;
  Stopwatch since_shown_;
  uint64_t commands_shown_ = 0;
  bool is_shown_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_LIVE_LINE_H_
