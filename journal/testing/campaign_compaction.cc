// The stages of the campaign in which a journal is compacted.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "journal/finding.h"
#include "journal/maintenance/archive.h"
#include "journal/testing/campaign.h"
#include "journal/testing/campaign_journals.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/oracles.h"
#include "journal/testing/records.h"
#include "journal/verify.h"

namespace journal {
namespace {

constexpr CompactionOptions kOptions = {.zstd_level = 1, .block_records = 8};
constexpr uint64_t kSubsetsOfACall = 6;

Submitted AllDurable() {
  return {.log = SmallLog(), .appended = kLoneRecords, .acknowledged = kLoneRecords};
}

// As after any crash; then the journal is compacted.
std::string CheckAfterCompaction(MemoryDirectory& directory) {
  Submitted submitted = AllDurable();
  std::string violation = CheckAfterCrash(directory, submitted, OnePageBlocks());
  if (!violation.empty()) return violation;
  const auto archived = Archive(directory, kOptions);
  if (!archived.ok()) return absl::StrCat("cannot be compacted: ", archived.status().ToString());
  const ReadResult read = ReadJournal(directory);
  return read.records == FirstOfSmallLog(submitted.appended)
             ? ""
             : absl::StrCat("compacted again, it is another log: ", read.status.ToString());
}

}  // namespace

std::string EveryCrashOfCompaction(Share share) {
  uint64_t number = 0;
  bool stopped = true;
  for (uint64_t call = 0; stopped; ++call) {
    const auto crashed = MemoryDirectory::FromSnapshot(LoneRecords());
    FaultyDirectory faulty(*crashed, {.failing_call = call, .stays_broken = true});
    Archive(faulty, kOptions).status().IgnoreError();
    stopped = faulty.has_failed();
    engine::Prng prng(call);
    for (uint64_t i = 0; i < kSubsetsOfACall; ++i) {
      // None of the sectors, all of them, some of them.
      const uint64_t sectors = i < 2 ? 0 - i : prng.Next();
      for (uint64_t others = 0; others < 4; ++others) {
        if (!share.Has(number++)) continue;
        const auto directory = MemoryDirectory::FromSnapshot(crashed->AfterCrash(
            {.sectors = sectors, .lengths = (others & 1) != 0, .names = (others & 2) != 0}));
        const std::string violation = CheckAfterCompaction(*directory);
        if (!violation.empty()) {
          return absl::StrCat("stopped at call ", call, ", sectors ", sectors,
                              ", lengths and names ", others, ": ", violation);
        }
      }
    }
  }
  return "";
}

std::string EveryFailingCallOfCompaction(Share share) {
  for (uint64_t kind = 0; kind < 32; ++kind) {
    bool failed = true;
    for (uint64_t call = 0; failed; ++call) {
      if (!share.Has(kind + call)) continue;
      const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
      engine::Prng prng(call);
      FaultPlan plan{.failing_call = call,
                     .stays_broken = (kind & 1) != 0,
                     .code = (kind & 2) != 0 ? absl::StatusCode::kResourceExhausted
                                             : absl::StatusCode::kUnavailable,
                     .short_writes = (kind & 4) != 0};
      if ((kind & 8) != 0) {
        plan.on_failed_sync = [&](absl::string_view name) { directory->FailSync(name, prng); };
      }
      FaultyDirectory faulty(*directory, plan);
      Archive(faulty, kOptions).status().IgnoreError();
      failed = faulty.has_failed();
      if ((kind & 16) != 0) {
        directory->Kill();
      } else {
        directory->CrashDroppingAll();
      }
      const std::string violation = CheckAfterCompaction(*directory);
      if (!violation.empty()) {
        return absl::StrCat("kind ", kind, ", failing at call ", call, ": ", violation);
      }
    }
  }
  return "";
}

std::string LyingDeviceOfCompaction(uint64_t seed) {
  engine::Prng prng(seed);
  // None that writes outside of the file's own writes.
  constexpr Lie kLies[] = {Lie::kWriteIsLost, Lie::kWriteGoesElsewhere, Lie::kBitFlipsInWrite,
                           Lie::kBitFlipsInRead};
  const Lie lie = kLies[prng.Below(4)];
  const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
  FaultyDirectory faulty(*directory,
                         {.lie = lie,
                          .lying_call = prng.Below(lie == Lie::kBitFlipsInRead ? 60 : 14),
                          .lie_seed = prng.Next()});
  Archive(faulty, kOptions).status().IgnoreError();
  directory->CrashDroppingAll();
  const ReadResult read = ReadJournal(*directory);
  if (!read.status.ok() || read.records != FirstOfSmallLog(kLoneRecords)) {
    return absl::StrCat(read.records.size(), " records are left: ", read.status.ToString());
  }
  const auto report = Verify(*directory);
  return report.ok() && report->verdict == Verdict::kClean
             ? ""
             : absl::StrCat("not CLEAN: ", report.ok() ? report->findings.front().ToString()
                                                       : report.status().ToString());
}

}  // namespace journal
