// What would put a journal in order without losing a record, and doing it.
//
// Everything here is derived or promised to no one: a torn tail, an index, one of two preambles,
// the checkpoints. A DAMAGED journal is never touched: what is left of it is saved elsewhere
// (salvage.h), and the evidence stays.

#ifndef JOURNAL_REPAIR_PLAN_H_
#define JOURNAL_REPAIR_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "journal/finding.h"
#include "journal/storage/storage.h"
#include "journal/verdict.h"

namespace journal {

enum class RepairKind {
  kCutTail,          // Set a torn tail aside and cut it off.
  kSetAside,         // Rename a file that never became a segment.
  kRestorePreamble,  // Copy the good preamble over the damaged one.
  kRebuildIndex,     // Write a sealed segment's index and trailer from its blocks.
  kRebuildSidecar,   // Write the checkpoints from the records; keep those that agree.
};

struct RepairStep {
  RepairKind kind;
  uint64_t segment_index = 0;
  std::string file_name;
  std::string description;  // "cut off 4096 bytes at 0x5000, kept in segment-000003.torn.1"
};

struct RepairPlan {
  Verdict verdict = Verdict::kClean;
  std::vector<Finding> findings;
  std::vector<RepairStep> steps;  // None when DAMAGED.
};

// Changes nothing. Reads every block. Errors: NOT_FOUND (no journal), UNIMPLEMENTED, the storage's.
absl::StatusOr<RepairPlan> PlanRepair(const Directory& directory);

// Takes both locks, plans again and carries it out; the plan that was carried out. What a
// crash leaves needs the rest of the same repair. Errors: UNAVAILABLE (a writer or other
// maintenance is at work), DATA_LOSS (the journal is DAMAGED: nothing was changed), the storage's.
absl::StatusOr<RepairPlan> Repair(Directory& directory);

}  // namespace journal

#endif  // JOURNAL_REPAIR_PLAN_H_
