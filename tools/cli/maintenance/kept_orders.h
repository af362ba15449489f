// Keeps the commands of resting orders when the segments that contain them are deleted.
//
// A snapshot contains orders without their client order ids. Those are in the commands that created
// the orders, and a session that resumes the journal needs them.

#ifndef TOOLS_CLI_MAINTENANCE_KEPT_ORDERS_H_
#define TOOLS_CLI_MAINTENANCE_KEPT_ORDERS_H_

#include "absl/status/status.h"
#include "journal/retention.h"
#include "journal/storage/storage.h"
#include "tools/cli/base/console.h"

namespace tools {

// Writes next to the segments (journal/kept_rows.h) the commands before plan.first_kept of every
// order that rests in the oldest state from which the journal can be replayed after pruning. An
// order that rests later either rests in that state too or was created later. On error nothing may
// be deleted. Errors: FAILED_PRECONDITION (no remaining snapshot can be restored), the journal's,
// the storage's.
absl::Status KeepOrdersThatRest(journal::Directory& directory,
                                const journal::EligibleSnapshots& snapshots,
                                const journal::PrunePlan& plan, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_MAINTENANCE_KEPT_ORDERS_H_
