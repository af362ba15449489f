#include "replay/subject.h"

#include "engine/base/status_macros.h"

namespace replay {

absl::StatusOr<Answer> Put(Subject& subject, const journal::Batch& batch, const Ask& ask) {
  RETURN_IF_ERROR(subject.Send(batch, ask));
  return subject.Receive();
}

}  // namespace replay
