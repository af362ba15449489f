// ticktape bisect: finds the first command at which two engines diverge, or a predicate holds.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "journal/digest_sidecar.h"
#include "journal/log_digest.h"
#include "journal/prefix_digests.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/explanation.h"
#include "replay/compare/failure.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/engines.h"
#include "replay/log_source.h"
#include "replay/trace_vector.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/compare/bisect_predicates.h"
#include "tools/cli/compare/divergence_report.h"
#include "tools/cli/compare/engine_states.h"
#include "tools/cli/compare/verbs.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/read/replay_report.h"
#include "tools/os/child_process.h"
#include "tools/os/output.h"

namespace tools {
namespace {

// A cache of trace vectors by log and build, so that the next bisect need not take them again.
//
//   FOLDER / <log digest>-<digest of the build> / checkpoints.trace
//                                               / states    some states within the log
//
// Everything in it is derived, and may be deleted at any time.

// Not thread-safe: owned by the verb.
class TraceCache {
 public:
  // Returns $XDG_CACHE_HOME/ticktape, or ~/.cache/ticktape; "" if neither variable is set.
  static std::string DefaultFolder();

  // If `folder` is empty, nothing is cached.
  explicit TraceCache(std::string folder) : folder_(std::move(folder)) {}

  // Returns the trace of the log that ends with record `last`; empty if it is not cached.
  std::vector<journal::Checkpoint> Find(const engine::Digest& log,
                                        const replay::SubjectIdentity& identity,
                                        engine::SequenceNumber last) const;

  // Errors: the storage's.
  absl::Status Keep(const engine::Digest& log, const replay::SubjectIdentity& identity,
                    const std::vector<journal::Checkpoint>& checkpoints) const;

  // Stores some of these states, at most 64 MiB.
  absl::Status KeepStates(const engine::Digest& log, const replay::SubjectIdentity& identity,
                          const std::vector<const replay::SavedState*>& states) const;
  // Returns the stored states, without those that cannot be read.
  std::vector<replay::SavedState> FindStates(const engine::Digest& log,
                                             const replay::SubjectIdentity& identity) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string PathOf(const engine::Digest& log, const replay::SubjectIdentity& identity) const;

  const std::string folder_;
};

constexpr char kStatesName[] = "/states";
constexpr size_t kStatesBytesMax = size_t{64} << 20;

engine::Digest DigestOfIdentity(const replay::SubjectIdentity& identity) {
  const std::string text =
      absl::StrCat(identity.name, "\n", identity.build_id, "\n", identity.semantics_version);
  return engine::DigestOf(engine::AsBytes(text));
}

journal::Uuid UuidOf(const engine::Digest& log, const replay::SubjectIdentity& identity) {
  return journal::Uuid::FromWords(log.low, DigestOfIdentity(identity).low);
}

std::string TraceCache::DefaultFolder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return absl::StrCat(cache, "/ticktape");
  }
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : absl::StrCat(home, "/.cache/ticktape");
}

std::string TraceCache::PathOf(const engine::Digest& log,
                               const replay::SubjectIdentity& identity) const {
  return absl::StrCat(folder_, "/", log.ToString(), "-", DigestOfIdentity(identity).ToString());
}

std::vector<journal::Checkpoint> TraceCache::Find(const engine::Digest& log,
                                                  const replay::SubjectIdentity& identity,
                                                  engine::SequenceNumber last) const {
  if (folder_.empty()) return {};
  const auto directory =
      journal::OpenPosixDirectory(PathOf(log, identity), journal::DirectoryMode::kReadOnly);
  if (!directory.ok()) return {};
  auto checkpoints = journal::ReadSidecar(**directory, UuidOf(log, identity), last);
  if (!checkpoints.ok()) return {};
  return *std::move(checkpoints);
}

