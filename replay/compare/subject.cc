#include "replay/compare/subject.h"

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace replay {

absl::StatusOr<SavedState> Subject::Save() {
  return absl::UnimplementedError(
      absl::StrCat("the engine '", identity().name, "' cannot save its state"));
}

absl::Status Subject::Load(const SavedState&) {
  return absl::UnimplementedError(
      absl::StrCat("the engine '", identity().name, "' cannot continue from a saved state"));
}

absl::StatusOr<Answer> Put(Subject& subject, const journal::Batch& batch, const Ask& ask) {
  RETURN_IF_ERROR(subject.Send(batch, ask));
  return subject.Receive();
}

}  // namespace replay
