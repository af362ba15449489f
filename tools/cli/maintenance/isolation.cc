#include "tools/cli/maintenance/isolation.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

using CoreText = absl::FunctionRef<std::string(const CoreFacts&)>;

// "2,3".
std::string CoresOf(const IsolationFacts& facts) {
  return absl::StrJoin(facts.cores, ",", [](std::string* out, const CoreFacts& core) {
    absl::StrAppend(out, core.core);
  });
}

// What all cores have, or what each has.
std::string OfEach(const IsolationFacts& facts, CoreText text) {
  std::vector<std::string> texts;
  bool are_equal = true;
  for (const CoreFacts& core : facts.cores) {
    const std::string its = text(core);
    are_equal = are_equal && its == text(facts.cores.front());
    texts.push_back(absl::StrCat("core ", core.core, ": ", its));
  }
  return are_equal ? text(facts.cores.front()) : absl::StrJoin(texts, "; ");
}

bool HaveAll(const IsolationFacts& facts, absl::FunctionRef<bool(const CoreFacts&)> has) {
  return std::ranges::all_of(facts.cores, [&](const CoreFacts& core) { return has(core); });
}

// Whether the kernel's list has all of them.
bool AreIn(const IsolationFacts& facts, const std::string& list) {
  const std::vector<int> listed = ParseCoreList(list);
  return HaveAll(facts, [&](const CoreFacts& core) {
    return std::ranges::find(listed, core.core) != listed.end();
  });
}

std::string OrNone(const std::string& list) { return list.empty() ? "none" : list; }

Diagnosis ExamineScheduler(const IsolationFacts& facts) {
  Diagnosis diagnosis{.name = "isolcpus", .value = OrNone(facts.isolated)};
  if (AreIn(facts, facts.isolated)) {
    diagnosis.meaning = "Only threads that are pinned there run there.";
    return diagnosis;
  }
  diagnosis.health = Health::kFair;
  diagnosis.meaning =
      "The scheduler puts any thread there. Yours then waits for its turn: a time slice, some "
      "milliseconds.";
  const std::string cores = CoresOf(facts);
  diagnosis.changes = {
      absl::StrCat("isolcpus=domain,managed_irq,", cores, " on the kernel's command line"),
      "or without a restart, as root:  mkdir /sys/fs/cgroup/trading && cd /sys/fs/cgroup/trading",
      absl::StrCat("    echo ", cores, " > cpuset.cpus && echo isolated > cpuset.cpus.partition"),
      "    echo PID > cgroup.procs"};
  return diagnosis;
}

Diagnosis ExamineTicks(const IsolationFacts& facts, const std::vector<SpunCore>& spun) {
  constexpr double kFew = 10;  // A second. A tickless core still has one.
  Diagnosis diagnosis{.name = "nohz_full", .value = OrNone(facts.tickless)};
  double most = 0;
  bool is_known = false;
  for (const SpunCore& core : spun) {
    if (!core.before.timer_ticks.has_value() || !core.after.timer_ticks.has_value()) continue;
    is_known = true;
    const auto ticks = static_cast<double>(*core.after.timer_ticks - *core.before.timer_ticks);
    most = std::max(most,
                    ticks * 1e9 / static_cast<double>(std::max<uint64_t>(1, core.hiccups.nanos)));
  }
  if (is_known) absl::StrAppendFormat(&diagnosis.value, ", %.0f timer ticks a second", most);
  if (AreIn(facts, facts.tickless) && most < kFew) {
    diagnosis.meaning = "A thread that has a core for itself is not interrupted by the timer.";
    return diagnosis;
  }
  diagnosis.health = Health::kFair;
  diagnosis.meaning =
      "The timer interrupts a busy core at each tick, for some microseconds: the many short pauses "
      "below.";
  diagnosis.changes = {
      absl::StrCat("nohz_full=", CoresOf(facts),
                   " on the kernel's command line; the kernel needs CONFIG_NO_HZ_FULL")};
  return diagnosis;
}