absl::Status TraceCache::Keep(const engine::Digest& log, const replay::SubjectIdentity& identity,
                              const std::vector<journal::Checkpoint>& checkpoints) const {
  if (folder_.empty()) return absl::OkStatus();
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) return absl::UnavailableError(absl::StrCat(folder_, ": ", error.message()));
  std::filesystem::remove_all(PathOf(log, identity), error);
  ASSIGN_OR_RETURN(
      const auto directory,
      journal::OpenPosixDirectory(PathOf(log, identity), journal::DirectoryMode::kCreate));
  ASSIGN_OR_RETURN(const auto sidecar,
                   journal::SidecarWriter::Create(*directory, UuidOf(log, identity)));
  for (const journal::Checkpoint& checkpoint : checkpoints) {
    RETURN_IF_ERROR(sidecar->Append(checkpoint));
  }
  return sidecar->Close();
}

absl::Status TraceCache::KeepStates(const engine::Digest& log,
                                    const replay::SubjectIdentity& identity,
                                    const std::vector<const replay::SavedState*>& states) const {
  if (folder_.empty() || states.empty()) return absl::OkStatus();
  size_t size = 0;
  for (const replay::SavedState* state : states) {
    for (const std::vector<std::byte>& part : state->parts) size += part.size();
  }
  ASSIGN_OR_RETURN(const auto file,
                   Output::Create(PathOf(log, identity) + kStatesName, /*replace=*/true));
  // Evenly spaced states within the size limit, including the newest.
  const size_t stride = size / kStatesBytesMax + 1;
  for (size_t i = (states.size() - 1) % stride; i < states.size(); i += stride) {
    const std::vector<std::byte> bytes = replay::Encode(*states[i]);
    std::byte length[sizeof(uint64_t)];
    engine::StoreLittleEndian(static_cast<uint64_t>(bytes.size()), length);
    file->Write(engine::AsText(length));
    file->Write(engine::AsText(bytes));
  }
  return file->Finish();
}

std::vector<replay::SavedState> TraceCache::FindStates(
    const engine::Digest& log, const replay::SubjectIdentity& identity) const {
  std::vector<replay::SavedState> states;
  if (folder_.empty()) return states;
  std::ifstream file(PathOf(log, identity) + kStatesName, std::ios::binary);
  const std::string contents{std::istreambuf_iterator<char>(file), {}};
  engine::Bytes rest = engine::AsBytes(contents);
  while (rest.size() >= sizeof(uint64_t)) {
    const uint64_t length = engine::LoadLittleEndian<uint64_t>(rest.data());
    rest = rest.subspan(sizeof(uint64_t));
    if (length > rest.size()) break;
    absl::StatusOr<replay::SavedState> state = replay::DecodeState(rest.first(length));
    if (!state.ok()) break;
    states.push_back(*std::move(state));
    rest = rest.subspan(length);
  }
  return states;
}

constexpr char kRecorded[] = "recorded";

