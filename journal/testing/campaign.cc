// The stages of the campaign in which a machine stops, or a call fails.

#include "journal/testing/campaign.h"

#include <algorithm>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "journal/testing/campaign_journals.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/oracles.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

constexpr uint64_t kSectorsOfAllSubsets = 12;

// The possible states of `crashed` after the crash; each subset once.
std::string EverySubset(const MemoryDirectory& crashed, const Submitted& submitted, Share share,
                        uint64_t& number) {
  const uint64_t sectors = crashed.Unsynced().size();
  CHECK(sectors < 64);
  const bool all = sectors <= kSectorsOfAllSubsets;
  const uint64_t subsets = uint64_t{1} << std::min(sectors, kSectorsOfAllSubsets);
  engine::Prng prng(sectors);
  std::set<JournalBytes> seen;
  for (uint64_t i = 0; i < subsets; ++i) {
    const uint64_t subset = all ? i : prng.Below(uint64_t{1} << sectors);
    for (uint64_t others = 0; others < 4; ++others) {
      if (!share.Has(number++)) continue;
      JournalBytes files = crashed.AfterCrash(
          {.sectors = subset, .lengths = (others & 1) != 0, .names = (others & 2) != 0});
      if (!seen.insert(files).second) continue;
      const auto directory = MemoryDirectory::FromSnapshot(files);
      Submitted here = submitted;
      const std::string violation = CheckAfterCrash(*directory, here, OnePageBlocks());
      if (!violation.empty()) {
        return absl::StrCat("sectors ", subset, " of ", sectors, ", lengths and names ", others,
                            ": ", violation);
      }
    }
  }
  return "";
}

struct Failing {
  bool stays_broken;
  bool short_writes;
  bool only_process_stops;
  bool disk_is_full;
  bool takes_over;    // The fault is in the second generation.
  bool syncs_forget;  // A failed sync leaves pages in memory that are on no disk.
  bool keeps_cache;   // They stay there as long as the machine runs.
};

constexpr uint64_t kKindsOfFailing = 96;

Failing FailingOf(uint64_t kind) {
  return {(kind & 1) != 0,  (kind & 2) != 0, (kind & 4) != 0, (kind & 8) != 0,
          (kind & 16) != 0, kind >= 32,      kind >= 64};
}

// One run. `failed`: whether the call was reached.
std::string FailCall(uint64_t call, const Failing& failing, bool& failed) {
  MemoryDirectory directory;
  directory.SetKeepsCache(failing.keeps_cache);
  engine::Prng prng(call);
  Submitted submitted{.log = SmallLog()};
  uint64_t written = 0;
  if (failing.takes_over) {
    LiveShortLife(directory, /*begins=*/true, /*closes=*/call % 2 == 0, submitted);
    directory.Kill();
    written = submitted.appended;
  }
  FaultPlan plan{.failing_call = call,
                 .stays_broken = failing.stays_broken,
                 .code = failing.disk_is_full ? absl::StatusCode::kResourceExhausted
                                              : absl::StatusCode::kUnavailable,
                 .short_writes = failing.short_writes};
  if (failing.syncs_forget) {
    plan.on_failed_sync = [&](absl::string_view name) { directory.FailSync(name, prng); };
  }
  FaultyDirectory faulty(directory, plan);
  LiveShortLife(faulty, !failing.takes_over, /*closes=*/true, submitted);
  failed = faulty.has_failed();
  if (failing.only_process_stops) {
    directory.Kill();
    // Written records are promised only to the process.
    if (!failing.syncs_forget) submitted.acknowledged = std::max(submitted.acknowledged, written);
  } else {
    directory.CrashDroppingAll();
  }
  return CheckAfterCrash(directory, submitted, OnePageBlocks());
}

}  // namespace

std::string EveryCrash(Share share) {
  uint64_t number = 0;
  // The first writer's history; then of one that takes over a closed or a killed writer's journal.
  for (const int kind : {0, 1, 2}) {
    bool stopped = true;
    for (uint64_t call = 0; stopped; ++call) {
      MemoryDirectory directory;
      Submitted submitted{.log = SmallLog()};
      if (kind != 0) {
        LiveShortLife(directory, /*begins=*/true, /*closes=*/kind == 1, submitted);
        directory.Kill();
      }
      FaultyDirectory faulty(directory, {.failing_call = call, .stays_broken = true});
      LiveShortLife(faulty, /*begins=*/kind == 0, /*closes=*/true, submitted);
      stopped = faulty.has_failed();
      const std::string violation = EverySubset(directory, submitted, share, number);
      if (!violation.empty()) {
        return absl::StrCat("life ", kind, ", stopped at call ", call, ": ", violation);
      }
    }
  }
  return "";
}

std::string EveryFailingCall(Share share) {
  for (uint64_t kind = 0; kind < kKindsOfFailing; ++kind) {
    bool failed = true;
    for (uint64_t call = 0; failed; ++call) {
      if (!share.Has(kind + call)) continue;
      const std::string violation = FailCall(call, FailingOf(kind), failed);
      if (!violation.empty()) {
        return absl::StrCat("kind ", kind, ", failing at call ", call, ": ", violation);
      }
    }
  }
  return "";
}

std::string EveryCrashOfRecovery(Share share) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    engine::Prng prng(seed);
    MemoryDirectory torn;
    Submitted submitted{.log = SmallLog()};
    LiveShortLife(torn, /*begins=*/true, /*closes=*/seed % 3 == 0, submitted);
    torn.Crash(prng);
    const JournalBytes files = torn.Snapshot();
    bool stopped = true;
    for (uint64_t call = 0; stopped; ++call) {
      if (!share.Has(seed + call)) continue;
      const auto directory = MemoryDirectory::FromSnapshot(files);
      directory->SetKeepsCache(seed % 2 == 0);
      FaultyDirectory faulty(*directory, {.failing_call = call, .stays_broken = true});
      Writer::Open(faulty, TestMetadata(), TestUuid(), kTestCreated, OnePageBlocks())
          .status()
          .IgnoreError();
      stopped = faulty.has_failed();
      directory->Crash(prng);
      Submitted here = submitted;
      const std::string violation = CheckAfterCrash(*directory, here, OnePageBlocks());
      if (!violation.empty()) {
        return absl::StrCat("seed ", seed, ", stopped at call ", call, ": ", violation);
      }
    }
  }
  return "";
}

}  // namespace journal
