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
#include "replay/compare/lock_step.h"
#include "replay/trace_digest.h"

namespace replay {
namespace {

using engine::SequenceNumber;
using journal::Checkpoint;

constexpr char kStatesName[] = "states";
constexpr size_t kStatesBytesMax = size_t{64} << 20;

// In place of the digest of a run in which the engine ended. It differs from every other one.
const engine::Digest& EndMark() {
  static const engine::Digest mark = engine::DigestOf(engine::AsBytes("the engine ended"));
  return mark;
}

bool EndsThere(const Checkpoint& checkpoint) { return checkpoint.trace == EndMark(); }

// Takes the trace of a subject, a run at a time. `subject` outlives it.
class Tracer {
 public:
  explicit Tracer(Subject& subject) : subject_(subject) {}

  // The same as of Subject; the state digest is requested.
  absl::Status Send(const journal::Batch& run) { return subject_.Send(run, {.state = true}); }
  absl::StatusOr<Checkpoint> Receive() {
    ASSIGN_OR_RETURN(answer_, subject_.Receive());
    chain_ = TraceDigest::Extended(chain_, answer_.outputs, answer_.state);
    return Checkpoint{
        .sequence = answer_.last, .log = std::nullopt, .trace = chain_, .state = answer_.state};
  }

  Subject& subject() const { return subject_; }
  // Of the last run received.
  const Answer& answer() const { return answer_; }

 private:
  Subject& subject_;
  Answer answer_;
  engine::Digest chain_;
};

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

// One of the two runs.
struct Side {
  Subject* subject = nullptr;  // Null: the recorded run.
  std::optional<CacheFolder> cache = {};
  std::vector<Checkpoint> trace = {};
  size_t passed = 0;  // Checkpoints that the other run is past; see PartedAt().

  bool is_whole(SequenceNumber last) const {
    return !trace.empty() && (trace.back().sequence == last || EndsThere(trace.back()));
  }
};

// Whether both have a digest after `at`, and they differ. REQUIRES: no earlier call had a later
// one.
bool PartedAt(SequenceNumber at, Side& a, Side& b) {
  const Checkpoint* found[] = {nullptr, nullptr};
  for (size_t i = 0; Side* const side : {&a, &b}) {
    while (side->passed < side->trace.size() && side->trace[side->passed].sequence < at) {
      ++side->passed;
    }
    if (side->passed == side->trace.size()) return false;
    found[i++] = &side->trace[side->passed];
  }
  return found[0]->sequence == at && found[1]->sequence == at && found[0]->trace &&
         found[1]->trace && found[0]->trace != found[1]->trace;
}

class Bisector {
 public:
  Bisector(const journal::Directory& directory, journal::Reader& reader, SnapshotStates& states,
           const DigestBisectionOptions& options)
      : directory_(directory),
        reader_(reader),
        last_(reader.info().last_sequence),
        states_(states),
        options_(options) {}

  // Call it once. Errors: as BisectByDigests().
  absl::StatusOr<DigestBisection> Run(Subject* a, Subject& b) {
    a_.subject = a;
    b_.subject = &b;
    RETURN_IF_ERROR(FindKnown());
    RETURN_IF_ERROR(TakeUnknown());
    found_.comparison = CompareTraces(a_.trace, b_.trace);
    if (!found_.comparison.comparable || found_.comparison.common == 0) {
      return absl::FailedPreconditionError(
          "the digests of the two runs cannot be compared: one was taken without states, or they "
          "have no checkpoint in common; name an engine: --engine-a fast");
    }
    if (found_.comparison.differing.has_value()) {
      RETURN_IF_ERROR(GoTo(found_.comparison.differing->equal));
    }
    RETURN_IF_ERROR(Store());
    return std::move(found_);
  }

 private:
  using From = DigestBisection::Trace::From;

  // Reads the traces of the recording and of the cache, as far as they are of use.
  absl::Status FindKnown() {
    if (a_.subject == nullptr) {
      auto recorded = journal::ReadSidecar(directory_, reader_.info().uuid, last_);
      if (!recorded.ok()) {
        return absl::FailedPreconditionError(absl::StrCat("the recorded run left no digests (",
                                                          recorded.status().message(),
                                                          "); name an engine: --engine-a fast"));
      }
      a_.trace = *std::move(recorded);
      found_.traces.push_back({.from = From::kRecording, .digest_count = a_.trace.size()});
    }
    ASSIGN_OR_RETURN(const engine::Digest log, LogDigestOf(directory_, reader_));
    for (Side* const side : {&a_, &b_}) {
      if (side->subject == nullptr) continue;
      side->cache.emplace(options_, log, side->subject->identity());
      side->trace = side->cache->Trace(last_);
    }
    // A trace that ended early is of use only with one from which it parts.
    const bool have_parted = CompareTraces(a_.trace, b_.trace).differing.has_value();
    for (Side* const side : {&a_, &b_}) {
      if (side->subject == nullptr) continue;
      if (!have_parted && !side->is_whole(last_)) {
        side->trace.clear();
        continue;
      }
      found_.traces.push_back({.from = From::kCache,
                               .engine = side->subject->identity().name,
                               .digest_count = side->trace.size()});
      for (SavedState& state : side->cache->States()) states_.Keep(std::move(state));
    }
    return absl::OkStatus();
  }

