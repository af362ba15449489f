#include "tools/cli/travel/travel_control.h"

#include <algorithm>
#include <utility>

#include "engine/types/side.h"
#include "tools/cli/travel/cell_grid.h"

namespace tools {
namespace {

using Kind = TravelKey::Kind;

}  // namespace

void TravelControl::Say(std::string message, bool is_error) {
  // Only one line is available, so the message is cut at the first line end.
  status_.message = std::move(message);
  status_.message.resize(std::min(status_.message.find('\n'), status_.message.size()));
  status_.is_error = is_error;
}

void TravelControl::Say(const absl::Status& status) {
  if (!status.ok()) Say(std::string(status.message()), !absl::IsNotFound(status));
}

bool TravelControl::Press(const TravelKey& key) {
  Say("", false);
  if (prompt_ != Prompt::kNone) {
    Type(key);
    return true;
  }
  if (std::exchange(status_.shows_help, false) && key.character != U'q') return true;
  switch (key.kind) {
    case Kind::kCharacter:
      return PressCharacter(key.character);
    case Kind::kRight:
      Say(session_.Step(1));
      break;
    case Kind::kLeft:
    case Kind::kBackspace:
      Say(session_.Step(-1));
      break;
    case Kind::kPageDown:
      Say(session_.Step(100));
      break;
    case Kind::kPageUp:
      Say(session_.Step(-100));
      break;
    case Kind::kHome:
      Say(session_.SeekFirst());
      break;
    case Kind::kEnd:
      Say(session_.SeekLast());
      break;
    case Kind::kUp:
      session_.level_choice().Up();
      break;
    case Kind::kDown:
      session_.level_choice().Down();
      break;
    case Kind::kInterrupt:
      return false;
    case Kind::kEnter:
    case Kind::kEscape:
      break;
  }
  for (const std::string& warning : session_.TakeWarnings()) Say(warning, true);
  return true;
}

bool TravelControl::PressCharacter(char32_t character) {
  switch (character) {
    case U'q':
      return false;
    case U'?':
      status_.shows_help = true;
      return true;
    case U'g':
    case U'@':
      Ask(Prompt::kGoTo);
      return true;
    case U'/':
      Ask(Prompt::kWhere);
      return true;
    case U'o':
      Ask(Prompt::kOrder);
      return true;
    case U'm':
      Ask(Prompt::kMarket);
      return true;
    case U'b':
      session_.level_choice().Best(engine::Side::kBid);
      return true;
    case U'a':
      session_.level_choice().Best(engine::Side::kAsk);
      return true;
    default:
      Say(Move(character));
      for (const std::string& warning : session_.TakeWarnings()) Say(warning, true);
      return true;
  }
}

absl::Status TravelControl::Move(char32_t character) {
  switch (character) {
    case U' ':
      return session_.Step(1);
    case U'.':
      return session_.Step(10);
    case U',':
      return session_.Step(-10);
    case U'>':
      return session_.Step(1000);
    case U'<':
      return session_.Step(-1000);
    case U't':
      return session_.FindTrade(Direction::kForward);
    case U'T':
      return session_.FindTrade(Direction::kBack);
    case U'c':
      return session_.FindMarketCommand(Direction::kForward);
    case U'C':
      return session_.FindMarketCommand(Direction::kBack);
    case U'e':
      return session_.FindOrderEvent(Direction::kForward);
    case U'E':
      return session_.FindOrderEvent(Direction::kBack);
    case U'n':
      return session_.FindWhere(Direction::kForward);
    case U'N':
      return session_.FindWhere(Direction::kBack);
    case U']':
      return session_.NextMarket(Direction::kForward);
    case U'[':
      return session_.NextMarket(Direction::kBack);
    default:
      return absl::NotFoundError("that key does nothing; ? helps");
  }
}

void TravelControl::Ask(Prompt prompt) {
  prompt_ = prompt;
  status_.typed = prompt == Prompt::kGoTo ? "@" : "";
  switch (prompt) {
    case Prompt::kGoTo:
      status_.prompt = "go to:";
      break;
    case Prompt::kWhere:
      status_.prompt = "search for a command where:";
      break;
    case Prompt::kOrder:
      status_.prompt = "watch order:";
      break;
    case Prompt::kMarket:
      status_.prompt = "market:";
      break;
    case Prompt::kNone:
      status_.prompt = "";
      break;
  }
}

void TravelControl::Type(const TravelKey& key) {
  switch (key.kind) {
    case Kind::kCharacter:
      status_.typed += Utf8(key.character);
      break;
    case Kind::kBackspace: {
      // Removes all bytes of the last character.
      while (!status_.typed.empty() && (status_.typed.back() & 0xc0) == 0x80) {
        status_.typed.pop_back();
      }
      if (!status_.typed.empty()) status_.typed.pop_back();
      break;
    }
    case Kind::kEnter:
      Say(Answer());
      for (const std::string& warning : session_.TakeWarnings()) Say(warning, true);
      Ask(Prompt::kNone);
      break;
    case Kind::kEscape:
    case Kind::kInterrupt:
      Ask(Prompt::kNone);
      break;
    default:
      break;
  }
}

absl::Status TravelControl::Answer() {
  const std::string typed = status_.typed;
  switch (prompt_) {
    case Prompt::kGoTo:
      return typed.empty() || typed == "@" ? absl::OkStatus() : session_.Seek(typed);
    case Prompt::kWhere: {
      if (!typed.empty()) {
        const absl::Status parsed = session_.SetWhere(typed);
        if (!parsed.ok()) return parsed;
      }
      return session_.FindWhere(Direction::kForward);
    }
    case Prompt::kOrder:
      return session_.WatchOrder(typed);
    case Prompt::kMarket:
      return typed.empty() ? absl::OkStatus() : session_.ChooseMarket(typed);
    case Prompt::kNone:
      break;
  }
  return absl::OkStatus();
}

}  // namespace tools
