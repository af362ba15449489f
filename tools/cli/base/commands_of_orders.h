// Finds the commands that created orders, by order number.
//
//   journal   deleted: 1 … 123456          123457 … here
//             └ kept.rows: 3 · 17 · 904 …   └ the records themselves
//
// A state contains orders without their client order ids: those are in the commands that created
// them.

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

// Not thread-safe: owned by its caller. Moves the reader, which outlives it.
class CommandsOfOrders {
 public:
  // `directory` is the reader's. If the kept rows cannot be read, prints a warning and continues
  // without them.
  CommandsOfOrders(journal::Reader& reader, const journal::Directory& directory, Console& console);

  // Returns null if the command was deleted and not kept. Valid until the next call. REQUIRES:
  // sequences ascend over all calls, and none is after the journal's end. Errors: the reader's.
  absl::StatusOr<const journal::Row*> Find(engine::SequenceNumber sequence);

 private:
  journal::Reader& reader_;
  std::vector<journal::Row> kept_;
  size_t next_kept_ = 0;
  journal::Batch batch_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_COMMANDS_OF_ORDERS_H_
