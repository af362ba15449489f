// What came of a command of the exchange, as its events tell it.

#ifndef REPLAY_COMMAND_OUTCOME_H_
#define REPLAY_COMMAND_OUTCOME_H_

#include <cstdint>
#include <span>
#include <string>

#include "engine/messages/command.h"
#include "engine/messages/event.h"

namespace replay {

enum class CommandOutcome : uint8_t {
  kRest,      // A new order that did not trade and rests.
  kNoFill,    // A new order that did not trade and ended: immediate or cancel.
  kOneFill,   // An order that traded once.
  kSweep,     // An order that traded more than once.
  kHit,       // A command that names a live order, accepted.
  kMiss,      // A command that names an unknown order or one that has ended.
  kRejected,  // Rejected for any other reason.
  kDone,      // Anything else: definitions, accounts, time.
};

// "rest", "no fill", "one fill", "sweep", "hit", "miss", "reject", "done".
std::string NameOf(CommandOutcome outcome);

// `events` are those of the command.
CommandOutcome OutcomeOf(const engine::Command& command, std::span<const engine::Event> events);

}  // namespace replay

#endif  // REPLAY_COMMAND_OUTCOME_H_
