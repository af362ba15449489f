// Two engines on one journal, and the report of where they diverge, for people and as JSON: for
// diff, bisect and minimize.

#ifndef TOOLS_CLI_COMPARE_COMPARED_ENGINES_H_
#define TOOLS_CLI_COMPARE_COMPARED_ENGINES_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "replay/compare/explanation.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/snapshot_states.h"
#include "replay/compare/subject.h"
#include "replay/output.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/base/subject_option.h"

namespace tools {

// Not thread-safe: owned by the verb.
struct ComparedEngines {
  // Opens the journal and its snapshots, if it has any that can be opened. Errors: as
  // OpenJournal(); UNIMPLEMENTED if earlier records were deleted.
  absl::Status OpenJournalAt(const std::string& path);
  // Errors: as ApplicationOf() and OpenSubject().
  absl::Status OpenBoth(Isolation isolation_of_b = Isolation::kNone);
  absl::StatusOr<std::unique_ptr<replay::Subject>> OpenEngine(
      const std::string& engine, Isolation isolation = Isolation::kNone) const;

  // "8,192 commands put to the engines again, from the state at @20,480"
  std::string ReplayedText() const;
  // Adds a row if commands were replayed, and notes about the snapshots that were skipped.
  void AddReplayed(Report& report) const;

  std::string engine_a = {};  // As on the command line.
  std::string engine_b = {};

  OpenedJournal opened = {};
  std::unique_ptr<journal::Directory> snapshots = nullptr;  // Null: none.
  std::unique_ptr<replay::SnapshotStates> states = nullptr;
  std::unique_ptr<replay::Subject> a = nullptr;
  std::unique_ptr<replay::Subject> b = nullptr;
};

// All references outlive it.
struct DescribedDivergence {
  // Finds the reasons and the words. Errors: the journal's and the engines'.
  static absl::StatusOr<DescribedDivergence> Make(const ComparedEngines& engines,
                                                  const replay::Divergence& divergence);

  const ComparedEngines& engines;
  const replay::Divergence& divergence;
  std::unique_ptr<replay::Vocabulary> vocabulary;
  bool is_of_exchange = true;
  replay::Explanation explanation;  // Of the exchange only.

  // One line, in the words of the application.
  std::string Text(const journal::Record& record) const;
  std::string Text(const replay::Output& output) const;

  void AddRows(Report& report) const;
  // Into the open object.
  void AddFields(JsonObject& json) const;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_COMPARED_ENGINES_H_
