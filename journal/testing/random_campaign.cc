#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "journal/ack_policy.h"
#include "journal/finding.h"
#include "journal/testing/campaign.h"
#include "journal/testing/campaign_journals.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/oracles.h"
#include "journal/testing/records.h"
#include "journal/testing/stepped_halves.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

constexpr size_t kRecords = 4000;

WriterOptions RandomOptions(engine::Prng& prng) {
  WriterOptions options;
  options.segment_bytes = 64 << 10;
  options.block_records = static_cast<uint32_t>(1 + prng.Below(60));
  options.block_attachment_bytes = static_cast<uint32_t>(1 + prng.Below(2000));
  options.compression = prng.Chance(50) ? Compression::kZstd : Compression::kNone;
  options.blocks_in_flight = static_cast<uint32_t>(2 + prng.Below(4));
  return options;
}

// Generations of writers, on a device that fails but does not lie.
class Generations {
 public:
  explicit Generations(uint64_t seed)
      : prng_(seed), log_(RecordSource(seed, prng_.Below(30)).Take(kRecords)) {}

  std::string Run() {
    directory_.SetKeepsCache(prng_.Chance(30));
    const uint64_t count = 2 + prng_.Below(5);
    for (uint64_t i = 0; i < count; ++i) {
      const std::string violation = Generation();
      if (!violation.empty()) return absl::StrCat("generation ", i, ": ", violation);
    }
    return "";
  }

 private:
  std::string Generation() {
    WriterOptions options = RandomOptions(prng_);
    SteppedHalves halves(prng_.Next());
    const bool two_threads = prng_.Chance(50);
    if (two_threads) options.threads = halves.threads();
    if (prng_.Chance(15)) options.segment_bytes = options.reserve_bytes = ReserveBytesMin(options);
    FaultyDirectory faulty(directory_, RandomPlan());
    const bool exists = !directory_.Snapshot().empty() && began_;
    auto opened = exists
                      ? Writer::Open(faulty, TestMetadata(), TestUuid(), kTestCreated, options)
                      : Writer::Create(faulty, TestMetadata(), TestUuid(), kTestCreated, options);
    if (opened.ok()) {
      began_ = true;
      if (two_threads) halves.Attach(**opened);
      submitted_.appended = (*opened)->next_sequence().value() - 1;
      const std::string violation = Work(**opened, two_threads ? &halves : nullptr);
      if (!violation.empty()) return violation;
    }
    Stop(opened.ok() ? opened->get() : nullptr);
    opened = absl::CancelledError();
    options.threads = nullptr;
    options.reserve_bytes = 0;
    const std::string violation = CheckAfterCrash(directory_, submitted_, options);
    if (!violation.empty()) return violation;
    began_ |= submitted_.appended > 0;
    return CheckShown(shown_, submitted_);
  }

  FaultPlan RandomPlan() {
    if (prng_.Chance(60)) return {};
    FaultPlan plan{.failing_call = prng_.Below(60),
                   .stays_broken = prng_.Chance(50),
                   .code = prng_.Chance(30) ? absl::StatusCode::kResourceExhausted
                                            : absl::StatusCode::kUnavailable,
                   .short_writes = prng_.Chance(50)};
    if (prng_.Chance(50)) {
      plan.on_failed_sync = [this](absl::string_view name) { directory_.FailSync(name, prng_); };
    }
    return plan;
  }

  std::string Work(Writer& writer, SteppedHalves* halves) {
    absl::Status status;
    for (uint64_t i = prng_.Below(40); i > 0 && status.ok(); --i) {
      status = Step(writer);
      if (halves != nullptr) halves->Steps(prng_.Below(12));
      // Its promises must never be withdrawn.
      submitted_.acknowledged =
          std::max(submitted_.acknowledged, writer.durable_sequence().value());
      if (prng_.Chance(20)) {
        const std::string violation = FollowOn(directory_, shown_);
        if (!violation.empty()) return violation;
      }
    }
    return status.ok() || status == writer.status() || absl::IsResourceExhausted(status)
               ? ""
               : "a failure is not sticky";
  }

  absl::Status Step(Writer& writer) {
    switch (prng_.Below(10)) {
      case 0:
        return writer.SetAckPolicy(static_cast<AckPolicy>(prng_.Below(3)));
      case 1:
        return writer.HandOver();
      case 2:
        return writer.Sync();
      case 3:
        return writer.Write();
      case 4:
        return writer.Heartbeat();
      default:
        break;
    }
    absl::Status status;
    for (uint64_t i = prng_.Below(90); i > 0 && status.ok(); --i) {
      if (submitted_.appended + 10 > log_.size()) break;
      const OwnedRecord& record = log_[submitted_.appended];
      status = writer.Append(record.row, record.attachment);
      // A record whose Append() failed may still be there.
      if (status.ok() || !writer.status().ok()) ++submitted_.appended;
    }
    return status;
  }

  void Stop(Writer* writer) {
    const uint64_t dice = prng_.Below(10);
    if (dice == 0 && writer != nullptr && writer->Close().ok()) {
      submitted_.acknowledged = submitted_.appended;
    }
    if (writer != nullptr) {
      submitted_.acknowledged =
          std::max(submitted_.acknowledged, writer->durable_sequence().value());
    }
    if (dice == 1) {
      directory_.Kill();
    } else {
      directory_.Crash(prng_);
    }
  }

  engine::Prng prng_;
  const std::vector<OwnedRecord> log_;
  MemoryDirectory directory_;
  bool began_ = false;
  Submitted submitted_{.log = log_};
  std::vector<OwnedRecord> shown_;  // By a follower.
};

}  // namespace

std::string RandomHistory(uint64_t seed) { return Generations(seed).Run(); }

std::string LyingDevice(uint64_t seed) {
  engine::Prng prng(seed);
  const Lie lie = static_cast<Lie>(1 + prng.Below(5));
  const FaultPlan plan{.lie = lie,
                       .lying_call = prng.Below(lie == Lie::kBitFlipsInRead ? 12 : 25),
                       .lie_seed = prng.Next()};
  MemoryDirectory directory;
  Submitted submitted{.log = SmallLog()};
  const bool closes = prng.Chance(50);
  if (lie == Lie::kBitFlipsInRead) {
    LiveShortLife(directory, /*begins=*/true, closes, submitted);
    directory.Kill();
    // What the log itself marks as durable stays, regardless of what a takeover reads.
    const auto report = Verify(directory);
    if (!report.ok()) return report.status().ToString();
    FaultyDirectory faulty(directory, plan);
    Submitted unused{.log = SmallLog()};
    LiveShortLife(faulty, /*begins=*/false, closes, unused);
    directory.CrashDroppingAll();
    return CheckAfterDamage(directory.Snapshot(), SmallLog(),
                            {.durable = report->durable_sequence.value(), .is_noticed = false});
  }
  FaultyDirectory faulty(directory, plan);
  LiveShortLife(faulty, /*begins=*/true, closes, submitted);
  if (prng.Chance(50)) {
    directory.Kill();
    LiveShortLife(faulty, /*begins=*/false, prng.Chance(50), submitted);
  }
  directory.CrashDroppingAll();
  return CheckAfterDamage(directory.Snapshot(), SmallLog(), {.is_noticed = false});
}

}  // namespace journal
