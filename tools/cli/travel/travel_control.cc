#include "tools/cli/travel/travel_control.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "engine/base/status_macros.h"

namespace tools {

// A question in the last line.
struct TravelPrompt {
  char32_t key;
  const char* title;
  const char* typed;  // Before the user types.
  absl::Status (*answer)(TravelSession&, const std::string& typed);
};

namespace {

constexpr Direction kForward = Direction::kForward;
constexpr Direction kBack = Direction::kBack;

// What a key does to the session.
struct Move {
  char32_t key;
  absl::Status (*run)(TravelSession&);
};

// Calls a method of the session. Those without a result cannot fail.
template <auto kMethod, auto... kArguments>
absl::Status Do(TravelSession& session) {
  if constexpr (std::is_void_v<decltype((session.*kMethod)(kArguments...))>) {
    (session.*kMethod)(kArguments...);
    return absl::OkStatus();
  } else {
    return (session.*kMethod)(kArguments...);
  }
}

using Session = TravelSession;

constexpr std::array kMoves = {
    Move{TravelKey::kRight, Do<&Session::Step, 1>},
    Move{TravelKey::kLeft, Do<&Session::Step, -1>},
    Move{TravelKey::kBackspace, Do<&Session::Step, -1>},
    Move{TravelKey::kPageDown, Do<&Session::Step, 100>},
    Move{TravelKey::kPageUp, Do<&Session::Step, -100>},
    Move{TravelKey::kHome, Do<&Session::SeekFirst>},
    Move{TravelKey::kEnd, Do<&Session::SeekLast>},
    Move{TravelKey::kUp, Do<&Session::MoveLevel, 1>},
    Move{TravelKey::kDown, Do<&Session::MoveLevel, -1>},
    Move{U'l', Do<&Session::Step, 1>},
    Move{U'h', Do<&Session::Step, -1>},
    Move{U'k', Do<&Session::MoveLevel, 1>},
    Move{U'j', Do<&Session::MoveLevel, -1>},
    Move{U' ', Do<&Session::Step, 1>},
    Move{U'.', Do<&Session::Step, 10>},
    Move{U',', Do<&Session::Step, -10>},
    Move{U'>', Do<&Session::Step, 1000>},
    Move{U'<', Do<&Session::Step, -1000>},
    Move{U'b', Do<&Session::ChooseLevel, LevelChoice::kBestBid>},
    Move{U'a', Do<&Session::ChooseLevel, LevelChoice::kBestAsk>},
    Move{U't', Do<&Session::FindTrade, kForward>},
    Move{U'T', Do<&Session::FindTrade, kBack>},
    Move{U'c', Do<&Session::FindMarketCommand, kForward>},
    Move{U'C', Do<&Session::FindMarketCommand, kBack>},
    Move{U'e', Do<&Session::FindOrderEvent, kForward>},
    Move{U'E', Do<&Session::FindOrderEvent, kBack>},
    Move{U'n', Do<&Session::FindWhere, kForward>},
    Move{U'N', Do<&Session::FindWhere, kBack>},
    Move{U']', Do<&Session::NextMarket, kForward>},
    Move{U'[', Do<&Session::NextMarket, kBack>},
};

absl::Status GoTo(TravelSession& session, const std::string& typed) {
  return typed.find_first_not_of('@') == typed.npos ? absl::OkStatus() : session.Seek(typed);
}

// Nothing typed: the same again.
absl::Status Search(TravelSession& session, const std::string& typed) {
  if (!typed.empty()) RETURN_IF_ERROR(session.SetWhere(typed));
  return session.FindWhere(kForward);
}

absl::Status Watch(TravelSession& session, const std::string& typed) {
  return session.WatchOrder(typed);
}

absl::Status Choose(TravelSession& session, const std::string& typed) {
  return typed.empty() ? absl::OkStatus() : session.ChooseMarket(typed);
}

constexpr std::array kPrompts = {
    TravelPrompt{U'g', "go to:", "@", GoTo},
    TravelPrompt{U'@', "go to:", "@", GoTo},
    TravelPrompt{U'/', "search for a command where:", "", Search},
    TravelPrompt{U'o', "watch order:", "", Watch},
    TravelPrompt{U'm', "market:", "", Choose},
};

// Returns the entry of `key`; null if there is none.
template <typename Table>
const auto* FindKey(const Table& table, char32_t key) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [key](const auto& entry) { return entry.key == key; });
  return found == table.end() ? nullptr : &*found;
}

bool IsCharacter(char32_t key) {
  return key >= U' ' && key != TravelKey::kBackspace && key < TravelKey::kUnicodeEnd;
}

}  // namespace

void TravelControl::ShowMessage(const std::string& message, bool is_error) {
  // Only one line is available, so the message is cut at the first line end.
  status_.message = message.substr(0, message.find('\n'));
  status_.is_error = is_error;
}

void TravelControl::ShowMessage(const absl::Status& status) {
  if (!status.ok()) ShowMessage(std::string(status.message()), !absl::IsNotFound(status));
}

void TravelControl::ShowResult(const absl::Status& status) {
  ShowMessage(status);
  for (const std::string& warning : session_.TakeWarnings()) ShowMessage(warning, true);
}

bool TravelControl::Press(char32_t key) {
  ShowMessage("", false);
  if (prompt_ != nullptr) {
    Type(key);
    return true;
  }
  if (std::exchange(status_.shows_help, false) && key != U'q') return true;
  if (key == TravelKey::kInterrupt || key == U'q') return false;
  if (key == U'?') {
    status_.shows_help = true;
  } else if (const TravelPrompt* const prompt = FindKey(kPrompts, key); prompt != nullptr) {
    Ask(prompt);
  } else if (const Move* const move = FindKey(kMoves, key); move != nullptr) {
    ShowResult(move->run(session_));
  } else if (IsCharacter(key)) {
    ShowResult(absl::NotFoundError("that key does nothing; ? helps"));
  }
  return true;
}

void TravelControl::Ask(const TravelPrompt* prompt) {
  prompt_ = prompt;
  status_.prompt = prompt == nullptr ? "" : prompt->title;
  status_.typed = prompt == nullptr ? "" : prompt->typed;
}

void TravelControl::Type(char32_t key) {
  std::string& typed = status_.typed;
  if (IsCharacter(key)) {
    typed += Utf8(key);
  } else if (key == TravelKey::kBackspace) {
    // Removes all bytes of the last character.
    while (!typed.empty() && (typed.back() & 0xc0) == 0x80) typed.pop_back();
    if (!typed.empty()) typed.pop_back();
  } else if (key == TravelKey::kEnter) {
    ShowResult(prompt_->answer(session_, typed));
    Ask(nullptr);
  } else if (key == TravelKey::kEscape || key == TravelKey::kInterrupt) {
    Ask(nullptr);
  }
}

}  // namespace tools
