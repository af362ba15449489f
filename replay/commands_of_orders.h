// Finds the commands that created orders, by order number.
//
//   journal   deleted: 1 … 123456          123457 … here
//             └ kept.rows: 3 · 17 · 904 …   └ the records themselves
//
// A state contains orders without their client order ids: those are in the commands that created
// them.

#ifndef REPLAY_COMMANDS_OF_ORDERS_H_
#define REPLAY_COMMANDS_OF_ORDERS_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/machine.h"

namespace replay {

// Returns the numbers of the commands that created the orders that rest, ascending; empty if the
// machine is no exchange.
std::vector<engine::SequenceNumber> CommandsOfRestingOrders(const Machine& machine);

// Not thread-safe: owned by its caller. Moves the reader, which outlives it.
class CommandsOfOrders {
 public:
  // `kept` are the rows that a deletion has left of this journal (journal/kept_rows.h), ascending.
  CommandsOfOrders(journal::Reader& reader, std::vector<journal::Row> kept)
      : reader_(reader), kept_(std::move(kept)) {}

  // Returns null if the command was deleted and not kept. Valid until the next call. REQUIRES:
  // sequences ascend over all calls, and none is after the journal's end. Errors: the reader's.
  absl::StatusOr<const journal::Row*> Find(engine::SequenceNumber sequence);

 private:
  journal::Reader& reader_;
  std::vector<journal::Row> kept_;
  size_t next_kept_ = 0;
  journal::Batch batch_;
};

}  // namespace replay

#endif  // REPLAY_COMMANDS_OF_ORDERS_H_
