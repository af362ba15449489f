#include "journal/sequencer.h"

#include <algorithm>

#include "engine/base/status_macros.h"

namespace journal {

absl::StatusOr<Record> Sequencer::Append(const Row& row, engine::Bytes attachment,
                                         Writer::Space space) {
  row_ = row;
  row_.sequence = writer_.next_sequence();
  row_.timestamp = std::max(writer_.last_timestamp(), clock_.Now());
  RETURN_IF_ERROR(writer_.Append(row_, attachment, space));
  return Record{.row = &row_, .attachment = attachment};
}

}  // namespace journal
