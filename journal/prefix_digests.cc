#include "journal/prefix_digests.h"

#include <iterator>
#include <optional>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/log_digest.h"
#include "journal/record.h"

namespace journal {
namespace {

using engine::Digest;
using engine::SequenceNumber;

absl::Status OfAnotherLog(SequenceNumber sequence, const Digest& digest, const Digest& known) {
  return absl::FailedPreconditionError(absl::StrCat("of another log: digest ", digest.ToString(),
                                                    " at ", sequence.value(), ", the journal's is ",
                                                    known.ToString()));
}

// Whether the error comes from the journal's content and not from the storage.
bool IsOfTheJournal(const absl::Status& status) {
  return absl::IsDataLoss(status) || absl::IsOutOfRange(status) || absl::IsUnimplemented(status);
}

}  // namespace

absl::Status PrefixDigests::Open() {
  if (reader_ != nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(reader_, Reader::Open(directory_));
  for (const SegmentInfo& segment : reader_->info().segments) {
    if (!segment.log_chain.has_value()) continue;
    known_.emplace(CompleteRunsEnd(segment.first_sequence - 1), *segment.log_chain);
  }
  return absl::OkStatus();
}

absl::Status PrefixDigests::Check(SequenceNumber sequence, const Digest& digest) {
  CHECK_EQ(sequence, CompleteRunsEnd(sequence));
  RETURN_IF_ERROR(Open());
  const auto next = known_.lower_bound(sequence);
  if (next != known_.end() && next->first == sequence) {
    return next->second == digest ? absl::OkStatus() : OfAnotherLog(sequence, digest, next->second);
  }
  // A starting point needs the records after it; a target needs none.
  std::optional<SequenceNumber> from;
  std::optional<SequenceNumber> to;
  if (next != known_.begin() && std::prev(next)->first.Next() >= reader_->info().first_sequence) {
    from = std::prev(next)->first;
  }
  if (next != known_.end()) to = next->first;
  absl::Status status = absl::FailedPreconditionError(
      absl::StrCat("no preamble says the log digest at or near ", sequence.value()));
  const bool is_to_nearer = from.has_value() && to.has_value() && *to - sequence < sequence - *from;
  for (const bool onward : {is_to_nearer, !is_to_nearer}) {
    if (!(onward ? to : from).has_value()) continue;
    status = onward ? CheckOnward(sequence, digest, *to) : CheckForward(*from, sequence, digest);
    // If the records in one direction are damaged, try the other.
    if (!IsOfTheJournal(status)) return status;
  }
  return absl::FailedPreconditionError(
      absl::StrCat("its log digest cannot be compared: ", status.message()));
}

// Returns the chains at the ends of runs from `from`, where it is `chain`, to `to`, both included.
absl::StatusOr<PrefixDigests::Chains> PrefixDigests::Lead(SequenceNumber from, const Digest& chain,
                                                          SequenceNumber to) {
  Chains chains = {{from, chain}};
  LogDigest log(from, chain);
  RETURN_IF_ERROR(reader_->SeekToSequence(from.Next()));
  while (log.last() < to) {
    ASSIGN_OR_RETURN(Batch batch, reader_->NextBatch());
    if (batch.empty()) {
      return absl::DataLossError(absl::StrCat("the journal ends before ", to.value()));
    }
    while (!batch.empty() && log.last() < to) {
      log.AddUpTo(CompleteRunsEnd(log.last()) + kCheckpointInterval, batch);
      if (EndsRun(log.last())) chains.emplace(log.last(), log.chain());
    }
  }
  return chains;
}

absl::Status PrefixDigests::CheckForward(SequenceNumber from, SequenceNumber sequence,
                                         const Digest& digest) {
  ASSIGN_OR_RETURN(Chains chains, Lead(from, known_.at(from), sequence));
  known_.merge(chains);
  const Digest& known = known_.at(sequence);
  return known == digest ? absl::OkStatus() : OfAnotherLog(sequence, digest, known);
}

// A chain covers all records before it: a digest that leads to the known one is right.
absl::Status PrefixDigests::CheckOnward(SequenceNumber sequence, const Digest& digest,
                                        SequenceNumber to) {
  ASSIGN_OR_RETURN(Chains chains, Lead(sequence, digest, to));
  const Digest& led_to = chains.at(to);
  if (led_to == known_.at(to)) {
    known_.merge(chains);
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "of another log: digest ", digest.ToString(), " at ", sequence.value(), " leads to ",
      led_to.ToString(), " at ", to.value(), ", the journal's is ", known_.at(to).ToString()));
}

}  // namespace journal
