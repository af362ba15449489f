// The commands that made orders, by the orders' numbers.
//
//   journal   deleted: 1 … 123456          123457 … here
//             └ kept.rows: 3 · 17 · 904 …   └ the records themselves
//
// A state has the orders and not what their client calls them: that is in the command that made
// each.

#ifndef TOOLS_CLI_BASE_COMMANDS_OF_ORDERS_H_
#define TOOLS_CLI_BASE_COMMANDS_OF_ORDERS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "tools/cli/base/console.h"

namespace tools {

// Not thread-safe: owned by whoever asks. Moves the reader, which outlives it.
class CommandsOfOrders {
 public:
  // `directory` is the reader's. Kept rows that cannot be read are none, and a warning.
  CommandsOfOrders(journal::Reader& reader, const journal::Directory& directory, Console& console);

  // Null: it is deleted, and nobody kept it. Valid until the next.
  // REQUIRES: asked for in ascending order, and none after the journal's end.
  // Errors: the reader's.
  absl::StatusOr<const journal::Row*> Find(engine::SequenceNumber sequence);

 private:
  journal::Reader& reader_;
  std::vector<journal::Row> kept_;
  size_t next_kept_ = 0;
  journal::Batch batch_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_COMMANDS_OF_ORDERS_H_
