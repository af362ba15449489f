#include "tools/cli/read/follow_walk.h"

#include <cstddef>

#include "engine/base/status_macros.h"
#include "journal/reader.h"

namespace tools {
namespace {

bool VisitAll(const journal::Batch& batch, absl::FunctionRef<bool(const journal::Record&)> visit) {
  size_t attachment = 0;
  for (const journal::Row& row : batch.rows) {
    journal::Record record{.row = &row};
    if (attachment < batch.attachments.size() &&
        batch.attachments[attachment].sequence == row.sequence) {
      record.attachment = batch.attachments[attachment++].bytes;
    }
    if (!visit(record)) return false;
  }
  return true;
}

}  // namespace

absl::Status WalkFollowing(journal::Follower& follower, Waiter& waiter,
                           absl::FunctionRef<bool(const journal::Record&)> visit,
                           absl::FunctionRef<bool()> idle) {
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch batch, follower.Poll());
    if (!VisitAll(batch, visit)) return absl::OkStatus();
    if (batch.empty() && (!idle() || !waiter.Wait())) return absl::OkStatus();
  }
}

}  // namespace tools
