#include "journal/format/beginning.h"

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/format/control_file.h"

namespace journal {
namespace {

constexpr char kTitle[] = "ticktape beginning 1";

}  // namespace

absl::StatusOr<Beginning> ReadBeginning(const Directory& directory) {
  ASSIGN_OR_RETURN(const ControlFile file, ReadControlFile(directory, kBeginningFileName, kTitle));
  Beginning beginning;
  ASSIGN_OR_RETURN(beginning.journal_uuid, file.GetUuid("journal"));
  ASSIGN_OR_RETURN(beginning.segment_index, file.GetNumber("segment"));
  ASSIGN_OR_RETURN(const uint64_t sequence, file.GetNumber("sequence"));
  beginning.first_sequence = engine::SequenceNumber(sequence);
  ASSIGN_OR_RETURN(beginning.reason, file.Get("reason"));
  return beginning;
}

absl::Status WriteBeginning(Directory& directory, const Beginning& beginning) {
  ControlFile file(kTitle);
  file.Set("journal", beginning.journal_uuid.ToString());
  file.Set("segment", absl::StrCat(beginning.segment_index));
  file.Set("sequence", absl::StrCat(beginning.first_sequence.value()));
  file.Set("reason", beginning.reason);
  return WriteControlFile(directory, kBeginningFileName, file);
}

}  // namespace journal
