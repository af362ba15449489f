// Translates keys into moves, and holds the text being typed.
//
// Pure: keys come from a terminal or from a test.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_CONTROL_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_CONTROL_H_

#include <string>

#include "absl/status/status.h"
#include "tools/cli/travel/travel_screen.h"
#include "tools/cli/travel/travel_session.h"

namespace tools {

// A key is a character, a control character of ASCII, or a number beyond Unicode.
struct TravelKey {
  static constexpr char32_t kInterrupt = 3;  // Ctrl-C.
  static constexpr char32_t kEnter = '\n';
  static constexpr char32_t kEscape = 27;
  static constexpr char32_t kBackspace = 127;
  static constexpr char32_t kUnicodeEnd = 0x110000;
  enum Code : char32_t { kLeft = kUnicodeEnd, kRight, kUp, kDown, kPageUp, kPageDown, kHome, kEnd };
};

struct TravelPrompt;

// Not thread-safe. `session` outlives it.
class TravelControl {
 public:
  explicit TravelControl(TravelSession& session) : session_(session) {}

  // Returns false if the key quits.
  bool Press(char32_t key);

  // Shows the status in the last line; nothing if it is OK.
  void ShowMessage(const absl::Status& status);
  void ShowMessage(const std::string& message, bool is_error);

  const TravelStatus& status() const { return status_; }

 private:
  void Ask(const TravelPrompt* prompt);
  void Type(char32_t key);
  // Shows the status of a move, and the session's warnings.
  void ShowResult(const absl::Status& status);

  TravelSession& session_;
  const TravelPrompt* prompt_ = nullptr;  // Null: nothing is being typed.
  TravelStatus status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_CONTROL_H_
