// Creates slices of a journal as journals: shared by `cut` and `split`.
//
//   JOURNAL ─► engine ─► events ─┬─► slicer ─► OUTPUT of one market
//      from a snapshot,          ├─► slicer ─► OUTPUT of another
//      or the first record       └─► ...       the journal is read and matched only once

#ifndef TOOLS_CLI_SLICE_SLICING_H_
#define TOOLS_CLI_SLICE_SLICING_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "replay/slice/log_slice.h"
#include "replay/slice/state_parts.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/where.h"

namespace tools {

struct SliceRequest {
  std::string output;
  SequenceRange range;
  replay::Interest interest;
  std::string where = {};     // Expression; empty: all commands.
  std::string map_path = {};  // Receives a line "whole,slice" per command; empty: none.
};

struct SliceResult {
  replay::SliceReport slice;
  journal::Checkpoint last;  // Of the new journal, with all digests.

  // Below a line that names the slice.
  void AddRows(Report& report, const SliceRequest& request) const;
  void AddFields(JsonObject& json, const SliceRequest& request) const;
};

// Creates one journal per request; all requests have the same range. Errors: ALREADY_EXISTS;
// FAILED_PRECONDITION (the journal does not begin with record 1, and has no snapshot before the
// range); INVALID_ARGUMENT (the expression); the storage's.
absl::StatusOr<std::vector<SliceResult>> MakeSlices(const OpenedJournal& opened,
                                                    const std::vector<SliceRequest>& requests,
                                                    const std::string& created_by,
                                                    Console& console);

// Adds the markets that are defined up to `last`.
absl::Status FollowMarketsTo(const OpenedJournal& opened, engine::SequenceNumber last,
                             Console& console, MarketFollower& markets);

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_SLICING_H_
