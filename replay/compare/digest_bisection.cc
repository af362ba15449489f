#include "replay/compare/digest_bisection.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/log_digest.h"
#include "journal/prefix_digests.h"
#include "journal/uuid.h"
#include "replay/compare/event_stream.h"
#include "replay/trace_digest.h"

namespace replay {
namespace {

using engine::SequenceNumber;
using journal::Checkpoint;

constexpr char kStatesName[] = "states";
constexpr size_t kStatesBytesMax = size_t{64} << 20;

// The cache's folder for one log and build.
class CacheFolder {
 public:
  CacheFolder(const DigestBisectionOptions& options, const engine::Digest& log,
              const SubjectIdentity& identity)
      : options_(options) {
    const std::string build =
        absl::StrCat(identity.name, "\n", identity.build_id, "\n", identity.semantics_version);
    const engine::Digest digest = engine::DigestOf(engine::AsBytes(build));
    name_ = absl::StrCat(log.ToString(), "-", digest.ToString());
    uuid_ = journal::Uuid::FromWords(log.low, digest.low);
  }

  // Returns the trace of the log that ends with record `last`; empty if it is not cached.
  std::vector<Checkpoint> Trace(SequenceNumber last) const {
    if (options_.open_cache == nullptr) return {};
    const auto folder = options_.open_cache(name_, /*make_new=*/false);
    if (!folder.ok()) return {};
    return journal::ReadSidecar(**folder, uuid_, last).value_or(std::vector<Checkpoint>());
  }

  // Returns the stored states, without those that cannot be read.
  std::vector<SavedState> States() const {
    std::vector<SavedState> states;
    const absl::StatusOr<std::vector<std::byte>> contents = ReadStates();
    if (!contents.ok()) return states;
    engine::Bytes rest = *contents;
    while (rest.size() >= sizeof(uint64_t)) {
      const uint64_t length = engine::LoadLittleEndian<uint64_t>(rest.data());
      rest = rest.subspan(sizeof(uint64_t));
      if (length > rest.size()) break;
      absl::StatusOr<SavedState> state = DecodeState(rest.first(length));
      if (!state.ok()) break;
      states.push_back(*std::move(state));
      rest = rest.subspan(length);
    }
    return states;
  }

  // Stores the trace and some of the states, at most 64 MiB, in place of what the folder has.
  absl::Status Keep(const std::vector<Checkpoint>& trace,
                    const std::vector<const SavedState*>& states) const {
    if (options_.open_cache == nullptr) return absl::OkStatus();
    ASSIGN_OR_RETURN(const auto folder, options_.open_cache(name_, /*make_new=*/true));
    ASSIGN_OR_RETURN(const auto sidecar, journal::SidecarWriter::Create(*folder, uuid_));
    for (const Checkpoint& checkpoint : trace) RETURN_IF_ERROR(sidecar->Append(checkpoint));
    RETURN_IF_ERROR(sidecar->Close());
    return states.empty() ? absl::OkStatus() : KeepStates(*folder, states);
  }

 private:
  static absl::Status KeepStates(journal::Directory& folder,
                                 const std::vector<const SavedState*>& states) {
    size_t size = 0;
    for (const SavedState* state : states) size += state->size();
    ASSIGN_OR_RETURN(const auto file, folder.Create(kStatesName));
    uint64_t end = 0;
    // Evenly spaced states within the size limit, including the newest.
    const size_t stride = size / kStatesBytesMax + 1;
    for (size_t i = (states.size() - 1) % stride; i < states.size(); i += stride) {
      const std::vector<std::byte> bytes = Encode(*states[i]);
      std::byte length[sizeof(uint64_t)];
      engine::StoreLittleEndian(uint64_t{bytes.size()}, length);
      const engine::Bytes parts[] = {length, bytes};
      RETURN_IF_ERROR(file->WriteParts(end, parts));
      end += sizeof(length) + bytes.size();
    }
    return file->Close();
  }

  absl::StatusOr<std::vector<std::byte>> ReadStates() const {
    ASSIGN_OR_RETURN(const auto folder, options_.open_cache(name_, /*make_new=*/false));
    ASSIGN_OR_RETURN(const auto file, folder->OpenForRead(kStatesName));
    ASSIGN_OR_RETURN(const uint64_t size, file->Size());
    std::vector<std::byte> bytes(size);
    ASSIGN_OR_RETURN(const size_t got, file->Read(0, bytes));
    bytes.resize(got);
    return bytes;
  }

