// A piece of a journal: its records as they are, numbers included, and the checkpoints that fall
// within it. Pieces of one journal, put one behind the other, are that journal again.
//
// A piece that begins after record 1 is what a pruned journal is: it is read, verified and merged,
// and no engine can be driven from it.

#ifndef TOOLS_CLI_SLICE_PIECE_H_
#define TOOLS_CLI_SLICE_PIECE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/read/selector.h"

namespace tools {

// A regular value type.
struct Piece {
  std::string path;
  SequenceRange range;
  uint64_t bytes = 0;
  std::optional<engine::Digest> log_digest;  // Where it begins with record 1.
};

// Writes the records of `range` from journals that hold one part each of one journal, in order,
// without a gap. Errors: ALREADY_EXISTS; FAILED_PRECONDITION (a gap, an overlap, another journal);
// the storage's.
absl::StatusOr<Piece> WritePiece(std::span<const OpenedJournal> parts, const SequenceRange& range,
                                 const std::string& path, Console& console);

// Below a line that names it.
void PrintPiece(Console& console, const Piece& piece);
void AddPiece(JsonObject& json, const Piece& piece);

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_PIECE_H_
