#include "replay/exchange_machine.h"

#include <algorithm>
#include <cstddef>

#include "replay/command_row.h"

namespace replay {
namespace {

// Where each of the exchange's three hints begins; each is given to kForeseenAtOnce records.
constexpr size_t kIdentityAhead = 10;
constexpr size_t kOrderAhead = 6;
constexpr size_t kNeighboursAhead = 2;
static_assert(kForeseenAhead == kIdentityAhead + kForeseenAtOnce);

using Commands = std::span<const engine::Command>;

Commands Part(Commands coming, size_t begin) {
  begin = std::min(begin, coming.size());
  return coming.subspan(begin, std::min(kForeseenAtOnce, coming.size() - begin));
}

}  // namespace

void ExchangeMachine::Foresee(Commands coming) const {
  for (const engine::Command& command : Part(coming, kIdentityAhead)) {
    exchange_.PrefetchIdentity(command);
  }
  for (const engine::Command& command : Part(coming, kOrderAhead)) exchange_.PrefetchOrder(command);
  for (const engine::Command& command : Part(coming, kNeighboursAhead)) {
    exchange_.PrefetchNeighbours(command);
  }
}

void ExchangeMachine::Apply(const journal::Record& record, engine::EventBuffer& events) {
  exchange_.Apply(ToCommand(*record.row), record.attachment, events);
}

void ExchangeMachine::ApplyRun(std::span<const journal::Row> rows, size_t count,
                               engine::EventBuffer& events, TracedRoom& room) {
  const Commands commands = AsCommands(rows);
  const size_t foreseen =
      std::min(count, commands.size() - std::min(commands.size(), kIdentityAhead));
  size_t i = 0;
  for (; i < foreseen; ++i) {
    exchange_.PrefetchIdentity(commands[i + kIdentityAhead]);
    exchange_.PrefetchOrder(commands[i + kOrderAhead]);
    exchange_.PrefetchNeighbours(commands[i + kNeighboursAhead]);
    exchange_.Apply(commands[i], {}, events);
    room.Add(events.events());
  }
  for (; i < count; ++i) {
    exchange_.Apply(commands[i], {}, events);
    room.Add(events.events());
  }
}

}  // namespace replay
