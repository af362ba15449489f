#include "tools/os/core_facts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr size_t kCoresMax = 4'096;

// The first line of the file; empty if there is none.
std::string Line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return std::string(absl::StripAsciiWhitespace(line));
}

std::string CoreFolder(const std::string& root, int core) {
  return absl::StrCat(root, "/sys/devices/system/cpu/cpu", core);
}

// A list of cores. The kernel writes "(null)" for some that are empty.
std::string CoreList(std::string line) {
  if (line == "(null)") line.clear();
  return line;
}

// The value of "name=value" on the kernel's command line; empty if it is not there.
std::string KernelOption(const std::string& root, absl::string_view name) {
  const std::string words = Line(absl::StrCat(root, "/proc/cmdline"));
  std::string value;
  for (absl::string_view word : absl::StrSplit(words, ' ')) {
    if (absl::ConsumePrefix(&word, name) && absl::ConsumePrefix(&word, "="))
      value = std::string(word);
  }
  return value;
}

// "always [madvise] never": the word in brackets.
std::string ChosenWord(absl::string_view line) {
  for (absl::string_view word : absl::StrSplit(line, ' ')) {
    if (absl::ConsumePrefix(&word, "[") && absl::ConsumeSuffix(&word, "]")) {
      return std::string(word);
    }
  }
  return "";
}

std::optional<IdleState> DeepestIdleState(const std::string& root, int core) {
  std::optional<IdleState> deepest;
  for (int i = 0;; ++i) {
    const std::string folder = absl::StrCat(CoreFolder(root, core), "/cpuidle/state", i);
    IdleState state{.name = Line(absl::StrCat(folder, "/name"))};
    if (state.name.empty()) return deepest;
    const bool is_known =
        engine::ParseInteger(Line(absl::StrCat(folder, "/latency")), state.exit_micros);
    if (!is_known || Line(absl::StrCat(folder, "/disable")) == "1") continue;
    if (!deepest.has_value() || deepest->exit_micros < state.exit_micros) deepest = state;
  }
}

// Of the devices whose interrupts may be delivered to the core, as the hardware was set up.
std::vector<std::string> InterruptsOf(const std::string& root, int core) {
  std::vector<std::string> found;
  std::error_code error;
  std::filesystem::directory_iterator entry(absl::StrCat(root, "/proc/irq"), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string folder = entry->path().string();
    std::string list = Line(absl::StrCat(folder, "/effective_affinity_list"));
    if (list.empty()) list = Line(absl::StrCat(folder, "/smp_affinity_list"));
    const std::vector<int> cores = ParseCoreList(list);
    if (std::ranges::find(cores, core) != cores.end()) {
      found.push_back(entry->path().filename().string());
    }
  }
  std::ranges::sort(found, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return found;
}

}  // namespace

std::vector<int> ParseCoreList(absl::string_view list) {
  std::vector<int> cores;
  for (const absl::string_view part : absl::StrSplit(list, ',', absl::SkipEmpty())) {
    const std::vector<absl::string_view> ends = absl::StrSplit(part, '-');
    size_t first = 0;
    size_t last = 0;
    const bool is_good = ends.size() <= 2 && engine::ParseInteger(ends.front(), first) &&
                         engine::ParseInteger(ends.back(), last) && first <= last &&
                         last < kCoresMax;
    if (!is_good || cores.size() + (last - first) >= kCoresMax) return {};
    for (size_t core = first; core <= last; ++core) cores.push_back(static_cast<int>(core));
  }
  return cores;
}

