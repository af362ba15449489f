// Keys into moves: what a key does, and what is being typed.
//
// Pure: keys come from whoever has a keyboard, or from a test.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_CONTROL_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_CONTROL_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "tools/cli/travel/travel_screen.h"
#include "tools/cli/travel/travel_session.h"

namespace tools {

// A regular value type.
struct TravelKey {
  enum class Kind : uint8_t {
    kCharacter,
    kLeft,
    kRight,
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kEnter,
    kBackspace,
    kEscape,
    kInterrupt,  // Ctrl-C.
  };
  Kind kind = Kind::kCharacter;
  char32_t character = 0;
};

// Not thread-safe. `session` outlives it.
class TravelControl {
 public:
  explicit TravelControl(TravelSession& session) : session_(session) {}

  // False: that was to quit.
  bool Press(const TravelKey& key);

  // Says it in the last line; nothing for what is in order.
  void Say(const absl::Status& status);
  void Say(std::string message, bool is_error);

  const TravelStatus& status() const { return status_; }

 private:
  enum class Prompt : uint8_t { kNone, kGoTo, kWhere, kOrder, kMarket };

  void Ask(Prompt prompt);
  void Type(const TravelKey& key);
  absl::Status Answer();
  bool PressCharacter(char32_t character);
  absl::Status Move(char32_t character);

  TravelSession& session_;
  Prompt prompt_ = Prompt::kNone;
  TravelStatus status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_CONTROL_H_
