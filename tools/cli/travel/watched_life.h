// The events of the watched order, as far as they are known.
//
//   order's command ──── seen up to ────┐
//   accepted   trade    amended         │   later events are added when they are passed
//
// Known events stay known when the user goes back, so the events up to a position do not depend on
// how it was reached. Nothing is added after the order has ended: commands that name an ended order
// are not part of its life.

#ifndef TOOLS_CLI_TRAVEL_WATCHED_LIFE_H_
#define TOOLS_CLI_TRAVEL_WATCHED_LIFE_H_

#include <optional>
#include <span>

#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/views/order_history.h"

namespace tools {

// Not thread-safe: owned by the session.
class WatchedLife {
 public:
  // Events up to `oldest` cannot be known.
  WatchedLife(engine::OrderId order, engine::SequenceNumber oldest);

  // Commands may arrive in any order; only the next unknown one is added.
  void Hear(const engine::Command& command, std::span<const engine::Event> events);

  engine::OrderId order() const { return whole_.order(); }

  // Returns the record after which commands must be heard so that everything up to `place` is
  // known; `place` if it is known already.
  engine::SequenceNumber MissingFrom(engine::SequenceNumber place) const;

  // Returns its life up to and including `place`.
  engine::OrderHistory UpTo(engine::SequenceNumber place) const;

  // The command of the nearest known event before (after) `place`; nullopt if there is none.
  std::optional<engine::SequenceNumber> EventBefore(engine::SequenceNumber place) const;
  std::optional<engine::SequenceNumber> EventAfter(engine::SequenceNumber place) const;

  bool has_ended() const;

 private:
  engine::OrderHistory whole_;
  engine::SequenceNumber known_up_to_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_WATCHED_LIFE_H_
