#include "replay/compare/subject.h"

#include <algorithm>

#include "engine/base/status_macros.h"

namespace replay {

size_t SavedState::size() const {
  size_t size = 0;
  for (const std::vector<std::byte>& part : parts) size += part.size();
  return size;
}

absl::StatusOr<Answer> Put(Subject& subject, const journal::Batch& batch, const Ask& ask) {
  RETURN_IF_ERROR(subject.Send(batch, ask));
  return subject.Receive();
}

std::span<const Output> TakeOutputsOf(engine::SequenceNumber record,
                                      std::span<const Output>& outputs) {
  const auto end = std::ranges::upper_bound(outputs, record, {}, &Output::sequence);
  const auto taken = outputs.first(static_cast<size_t>(end - outputs.begin()));
  outputs = outputs.subspan(taken.size());
  return taken;
}

}  // namespace replay
