#include "journal/holds.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "journal/format/beginning.h"
#include "journal/format/control_file.h"
#include "journal/format/format.h"

namespace journal {
namespace {

constexpr char kTitle[] = "ticktape hold 1";
constexpr absl::string_view kSuffix = ".hold";

absl::StatusOr<Hold> ReadHold(const Directory& directory, absl::string_view name) {
  ASSIGN_OR_RETURN(const ControlFile file,
                   ReadControlFile(directory, absl::StrCat(name, kSuffix), kTitle));
  Hold hold{.name = std::string(name)};
  ASSIGN_OR_RETURN(const uint64_t sequence, file.GetNumber("sequence"));
  hold.sequence = engine::SequenceNumber(sequence);
  ASSIGN_OR_RETURN(const std::string created, file.Get("created"));
  ASSIGN_OR_RETURN(hold.created, engine::Timestamp::Parse(created));
  ASSIGN_OR_RETURN(hold.note, file.Get("note"));
  return hold;
}

// Checks that the record exists, or will, and is not about to be deleted.
absl::Status CheckIsKept(const Directory& directory, engine::SequenceNumber sequence) {
  const absl::StatusOr<Beginning> beginning = ReadBeginning(directory);
  ASSIGN_OR_RETURN(const std::vector<uint64_t> segments, ListSegments(directory));
  auto first = engine::SequenceNumber();  // Unknown: every record may be held.
  if (beginning.ok()) {
    first = beginning->first_sequence;
  } else if (!segments.empty() && segments.front() == 0) {
    first = engine::SequenceNumber::First();
  }
  if (first <= sequence) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat(directory.path(), ": record ", sequence.value(),
                                            " cannot be held: the journal begins at ",
                                            first.value()));
}
}  // namespace

absl::Status CheckHoldName(absl::string_view name) {
  const bool is_word =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == absl::string_view::npos;
  if (is_word && !name.empty() && name.size() <= 64) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("a hold cannot be named '", name,
                                                 "'; expected 1 to 64 of a-z, 0-9, '-' and '_'"));
}

absl::StatusOr<std::vector<Hold>> ListHolds(const Directory& directory) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, directory.List());
  std::vector<Hold> holds;
  for (const std::string& file_name : names) {
    absl::string_view name = file_name;
    if (!absl::ConsumeSuffix(&name, kSuffix)) continue;
    absl::StatusOr<Hold> hold = ReadHold(directory, name);
    if (absl::IsNotFound(hold.status())) continue;  // Removed since List().
    if (!hold.ok()) {
      hold = Hold{.name = std::string(name), .damage = std::string(hold.status().message())};
    }
    holds.push_back(*std::move(hold));
  }
  return holds;
}

absl::Status AddHold(Directory& directory, const Hold& hold) {
  RETURN_IF_ERROR(CheckHoldName(hold.name));
  RETURN_IF_ERROR(CheckIsKept(directory, hold.sequence));
  ControlFile file(kTitle);
  file.Set("sequence", absl::StrCat(hold.sequence.value()));
  file.Set("created", hold.created.ToString());
  file.Set("note", hold.note);
  RETURN_IF_ERROR(WriteControlFile(directory, absl::StrCat(hold.name, kSuffix), file));
  const absl::Status kept = CheckIsKept(directory, hold.sequence);
  if (!kept.ok()) RETURN_IF_ERROR(RemoveHold(directory, hold.name));
  return kept;
}

absl::Status RemoveHold(Directory& directory, absl::string_view name) {
  RETURN_IF_ERROR(CheckHoldName(name));
  RETURN_IF_ERROR(directory.Remove(absl::StrCat(name, kSuffix)));
  return directory.Sync();
}

}  // namespace journal
