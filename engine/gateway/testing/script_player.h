// Plays a conversation of several sessions with a gateway, written as its clients see it:
//
//   open A          connects; `close A` disconnects; `end A`: it sends no more
//   A> line         A sends a line
//   A< reply        what A receives then
//   release [N]     the events of the first N waiting commands, or of all, are released

#ifndef ENGINE_GATEWAY_TESTING_SCRIPT_PLAYER_H_
#define ENGINE_GATEWAY_TESTING_SCRIPT_PLAYER_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/testing/toy_exchange.h"

namespace engine {

// Owned by the test. Sessions have names of one letter.
class ScriptPlayer {
 public:
  // Both outlive it.
  ScriptPlayer(SessionGateway& gateway, ToyExchange& exchange)
      : gateway_(gateway), exchange_(exchange) {}

  // Returns `script` with the replies that really came.
  std::string Play(absl::string_view script);

  SessionId SessionOf(char name) const { return sessions_.at(name); }

 private:
  void Do(absl::string_view line);
  void AppendReplies(std::string& played);

  SessionGateway& gateway_;
  ToyExchange& exchange_;
  std::map<char, SessionId> sessions_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_TESTING_SCRIPT_PLAYER_H_
