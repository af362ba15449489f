#include "tools/os/machine_facts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "tools/os/clocks.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr char kClockSource[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

// The first line of the file.
std::string Line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  line = std::string(absl::StripAsciiWhitespace(line));
  return line.empty() ? "none" : line;
}

// "AMD EPYC, family 26, model 2": several models share one name.
std::string Processor() {
  std::string name, family, model;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line) && !line.empty();) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key(absl::StripAsciiWhitespace(line.substr(0, colon)));
    const std::string value(absl::StripAsciiWhitespace(line.substr(colon + 1)));
    if (key == "model name") name = value;
    if (key == "cpu family") family = value;
    if (key == "model") model = value;
  }
  return absl::StrCat(name, ", family ", family, ", model ", model);
}

std::string Kernel() {
  utsname name = {};
  uname(&name);
  return absl::StrCat(name.release, " ", name.version);
}

int64_t RealTimeNanos() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

// Volatile, so that the compiler does not remove the work.
volatile uint64_t sink;

double LowerQuartile(size_t goes, size_t steps, const std::function<void()>& work) {
  std::vector<double> nanos;
  for (size_t go = 0; go < goes; ++go) {
    const Stopwatch stopwatch;
    work();
    nanos.push_back(stopwatch.Seconds() * 1e9 / static_cast<double>(steps));
  }
  std::sort(nanos.begin(), nanos.end());
  return nanos[nanos.size() / 4];
}

double Arithmetic() {
  constexpr size_t kSteps = 20'000;
  return LowerQuartile(64, kSteps, [] {
    uint64_t value = sink | 1;
    for (size_t i = 0; i < kSteps; ++i) value = value * 6364136223846793005u + 1442695040888963407u;
    sink = value;
  });
}

// Walks one cycle through all lines in random order (Sattolo), which defeats the prefetcher.
double Walk(size_t bytes, size_t goes) {
  struct alignas(64) Line {
    uint64_t next;
  };
  std::vector<uint64_t> order(bytes / sizeof(Line));
  std::iota(order.begin(), order.end(), uint64_t{0});
  engine::Prng prng(1);
  for (size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[prng.Below(i)]);
  std::vector<Line> lines(order.size());
  for (size_t i = 0; i < order.size(); ++i) lines[i].next = order[i];
  return LowerQuartile(goes, lines.size(), [&] {
    uint64_t at = 0;
    for (size_t i = 0; i < lines.size(); ++i) at = lines[at].next;
    sink = at;
  });
}

absl::Status ErrnoStatus(absl::string_view what, absl::string_view path) {
  return absl::ErrnoToStatus(errno, absl::StrCat(what, " ", path));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ReadMachineFacts() {
  return {
      {"processor", Processor()},
      {"cores", absl::StrCat(ProcessorCount())},
      {"kernel", Kernel()},
      {"governor", Line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
      {"isolated cores", Line("/sys/devices/system/cpu/isolated")},
      {"huge pages", Line("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"clock source", Line(kClockSource)},
  };
}

ClockFacts ReadClockFacts() {
  constexpr int kReadings = 200'000;
  ClockFacts facts;
  if (std::string source; std::ifstream(kClockSource) >> source) facts.source = source;
  const Stopwatch stopwatch;
  int64_t previous = RealTimeNanos();
  int64_t smallest = INT64_MAX;
  for (int i = 0; i < kReadings; ++i) {
    const int64_t now = RealTimeNanos();
    if (now > previous) smallest = std::min(smallest, now - previous);
    previous = now;
  }
  facts.read_nanos = stopwatch.Seconds() * 1e9 / kReadings;
  facts.resolution_nanos = static_cast<uint64_t>(smallest);
  return facts;
}

double MeasureHandover() {
  constexpr uint64_t kHandovers = 40'000;
  if (ProcessorCount() < 2) return 0;
  std::atomic<uint64_t> ball = 0;
  const Stopwatch stopwatch;
  RunParallel(2, 2, [&](size_t player) {
    for (uint64_t i = player; i < kHandovers; i += 2) {
      while (ball.load(std::memory_order_acquire) != i) {
      }
      ball.store(i + 1, std::memory_order_release);
    }
  });
  return stopwatch.Seconds() * 1e9 / kHandovers;
}

Yardstick MeasureYardstick() {
  return {.arithmetic = Arithmetic(),
          .near_memory = Walk(256 << 10, 64),
          .far_memory = Walk(8 << 20, 5)};
}

bool ParseMountInfo(const std::string& mount_info, const std::string& device_number,
                    StorageFacts& facts) {
  bool found = false;
  for (const absl::string_view line : absl::StrSplit(mount_info, '\n', absl::SkipEmpty())) {
    // 36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw,errors=continue
    const std::vector<std::string> halves = absl::StrSplit(line, absl::MaxSplits(" - ", 1));
    if (halves.size() != 2) continue;
    const std::vector<std::string> mount = absl::StrSplit(halves[0], ' ');
    const std::vector<std::string> system = absl::StrSplit(halves[1], ' ');
    if (mount.size() < 6 || system.size() < 3 || mount[2] != device_number) continue;
    facts.file_system = system[0];
    facts.device = system[1];
    facts.mount_point = mount[4];
    facts.options = absl::StrSplit(absl::StrCat(mount[5], ",", system[2]), ',');
    std::sort(facts.options.begin(), facts.options.end());
    facts.options.erase(std::unique(facts.options.begin(), facts.options.end()),
                        facts.options.end());
    found = true;
  }
  return found;
}

absl::StatusOr<StorageFacts> ReadStorageFacts(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return ErrnoStatus("stat", path);
  struct statvfs space = {};
  if (::statvfs(path.c_str(), &space) != 0) return ErrnoStatus("statvfs", path);
  StorageFacts facts;
  facts.free_bytes = uint64_t{space.f_bavail} * space.f_frsize;
  std::ifstream mount_info("/proc/self/mountinfo");
  ParseMountInfo({std::istreambuf_iterator<char>(mount_info), {}},
                 absl::StrCat(major(info.st_dev), ":", minor(info.st_dev)), facts);
  return facts;
}

absl::StatusOr<std::vector<uint64_t>> MeasureSyncs(const std::string& path, uint64_t count) {
  const std::string name = absl::StrCat(path, "/ticktape-doctor.", ::getpid());
  const int file = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return ErrnoStatus("create", name);
  ::unlink(name.c_str());
  const std::string page(4096, 'x');
  std::vector<uint64_t> nanos;
  absl::Status status;
  for (uint64_t i = 0; i < count && status.ok(); ++i) {
    const Stopwatch stopwatch;
    const ssize_t written =
        ::pwrite(file, page.data(), page.size(), static_cast<off_t>(i * page.size()));
    if (written != static_cast<ssize_t>(page.size())) {
      if (written >= 0) errno = ENOSPC;  // A short write sets no errno.
      status = ErrnoStatus("write", name);
    } else if (::fdatasync(file) != 0) {
      status = ErrnoStatus("fdatasync", name);
    }
    nanos.push_back(static_cast<uint64_t>(stopwatch.Seconds() * 1e9));
  }
  ::close(file);
  if (!status.ok()) return status;
  return nanos;
}

}  // namespace tools
