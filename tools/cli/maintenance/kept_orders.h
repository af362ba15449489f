// The commands of orders that still rest when the segments with these commands are deleted.
//
// A snapshot has the orders and not what their client calls them: that is in the command that made
// each, and a session that goes on with the journal needs it.

#ifndef TOOLS_CLI_MAINTENANCE_KEPT_ORDERS_H_
#define TOOLS_CLI_MAINTENANCE_KEPT_ORDERS_H_

#include "absl/status/status.h"
#include "journal/retention.h"
#include "journal/storage/storage.h"
#include "tools/cli/base/console.h"

namespace tools {

// Keeps beside the segments (journal/kept_rows.h) the commands before plan.first_kept of every
// order that rests in the oldest state that the journal can be replayed from afterwards; whatever
// rests later was made later, or rests there too.
// Errors: FAILED_PRECONDITION (no snapshot that stays can be restored), the journal's, the
// storage's: then nothing may be deleted.
absl::Status KeepOrdersThatRest(journal::Directory& directory,
                                const journal::EligibleSnapshots& snapshots,
                                const journal::PrunePlan& plan, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_MAINTENANCE_KEPT_ORDERS_H_
