#include "tools/cli/record/record_request.h"

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

absl::Status RecordRequest::Malformed(const std::string& message, uint64_t count,
                                      const std::string& kept) const {
  return absl::DataLossError(
      count == 0
          ? absl::StrCat(message, "\nNothing came before it; the journal ", path(), " is empty")
          : absl::StrCat(message, "\nThe ", kept, " before it are kept in ", path()));
}

absl::Status RecordRequest::Damaged(const Input& input, const Recorded& recorded) const {
  const uint64_t count = recorded.last.sequence.value();
  return Malformed(absl::StrCat(input.name(), ": ", recorded.damage.message()), count,
                   Counted(count, "command"));
}

}  // namespace tools