  const DigestBisectionOptions& options_;
  std::string name_;
  journal::Uuid uuid_;
};

class Bisector {
 public:
  Bisector(const journal::Directory& directory, journal::Reader& reader, SnapshotStates& states,
           const DigestBisectionOptions& options)
      : directory_(directory),
        reader_(reader),
        last_(reader.info().last_sequence),
        states_(states),
        options_(options) {}

  // Fills `found` as far as it gets. Errors: as BisectByDigests(), and ABORTED.
  absl::Status Run(Subject* a, Subject& b, DigestBisection& found) {
    std::vector<Checkpoint> trace_a;
    if (a == nullptr) {
      auto recorded = journal::ReadSidecar(directory_, reader_.info().uuid, last_);
      if (!recorded.ok()) {
        return absl::FailedPreconditionError(absl::StrCat("the recorded run left no digests (",
                                                          recorded.status().message(),
                                                          "); name an engine: --engine-a fast"));
      }
      trace_a = *std::move(recorded);
      found.traces.push_back({.from = From::kRecording, .digest_count = trace_a.size()});
    }
    ASSIGN_OR_RETURN(log_, LogDigestOf(directory_, reader_));
    if (a != nullptr) {
      ASSIGN_OR_RETURN(trace_a, TraceOf(*a, nullptr, found));
    }
    ASSIGN_OR_RETURN(const std::vector<Checkpoint> trace_b, TraceOf(b, &trace_a, found));
    found.comparison = CompareTraces(trace_a, trace_b);
    if (!found.comparison.comparable || found.comparison.common == 0) {
      return absl::FailedPreconditionError(
          "the digests of the two runs cannot be compared: one was taken without states, or they "
          "have no checkpoint in common; name an engine: --engine-a fast");
    }
    if (!found.comparison.differing.has_value()) return absl::OkStatus();
    // Up to this point both engines were in the recorded states, so they may start from them.
    for (const Checkpoint& checkpoint : trace_b) {
      if (checkpoint.sequence > found.comparison.differing->equal) break;
      if (checkpoint.state.has_value()) states_.Know(checkpoint.sequence, *checkpoint.state);
    }
    return absl::OkStatus();
  }

 private:
  using From = DigestBisection::Trace::From;

  // Returns the trace from the cache, or takes it in one pass, which ends early at a checkpoint
  // that differs from `against`, if that is not null.
  absl::StatusOr<std::vector<Checkpoint>> TraceOf(Subject& subject,
                                                  const std::vector<Checkpoint>* against,
                                                  DigestBisection& found) {
    const std::string& engine = subject.identity().name;
    const CacheFolder cache(options_, log_, subject.identity());
    std::vector<Checkpoint> trace = cache.Trace(last_);
    const auto has_parted = [&] {
      return against != nullptr && CompareTraces(*against, trace).differing.has_value();
    };
    // A trace that ended early is usable as long as it diverges from the same vector.
    const bool is_whole = !trace.empty() && trace.back().sequence == last_;
    if (is_whole || has_parted()) {
      found.traces.push_back(
          {.from = From::kCache, .engine = engine, .digest_count = trace.size()});
      for (SavedState& state : cache.States()) states_.Keep(std::move(state));
      return trace;
    }
    trace.clear();
    std::function<void(SequenceNumber)> progress;
    if (options_.begin_pass) progress = options_.begin_pass();
    bool parted = false;
    const auto seen = [&](const Checkpoint& checkpoint, const journal::Batch&) {
      trace.push_back(checkpoint);
      if (progress) progress(checkpoint.sequence);
      parted = trace.size() % 64 == 0 && has_parted();
      return !parted;
    };
    JournalSource source(reader_);
    RETURN_IF_ERROR(TakeTrace(source, subject, seen, &states_));
    found.traces.push_back({.from = From::kPass,
                            .engine = engine,
                            .digest_count = trace.size(),
                            .parted_at = parted ? trace.back().sequence : SequenceNumber()});
    RETURN_IF_ERROR(cache.Keep(trace, states_.Kept()));
    return trace;
  }

