#include "replay/driver.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"

namespace replay {
void Driver::ResumeAt(const journal::Checkpoint& at, uint64_t output_count) {
  CHECK_EQ(last_applied_, engine::SequenceNumber());
  CHECK(takes_digests_);
  CHECK(journal::EndsRun(at.sequence) && at.trace.has_value() && at.state.has_value())
      << at.sequence;
  last_applied_ = at.sequence;
  trace_.Resume(*at.trace);
  state_at_checkpoint_ = at.state;
  outputs_before_ = output_count;
}

std::span<const Output> Driver::Apply(const journal::Record& record) {
  CHECK_EQ(record.sequence(), last_applied_.Next());
  const std::span<const Output> outputs = machine_.Apply(ApplyKey(), record);
  last_applied_ = record.sequence();
  if (takes_digests_) {
    memory_.Add(outputs);
    if (journal::EndsRun(last_applied_)) EndRun();
  }
  return outputs;
}

void Driver::ApplyInParts(const journal::Record& record, Part part) {
  const auto take = [&](std::span<const Output> outputs) {
    AddPart(outputs);
    part(record, outputs);
  };
  const TracedOutputMemory::Taking taking(memory_, take);
  part(record, Apply(record));
}

void Driver::EndRun() {
  state_at_checkpoint_ = machine_.StateDigest();
  memory_.Digest();
  trace_.EndRun(*state_at_checkpoint_);
}

size_t Driver::ApplyEach(const journal::Batch& batch, engine::SequenceNumber last,
                         absl::FunctionRef<bool(const journal::Record&)> apply) {
  std::span<const journal::AttachmentView> attachments = batch.attachments;
  size_t i = 0;
  while (i < batch.rows.size() && last_applied_ < last) {
    if (i % kPrefetchBatch == 0) machine_.Prefetch(batch.rows.subspan(i));
    const journal::Row& row = batch.rows[i++];
    if (!apply({.row = &row, .attachment = journal::TakeAttachment(attachments, row.sequence)})) {
      break;
    }
  }
  return i;
}

size_t Driver::ApplyBatch(const journal::Batch& batch, engine::SequenceNumber last, Seen seen) {
  return ApplyEach(batch, last,
                   [&](const journal::Record& record) { return seen(record, Apply(record)); });
}

size_t Driver::ApplyBatchInParts(const journal::Batch& batch, engine::SequenceNumber last,
                                 Part part) {
  return ApplyEach(batch, last, [&](const journal::Record& record) {
    ApplyInParts(record, part);
    return true;
  });
}

size_t Driver::ApplyBatch(const journal::Batch& batch, engine::SequenceNumber last) {
  if (last <= last_applied_) return 0;
  if (!takes_digests_) return ApplyBatchInParts(batch, last, [](const journal::Record&, auto) {});
  const auto take = [this](std::span<const Output> outputs) { AddPart(outputs); };
  const TracedOutputMemory::Taking taking(memory_, take);
  const size_t end = std::min<uint64_t>(batch.rows.size(), last - last_applied_);
  auto attachment = batch.attachments.begin();
  for (size_t i = 0; i < end;) {
    const std::span<const journal::Row> rows = batch.rows.subspan(i);
    CHECK_EQ(rows.front().sequence, last_applied_.Next());
    // The count stops at the end of the digest run or before the next attachment.
    size_t count = std::min<uint64_t>(end - i, journal::LeftOfRun(last_applied_.Next()));
    if (attachment != batch.attachments.end()) {
      count = std::min<uint64_t>(count, attachment->sequence - rows.front().sequence);
    }
    if (count == 0) {
      Apply({.row = &rows.front(), .attachment = (attachment++)->bytes});
      ++i;
      continue;
    }
    machine_.ApplyRun(ApplyKey(), rows, count, memory_);
    last_applied_ = rows[count - 1].sequence;
    if (journal::EndsRun(last_applied_)) EndRun();
    i += count;
  }
  return end;
}

absl::Status Driver::Run(journal::Reader& reader, engine::SequenceNumber last, Seen seen) {
  bool goes_on = true;
  while (goes_on && last_applied_ < last) {
    ASSIGN_OR_RETURN(const journal::Batch batch, reader.NextBatch());
    if (batch.empty()) break;
    const size_t applied = ApplyBatch(
        batch, last, [&](const journal::Record& record, std::span<const Output> outputs) {
          return goes_on = seen(record, outputs);
        });
    reader.GiveBack(batch.rows.size() - applied);
  }
  return absl::OkStatus();
}

absl::Status Driver::RunInParts(journal::Reader& reader, engine::SequenceNumber last, Part part) {
  while (last_applied_ < last) {
    ASSIGN_OR_RETURN(const journal::Batch batch, reader.NextBatch());
    if (batch.empty()) break;
    reader.GiveBack(batch.rows.size() - ApplyBatchInParts(batch, last, part));
  }
  return absl::OkStatus();
}

bool Driver::at_checkpoint() const {
  return last_applied_ != engine::SequenceNumber() && journal::EndsRun(last_applied_);
}

journal::Checkpoint Driver::Checkpoint() const {
  CHECK(takes_digests_);
  if (journal::EndsRun(last_applied_)) {
    return {.sequence = last_applied_,
            .log = std::nullopt,
            .trace = trace_.chain(),
            .state = state_at_checkpoint_};
  }
  memory_.Digest();
  const engine::Digest state = machine_.StateDigest();
  return {
      .sequence = last_applied_, .log = std::nullopt, .trace = trace_.Value(state), .state = state};
}

}  // namespace replay