Diagnosis ExamineCallbacks(const IsolationFacts& facts) {
  Diagnosis diagnosis{.name = "rcu_nocbs", .value = OrNone(facts.no_callbacks)};
  // A tickless core has its callbacks elsewhere, too.
  if (AreIn(facts, facts.no_callbacks) || AreIn(facts, facts.tickless)) {
    diagnosis.meaning = "The kernel's deferred work is done on other cores.";
    return diagnosis;
  }
  diagnosis.health = Health::kFair;
  diagnosis.meaning =
      "The kernel frees memory and the like on the core that caused it, in tens of microseconds.";
  diagnosis.changes = {absl::StrCat("rcu_nocbs=", CoresOf(facts), " on the kernel's command line")};
  return diagnosis;
}

Diagnosis ExamineGovernor(const IsolationFacts& facts) {
  Diagnosis diagnosis{.name = "governor", .value = OfEach(facts, [](const CoreFacts& core) {
                                            return core.governor.empty() ? "not shown"
                                                                         : core.governor;
                                          })};
  if (HaveAll(facts, [](const CoreFacts& core) { return core.governor.empty(); })) {
    diagnosis.meaning =
        "The frequency is not this system's: on a virtual machine it is the host's.";
    return diagnosis;
  }
  if (HaveAll(facts, [](const CoreFacts& core) { return core.governor == "performance"; })) {
    diagnosis.meaning = "The cores keep their highest frequency.";
    return diagnosis;
  }
  diagnosis.health = Health::kFair;
  diagnosis.meaning =
      "A core that was idle begins slowly: up to several times, for the first milliseconds.";
  diagnosis.changes = {
      absl::StrCat("cpupower -c ", CoresOf(facts), " frequency-set -g performance")};
  return diagnosis;
}

Diagnosis ExamineIdleStates(const IsolationFacts& facts) {
  constexpr uint64_t kShortMicros = 2;
  Diagnosis diagnosis{.name = "idle states",
                      .value = OfEach(facts, [](const CoreFacts& core) {
                        return core.deepest.has_value()
                                   ? absl::StrCat("to ", core.deepest->name, ", left in ",
                                                  core.deepest->exit_micros, " us")
                                   : "not shown";
                      })};
  const auto is_short = [](const CoreFacts& core) {
    return !core.deepest.has_value() || core.deepest->exit_micros <= kShortMicros;
  };
  if (HaveAll(facts, is_short)) {
    diagnosis.meaning = "A thread that sleeps is woken without a delay by them.";
    return diagnosis;
  }
  diagnosis.health = Health::kFair;
  diagnosis.meaning =
      "A thread that sleeps is woken that much later. One that spins is not concerned.";
  diagnosis.changes = {absl::StrCat("cpupower -c ", CoresOf(facts), " idle-set -D ", kShortMicros),
                       "or keep /dev/cpu_dma_latency open with a 0 written to it"};
  return diagnosis;
}

Diagnosis ExamineSiblings(const IsolationFacts& facts) {
  Diagnosis diagnosis{.name = "SMT", .value = OfEach(facts, [](const CoreFacts& core) {
                                       return core.siblings.empty()
                                                  ? std::string("no sibling")
                                                  : absl::StrCat("shared with ",
                                                                 absl::StrJoin(core.siblings, ","));
                                     })};
  if (HaveAll(facts, [](const CoreFacts& core) { return core.siblings.empty(); })) {
    diagnosis.meaning = "As far as this system sees, no other core shares their hardware.";
    return diagnosis;
  }
  diagnosis.health = Health::kFair;
  diagnosis.meaning =
      "While its sibling works, a core has about half of its speed and of its nearest caches.";
  diagnosis.changes = {"echo off > /sys/devices/system/cpu/smt/control", "or leave siblings idle"};
  return diagnosis;
}

Diagnosis ExamineHugePages(const IsolationFacts& facts) {
  Diagnosis diagnosis{.name = "huge pages",
                      .value = facts.huge_pages.empty() ? "not shown" : facts.huge_pages};
  if (facts.huge_pages == "always" || facts.huge_pages == "madvise") {
    diagnosis.meaning = "Books and tables of orders ask for them, and get them.";
    return diagnosis;
  }
  diagnosis.health = Health::kFair;
  diagnosis.meaning = "Each miss in a large table is two: of the memory, and of its address.";
  diagnosis.changes = {"echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"};
  return diagnosis;
}