class BisectVerb final : public Verb {
 public:
  const char* name() const override { return "bisect"; }
  const char* summary() const override {
    return "The first command at which two engines part, or something turns";
  }
  const char* examples() const override {
    return "  ticktape bisect a.tape --engine-b ./other/ticktape\n"
           "  ticktape bisect a.tape --engine-b fast --pred 'event trade.quantity > 1000'\n"
           "  ticktape bisect a.tape --engine-b fast --pred 'exec ./script'\n"
           "  git bisect run ticktape bisect a.tape --engine-b bazel-bin/tools/cli/ticktape \\\n"
           "      --build 'bazel build -c opt //tools/cli:ticktape'\n"
           "\n"
           "Predicates but diverge are about engine B alone: crash, invariant (of its own),\n"
           "invariant:E2, invariant:E3 (its books), 'event CONDITION', 'exec PROGRAM' (given a\n"
           "journal of the first commands; exit code 0 is good, 125 that it cannot say).\n"
           "CONDITION is a filter as for cat --where, on the fields of events: KIND.FIELD, or\n"
           "sequence index kind market order counter side price quantity remaining account, and\n"
           "of some kinds maker taker reason priority state change fee balance reserved position\n"
           "orders group, e.g. 'event rejected and (reason==price_off_tick or account==7)'.\n"
           "Engine A is the recorded run, by its digests, unless it is named. What had to be\n"
           "computed is kept (--cache); engines go on from the journal's snapshots where they "
           "were\n"
           "in the same state. Exit codes, those of git bisect run: 0 nothing found, 1 found, 125\n"
           "this build cannot answer.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<ExitCode> FindTurning(Console& console);
  absl::StatusOr<ExitCode> Engines(Console& console);
  absl::StatusOr<ExitCode> InLockStep(Console& console);
  absl::StatusOr<std::unique_ptr<replay::Subject>> Open(const std::string& engine) const;
  absl::Status OpenEngines();
  bool Build(Console& console);
  absl::StatusOr<engine::Digest> LogDigest();
  absl::StatusOr<std::vector<journal::Checkpoint>> TraceOf(
      replay::Subject& subject, const std::vector<journal::Checkpoint>* against, Console& console);
  absl::StatusOr<std::optional<replay::DivergingRun>> FindRun(Console& console);
  ExitCode ReportSame(Console& console, absl::string_view what) const;
  absl::StatusOr<ExitCode> ReportDivergence(const replay::Divergence& divergence, Console& console);
  void AddSteps(Report& report) const;

  std::string path_;
  std::string engine_a_ = kRecorded;
  std::string engine_b_;
  std::string predicate_ = kDiverge;
  std::string build_;
  std::string cache_ = TraceCache::DefaultFolder();
  bool exhaustive_ = false;

  OpenedJournal opened_;
  std::unique_ptr<EngineStates> states_;
  std::unique_ptr<replay::Subject> a_;
  std::unique_ptr<replay::Subject> b_;
  std::vector<std::string> steps_;
};

void BisectVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.Add("--engine-a", engine_a_, "recorded, or as --engine-b").Type("ENGINE").ShowDefault();
  options.Add("--engine-b", engine_b_, kSubjectHelp).Required().Type("ENGINE");
  options.Add("--pred", predicate_, kPredicateHelp).Type("PREDICATE").ShowDefault();
  options.Add("--build", build_, "What to run first; 125 where it fails").Type("COMMAND");
  options.Add("--cache", cache_, "Where computed digests are kept; '' for nowhere").Type("FOLDER");
  options.AddFlag("--exhaustive", exhaustive_, "With exec: try every prefix, in order");
}

// Returns false if this commit cannot be tested.
bool BisectVerb::Build(Console& console) {
  if (build_.empty()) return true;
  const auto child = ChildProcess::Start({"sh", "-c", build_});
  if (!child.ok()) {
    console.Error("ticktape bisect: --build: ", ConsoleText::Message(child.status().message()),
                  "\n");
    return false;
  }
  std::array<std::byte, 4096> ignored;
  for (auto got = (*child)->Read(ignored); got.ok() && *got > 0; got = (*child)->Read(ignored)) {
  }
  const int code = (*child)->Wait();
  if (code == 0) return true;
  console.Error("ticktape bisect: this commit cannot be built: '", build_,
                "': ", DescribeExit(code), "\n  ", ConsoleText::Message((*child)->last_words()),
                "\n");
  return false;
}

absl::StatusOr<ExitCode> BisectVerb::Run(Console& console) {
  if (!Build(console)) return ExitCode::kSkip;
  ASSIGN_OR_RETURN(opened_, OpenJournal(path_));
  RETURN_IF_ERROR(CheckBeginsWithFirst(opened_.reader->info()));
  states_ = EngineStates::Open(opened_);
  absl::StatusOr<ExitCode> code = predicate_ == kDiverge ? Engines(console) : FindTurning(console);
  // Another build may give an answer where this one cannot, so `git bisect` skips it. An invalid
  // command line is an error for every build.
  const bool skip =
      !code.ok() && !absl::IsInvalidArgument(code.status()) && !absl::IsOutOfRange(code.status());
  if (!skip) return code;
  console.Error("ticktape bisect: ", ConsoleText::Message(code.status().message()), "\n");
  return ExitCode::kSkip;
}

