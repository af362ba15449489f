// The life of the order that a traveller watches, as far as it has been seen.
//
//   order's command ──── seen up to ────┐
//   accepted   trade    amended         │   later places are heard of when they are passed
//
// What was heard stays known when the traveller goes back: what there is up to a place is then the
// same by whatever way it was reached. After its end nothing is added: commands that name an order
// that is gone are no part of its life.

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
  // `oldest`: what came before that cannot be heard.
  WatchedLife(engine::OrderId order, engine::SequenceNumber oldest);

  // Commands may come in any order; what is not next is known already, or not heard.
  void Hear(const engine::Command& command, std::span<const engine::Event> events);

  engine::OrderId order() const { return whole_.order(); }

  // From where on commands have to be heard so that all is known up to `place`; `place` itself when
  // all is known.
  engine::SequenceNumber MissingFrom(engine::SequenceNumber place) const;

  // Its life up to and including `place`.
  engine::OrderHistory UpTo(engine::SequenceNumber place) const;

  // The command of the event of its life that is next to `place`, if one is known.
  std::optional<engine::SequenceNumber> EventBefore(engine::SequenceNumber place) const;
  std::optional<engine::SequenceNumber> EventAfter(engine::SequenceNumber place) const;

  bool has_ended() const;

 private:
  engine::OrderHistory whole_;
  engine::SequenceNumber known_up_to_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_WATCHED_LIFE_H_