Diagnosis ExamineInterrupts(const IsolationFacts& facts) {
  Diagnosis diagnosis{.name = "interrupts", .value = OfEach(facts, [](const CoreFacts& core) {
                                              return OrNone(absl::StrJoin(core.interrupts, ","));
                                            })};
  if (HaveAll(facts, [](const CoreFacts& core) { return core.interrupts.empty(); })) {
    diagnosis.meaning = "No device interrupts them.";
    return diagnosis;
  }
  diagnosis.health = Health::kFair;
  diagnosis.meaning =
      "These may be delivered there: some microseconds each, and more where packets are handled.";
  diagnosis.changes = {"echo OTHER_CORES > /proc/irq/NUMBER/smp_affinity_list, for each",
                       "and stop irqbalance, or give it IRQBALANCE_BANNED_CPULIST"};
  return diagnosis;
}

Diagnosis ExamineSteal(const std::vector<SpunCore>& spun) {
  constexpr double kTicksPerSecond = 100;
  Diagnosis diagnosis{.name = "steal time"};
  double most = -1;
  for (const SpunCore& core : spun) {
    if (!core.before.steal_ticks.has_value() || !core.after.steal_ticks.has_value()) continue;
    const auto ticks = static_cast<double>(*core.after.steal_ticks - *core.before.steal_ticks);
    const double seconds = static_cast<double>(std::max<uint64_t>(1, core.hiccups.nanos)) / 1e9;
    most = std::max(most, ticks / kTicksPerSecond / seconds);
  }
  diagnosis.value = most < 0 ? "not shown" : absl::StrFormat("%.1f %%", 100 * most);
  diagnosis.meaning = "The host ran nothing else meanwhile, as far as it says.";
  if (most > 0) {
    diagnosis.health = most > 0.01 ? Health::kBad : Health::kFair;
    diagnosis.meaning = "So long, another machine of the host had the core.";
    diagnosis.changes = {"ask for dedicated cores, or another host"};
  }
  return diagnosis;
}

Diagnosis ExamineHiccups(const SpunCore& core) {
  constexpr uint64_t kLongNanos = 50'000;
  constexpr double kPart = 0.001;
  const Hiccups& hiccups = core.hiccups;
  const double part = static_cast<double>(hiccups.paused_nanos()) /
                      static_cast<double>(std::max<uint64_t>(1, hiccups.nanos));
  Diagnosis diagnosis{
      .name = absl::StrCat("core ", core.core),
      .value = absl::StrFormat("%s over 1 us in %s, %.2f %% of the time, the longest %s",
                               Counted(hiccups.pauses.size(), "pause"), HumanNanos(hiccups.nanos),
                               100 * part, HumanNanos(hiccups.longest()))};
  if (!hiccups.is_pinned) {
    diagnosis.health = Health::kBad;
    diagnosis.meaning = "The thread could not be pinned there: this is about all usable cores.";
    return diagnosis;
  }
  diagnosis.meaning = absl::StrFormat(
      "What comes in during a pause waits for its end: once a second up to %s, ten times %s, a "
      "hundred times %s.",
      HumanNanos(hiccups.LengthOf(1)), HumanNanos(hiccups.LengthOf(10)),
      HumanNanos(hiccups.LengthOf(100)));
  if (hiccups.longest() > kLongNanos || part > kPart) diagnosis.health = Health::kFair;
  return diagnosis;
}

}  // namespace

std::vector<Diagnosis> ExamineIsolation(const IsolationFacts& facts,
                                        const std::vector<SpunCore>& spun) {
  std::vector<Diagnosis> diagnoses = {
      ExamineScheduler(facts), ExamineTicks(facts, spun), ExamineCallbacks(facts),
      ExamineGovernor(facts),  ExamineIdleStates(facts),  ExamineSiblings(facts),
      ExamineHugePages(facts), ExamineInterrupts(facts),  ExamineSteal(spun)};
  for (const SpunCore& core : spun) diagnoses.push_back(ExamineHiccups(core));
  return diagnoses;
}

}  // namespace tools
