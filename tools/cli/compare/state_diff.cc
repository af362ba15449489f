#include "tools/cli/compare/state_diff.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
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
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/snapshot/snapshot_entities.h"
#include "tools/cli/snapshot/snapshot_folder.h"

namespace tools {
namespace {

struct State {
  std::string name;
  engine::SequenceNumber sequence;
  std::string digest;
  std::string from;  // "the snapshot at @4096"
  SnapshotEntities entities;
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
  ASSIGN_OR_RETURN(state.entities, ReadEntities(*reader));
  return state;
}

absl::StatusOr<State> OpenPlace(const std::string& word, size_t at, Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(word.substr(0, at)));
  ASSIGN_OR_RETURN(const Position position, ParsePosition(word.substr(at)));
  ASSIGN_OR_RETURN(const engine::SequenceNumber sequence, Resolve(position, *opened.reader));
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
      [&state](engine::Bytes part) { return AddEntities(part, state.entities); }));
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

// A null pointer: that state has no such entity.
struct Change {
  std::string entity;
  const std::string* a = nullptr;
  const std::string* b = nullptr;
};

std::vector<Change> Compare(const SnapshotEntities& a, const SnapshotEntities& b) {
  std::vector<Change> changes;
  for (const auto& [key, text] : a) {
    const auto other = b.find(key);
    const std::string* const in_b = other == b.end() ? nullptr : &other->second;
    if (in_b == nullptr || *in_b != text) changes.push_back({key, &text, in_b});
  }
  for (const auto& [key, text] : b) {
    if (!a.contains(key)) changes.push_back({key, nullptr, &text});
  }
  return changes;
}

// "3 order, 1 account"
std::string CountByKind(const std::vector<Change>& changes) {
  std::map<std::string, uint64_t> counts;
  for (const Change& change : changes) ++counts[change.entity.substr(0, change.entity.find(' '))];
  return absl::StrJoin(counts, ", ", [](std::string* text, const auto& kind) {
    absl::StrAppend(text, WithCommas(kind.second), " ", kind.first);
  });
}

void WriteSide(JsonObject& json, const char* name, const State& state) {
  json.BeginObject(name);
  json.Field("name", state.name);
  json.Field("sequence", state.sequence.value());
  json.Field("state_digest", state.digest);
  json.Field("from", state.from);
  json.Field("entities", state.entities.size());
  json.EndObject();
}

void PrintJson(Console& console, const State& a, const State& b,
               const std::vector<Change>& changes) {
  JsonObject json("ticktape.diff/1");
  json.Field("what", "states");
  json.Field("equal", changes.empty());
  WriteSide(json, "a", a);
  WriteSide(json, "b", b);
  json.BeginArray("differences");
  for (const Change& change : changes) {
    json.BeginElement();
    json.Field("entity", change.entity);
    if (change.a != nullptr) json.Field("a", *change.a);
    if (change.b != nullptr) json.Field("b", *change.b);
    json.EndElement();
  }
  json.EndArray();
  console.PrintLine(json.Take());
}

void Print(Console& console, const State& a, const State& b, const std::vector<Change>& changes,
           size_t shown_max) {
  console.PrintLine(changes.empty() ? console.Styled(Style::kGreen, "EQUAL")
                                    : console.Styled(Style::kRed, "DIFFERENT"),
                    "  ", a.name, "  ", b.name);
  for (const State* state : {&a, &b}) {
    PrintRow(console, state == &a ? "A" : "B",
             absl::StrCat("after @", state->sequence.value(), ", digest ", state->digest, ", from ",
                          state->from));
  }
  PrintRow(console, "compared",
           absl::StrCat(WithCommas(a.entities.size()), " entities and ",
                        WithCommas(b.entities.size()), ", in raw units"));
  if (changes.empty()) return;
  PrintRow(console, "differ", CountByKind(changes));
  for (size_t i = 0; i < changes.size() && i < shown_max; ++i) {
    const Change& change = changes[i];
    if (change.a != nullptr) {
      console.PrintLine(
          console.Styled(Style::kRed, absl::StrCat("- ", change.entity, "  ", *change.a)));
    }
    if (change.b != nullptr) {
      console.PrintLine(
          console.Styled(Style::kGreen, absl::StrCat("+ ", change.entity, "  ", *change.b)));
    }
  }
  if (changes.size() > shown_max) {
    console.PrintLine("... and ", WithCommas(changes.size() - shown_max),
                      " more (--max, or --json for all)");
  }
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
  const std::vector<Change> changes = Compare(state_a.entities, state_b.entities);
  if (console.json()) {
    PrintJson(console, state_a, state_b, changes);
  } else {
    Print(console, state_a, state_b, changes, shown_max);
  }
  return changes.empty() ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace tools
