// Commands as a client might send them, with their attachments: what a property is tried on.

#ifndef ENGINE_CORE_TESTING_SESSION_H_
#define ENGINE_CORE_TESTING_SESSION_H_

#include <cstddef>
#include <vector>

#include "engine/messages/command.h"

namespace engine {

struct SessionCommand {
  Command command;  // With its timestamp; its sequence is its place in the session, from 1.
  std::vector<std::byte> attachment;
};
using Session = std::vector<SessionCommand>;

}  // namespace engine

#endif  // ENGINE_CORE_TESTING_SESSION_H_
