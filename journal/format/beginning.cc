#include "journal/format/beginning.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/format/control_file.h"

namespace journal {
namespace {

constexpr char kTitle[] = "ticktape beginning 1";

absl::StatusOr<Uuid> ParseUuid(const std::string& text) {
  const bool is_hex = text.find_first_not_of("0123456789abcdef") == std::string::npos;
  Uuid uuid;
  if (!is_hex || text.size() != 2 * uuid.bytes.size()) {
    return absl::DataLossError(absl::StrCat("its journal is not a UUID but '", text, "'"));
  }
  const std::string bytes = absl::HexStringToBytes(text);
  for (size_t i = 0; i < uuid.bytes.size(); ++i) uuid.bytes[i] = static_cast<std::byte>(bytes[i]);
  return uuid;
}

}  // namespace

absl::StatusOr<Beginning> ReadBeginning(const Directory& directory) {
  ASSIGN_OR_RETURN(const ControlFile file, ReadControlFile(directory, kBeginningFileName, kTitle));
  Beginning beginning;
  ASSIGN_OR_RETURN(const std::string uuid, file.Get("journal"));
  ASSIGN_OR_RETURN(beginning.journal_uuid, ParseUuid(uuid));
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