  const journal::Directory& directory_;
  journal::Reader& reader_;
  const SequenceNumber last_;  // Of the journal.
  SnapshotStates& states_;
  const DigestBisectionOptions& options_;
  engine::Digest log_;
};

}  // namespace

TraceComparison CompareTraces(std::span<const journal::Checkpoint> a,
                              std::span<const journal::Checkpoint> b) {
  TraceComparison result;
  std::vector<std::pair<const journal::Checkpoint*, const journal::Checkpoint*>> common;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].sequence < b[j].sequence) {
      ++i;
    } else if (b[j].sequence < a[i].sequence) {
      ++j;
    } else {
      if (a[i].trace && b[j].trace) {
        if (a[i].state.has_value() != b[j].state.has_value()) result.comparable = false;
        common.emplace_back(&a[i], &b[j]);
      }
      ++i;
      ++j;
    }
  }
  result.common = common.size();
  if (common.empty()) return result;
  result.last = common.back().first->sequence;
  // A run that was continued has checkpoints between multiples of 4096, which are not part of a
  // chain. Of these only the last counts: it is the end of both runs.
  const auto differs = [&](const auto& pair) {
    ++result.looked_at;
    return pair.first->trace != pair.second->trace;
  };
  if (!result.comparable || !differs(common.back())) return result;
  const auto first = std::partition_point(common.begin(), common.end() - 1,
                                          [&](const auto& pair) { return !differs(pair); });
  result.differing = DivergingRun{
      .equal = first == common.begin() ? SequenceNumber() : std::prev(first)->first->sequence,
      .differs = first->first->sequence};
  return result;
}

absl::Status TakeTrace(
    LogSource& source, Subject& subject,
    absl::FunctionRef<absl::StatusOr<bool>(const Checkpoint&, const journal::Batch&)> seen,
    SnapshotStates* states) {
  RETURN_IF_ERROR(subject.Reset());
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  engine::Digest chain;
  const SequenceNumber last = source.last();
  SequenceNumber at;
  while (at < last) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) break;
    const journal::Batch part = run.Part(0, last - at);
    ASSIGN_OR_RETURN(const Answer answer, Put(subject, part, {.state = true}));
    chain = TraceDigest::Extended(chain, answer.outputs, answer.state);
    at = answer.last;
    if (states != nullptr) states->Offer(subject, answer);
    const Checkpoint here = {
        .sequence = at, .log = std::nullopt, .trace = chain, .state = answer.state};
    ASSIGN_OR_RETURN(const bool goes_on, seen(here, part));
    if (!goes_on) break;
  }
  return absl::OkStatus();
}

absl::StatusOr<DigestBisection> BisectByDigests(const journal::Directory& directory,
                                                journal::Reader& reader, Subject* a, Subject& b,
                                                SnapshotStates& states,
                                                const DigestBisectionOptions& options) {
  DigestBisection found;
  const absl::Status status = Bisector(directory, reader, states, options).Run(a, b, found);
  found.engine_ended = absl::IsAborted(status);
  if (!status.ok() && !found.engine_ended) return status;
  return found;
}

absl::StatusOr<engine::Digest> LogDigestOf(const journal::Directory& directory,
                                           journal::Reader& reader) {
  const journal::JournalInfo& info = reader.info();
  const SequenceNumber runs_end = journal::CompleteRunsEnd(info.last_sequence);
  SequenceNumber known;
  engine::Digest chain;
  const auto recorded = journal::ReadSidecar(directory, info.uuid, info.last_sequence);
  if (recorded.ok()) {
    journal::PrefixDigests digests(directory);
    for (const Checkpoint& checkpoint : *recorded) {
      if (checkpoint.sequence != runs_end || !checkpoint.log.has_value()) continue;
      if (!digests.Check(runs_end, *checkpoint.log).ok()) continue;
      known = runs_end;
      chain = *checkpoint.log;
    }
  }
  journal::LogDigest digest(known, chain);
  RETURN_IF_ERROR(reader.SeekToSequence(known.Next()));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch batch, reader.NextBatch());
    if (batch.empty()) return digest.Value();
    digest.Add(batch.rows, batch.attachments);
  }
}

}  // namespace replay