  // Takes the traces that are not known in one pass, in which the engines work at the same time. It
  // ends where the traces part.
  absl::Status TakeUnknown() {
    for (Side* const side : {&a_, &b_}) {
      if (side->subject != nullptr && side->trace.empty()) taken_.push_back(side);
    }
    if (taken_.empty()) return absl::OkStatus();
    std::vector<Tracer> tracers;
    for (Side* const side : taken_) {
      RETURN_IF_ERROR(side->subject->Reset());
      tracers.emplace_back(*side->subject);
    }
    std::function<void(SequenceNumber)> progress;
    if (options_.begin_pass) progress = options_.begin_pass();
    JournalSource source(reader_);
    RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
    bool have_parted = false;
    for (SequenceNumber at; at < last_ && !have_parted;) {
      ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
      if (run.empty()) break;
      const journal::Batch part = run.Part(0, last_ - at);
      at = part.rows.back().sequence;
      ASSIGN_OR_RETURN(const bool has_ended, TakeRun(part, tracers));
      have_parted = has_ended || PartedAt(at, a_, b_);
      if (!have_parted) {
        for (Tracer& tracer : tracers) states_.Offer(tracer.subject(), tracer.answer());
      }
      if (progress) progress(at);
    }
    for (const Side* const side : taken_) {
      found_.traces.push_back(
          {.from = From::kPass,
           .engine = side->subject->identity().name,
           .digest_count = side->trace.size(),
           .parted_at = have_parted ? side->trace.back().sequence : SequenceNumber(),
           .has_ended = EndsThere(side->trace.back())});
    }
    return absl::OkStatus();
  }

  // Adds the digests of the run to the traces. Returns true if an engine ended.
  absl::StatusOr<bool> TakeRun(const journal::Batch& run, std::vector<Tracer>& tracers) {
    std::vector<absl::Status> sent;
    for (Tracer& tracer : tracers) sent.push_back(tracer.Send(run));
    bool has_ended = false;
    for (size_t i = 0; i < tracers.size(); ++i) {
      absl::StatusOr<Checkpoint> checkpoint =
          sent[i].ok() ? tracers[i].Receive() : absl::StatusOr<Checkpoint>(sent[i]);
      if (absl::IsAborted(checkpoint.status())) {
        has_ended = true;
        checkpoint = Checkpoint{.sequence = run.rows.back().sequence,
                                .log = std::nullopt,
                                .trace = EndMark(),
                                .state = engine::Digest()};
      }
      RETURN_IF_ERROR(checkpoint.status());
      taken_[i]->trace.push_back(*checkpoint);
    }
    return has_ended;
  }

  // Saves the state at `equal`, from which both engines continue now and the next time.
  absl::Status GoTo(SequenceNumber equal) {
    // Up to there both engines were in the recorded states, so they may start from them.
    for (const Checkpoint& checkpoint : b_.trace) {
      if (checkpoint.sequence > equal) break;
      if (checkpoint.state.has_value()) states_.Know(checkpoint.sequence, *checkpoint.state);
    }
    JournalSource source(reader_);
    Subject& subject = a_.subject != nullptr ? *a_.subject : *b_.subject;
    ASSIGN_OR_RETURN(has_new_state_, KeepStateAt(source, subject, equal, states_));
    return absl::OkStatus();
  }

  // Stores what was taken in the cache, and with B's trace the states that both engines had.
  absl::Status Store() const {
    for (const Side* const side : taken_) {
      if (side != &b_) RETURN_IF_ERROR(side->cache->Keep(side->trace, {}));
    }
    const bool is_b_taken = !taken_.empty() && taken_.back() == &b_;
    if (!is_b_taken && !has_new_state_) return absl::OkStatus();
    std::vector<const SavedState*> states = states_.Kept();
    const auto& differing = found_.comparison.differing;
    std::erase_if(states, [&](const SavedState* state) {
      return differing.has_value() && state->sequence > differing->equal;
    });
    return b_.cache->Keep(b_.trace, states);
  }

  const journal::Directory& directory_;
  journal::Reader& reader_;
  const SequenceNumber last_;  // Of the journal.
  SnapshotStates& states_;
  const DigestBisectionOptions& options_;
  Side a_;
  Side b_;
  std::vector<Side*> taken_;  // In this run's pass.
  bool has_new_state_ = false;
  DigestBisection found_;
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
    return pair.first->trace != pair.second->trace || EndsThere(*pair.first);
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
    absl::FunctionRef<absl::StatusOr<bool>(const Checkpoint&, const journal::Batch&)> seen) {
  RETURN_IF_ERROR(subject.Reset());
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  Tracer tracer(subject);
  const SequenceNumber last = source.last();
  for (SequenceNumber at; at < last;) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) break;
    const journal::Batch part = run.Part(0, last - at);
    RETURN_IF_ERROR(tracer.Send(part));
    ASSIGN_OR_RETURN(const Checkpoint here, tracer.Receive());
    at = here.sequence;
    ASSIGN_OR_RETURN(const bool goes_on, seen(here, part));
    if (!goes_on) break;
  }
  return absl::OkStatus();
}

absl::StatusOr<DigestBisection> BisectByDigests(const journal::Directory& directory,
                                                journal::Reader& reader, Subject* a, Subject& b,
                                                SnapshotStates& states,
                                                const DigestBisectionOptions& options) {
  return Bisector(directory, reader, states, options).Run(a, b);
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
