// Counterparties from a recording: the orders of a market of another run, entered again in a market
// of this venue, at the pace of the recording.
//
//   FlowSource: commands of a market, with their times
//        │  due, and there is room
//        ▼
//   FlowTerms: price, quantity ─► number of the order here ─► Venue ─► refused: counted
//                                          ▲                    │
//                                          └── live orders ◄────┘ accepted, traded, cancelled
//
// Only commands about orders are entered; the venue opens and closes its markets itself. An account
// of the source has an account of its own here. An order that others have traded away here has
// ended: what the source does with it afterwards is counted, and not entered. What is entered is in
// the journal, so a replay needs no source.

#ifndef ENGINE_GATEWAY_FLOW_FLOW_H_
#define ENGINE_GATEWAY_FLOW_FLOW_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/flow/flow_source.h"
#include "engine/gateway/flow/flow_terms.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

struct FlowOptions {
  std::string name = {};  // For people and in notes: of what, and from where.
  FlowTerms terms;
  // Account a of the source is `first_account` + a here. If that is account zero, its orders are
  // anonymous.
  AccountId first_account = {};
  absl::flat_hash_set<AccountId> accounts = {};  // All of them, here.
  std::optional<double> pace = 1;  // Times as fast; nullopt: as fast as there is room.
  uint64_t rounds = 1;             // 0: without end.
};

// Of all rounds.
struct FlowCounts {
  uint64_t rounds = 1;    // Begun.
  uint64_t commands = 0;  // Of the source, of which:
  uint64_t entered = 0;   //   were submitted: accepted or refused;
  uint64_t gone = 0;      //   named an order that has ended here, or was never entered;
  uint64_t unfit = 0;     //   have no price or quantity of the venue's market.
  std::map<RejectReason, uint64_t> refused = {};
  int64_t late_nanos_max = 0;  // After the time of the pace.

  uint64_t refused_in_all() const;
};

// Not thread-safe: owned by the thread that submits. All references outlive it.
class Flow final : public Gateway {
 public:
  // Of one call of Act(), so that clients have their turn.
  static constexpr size_t kCommandsOfTurn = 128;

  Flow(FlowOptions options, FlowSource& source, Venue& venue);

  // A command of the journal, with its events, in order; or one that made an order that rests.
  void OnHistory(const Command& command, std::span<const Event> events) {
    Fold(command, events, /*is_own=*/false);
  }

  // Call it after the history, before Act(): the orders that an earlier run has left are cancelled
  // before the first command. A note records it. Errors: the sink's.
  absl::Status Start();

  // Enters what is due, as long as `has_room` returns true; `time` is the venue's. A full disk is
  // not an error: it goes on later. Errors: the sink's.
  absl::Status Act(SteadyTime now, Timestamp time, absl::FunctionRef<bool()> has_room);

  // When the next command is due; Max() while the source has none, and after the end.
  SteadyTime next_time() const;

  const FlowOptions& options() const { return options_; }
  const FlowCounts& counts() const { return counts_; }
  // After the last round, an error of the source, or the close of a binary market.
  bool has_ended() const { return has_ended_; }
  // Why it ended before the last round's end; OK if it did not.
  const absl::Status& status() const { return status_; }

  void OnApplied(const Command& command, std::span<const Event> events,
                 const Origin& origin) override {
    Fold(command, events, origin.gateway == number_);
  }
  void OnReleased(const Command&, std::span<const Event>, const Origin&) override {}

 private:
  // An order that rests here.
  struct LiveOrder {
    OrderId source;  // Its number there; zero: left by an earlier run.
    AccountId account;
    Side side = {};
    GroupId group;  // Of the source.
  };
  // A command's order while its trades are folded.
  struct Arriving {
    OrderId id;
    Quantity remaining;
    LiveOrder order;
  };

  bool IsOver() const;
  // Does one thing. Returns false if nothing is to be done now.
  absl::StatusOr<bool> Step(SteadyTime now, Timestamp time);
  // Whether there is a next command; ends the round, or the flow.
  absl::StatusOr<bool> HasCommand();
  absl::Status Enter(const Command& command, Timestamp time);
  std::optional<Command> Translate(const Command& command, Timestamp time);
  bool CancelsOneByOne(const Command& command) const;
  // Of the orders that match the mass cancel of the source, or all.
  void CancelLater(const Command* mass_cancel);
  absl::Status CancelNext();
  absl::Status Submit(const Command& command);
  absl::Status SubmitNote(absl::string_view text);
  absl::Status End(const absl::Status& why);
  SteadyTime DueTime(const Command& command) const;
  Timestamp ExpiryHere(const Command& command, Timestamp expiry, Timestamp time) const;

  void Fold(const Command& command, std::span<const Event> events, bool is_own);
  void FoldEvent(const Event& event, std::optional<Arriving>& arriving);
  void Add(OrderId id, const LiveOrder& order);
  void Remove(OrderId id);

  const FlowOptions options_;
  const MarketId market_;
  FlowSource& source_;
  Venue& venue_;
  const uint32_t number_;  // Of this gateway, in origins.

  std::vector<Command> commands_;  // Taken from the source; those from next_ on are to come.
  size_t next_ = 0;
  bool waits_for_source_ = false;
  SteadyTime rests_until_;               // After a full disk.
  std::optional<Timestamp> first_time_;  // Of the round, at the source …
  SteadyTime began_;                     // … and here.
  const Command* submitting_ = nullptr;  // The command of the source that is being entered.
  std::optional<RejectReason> refusal_;  // Of what was submitted last.
  std::deque<OrderId> to_cancel_;        // Here.
  bool has_ended_ = false;
  absl::Status status_;
  FlowCounts counts_;

  absl::flat_hash_map<OrderId, LiveOrder> live_;  // By the number here.
  absl::flat_hash_map<OrderId, OrderId> here_;    // By the number at the source.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_FLOW_FLOW_H_