void BisectVerb::AddSteps(Report& report) const {
  for (size_t i = 0; i < steps_.size(); ++i) report.Row(i == 0 ? "how" : "", steps_[i]);
  report.Texts("steps", steps_);
}

ExitCode BisectVerb::ReportSame(Console& console, absl::string_view what) const {
  Report report("ticktape.bisect/1");
  report.Field("path", path_);
  report.Field("found", false);
  report.Line(Styled(Style::kGreen, "NOTHING FOUND"), "  ", path_, ": ", what);
  AddSteps(report);
  report.PrintTo(console);
  return ExitCode::kOk;
}

// ---- Predicates

absl::StatusOr<ExitCode> BisectVerb::FindTurning(Console& console) {
  RETURN_IF_ERROR(CheckIsOfExchange(opened_.reader->info()));
  ASSIGN_OR_RETURN(const Predicate predicate, ParsePredicate(predicate_));
  TurnOptions options{.exhaustive = exhaustive_};
  if (predicate.kind == Predicate::Kind::kExec && !cache_.empty()) {
    ASSIGN_OR_RETURN(const engine::Digest log, LogDigest());
    std::error_code error;
    std::filesystem::create_directories(cache_, error);
    options.memory =
        absl::StrCat(cache_, "/", log.ToString(), "-",
                     engine::DigestOf(engine::AsBytes(predicate_)).ToString(), ".exec");
  }
  Progress progress(console, "bisect", "records", opened_.reader->info().record_count());
  ASSIGN_OR_RETURN(const std::optional<replay::Turn> turn,
                   FindTurn(predicate, *opened_.reader, engine_b_, options, progress, steps_));
  progress.Clear();
  if (!turn.has_value()) return ReportSame(console, NothingTurned(predicate));
  Report report("ticktape.bisect/1");
  report.Field("path", path_);
  report.Field("found", true);
  report.Line(Styled(Style::kRed, "FOUND"), " at @", turn->sequence, "  ", path_);
  report.Fact("predicate", "predicate", predicate_);
  report.Field("sequence", turn->sequence);
  report.Fact("what", "what", turn->what);
  AddSteps(report);
  report.Row("next", "ticktape inspect ", ShellWord(path_), " @", turn->sequence);
  report.PrintTo(console);
  return ExitCode::kDifferent;
}

// ---- Two engines

absl::StatusOr<std::unique_ptr<replay::Subject>> BisectVerb::Open(const std::string& engine) const {
  ASSIGN_OR_RETURN(const replay::Application* const application,
                   ApplicationOf(opened_.reader->info()));
  return OpenSubject(engine, Isolation::kNone, *application);
}

absl::Status BisectVerb::OpenEngines() {
  if (engine_a_ != kRecorded) {
    ASSIGN_OR_RETURN(a_, Open(engine_a_));
  }
  ASSIGN_OR_RETURN(b_, Open(engine_b_));
  return absl::OkStatus();
}

// Continues from the sidecar's checkpoint at the end of the last complete run, if the journal
// confirms it; else reads the whole journal.
absl::StatusOr<engine::Digest> BisectVerb::LogDigest() {
  const journal::JournalInfo& info = opened_.reader->info();
  const engine::SequenceNumber runs_end = journal::CompleteRunsEnd(info.last_sequence);
  std::optional<journal::LogDigest> digest;
  const auto recorded = journal::ReadSidecar(*opened_.directory, info.uuid, info.last_sequence);
  if (recorded.ok()) {
    journal::PrefixDigests digests(*opened_.directory);
    for (const journal::Checkpoint& checkpoint : *recorded) {
      if (checkpoint.sequence != runs_end || !checkpoint.log.has_value()) continue;
      if (digests.Check(runs_end, *checkpoint.log).ok()) {
        digest.emplace(runs_end, *checkpoint.log);
      }
    }
  }
  if (!digest.has_value()) digest.emplace();
  RETURN_IF_ERROR(opened_.reader->SeekToSequence(digest->last().Next()));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch batch, opened_.reader->NextBatch());
    if (batch.empty()) return digest->Value();
    digest->Add(batch.rows, batch.attachments);
  }
}