IsolationFacts ReadIsolationFacts(const std::vector<int>& cores, const std::string& root) {
  const std::string cpu = absl::StrCat(root, "/sys/devices/system/cpu");
  IsolationFacts facts{
      .isolated = CoreList(Line(absl::StrCat(cpu, "/isolated"))),
      .tickless = CoreList(Line(absl::StrCat(cpu, "/nohz_full"))),
      .no_callbacks = KernelOption(root, "rcu_nocbs"),
      .huge_pages =
          ChosenWord(Line(absl::StrCat(root, "/sys/kernel/mm/transparent_hugepage/enabled")))};
  for (const int core : cores) {
    const std::string folder = CoreFolder(root, core);
    CoreFacts of{
        .core = core,
        .governor = Line(absl::StrCat(folder, "/cpufreq/scaling_governor")),
        .deepest = DeepestIdleState(root, core),
        .siblings = ParseCoreList(Line(absl::StrCat(folder, "/topology/thread_siblings_list"))),
        .interrupts = InterruptsOf(root, core)};
    std::erase(of.siblings, core);
    facts.cores.push_back(std::move(of));
  }
  return facts;
}

CoreCounts ReadCoreCounts(int core, const std::string& root) {
  CoreCounts counts;
  // "           CPU0       CPU1", and "LOC:   10067630   10155374   Local timer interrupts".
  std::ifstream interrupts(absl::StrCat(root, "/proc/interrupts"));
  std::string line;
  std::getline(interrupts, line);
  const std::vector<std::string> names = absl::StrSplit(line, ' ', absl::SkipEmpty());
  const auto name = std::ranges::find(names, absl::StrCat("CPU", core));
  while (name != names.end() && std::getline(interrupts, line)) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    const auto place = static_cast<size_t>(name - names.begin()) + 1;
    uint64_t ticks = 0;
    if (words.size() > place && words.front() == "LOC:" &&
        engine::ParseInteger(words[place], ticks)) {
      counts.timer_ticks = ticks;
    }
  }
  // "cpu0 user nice system idle iowait irq softirq steal guest guest_nice".
  std::ifstream stat(absl::StrCat(root, "/proc/stat"));
  while (std::getline(stat, line)) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    constexpr size_t kSteal = 8;
    uint64_t ticks = 0;
    if (words.size() > kSteal && words.front() == absl::StrCat("cpu", core) &&
        engine::ParseInteger(words[kSteal], ticks)) {
      counts.steal_ticks = ticks;
    }
  }
  return counts;
}

uint64_t Hiccups::paused_nanos() const {
  return std::accumulate(pauses.begin(), pauses.end(), uint64_t{0});
}

uint64_t Hiccups::longest() const { return pauses.empty() ? 0 : *std::ranges::max_element(pauses); }

uint64_t Hiccups::LengthOf(uint64_t pauses_per_second) const {
  const double seconds = static_cast<double>(nanos) / 1e9;
  const double pause_count = std::round(static_cast<double>(pauses_per_second) * seconds);
  const size_t count = std::max<size_t>(1, static_cast<size_t>(pause_count));
  if (count > pauses.size()) return 0;
  std::vector<uint64_t> sorted = pauses;
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(sorted.begin(), at, sorted.end(), std::greater<>());
  return *at;
}

Hiccups MeasureHiccups(int core, uint64_t nanos, const TickClock& clock) {
  // Room before the first reading: memory that is new is a pause. A core that is interrupted more
  // often than that is no core to measure.
  constexpr size_t kPausesMax = size_t{1} << 20;
  Hiccups hiccups{.is_pinned = PinThisThread(core)};
  hiccups.pauses.resize(kPausesMax);
  hiccups.pauses.clear();
  const uint64_t shortest = clock.TicksOf(Hiccups::kNanosMin);
  const uint64_t begin = TickClock::Ticks();
  const uint64_t end = begin + clock.TicksOf(nanos);
  uint64_t last = begin;
  while (last < end && hiccups.pauses.size() < kPausesMax) {
    const uint64_t now = TickClock::Ticks();
    if (now - last >= shortest) hiccups.pauses.push_back(clock.NanosOf(now - last));
    last = now;
  }
  hiccups.nanos = clock.NanosOf(last - begin);
  return hiccups;
}

}  // namespace tools
