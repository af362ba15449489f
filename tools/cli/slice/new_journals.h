// Makes journals of journals.
//
// A piece has records unchanged, with their numbers, and the checkpoints within it. The pieces of a
// journal, concatenated, are that journal again. A piece that begins after record 1 is like a
// pruned journal: it can be read, verified and merged, but no engine can be driven from it.
//
// A slice stands by itself:
//
//   JOURNAL ─► engine ─► events ─► slicer ─► OUTPUT
//      from a snapshot, or the first record
//
// The slices of all markets are written one after the other, so that memory and open files do not
// grow with their number. The journal is read and matched only once, into a spool (market_spool.h):
//
//   JOURNAL ─► engine ─► events ─► spool ─┬─► slicer ─► OUTPUT of one market
//                                         └─► slicer ─► OUTPUT of the next one
//
// Each command of a new journal is matched as it is appended (base/machine_journal.h).

#ifndef TOOLS_CLI_SLICE_NEW_JOURNALS_H_
#define TOOLS_CLI_SLICE_NEW_JOURNALS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "journal/digest_sidecar.h"
#include "replay/exchange_machine.h"
#include "replay/slice/log_slice.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/machine_journal.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/selector.h"
#include "tools/os/output.h"

namespace tools {

// Not thread-safe: owned by the verb. Deleted unless finished.
class JournalOutput {
 public:
  // Equal `origin` gives an equal journal: its UUID is derived from that text. The file `map_path`
  // receives `map_header` and the lines of AddToMap(); there is none if the path is empty. Errors:
  // ALREADY_EXISTS, the storage's.
  static absl::StatusOr<std::unique_ptr<JournalOutput>> Create(const std::string& path,
                                                               const std::string& created_by,
                                                               const std::string& time_zone,
                                                               absl::string_view origin,
                                                               const std::string& map_path = "",
                                                               absl::string_view map_header = "");

  // Appends the next command and sets its sequence number. The events are valid until the next
  // call. Errors: the storage's; INVALID_ARGUMENT if its time is before the previous command's.
  absl::StatusOr<std::span<const engine::Event>> Append(const engine::Command& command,
                                                        engine::Bytes attachment);

  engine::SequenceNumber last_sequence() const { return journal_->last_sequence(); }

  void AddToMap(absl::string_view line) {
    if (map_ != nullptr) map_->Write(line);
  }

  // Seals the journal, finishes the map, and renames the journal to its final path. Returns the
  // digests of the whole journal.
  absl::StatusOr<journal::Checkpoint> Finish();

 private:
  JournalOutput() = default;

  replay::ExchangeMachine machine_;
  std::unique_ptr<MachineJournal> journal_;
  std::unique_ptr<Output> map_;
};

// A piece: what is requested, then what it has. A regular value type.
struct Piece {
  std::string path;
  SequenceRange range;

  uint64_t bytes = 0;
  std::optional<engine::Digest> log_digest = {};  // If it begins with record 1.

  void AddTo(Report& report) const;  // Below a line that names the piece.
};

// Writes the records of `piece` from `parts`: journals that hold consecutive parts of one journal,
// without gaps. REQUIRES: they have one UUID. Errors: ALREADY_EXISTS; INVALID_ARGUMENT (a gap, an
// overlap); the storage's.
absl::Status WritePiece(std::span<const OpenedJournal> parts, Piece& piece, Console& console);

// A slice of a journal: what is requested, then the result.
struct Slice {
  std::string output;
  SequenceRange range;
  replay::Interest interest;
  std::string where = {};     // Expression; empty: all commands.
  std::string map_path = {};  // Receives a line "whole,slice" per command; empty: none.

  replay::SliceReport report = {};
  journal::Checkpoint last = {};  // Of the new journal, with all digests.

  void AddTo(Report& report) const;  // Below a line that names the slice.
};

// Creates the slice's journal. Errors: ALREADY_EXISTS; FAILED_PRECONDITION (the journal does not
// begin with record 1, and has no snapshot before the range); INVALID_ARGUMENT (the expression);
// the storage's.
absl::Status MakeSlice(const OpenedJournal& opened, Slice& slice, const std::string& created_by,
                       Console& console);

// Creates one journal per slice. REQUIRES: the slices have one range, no expression and no map, and
// each is of one of `markets`. A file without a name is in `folder` meanwhile. Errors: as
// MakeSlice().
absl::Status MakeMarketSlices(const OpenedJournal& opened, const engine::MarketDirectory& markets,
                              std::span<Slice> slices, journal::Directory& folder,
                              const std::string& created_by, Console& console);

// Returns the markets that are defined up to `last`. Errors: the reader's; FAILED_PRECONDITION (the
// journal does not begin with record 1, and has no snapshot).
absl::StatusOr<engine::MarketDirectory> MarketsUpTo(engine::SequenceNumber last,
                                                    const OpenedJournal& opened, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_NEW_JOURNALS_H_