// Returns the trace from the cache, or takes it in one pass, which ends early at the first
// checkpoint that differs from `against`.
absl::StatusOr<std::vector<journal::Checkpoint>> BisectVerb::TraceOf(
    replay::Subject& subject, const std::vector<journal::Checkpoint>* against, Console& console) {
  const TraceCache cache(cache_);
  ASSIGN_OR_RETURN(const engine::Digest log, LogDigest());
  const std::string& name = subject.identity().name;
  replay::JournalSource source(*opened_.reader);
  std::vector<journal::Checkpoint> trace = cache.Find(log, subject.identity(), source.last());
  // A trace that ended early is usable as long as it diverges from the same vector.
  const bool is_whole = !trace.empty() && trace.back().sequence == source.last();
  const bool has_diverged = !trace.empty() && against != nullptr &&
                            replay::CompareTraces(*against, trace).differing.has_value();
  if (is_whole || has_diverged) {
    steps_.push_back(
        absl::StrCat(name, ": ", WithCommas(trace.size()), " digests from the cache, no replay"));
    for (replay::SavedState& state : cache.FindStates(log, subject.identity())) {
      states_->states().Keep(std::move(state));
    }
    return trace;
  }
  trace.clear();
  Progress progress(console, "bisect", "records", source.last().value());
  bool diverged = false;
  RETURN_IF_ERROR(replay::TakeTrace(
      source, subject, source.last(),
      [&](const journal::Checkpoint& checkpoint) {
        trace.push_back(checkpoint);
        progress.Show(checkpoint.sequence.value());
        if (against == nullptr || trace.size() % 64 != 0) return true;
        diverged = replay::CompareTraces(*against, trace).differing.has_value();
        return !diverged;
      },
      &states_->states()));
  steps_.push_back(absl::StrCat(
      name, ": one pass",
      diverged
          ? absl::StrCat(", ended at @", trace.back().sequence.value(), " because it has parted")
          : absl::StrCat(", ", WithCommas(trace.size()), " digests"),
      cache_.empty() ? "" : ", kept for the next time"));
  RETURN_IF_ERROR(cache.Keep(log, subject.identity(), trace));
  RETURN_IF_ERROR(cache.KeepStates(log, subject.identity(), states_->states().Kept()));
  return trace;
}

absl::StatusOr<std::optional<replay::DivergingRun>> BisectVerb::FindRun(Console& console) {
  std::vector<journal::Checkpoint> trace_a;
  if (a_ == nullptr) {
    const journal::JournalInfo& info = opened_.reader->info();
    auto recorded = journal::ReadSidecar(*opened_.directory, info.uuid, info.last_sequence);
    if (!recorded.ok()) {
      return absl::FailedPreconditionError(absl::StrCat("the recorded run left no digests (",
                                                        recorded.status().message(),
                                                        "); name an engine: --engine-a fast"));
    }
    trace_a = *std::move(recorded);
    steps_.push_back(absl::StrCat("recorded: ", WithCommas(trace_a.size()), " digests"));
  } else {
    ASSIGN_OR_RETURN(trace_a, TraceOf(*a_, nullptr, console));
  }
  ASSIGN_OR_RETURN(const std::vector<journal::Checkpoint> trace_b, TraceOf(*b_, &trace_a, console));
  const replay::TraceComparison compared = replay::CompareTraces(trace_a, trace_b);
  if (!compared.comparable || compared.common == 0) {
    return absl::FailedPreconditionError(
        "the digests of the two runs cannot be compared: one was taken without states, or they "
        "have no checkpoint in common; name an engine: --engine-a fast");
  }
  if (!compared.differing.has_value()) return std::nullopt;
  // Up to this point both engines were in the recorded states, so they may start from them.
  for (const journal::Checkpoint& checkpoint : trace_b) {
    if (checkpoint.sequence > compared.differing->equal || !checkpoint.state.has_value()) continue;
    states_->states().Know(checkpoint.sequence, *checkpoint.state);
  }
  steps_.push_back(absl::StrCat("halving: ", compared.looked_at, " of ",
                                WithCommas(compared.common), " digests looked at; equal at @",
                                compared.differing->equal.value(), ", different at @",
                                compared.differing->differs.value()));
  return compared.differing;
}

