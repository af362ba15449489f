#include "tools/cli/record/record_request.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"

namespace tools {

Recording::Options RecordRequest::From(absl::string_view source_name) const {
  return recording.Get(absl::StrCat("ticktape record --from ", source_name));
}

Report RecordRequest::BeginReport(const std::string& source_name) const {
  Report report("ticktape.record/1");
  report.Line(Styled(Style::kBold, path()), ", recorded from ", source_name);
  report.Field("path", path());
  return report;
}

absl::StatusOr<ExitCode> RecordRequest::CheckStrict(uint64_t rejected,
                                                    uint64_t lines_refused) const {
  if (!strict || rejected + lines_refused == 0) return ExitCode::kOk;
  return absl::DataLossError(absl::StrCat("--strict: ", Counted(rejected, "command"),
                                          " rejected and ", Counted(lines_refused, "line"),
                                          " refused; the journal is kept in ", path()));
}

absl::Status RecordRequest::Malformed(absl::string_view message, const Recorded& recorded,
                                      absl::string_view from) const {
  if (recorded.last.sequence.value() == 0) {
    std::error_code ignored;  // An empty journal that cannot be removed harms none.
    std::filesystem::remove_all(path(), ignored);
    return NothingRecorded(message, path());
  }
  return absl::DataLossError(absl::StrCat(message, "\nThe ",
                                          Counted(recorded.last.sequence.value(), "command"), from,
                                          " before it are kept in ", path()));
}

absl::Status RecordRequest::Damaged(const Input& input, const Recorded& recorded) const {
  return Malformed(absl::StrCat(input.name(), ": ", recorded.damage.message()), recorded, "");
}

}  // namespace tools
