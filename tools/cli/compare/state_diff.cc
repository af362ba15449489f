#include "tools/cli/compare/state_diff.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/prefix_digests.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "replay/engines.h"
#include "replay/snapshot/snapshot_entities.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"

namespace tools {
namespace {

struct State {
  std::string name;
  engine::SequenceNumber sequence;
  std::string digest;
  std::string from;  // "the snapshot at @4096"
  replay::SnapshotEntities entities;
};

// Returns the length of JOURNAL in JOURNAL@POSITION; npos if `word` does not have this form.
size_t EndOfJournal(const std::string& word) {
  const size_t at = word.find_last_of('@');
  if (at == std::string::npos || !std::filesystem::is_directory(word.substr(0, at))) {
    return std::string::npos;
  }
  return at;
}

absl::StatusOr<State> OpenFile(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  ASSIGN_OR_RETURN(const auto directory,
                   journal::OpenPosixDirectory(folder, journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const auto reader,
                   replay::SnapshotFileReader::Open(*directory, file.filename().string()));
  State state{.name = path,
              .sequence = reader->header().sequence,
              .digest = reader->header().state.ToString(),
              .from = "the file",
              .entities = {}};
  ASSIGN_OR_RETURN(state.entities, replay::ReadEntities(*reader));
  return state;
}

absl::StatusOr<State> OpenPlace(const std::string& word, size_t at, Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(word.substr(0, at)));
  RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
  ASSIGN_OR_RETURN(const engine::SequenceNumber sequence,
                   ResolvePosition(word.substr(at), *opened.reader));
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(opened.directory->path()));
  journal::PrefixDigests digests(*opened.directory);
  ASSIGN_OR_RETURN(const replay::StartingPoint start,
                   replay::OpenState(snapshots.get(), digests, *opened.reader, sequence,
                                     [] { return replay::MakeEngine(replay::EngineKind::kFast); }));
  for (const std::string& warning : start.warnings) console.Note("warning: ", warning);
  State state{.name = word,
              .sequence = sequence,
              .digest = start.machine->StateDigest().ToString(),
              .from = start.snapshot.has_value()
                          ? absl::StrCat("the snapshot at @", start.last_applied().value())
                          : std::string("the first record"),
              .entities = {}};
  RETURN_IF_ERROR(start.machine->Save(
      [&state](engine::Bytes part) { return replay::AddEntities(part, state.entities); }));
  return state;
}

absl::StatusOr<State> Open(const std::string& word, Console& console) {
  const size_t at = EndOfJournal(word);
  if (at != std::string::npos) return OpenPlace(word, at, console);
  if (std::filesystem::is_directory(word)) {
    return absl::InvalidArgumentError(absl::StrCat(
        word, " is a journal, the other a state; expected ", word, "@POSITION or a .snap file"));
  }
  return OpenFile(word);
}

// "3 order, 1 account"
std::string CountByKind(const std::vector<replay::EntityChange>& changes) {
  std::map<std::string, uint64_t> counts;
  for (const auto& change : changes) ++counts[change.entity.substr(0, change.entity.find(' '))];
  return absl::StrJoin(counts, ", ", [](std::string* text, const auto& kind) {
    absl::StrAppend(text, WithCommas(kind.second), " ", kind.first);
  });
}

void AddSide(Report& report, const char* title, const char* name, const State& state) {
  report.Row(title, "after @", state.sequence, ", digest ", state.digest, ", from ", state.from);
  report.BeginObject(name);
  report.Field("name", state.name);
  report.Field("sequence", state.sequence);
  report.Field("state_digest", state.digest);
  report.Field("from", state.from);
  report.Field("entities", state.entities.size());
  report.EndObject();
}

}  // namespace

bool NamesState(const std::string& word) {
  return EndOfJournal(word) != std::string::npos ||
         (absl::EndsWith(word, ".snap") && !std::filesystem::is_directory(word));
}

absl::StatusOr<ExitCode> DiffStates(const std::string& a, const std::string& b, size_t shown_max,
                                    Console& console) {
  ASSIGN_OR_RETURN(const State state_a, Open(a, console));
  ASSIGN_OR_RETURN(const State state_b, Open(b, console));
  const std::vector<replay::EntityChange> changes =
      replay::CompareEntities(state_a.entities, state_b.entities);
  Report report("ticktape.diff/1");
  report.Field("what", "states");
  report.Field("equal", changes.empty());
  report.Line(EqualOrDifferent(changes.empty()), "  ", a, "  ", b);
  AddSide(report, "A", "a", state_a);
  AddSide(report, "B", "b", state_b);
  report.Row("compared", Counted(state_a.entities.size(), "entity"), " and ",
             WithCommas(state_b.entities.size()), ", in raw units");
  if (!changes.empty()) report.Row("differ", CountByKind(changes));
  size_t shown = 0;
  report.Objects("differences", changes, [&](const replay::EntityChange& change) {
    report.Field("entity", change.entity);
    report.Field("a", change.before);
    report.Field("b", change.after);
    if (shown++ >= shown_max) return;
    for (const auto& [sign, text, style] : {std::tuple("- ", &change.before, Style::kRed),
                                            std::tuple("+ ", &change.after, Style::kGreen)}) {
      if (text->has_value()) {
        report.Line(Styled(style, ConsoleText::Of(sign, change.entity, "  ", **text)));
      }
    }
  });
  if (changes.size() > shown_max) {
    report.Line("... and ", WithCommas(changes.size() - shown_max),
                " more (--max, or --json for all)");
  }
  report.PrintTo(console);
  return changes.empty() ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace tools
