// What kind of work a command was: what was asked, and what came of it.

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
  kRest,      // A new order that traded with nobody and stays.
  kNoFill,    // A new order that traded with nobody and is gone: immediate or cancel.
  kOneFill,   // It traded once.
  kSweep,     // It traded more than once.
  kHit,       // A request about a live order, granted.
  kMiss,      // A request about an order that is unknown or gone.
  kRejected,  // Refused for any other reason.
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

// `events` are those that the command caused.
CommandClass ClassOf(const engine::Command& command, std::span<const engine::Event> events);

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_CLASS_H_
