#include "tools/cli/base/commands_of_orders.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/kept_rows.h"

namespace tools {

CommandsOfOrders::CommandsOfOrders(journal::Reader& reader, const journal::Directory& directory,
                                   Console& console)
    : reader_(reader) {
  if (reader.info().first_sequence == engine::SequenceNumber::First()) return;
  absl::StatusOr<std::vector<journal::Row>> kept =
      journal::ReadKeptRows(directory, reader.info().uuid);
  if (kept.ok()) {
    kept_ = *std::move(kept);
  } else {
    console.Note("warning: ", kept.status().message());
  }
}

absl::StatusOr<const journal::Row*> CommandsOfOrders::Find(engine::SequenceNumber sequence) {
  if (sequence < reader_.info().first_sequence) {
    while (next_kept_ < kept_.size() && kept_[next_kept_].sequence < sequence) ++next_kept_;
    const bool is_kept = next_kept_ < kept_.size() && kept_[next_kept_].sequence == sequence;
    return is_kept ? &kept_[next_kept_] : nullptr;
  }
  if (batch_.empty() || batch_.rows.back().sequence < sequence) {
    RETURN_IF_ERROR(reader_.SeekToSequence(sequence));
    ASSIGN_OR_RETURN(batch_, reader_.NextBatch());
  }
  return &batch_.rows[sequence - batch_.rows.front().sequence];
}

}  // namespace tools
