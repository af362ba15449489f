// Commands as a client might send them, with their attachments: the input of property tests.

#ifndef ENGINE_DIFFERENTIAL_SESSION_H_
#define ENGINE_DIFFERENTIAL_SESSION_H_

#include <cstddef>
#include <vector>

#include "engine/messages/command.h"

namespace engine {

struct SessionCommand {
  Command command;  // With its timestamp; its sequence is its position in the session, from 1.
  std::vector<std::byte> attachment;
};
using Session = std::vector<SessionCommand>;

}  // namespace engine

#endif  // ENGINE_DIFFERENTIAL_SESSION_H_
