// A piece of a journal: its records unchanged, with their numbers, and the checkpoints within it.
// The pieces of a journal, concatenated, are that journal again.
//
// A piece that begins after record 1 is like a pruned journal: it can be read, verified and merged,
// but no engine can be driven from it.

#ifndef TOOLS_CLI_SLICE_PIECE_H_
#define TOOLS_CLI_SLICE_PIECE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/selector.h"

namespace tools {

// A regular value type.
struct Piece {
  std::string path;
  SequenceRange range;
  uint64_t bytes = 0;
  std::optional<engine::Digest> log_digest;  // If it begins with record 1.

  void AddRows(Report& report) const;  // Below a line that names the piece.
  void AddFields(JsonObject& json) const;
};

// Writes the records of `range` from `parts`: journals that hold consecutive parts of one journal,
// without gaps. Errors: ALREADY_EXISTS; FAILED_PRECONDITION (a gap, an overlap, another journal);
// the storage's.
absl::StatusOr<Piece> WritePiece(std::span<const OpenedJournal> parts, const SequenceRange& range,
                                 const std::string& path, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_PIECE_H_
