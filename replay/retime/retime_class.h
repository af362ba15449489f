// Classifies a command by its kind and its outcome.

#ifndef REPLAY_RETIME_RETIME_CLASS_H_
#define REPLAY_RETIME_RETIME_CLASS_H_

#include <compare>
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

// A regular value type.
struct CommandClass {
  engine::CommandKind kind = {};
  CommandOutcome outcome = CommandOutcome::kDone;

  friend auto operator<=>(const CommandClass&, const CommandClass&) = default;
};

// `events` are those of the command.
CommandClass ClassOf(const engine::Command& command, std::span<const engine::Event> events);

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_CLASS_H_