// An engine that crashes leaves no complete trace, so both run in lock step instead.
absl::StatusOr<ExitCode> BisectVerb::InLockStep(Console& console) {
  steps_.push_back("an engine ended on the way: both in lock step instead, run by run");
  replay::JournalSource source(*opened_.reader);
  Progress progress(console, "bisect", "records", source.last().value());
  ASSIGN_OR_RETURN(const std::optional<replay::Divergence> divergence,
                   replay::FindFirstDivergence(
                       source, *a_, *b_, source.last(),
                       {.progress = [&](engine::SequenceNumber at) { progress.Show(at.value()); },
                        .states = &states_->states()}));
  progress.Clear();
  if (!divergence.has_value()) return ReportSame(console, "no difference in lock step");
  return ReportDivergence(*divergence, console);
}

absl::StatusOr<ExitCode> BisectVerb::Engines(Console& console) {
  RETURN_IF_ERROR(OpenEngines());
  const absl::StatusOr<std::optional<replay::DivergingRun>> run = FindRun(console);
  if (run.ok() && !run->has_value()) return ReportSame(console, "all digests are equal");
  if (!run.ok() && !absl::IsAborted(run.status())) return run.status();
  const bool is_recorded = a_ == nullptr;
  if (is_recorded) {
    ASSIGN_OR_RETURN(a_, Open("fast"));
    engine_a_ = "fast";
  }
  if (!run.ok()) return InLockStep(console);
  const replay::DivergingRun& differing = **run;
  replay::JournalSource source(*opened_.reader);
  const absl::StatusOr<replay::Divergence> divergence = replay::FindDivergenceWithin(
      source, *a_, *b_, differing.equal, differing.differs, {.states = &states_->states()});
  steps_.push_back(absl::StrCat("to @", differing.equal.value(), ", then command by command",
                                is_recorded ? ", against this program's engine: " : ": ",
                                states_->ToString()));
  if (is_recorded && absl::IsInternal(divergence.status())) {
    console.Note("ticktape bisect: B parted from the recorded run between @",
                 differing.equal.Next().value(), " and @", differing.differs.value(),
                 ", but this program's engine does there what B does; name the engine that "
                 "recorded it: --engine-a");
    return ExitCode::kDifferent;
  }
  RETURN_IF_ERROR(divergence.status());
  return ReportDivergence(*divergence, console);
}

absl::StatusOr<ExitCode> BisectVerb::ReportDivergence(const replay::Divergence& divergence,
                                                      Console& console) {
  ASSIGN_OR_RETURN(
      const DescribedDivergence found,
      DescribedDivergence::Make(opened_, *states_, engine_a_, *a_, engine_b_, *b_, divergence));
  Report report("ticktape.bisect/1");
  report.Field("path", path_);
  report.Field("found", true);
  found.AddRows(report);
  AddSteps(report);
  states_->AddTo(report);
  found.AddFields(report);
  report.PrintTo(console);
  return ExitCode::kDifferent;
}

}  // namespace

std::unique_ptr<Verb> MakeBisectVerb() { return std::make_unique<BisectVerb>(); }

}  // namespace tools
