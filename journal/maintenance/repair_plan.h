// Plans and carries out a repair of a journal that loses no durable record.
//
// Repairs only data that is derived or was never known to be durable: a torn tail, an index, a
// damaged copy of a preamble, the checkpoints. Never changes a DAMAGED journal: its readable
// records are saved elsewhere (salvage.h), and the evidence stays.

#ifndef JOURNAL_MAINTENANCE_REPAIR_PLAN_H_
#define JOURNAL_MAINTENANCE_REPAIR_PLAN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "journal/finding.h"
#include "journal/storage/storage.h"

namespace journal {

struct RepairStep {
  std::string file_name;
  std::string description;  // "cut off 4096 bytes at 0x5000, kept in segment-000003.torn.1"
};

struct RepairPlan {
  Verdict verdict = Verdict::kClean;
  std::vector<Finding> findings;
  std::vector<RepairStep> steps;  // Empty when DAMAGED.
};

// Changes nothing. Reads every block. Errors: NOT_FOUND (no journal), UNIMPLEMENTED, the storage's.
absl::StatusOr<RepairPlan> PlanRepair(const Directory& directory);

// Takes both locks, plans again, carries out the plan and returns it. A crash leaves a journal that
// needs the rest of the same repair. Errors: UNAVAILABLE (a writer or another maintenance program
// holds a lock), DATA_LOSS (the journal is DAMAGED; nothing is changed), those of PlanRepair().
absl::StatusOr<RepairPlan> Repair(Directory& directory);

}  // namespace journal

#endif  // JOURNAL_MAINTENANCE_REPAIR_PLAN_H_
