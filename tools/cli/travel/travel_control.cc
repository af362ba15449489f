#include "tools/cli/travel/travel_control.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/types/side.h"
#include "tools/cli/travel/cell_grid.h"

namespace tools {
namespace {

using Kind = TravelKey::Kind;

// What a key does to the session.
struct Move {
  TravelKey key;
  absl::Status (*run)(TravelSession&);
};

template <int64_t kBy>
absl::Status Step(TravelSession& session) {
  return session.Step(kBy);
}

template <absl::Status (TravelSession::*kFind)(Direction), Direction kDirection>
absl::Status Find(TravelSession& session) {
  return (session.*kFind)(kDirection);
}

template <void (LevelChoice::*kChange)()>
absl::Status Level(TravelSession& session) {
  (session.level_choice().*kChange)();
  return absl::OkStatus();
}

template <engine::Side kSide>
absl::Status Best(TravelSession& session) {
  session.level_choice().Best(kSide);
  return absl::OkStatus();
}

constexpr Direction kForward = Direction::kForward;
constexpr Direction kBack = Direction::kBack;

constexpr TravelKey Character(char32_t character) {
  return {.kind = Kind::kCharacter, .character = character};
}

constexpr std::array kMoves = {
    Move{{.kind = Kind::kRight}, Step<1>},
    Move{{.kind = Kind::kLeft}, Step<-1>},
    Move{{.kind = Kind::kBackspace}, Step<-1>},
    Move{{.kind = Kind::kPageDown}, Step<100>},
    Move{{.kind = Kind::kPageUp}, Step<-100>},
    Move{{.kind = Kind::kHome}, [](TravelSession& session) { return session.SeekFirst(); }},
    Move{{.kind = Kind::kEnd}, [](TravelSession& session) { return session.SeekLast(); }},
    Move{{.kind = Kind::kUp}, Level<&LevelChoice::Up>},
    Move{{.kind = Kind::kDown}, Level<&LevelChoice::Down>},
    Move{Character(U' '), Step<1>},
    Move{Character(U'.'), Step<10>},
    Move{Character(U','), Step<-10>},
    Move{Character(U'>'), Step<1000>},
    Move{Character(U'<'), Step<-1000>},
    Move{Character(U'b'), Best<engine::Side::kBid>},
    Move{Character(U'a'), Best<engine::Side::kAsk>},
    Move{Character(U't'), Find<&TravelSession::FindTrade, kForward>},
    Move{Character(U'T'), Find<&TravelSession::FindTrade, kBack>},
    Move{Character(U'c'), Find<&TravelSession::FindMarketCommand, kForward>},
    Move{Character(U'C'), Find<&TravelSession::FindMarketCommand, kBack>},
    Move{Character(U'e'), Find<&TravelSession::FindOrderEvent, kForward>},
    Move{Character(U'E'), Find<&TravelSession::FindOrderEvent, kBack>},
    Move{Character(U'n'), Find<&TravelSession::FindWhere, kForward>},
    Move{Character(U'N'), Find<&TravelSession::FindWhere, kBack>},
    Move{Character(U']'), Find<&TravelSession::NextMarket, kForward>},
    Move{Character(U'['), Find<&TravelSession::NextMarket, kBack>},
};

}  // namespace

void TravelControl::ShowMessage(std::string message, bool is_error) {
  // Only one line is available, so the message is cut at the first line end.
  status_.message = std::move(message);
  status_.message.resize(std::min(status_.message.find('\n'), status_.message.size()));
  status_.is_error = is_error;
}

void TravelControl::ShowMessage(const absl::Status& status) {
  if (!status.ok()) ShowMessage(std::string(status.message()), !absl::IsNotFound(status));
}

bool TravelControl::Press(const TravelKey& key) {
  ShowMessage("", false);
  if (prompt_ != Prompt::kNone) {
    Type(key);
    return true;
  }
  if (std::exchange(status_.shows_help, false) && key.character != U'q') return true;
  if (key.kind == Kind::kInterrupt || key.character == U'q') return false;
  switch (key.character) {
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
    default:
      break;
  }
  const auto move = std::find_if(kMoves.begin(), kMoves.end(), [&](const Move& candidate) {
    return candidate.key.kind == key.kind && candidate.key.character == key.character;
  });
  if (move != kMoves.end()) {
    ShowMessage(move->run(session_));
  } else if (key.kind == Kind::kCharacter) {
    ShowMessage(absl::NotFoundError("that key does nothing; ? helps"));
  }
  ShowWarnings();
  return true;
}

void TravelControl::ShowWarnings() {
  for (const std::string& warning : session_.TakeWarnings()) ShowMessage(warning, true);
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
      ShowMessage(Answer());
      ShowWarnings();
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
