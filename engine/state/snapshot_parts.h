// The parts of a snapshot: the entities of the state digest, a bounded number at a time, as values
// and as Cap'n Proto messages (snapshot.capnp).
//
//   summary ─► markets… ─► accounts… ─► positions… ─► position limits… ─► groups… ─► group fills…
//           ─► orders… ─► end
//
// Ten million orders are 2,500 small messages. The loader checks what the values mean together.

#ifndef ENGINE_STATE_SNAPSHOT_PARTS_H_
#define ENGINE_STATE_SNAPSHOT_PARTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_io.h"
#include "engine/state/state_digest.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/quantity.h"

namespace engine {

// Regular value types, from here on.
struct SnapshotSummary {
  SequenceNumber last_applied;
  Timestamp now;
  ExchangeStatus exchange;
};

struct SnapshotMarket {
  MarketDefinition definition;
  MarketStatus status;  // Of the same market.
};

struct SnapshotPosition {
  AccountId account;
  MarketId market;
  int64_t position = 0;
};

struct SnapshotGroupFill {
  AccountId account;
  GroupId group;
  Timestamp time;
  Quantity quantity;
};

// How many entities there are: markets, accounts, positions, position limits, groups, group fills,
// orders.
struct SnapshotEnd {
  std::array<uint64_t, 7> counts = {};
};

// The kinds of parts, in the order in which a snapshot has them.
using SnapshotPart =
    std::variant<SnapshotSummary, std::vector<SnapshotMarket>, std::vector<AccountStatus>,
                 std::vector<SnapshotPosition>, std::vector<PositionLimitStatus>,
                 std::vector<GroupStatus>, std::vector<SnapshotGroupFill>,
                 std::vector<RestingOrder>, SnapshotEnd>;

// At most, of a list and of its message.
inline constexpr size_t kSnapshotPartEntities = 4096;
inline constexpr size_t kSnapshotPartBytesMax = size_t{16} << 20;

std::vector<std::byte> EncodeSnapshotPart(const SnapshotPart& part);

// Reads any bytes safely. The result's market definitions are sound; its enumerations may have any
// value. Errors: DATA_LOSS, INVALID_ARGUMENT for an unsound definition.
absl::StatusOr<SnapshotPart> DecodeSnapshotPart(Bytes bytes);

// Puts entities into parts. The caller adds them in the order of SnapshotPart.
// Not thread-safe: owned by the function that saves.
class SnapshotWriter {
 public:
  explicit SnapshotWriter(SnapshotSink sink) : sink_(sink) {}

  // Finish() returns the first error of the sink; what is added after it is dropped.
  void Add(const SnapshotSummary& summary) { Put(summary); }
  template <typename Entity>
  void Add(Entity entity) {
    using List = std::vector<Entity>;
    if (!std::holds_alternative<List>(part_)) {
      Flush();
      part_ = List();
    }
    List& list = std::get<List>(part_);
    list.push_back(std::move(entity));
    ++end_.counts[part_.index() - 1];
    if (list.size() == kSnapshotPartEntities) Flush();
  }

  absl::Status Finish();

 private:
  void Flush();
  void Put(const SnapshotPart& part);

  SnapshotSink sink_;
  SnapshotPart part_;  // The list being filled; a summary if there is none.
  SnapshotEnd end_;
  absl::Status status_;
};

}  // namespace engine

#endif  // ENGINE_STATE_SNAPSHOT_PARTS_H_
