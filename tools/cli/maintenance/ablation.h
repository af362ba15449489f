// The measurements of `doctor --ablation`: what each setting against interruptions does for a feed
// and for the round trip of an order, on this machine.
//
//   feed         ─ UDP ─► decode ─► 200,000 orders in books     from the sending to the changed
//   book round trip   ─ TCP ─► engine applies it ─ TCP ─►            from the sending to the first
//   event
//
// One message is on its way at a time, and the next follows after a pause of some microseconds.

#ifndef TOOLS_CLI_MAINTENANCE_ABLATION_H_
#define TOOLS_CLI_MAINTENANCE_ABLATION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/workload/workload.h"
#include "replay/retime/latency_histogram.h"
#include "tools/os/measuring.h"

namespace tools {

// Settings that need no restart of the machine.
struct IsolationSettings {
  bool pins = false;            // Each of the two threads to a core of its own.
  bool uses_fifo = false;       // SCHED_FIFO, for both.
  bool locks_memory = false;    // mlockall.
  bool has_huge_pages = false;  // For tables of orders.
  bool has_partition = false;   // The cores are an isolated cpuset.
  bool spins = false;           // Receives by busy polling.
};

struct AblationRow {
  std::string name = {};
  IsolationSettings settings = {};
};

// None of the settings; each alone; all together, the last row.
std::vector<AblationRow> AblationRows();

struct AblationResult {
  // Settings of the row that the system refused, and why; the rest of the row is measured without
  // them.
  std::vector<std::string> refused = {};
  // Nanoseconds.
  replay::LatencyHistogram feed = {};
  replay::LatencyHistogram round_trip = {};
};

// Not thread-safe. Memory: 64 MB for what is sent.
class Ablation {
 public:
  // `cores`: two, of the thread that sends and of the one that receives. Each of the two is
  // measured for `seconds`, at a time.
  Ablation(std::vector<int> cores, double seconds);

  // `root`: see UsePartition(). Errors: those of the sockets and of starting threads.
  absl::StatusOr<AblationResult> Measure(const IsolationSettings& settings,
                                         const std::string& root = "") const;

 private:
  const std::vector<int> cores_;
  const double seconds_;
  const TickClock clock_;
  const bench::Workload workload_;
};

}  // namespace tools

#endif  // TOOLS_CLI_MAINTENANCE_ABLATION_H_
