// Translates keys into moves, and holds the text being typed.
//
// Pure: keys come from a terminal or from a test.

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

  // Returns false if the key quits.
  bool Press(const TravelKey& key);

  // Shows the status in the last line; nothing if it is OK.
  void ShowMessage(const absl::Status& status);
  void ShowMessage(std::string message, bool is_error);

  const TravelStatus& status() const { return status_; }

 private:
  enum class Prompt : uint8_t { kNone, kGoTo, kWhere, kOrder, kMarket };

  void Ask(Prompt prompt);
  void Type(const TravelKey& key);
  absl::Status Answer();
  void ShowWarnings();

  TravelSession& session_;
  Prompt prompt_ = Prompt::kNone;
  TravelStatus status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_CONTROL_H_
