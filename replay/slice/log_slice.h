// Extracts a part of a log as a log of its own, and verifies that it produces the same events.
//
//   whole   1 ──────────── first ─────────── last        one engine applies all of it
//                            │  kept commands, renumbered
//   slice   [ lead-in ]      1'───────────── last'       another engine applies the slice
//           state_commands.h        └ are its events those of the whole, renumbered?
//
// An order's number is that of its command, so commands that name orders are rewritten. A command
// that names an order outside the slice is rewritten to name an order that has ended. If a command
// that is left out caused orders of the slice to expire, an advance_time with its time takes its
// place.

#ifndef REPLAY_SLICE_LOG_SLICE_H_
#define REPLAY_SLICE_LOG_SLICE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "journal/record.h"
#include "replay/machine.h"
#include "replay/slice/state_commands.h"

namespace replay {

// Selects the part of an exchange to keep: a market, an account, both or all. A regular value type.
struct Interest {
  std::optional<engine::MarketId> market = {};    // Nullopt: all.
  std::optional<engine::AccountId> account = {};  // Nullopt: all.

  bool Has(engine::MarketId id) const { return !market.has_value() || *market == id; }
  bool Has(engine::AccountId id) const { return !account.has_value() || *account == id; }
  bool is_everything() const { return !market.has_value() && !account.has_value(); }
};

// A command with different events in the whole and in the slice. A regular value type.
struct SliceDifference {
  engine::SequenceNumber in_whole;
  engine::SequenceNumber in_slice;
  std::vector<engine::Event> whole;  // Renumbered.
  std::vector<engine::Event> slice;
};

// A regular value type.
struct SliceReport {
  uint64_t seen_count = 0;                     // Commands of the whole in the range.
  uint64_t kept_count = 0;                     // Of these, the commands in the slice.
  uint64_t added_count = 0;                    // Lead-in commands, and advance_time commands.
  engine::SequenceNumber first_kept;           // The first kept command's number in the whole …
  engine::SequenceNumber first_kept_in_slice;  // … and in the slice.
  std::vector<std::string> lost;               // Parts of the initial state, described in words.
  uint64_t different_count = 0;
  std::vector<SliceDifference> first_differences;  // At most kSliceDifferencesMax.
};
inline constexpr size_t kSliceDifferencesMax = 5;

// Returns the parts of the machine's state that match `interest`. Errors: UNIMPLEMENTED for a
// machine that cannot save.
absl::StatusOr<StateParts> TakeStateApart(const Machine& machine, const Interest& interest);

// Not thread-safe: owned by its caller. References outlive it.
class LogSlicer {
 public:
  // Receives the next command of the slice, with its sequence number and time; returns its events,
  // valid until the next call.
  using Put = std::function<absl::StatusOr<std::span<const engine::Event>>(
      const engine::Command&, engine::Bytes attachment)>;

  LogSlicer(Interest interest, Put put) : interest_(interest), put_(std::move(put)) {}

  // Leads the slice to `state`, the part that matches the Interest of the state of the whole before
  // the slice; the orders get their client order ids from `client_ids`. Not called if the slice
  // begins with the log. Errors: those of `put`.
  absl::Status LeadIn(StateParts state, const ClientIds& client_ids);

  // Processes the next record of the whole and its events. Order commands are kept only if
  // `wanted`; every kept command also matches the Interest. Errors: those of `put`.
  absl::Status Next(const journal::Record& record, std::span<const engine::Event> events,
                    bool wanted);

  // Passes over the next `count` records of the whole, of which the slice needs none: Next() would
  // not keep them, and their events end no order of the slice.
  void LeaveOut(uint64_t count);

  const SliceReport& report() const { return report_; }

 private:
  bool Keeps(const engine::Command& command, bool wanted) const;
  engine::OrderId NameOf(engine::OrderId order) const;
  engine::Quantity WithoutFilledBefore(engine::Quantity quantity, engine::OrderId order) const;
  absl::Status LetExpire(std::span<const engine::Event> events, engine::Timestamp time);
  void Renumber(engine::Event& event, const engine::Command& command) const;
  std::vector<engine::Event> Comparable(std::span<const engine::Event> events) const;
  void Compare(const engine::Command& command, std::span<const engine::Event> whole,
               std::span<const engine::Event> slice);

  const Interest interest_;
  const Put put_;
  engine::SequenceNumber at_whole_;  // The current command's numbers in the whole and in the slice.
  engine::SequenceNumber at_slice_;
  bool has_all_ = true;                                // Nothing was left out so far.
  absl::flat_hash_map<uint64_t, EnteredOrder> names_;  // For look-ups only.
  engine::OrderId ended_;  // A number in the slice that is not an order's.
  SliceReport report_;
};

}  // namespace replay

#endif  // REPLAY_SLICE_LOG_SLICE_H_
