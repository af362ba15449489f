// Converts between the engine's Command and the journal's Row: the same 64 bytes under two names.

#ifndef REPLAY_COMMAND_ROW_H_
#define REPLAY_COMMAND_ROW_H_

#include <bit>
#include <cstddef>
#include <span>

#include "engine/messages/command.h"
#include "journal/record.h"

namespace replay {

static_assert(sizeof(engine::Command) == sizeof(journal::Row));
static_assert(alignof(engine::Command) == alignof(journal::Row));
static_assert(offsetof(engine::Command, sequence) == offsetof(journal::Row, sequence));
static_assert(offsetof(engine::Command, timestamp) == offsetof(journal::Row, timestamp));

inline engine::Command ToCommand(const journal::Row& row) {
  return std::bit_cast<engine::Command>(row);
}

inline journal::Row ToRow(const engine::Command& command) {
  return std::bit_cast<journal::Row>(command);
}

// Changes the command that the row holds.
template <typename Edit>
void EditCommand(journal::Row& row, Edit edit) {
  engine::Command command = ToCommand(row);
  edit(command);
  row = ToRow(command);
}

// View rows as commands, and commands as rows, in place, without a copy.
inline const engine::Command& AsCommand(const journal::Row& row) {
  return reinterpret_cast<const engine::Command&>(row);
}
inline const journal::Row& AsRow(const engine::Command& command) {
  return reinterpret_cast<const journal::Row&>(command);
}
inline std::span<const engine::Command> AsCommands(std::span<const journal::Row> rows) {
  return {reinterpret_cast<const engine::Command*>(rows.data()), rows.size()};
}
inline std::span<const journal::Row> AsRows(std::span<const engine::Command> commands) {
  return {reinterpret_cast<const journal::Row*>(commands.data()), commands.size()};
}

}  // namespace replay

#endif  // REPLAY_COMMAND_ROW_H_
